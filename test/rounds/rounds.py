#!/usr/bin/env python3
"""Applies the fixes of all checks together, again and again, to every given file.

One run of --fix must leave code that compiles, although each file has been written for one check and gets the edits
of all; and after three rounds nothing that has an edit may be left. Files that need other flags or another LibTorch
(a RUN line with flags of its own, REQUIRES) are left out.

    rounds.py --clang-tidy=PROGRAM --plugin=FILE --flags=FLAGS [--pch=FILE] [--env NAME=VALUE]... [-j N] --temp=DIR FILE|DIR...
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

ROUNDS = 3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang-tidy", required=True)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--flags", required=True)
    parser.add_argument("--pch", default="")
    parser.add_argument("--env", action="append", default=[])
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--temp", required=True)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    files = []
    for path in args.paths:
        files += sorted(p for p in path.rglob("*.cpp") if "Inputs" not in p.parts) if path.is_dir() else [path]
    files = [f for f in files if usable(f)]
    if not files:
        sys.exit("rounds.py: no file to run on")
    shutil.rmtree(args.temp, ignore_errors=True)
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        results = list(pool.map(lambda f: run(args, f), files))
    failed = 0
    most = 0
    for path, rounds, problem in results:
        most = max(most, rounds)
        if problem:
            failed += 1
            print(f"FAIL {path}: {problem}")
    print(f"{len(files)} files, {failed} failed; at most {most} rounds with an edit")
    sys.exit(1 if failed else 0)


def usable(path):
    return not re.search(r"RUN:.*check_torch_tidy.* -- |-no-pch|REQUIRES:", path.read_text(errors="replace"))


def run(args, path):
    """(path, rounds that changed something, what is wrong or None)"""
    folder = pathlib.Path(args.temp, *path.with_suffix("").parts[-3:])
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / path.name
    copy.write_text(re.sub(r"// *CHECK-[A-Z0-9-]+:[^\r\n]*", "//", path.read_text()))
    # Headers of a program lie beside its sources.
    for header in path.parent.glob("*.h"):
        shutil.copy(header, folder)
    if (path.parent / "Inputs").is_dir():
        shutil.copytree(path.parent / "Inputs", folder / "Inputs")
    for number in range(ROUNDS + 1):
        before = copy.read_text()
        command = [args.clang_tidy, "--load=" + args.plugin, "--checks=-*,torch-*", "--quiet", "--fix", str(copy), "--"]
        command += shlex.split(args.flags) + (["-include-pch", args.pch] if args.pch else [])
        environment = dict(os.environ, **dict(pair.split("=", 1) for pair in args.env))
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)
        output = result.stdout + result.stderr
        errors = [line for line in output.splitlines() if re.search(r": (fatal )?error: ", line)]
        if errors or result.returncode not in (0, 1):
            what = "the file" if number == 0 else f"the text after {number} rounds"
            return path, number, f"{what} does not compile: {errors[0] if errors else output[-400:]}"
        if copy.read_text() == before:
            return path, number, None
    return path, ROUNDS, f"there are still edits after {ROUNDS} rounds"


if __name__ == "__main__":
    main()
