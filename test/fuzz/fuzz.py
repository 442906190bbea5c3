#!/usr/bin/env python3
"""Feeds the checks with broken C++: no crash, no hang, nothing that the sanitizers see.

    fuzz.py --build DIR [--torch NAME] [--inputs N] [--seed S] [--jobs N] [--keep DIR] FILE|DIR...

Takes the given programs in turn and breaks each in one of several ways (cut off, tokens removed, doubled, exchanged, or taken from another
program, brackets lost, lines moved, bytes flipped), as an editor sees them while somebody types. All checks run on each with every option
that adds work. DIR is a build tree, best one with sanitizers (tools/test.sh makes build/asan). The same seed makes the same inputs. What
fails is kept in --keep, as the smallest text that still fails in the same way; where clang fails without the checks as well, it is counted
apart. Exit status 1 with a failure.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|//[^\n]*|::|->|<<|>>|&&|\|\||\s+|.", re.S)
BRACKETS = "(){}[]<>;,"
SANITIZER = re.compile(r"^.*(?:ERROR: AddressSanitizer|runtime error:|UndefinedBehaviorSanitizer).*$", re.M)
BATCH = 25
HANG = 60  # seconds for one input; they take less than one


def tokens(text):
    return TOKEN.findall(text)


def broken(text, other, rng):
    """`text` with one to four breaks; `other` lends tokens."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        parts = tokens(text)
        if not parts:
            return text
        at = rng.randrange(len(parts))
        end = min(len(parts), at + rng.choice((1, 1, 2, 5, 20)))
        way = rng.randrange(9)
        if way == 0:  # cut off, as while it is written
            del parts[at:]
        elif way == 1:
            del parts[at:end]
        elif way == 2:
            parts[at:at] = parts[at:end]
        elif way == 3:
            to = rng.randrange(len(parts))
            parts[at], parts[to] = parts[to], parts[at]
        elif way == 4:
            lent = tokens(other) or [";"]
            start = rng.randrange(len(lent))
            parts[at:end] = lent[start:start + rng.choice((1, 2, 8, 30))]
        elif way == 5:  # one kind of bracket is lost, or one is put where none was
            places = [i for i, t in enumerate(parts) if t in BRACKETS]
            if places:
                parts[rng.choice(places)] = rng.choice(list(BRACKETS) + [""])
        elif way == 6:
            lines = "".join(parts).split("\n")
            line = lines.pop(rng.randrange(len(lines)))
            lines.insert(rng.randrange(len(lines) + 1), line)
            parts = ["\n".join(lines)]
        elif way == 7:  # a name of the program in the place of another
            names = [i for i, t in enumerate(parts) if re.match(r"[A-Za-z_]", t)]
            if names:
                parts[rng.choice(names)] = parts[rng.choice(names)]
        else:
            joined = list("".join(parts))
            joined[rng.randrange(len(joined))] = chr(rng.randrange(1, 128))
            parts = joined
        text = "".join(parts)
    return text


