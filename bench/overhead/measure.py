#!/usr/bin/env python3
"""Measures clang-tidy with and without the torch-* checks on some files; run.sh says how.

    measure.py --tidy CLANG-TIDY --plugin PLUGIN --checks LIST --runs N FILE ... -- FLAG ...

Prints for each file the median seconds of both ways and the median of the pairwise ratios, and the median over all pairs.
"""
import argparse
import os
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from cpu_time import seconds

BASE = "-*,misc-definitions-in-headers"


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--checks", required=True)
    parser.add_argument("--runs", type=int, required=True)
    parser.add_argument("files", nargs="+")
    args = parser.parse_args(sys.argv[1:split])
    flags = sys.argv[split + 1:]

    def command(file, ours):
        load, checks = (["--load=" + args.plugin], f"{BASE},{args.checks}") if ours else ([], BASE)
        return [args.tidy, "--quiet", *load, "--checks=" + checks, file, "--", *flags]

    print(f"{'file':32}{'base s':>9}{'with s':>9}{'ratio':>8}  (lowest to highest)")
    every = []
    for file in args.files:
        for ours in (False, True):  # the first runs only fill the caches
            seconds(command(file, ours))
        base, ours, ratios = [], [], []
        for run in range(args.runs):
            pair = {}
            for way in (False, True) if run % 2 == 0 else (True, False):
                pair[way] = seconds(command(file, way))
            base.append(pair[False])
            ours.append(pair[True])
            ratios.append(pair[True] / pair[False])
        every += ratios
        print(f"{os.path.basename(file):32}{statistics.median(base):9.2f}{statistics.median(ours):9.2f}"
              f"{statistics.median(ratios):8.3f}  ({min(ratios):.3f} to {max(ratios):.3f})", flush=True)
    print(f"{'all (' + str(len(every)) + ' pairs)':50}{statistics.median(every):8.3f}")


if __name__ == "__main__":
    main()
