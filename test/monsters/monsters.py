#!/usr/bin/env python3
"""Runs the checks on generated programs of extreme size (generate.py): they end, and report what has to be reported.

    monsters.py --clang-tidy=PROGRAM --plugin=FILE --flags=FLAGS [--pch=FILE] [--env NAME=VALUE]... [-j N] [--kinds LIST] --temp=DIR

Each program stresses one thing: statements, nesting, paths, tensors that live at once, depth and number of calls, length of
expressions. Prints the lines that are missing or too many; exit status 1 with any, and with a crash.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from generate import KINDS

HANG = 600  # seconds: far from what any of them takes
REPORT = re.compile(r"^[^:\n]+:(\d+):\d+: warning: .* \[torch-", re.M)
ERROR = re.compile(r"^[^:\n]+:\d+:\d+: (?:fatal )?error: .*", re.M)


def command(clang_tidy, plugin, flags, pch, file):
    """How the checks run on one program: also used by bench/scaling."""
    return [clang_tidy, "--load=" + plugin, "--checks=-*,torch-host-access", "--quiet", str(file), "--", *flags,
            "-fbracket-depth=4000", "-Wno-everything", *(["-include-pch", pch] if pch else [])]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--flags", required=True)
    parser.add_argument("--pch", default="")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS), help="which programs, separated by commas")
    parser.add_argument("--temp", required=True, type=pathlib.Path)
    args = parser.parse_args()
    args.temp.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, **dict(pair.split("=", 1) for pair in args.env))

    def run(kind):
        make, _, size = KINDS[kind]
        text, expected = make(size)
        file = args.temp / f"{kind}.cpp"
        file.write_text(text)
        try:
            result = subprocess.run(command(args.clang_tidy, args.plugin, shlex.split(args.flags), args.pch, file),
                                    capture_output=True, text=True, errors="replace", env=environment, timeout=HANG)
        except subprocess.TimeoutExpired:
            return kind, size, f"did not end within {HANG} s"
        if result.returncode or ERROR.search(result.stdout):
            return kind, size, f"status {result.returncode}: {ERROR.search(result.stdout) or result.stderr[-600:]}"
        found = {int(line) for line in REPORT.findall(result.stdout)}
        wrong = [f"line {line}: no report" for line in sorted(set(expected) - found)]
        wrong += [f"line {line}: a report" for line in sorted(found - set(expected))]
        return kind, size, "; ".join(wrong[:5]) + (f" and {len(wrong) - 5} more" if len(wrong) > 5 else "")

    failed = 0
    kinds = [k for k in args.kinds.split(",") if k]
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for kind, size, problem in pool.map(run, kinds):
            print(f"{kind:12}{size:7} {problem or 'ok'}", flush=True)
            failed += bool(problem)
    print(f"{len(kinds)} programs, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