class Checks:
    def __init__(self, args):
        script = args.build / "pch" / f"{args.torch}.sh"
        if not script.exists():
            sys.exit(f"fuzz.py: no {script}: build the tree first")
        told = subprocess.run(["bash", "-c", f'. "{script}"; printf "%s\\n" "$TIDY" "$PLUGIN" "$TORCH_PCH" "${{TORCH_FLAGS[@]}}"'],
                              capture_output=True, text=True, check=True).stdout.splitlines()
        self.tidy, self.plugin, self.pch, self.flags = told[0], told[1], told[2], told[3:]
        self.environment = dict(os.environ)
        cache = (args.build / "CMakeCache.txt").read_text()
        if re.search(r"^TORCH_TIDY_SANITIZE:\w+=.*address", cache, re.M):
            compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)", cache, re.M).group(1)
            runtime = subprocess.run([compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
            self.environment.update(LD_PRELOAD=os.path.realpath(runtime), ASAN_OPTIONS="detect_leaks=0", UBSAN_OPTIONS="print_stacktrace=1")

    def failure(self, files, ours=True):
        """What is wrong with a run on `files`, or None."""
        checks = "-*,torch-*" if ours else "-*,misc-definitions-in-headers"
        config = "{CheckOptions: [" + ", ".join("{key: %s, value: '%s'}" % pair for pair in (
            ("MinEvidence", "possible"), ("torch-host-access.ReportEscapes", "true"), ("FixStyle", "inline"))) + "]}"
        command = [self.tidy, *(["--load=" + self.plugin] if ours else []), f"--checks={checks}", f"--config={config}", "--quiet",
                   *map(str, files), "--", *self.flags, "-Wno-everything", "-ferror-limit=0", "-include-pch", self.pch]
        try:
            result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=self.environment,
                                    timeout=HANG * len(files))
        except subprocess.TimeoutExpired:
            return "hang"
        found = SANITIZER.search(result.stderr + result.stdout)
        if found:
            return re.sub(r"==\d+==|0x[0-9a-f]+", "", found.group())[:200]
        if result.returncode not in (0, 1):
            frame = re.search(r"torch_tidy::[\w:]+", result.stderr)
            return f"status {result.returncode} {frame.group() if frame else ''}"
        if len(files) == 1 or result.returncode == 0 or "torch" in result.stdout or "error:" in result.stdout:
            return None
        return "no output: " + result.stderr[-300:]


def reduced(checks, path, failure):
    """The smallest text, by lines, that fails as `path` does."""
    lines = path.read_text().split("\n")
    size = max(1, len(lines) // 2)
    while size:
        at = 0
        while at < len(lines):
            fewer = lines[:at] + lines[at + size:]
            path.write_text("\n".join(fewer))
            if checks.failure([path]) == failure:
                lines = fewer
            else:
                at += size
        size //= 2
    path.write_text("\n".join(lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--torch", default="torch1.13")
    parser.add_argument("--inputs", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("paths", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    files = []
    for path in args.paths:
        files += sorted(p for p in path.rglob("*.cpp")) if path.is_dir() else [path]
    if not files:
        sys.exit("fuzz.py: no program to break")
    # Lines that only the test runner reads are no code.
    texts = [re.sub(r"//[ \t]*(?:CHECK|RUN)[^\n]*", "", f.read_text(errors="replace")) for f in files]
    checks = Checks(args)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="fuzz-"))
    for header in {h for f in files for h in f.parent.glob("*.h")}:
        shutil.copy(header, folder)

    def make(number):
        rng = random.Random(args.seed * 1_000_003 + number)
        path = folder / f"input{number}.cpp"
        path.write_text(broken(texts[number % len(texts)], rng.choice(texts), rng), errors="replace")
        return path

    def run(first):
        batch = [make(n) for n in range(first, min(first + BATCH, args.inputs))]
        bad = []
        if checks.failure(batch):
            bad = [(path, failure) for path in batch for failure in [checks.failure([path])] if failure]
            # Only all together: what one left behind.
            if not bad:
                bad = [(batch[0], "fails with those after it, not alone")]
        for path in batch:
            if path not in [b for b, _ in bad]:
                path.unlink()
        return len(batch), bad

    done, failed, clang = 0, 0, 0
    seen = set()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for count, bad in pool.map(run, range(0, args.inputs, BATCH)):
            done += count
            for path, failure in bad:
                if checks.failure([path], ours=False):
                    clang += 1
                    continue
                failed += 1
                print(f"FAIL {path.name}: {failure}", flush=True)
                if failure not in seen:
                    seen.add(failure)
                    if args.keep:
                        reduced(checks, path, failure)
                        args.keep.mkdir(parents=True, exist_ok=True)
                        shutil.copy(path, args.keep)
                    print(path.read_text()[:4000], flush=True)
            if done % 500 < BATCH:
                print(f"{done} inputs, {failed} failures", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    print(f"seed {args.seed}: {done} broken inputs of {len(files)} programs, {failed} failures, {len(seen)} kinds"
          f"; clang failed without the checks on {clang} more")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
