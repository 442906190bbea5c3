#!/usr/bin/env python3
"""Small programs, run before and after their edits: before they break, after they are right.

    proof.py --build DIR [--jobs N] [--temp DIR] [PROGRAM...]

Each program says in its first lines which checks edit it, how it fails on the guarded device (memory that the host may
not touch) and, where it does not only fail there, on the CPU, and what it prints when it is right:

    // checks: host-access            several are separated by commas; * for all
    // styles: inline shim            FixStyle; inline alone if it is left out
    // device: signal                 signal, asan, exception, value: it prints something else, or right: it was only slow, out
                                      of date, or silent about what it leaves, and must stay right
    // cpu: asan                      right, if it is left out
    // expect: 1 2 3                  a line each

The programs of refused/ are wrong in one respect each; this script must find fault with every one. Exit status 1 where a
program is not as it says.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNTIME = ROOT / "runtime"
sys.path.insert(0, str(HERE.parent / "guarded_device"))

from build import HERE as GUARDED, Build, Failure, add_arguments

ENDS = ("signal", "asan", "exception", "value")
STYLES = ("inline", "shim")
ROUNDS = 3  # as in test/rounds: one edit may show the next


class Program:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.text = path.read_text()
        said = collections.defaultdict(list)
        for key, value in re.findall(r"^// (checks|styles|device|cpu|expect): *(.*)$", self.text, re.M):
            said[key].append(value.strip())
        self.checks = [c.strip() for c in ",".join(said["checks"]).split(",")]
        self.styles = " ".join(said["styles"]).split() or ["inline"]
        self.before = {0: (said["cpu"] or ["right"])[0], 1: (said["device"] or [""])[0]}
        self.expect = said["expect"]
        if not self.checks[0] or not self.expect or self.before[1] not in ("right", *ENDS) or \
                self.before[0] not in ("right", *ENDS) or not set(self.styles) <= set(STYLES):
            raise Failure(f"{path}: its first lines do not say what is needed (see proof.py --help)")
        self.edited = {}  # style: text
        self.ends = {}  # (style or "before", device): how it ended
        self.problems = []

    def fault(self, text):
        self.problems.append(text)


class ProofBuild(Build):
    def __init__(self, args):
        super().__init__(args)
        self.compile += [f"-I{HERE}", f"-I{RUNTIME / 'include'}"]

    def prepare(self, pool):
        super().prepare()
        library = sorted((RUNTIME / "src").glob("*.cpp"))
        headers = [*(RUNTIME / "src").glob("*.h"), *(RUNTIME / "include").rglob("*.h")]
        made = [pool.submit(self.compiled, s, headers) for s in library]
        made.append(pool.submit(self.compiled, HERE / "run.cpp", [HERE / "proof.h"]))
        header = pool.submit(self.header, HERE / "proof.h", (), [GUARDED / "as_cuda.h", *headers])
        self.objects += [m.result() for m in made]
        self.run_pch = header.result()


def edit(build, program, style):
    """The text of the program after the edits of its checks."""
    folder = build.temp / style
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / program.path.name
    copy.write_text(program.text)
    checks = ",".join(f"torch-{check}" for check in program.checks)
    for _ in range(ROUNDS):
        before = copy.read_text()
        done = subprocess.run(
            [build.tidy, f"--load={build.plugin}", f"--checks=-*,{checks}", "--quiet", "--fix",
             f"--config={{CheckOptions: [{{key: FixStyle, value: {style}}}]}}", str(copy), "--", *build.flags,
             *(["-include-pch", build.pch] if build.pch else []), f"-I{RUNTIME / 'include'}"],
            capture_output=True, text=True, errors="replace")
        if done.returncode not in (0, 1) or re.search(r": (fatal )?error: ", done.stdout):
            program.fault(f"{style}: clang-tidy fails: {done.stdout[-600:]}{done.stderr[-600:]}")
        if copy.read_text() == before:
            break
    return copy.read_text()


def run(build, programs, state, texts):
    """Compiles the programs together, each in a namespace of its own, and runs them; how each ended."""
    folder = build.temp / f"run-{state}"
    folder.mkdir(parents=True, exist_ok=True)
    left = [p for p in programs if p in texts]
    for program in left:
        (folder / f"{program.name}.cpp").write_text(texts[program])
    source, executable = folder / "all.cc", folder / "all"
    while left:
        parts = [f'namespace p{i} {{\n#include "{folder / p.name}.cpp"\n}}\n' for i, p in enumerate(left)]
        table = "".join(f'    {{"{p.name}", p{i}::proof_main}},\n' for i, p in enumerate(left))
        source.write_text('#include "proof.h"\n#define main proof_main\n' + "".join(parts) +
                          "#undef main\nstruct Program {\n  const char *name;\n  int (*run)();\n};\n"
                          f"extern const Program programs[] = {{\n{table}}};\nextern const int program_count = {len(left)};\n")
        done = subprocess.run([*build.compile, "-include-pch", str(build.run_pch), "-ferror-limit=0", "-c", str(source),
                               "-o", str(folder / "all.o")], capture_output=True, text=True, errors="replace")
        if done.returncode == 0:
            break
        broken = [p for p in left if re.search(rf"/{re.escape(p.name)}\.cpp:\d+:\d+: (fatal )?error", done.stderr)]
        if not broken:
            raise Failure(f"{source} does not compile:\n{done.stderr[-3000:]}")
        for program in broken:
            where = re.search(rf"/{re.escape(program.name)}\.cpp:(\d+:\d+: (?:fatal )?error: .*)", done.stderr)
            program.fault(f"{state}: does not compile: {where[1]}")
        left = [p for p in left if p not in broken]
    if not left:
        return
    build.link([folder / "all.o", *build.objects], executable)
    done = subprocess.run([str(executable), str(folder)], capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        raise Failure(f"{executable} ended with {done.returncode}: {done.stderr[-2000:]}")
    by_name = {p.name: p for p in left}
    for line in done.stdout.splitlines():
        name, device, end = line.split(" ", 2)
        program = by_name[name]
        printed = [x.rstrip() for x in (folder / f"{name}.{device}").read_text(errors="replace").splitlines()]
        kind = end.split()[0]
        if kind == "exit":
            kind = "right" if end == "exit 0" and printed == program.expect else "value"
        program.ends[state, int(device)] = kind
        if kind == "value":
            program.ends[state, int(device), "printed"] = " | ".join(printed)


def judge(program):
    for device, name in ((0, "CPU"), (1, "device")):
        end = program.ends.get(("before", device))
        if end and end != program.before[device]:
            printed = program.ends.get(("before", device, "printed"))
            program.fault(f"before, {name}: {end}{f' ({printed})' if printed else ''}, not {program.before[device]}")
        for style in program.edited:
            end = program.ends.get((style, device))
            if end and end != "right":
                printed = program.ends.get((style, device, "printed"))
                program.fault(f"{style}, {name}: {end}{f' ({printed})' if printed else ''}")


def prove(build, pool, programs):
    jobs = {(p, style): pool.submit(edit, build, p, style) for p in programs for style in p.styles}
    for (program, style), job in jobs.items():
        text = job.result()
        if text == program.text:
            program.fault(f"{style}: no edit")
        else:
            program.edited[style] = text
    states = [("before", {p: p.text for p in programs})]
    states += [(style, {p: p.edited[style] for p in programs if style in p.edited}) for style in STYLES]
    list(pool.map(lambda s: run(build, programs, *s), states))
    for program in programs:
        judge(program)


def summary(programs):
    rows = collections.defaultdict(collections.Counter)
    for p in programs:
        row = rows[p.checks[0] if len(p.checks) == 1 and p.checks[0] != "*" else "several"]
        row["programs"] += 1
        row[p.ends.get(("before", 1))] += 1
        for style in p.edited:
            row[style] += all(p.ends.get((style, device)) == "right" for device in (0, 1))
            row["of " + style] += 1
    print(f"{'':<20}{'programs':>9}{'signal':>8}{'asan':>6}{'exception':>11}{'value':>7}{'right':>7}   right after: inline, shim")
    for check in sorted(rows):
        r = rows[check]
        print(f"{check:<20}{r['programs']:>9}{r['signal']:>8}{r['asan']:>6}{r['exception']:>11}{r['value']:>7}{r['right']:>7}"
              f"{r['inline']:>17} of {r['of inline']:<3}{r['shim']:>4} of {r['of shim']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("programs", nargs="*", type=pathlib.Path, help="instead of all")
    args = parser.parse_args()
    if args.temp is None:
        with tempfile.TemporaryDirectory() as args.temp:
            return proof(args)
    return proof(args)


def proof(args):
    start = time.monotonic()
    build = ProofBuild(args)
    paths = args.programs or sorted((HERE / "programs").glob("*.cpp")) + sorted((HERE / "refused").glob("*.cpp"))
    programs = [Program(p.resolve()) for p in paths]
    if len({p.name for p in programs}) != len(programs):
        raise Failure("two programs have one name")
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        build.prepare(pool)
        prove(build, pool, programs)
    refused = [p for p in programs if p.path.parent.name == "refused"]
    stated = [p for p in programs if p not in refused]
    failed = 0
    for program in stated:
        for problem in program.problems:
            print(f"FAIL {program.name}: {problem}")
        failed += bool(program.problems)
    for program in refused:
        if not program.problems:
            print(f"FAIL {program.name}: nothing was found wrong with it, but it is in refused/")
            failed += 1
    if stated:
        summary(stated)
    print(f"{len(stated)} programs, {len(refused)} that must be refused: {failed} failed; {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"proof.py: {failure}")
