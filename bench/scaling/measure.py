#!/usr/bin/env python3
"""Prints the time of the checks against the size of the code; run.sh says how.

    measure.py --tidy CLANG-TIDY --plugin PLUGIN [--kinds LIST] -- FLAG ...

For each kind of generated program (test/monsters/generate.py), four sizes, each twice the one before: CPU seconds of clang-tidy with
torch-host-access, less those with one cheap check of clang-tidy's own, and the growth from size to size. 2 is linear.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "test" / "monsters"), str(HERE.parent)]
from cpu_time import seconds
from generate import KINDS
from monsters import command


def main():
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--kinds", default=",".join(KINDS))
    args = parser.parse_args(sys.argv[1:split])
    flags = sys.argv[split + 1:]
    print(f"{'kind':12}{'size':>8}{'seconds':>9}{'us/unit':>9}{'growth':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds.split(","):
            make, sizes, _ = KINDS[kind]
            before = None
            for size in sizes:
                file = pathlib.Path(folder, f"{kind}.cpp")
                file.write_text(make(size)[0])
                ours = command(args.tidy, args.plugin, flags, "", file)
                base = [a.replace("torch-host-access", "misc-definitions-in-headers") for a in ours if not a.startswith("--load")]
                # The lowest of three: what is above it is other work on the machine.
                cost = max(min(seconds(ours) for _ in range(3)) - min(seconds(base) for _ in range(3)), 0.001)
                print(f"{kind:12}{size:8}{cost:9.3f}{cost / size * 1e6:9.1f}{cost / before if before else 0:8.2f}", flush=True)
                before = cost


if __name__ == "__main__":
    main()
