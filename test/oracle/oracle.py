#!/usr/bin/env python3
"""Compares what the checks say about random LibTorch programs with what the programs do.

generate.py makes the programs. Each runs over all its run-time flags, on the CPU and on the guarded device (memory that
the host may not touch), under AddressSanitizer; clang-tidy reads the same text. Compared are:

    missed        a line touched memory out of reach or gone, or read stale data, and no report stands there or where
                  its pointer was made
    wrong proof   a report with the evidence `proven` whose line, and all uses of its pointer, did no harm in any run
    noise         reports with less evidence about which the same is true, in programs where a run-time flag matters

    oracle.py --build DIR [--programs N] [--seed S] [--first N] [--jobs N] [--mutate] [--reduce N] [--show-noise LEVEL]

DIR is a build tree of the checks; --clang-tidy, --plugin, --pch and --torch-flags replace what it says. Each miss and
each wrong proof is printed with its program, from which everything is dropped that does not matter (--reduce: for how
many of them). With --mutate, one guard of a program is removed or negated; what becomes harmful by that must be reported.
Exit status 1 with a miss or a wrong proof.
"""
import argparse
import collections
import concurrent.futures
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "guarded_device"))

import generate
from build import Build, Failure, add_arguments

REPORT = re.compile(r"^[^:\n]+:(\d+):\d+: warning: (.*?)(?:; evidence: (\w+))? \[torch-([\w-]+)", re.M)
ERROR = re.compile(r"^[^:\n]+:(\d+):\d+: (?:fatal )?error: (.*)", re.M)
# What these say is that memory is out of reach, gone, or not yet written. The others speak about values and speed.
MEMORY = {"host-access", "dangling-data", "async-copy", "from-blob-options", "from-blob-lifetime"}
# Where one of these stands, it speaks alone.
COVERS = MEMORY | {"scalar-read", "copy-write", "element-type", "strided-access", "grad-access"}
STALE = {"async-copy", "copy-write"}
HEADER = ['#include "oracle.h"', ""]


class OracleBuild(Build):
    def prepare(self):
        super().prepare()
        self.compile.append(f"-I{HERE}")
        self.objects.append(self.compiled(HERE / "run.cpp", [HERE / "oracle.h"]))
        self.run_pch = self.header(HERE / "oracle.h", ["-DORACLE_RUN"], [HERE.parent / "guarded_device" / "as_cuda.h"])


class Run:
    def __init__(self):
        self.lines, self.harm, self.values, self.error = [], set(), [], None
        self.reached = set()
        self.real = True  # no accelerator was asked for on a machine without one: that would have ended the program


class Outcome:
    """What one program did and what was said about it."""

    def __init__(self, program):
        self.program = program
        self.runs = {}  # (device, flags): Run
        self.died = False
        self.reports = []  # (line, check, evidence, words)

    def judge(self):
        """Fills harmful, stale, reached, missed, wrong and noise."""
        origins = self.program.origins()
        uses = {}  # line: the lines that may have made what it uses
        made = collections.defaultdict(set)  # the other way round
        for s in self.program.statements():
            uses[s.line] = set().union(*(origins.get(p, set()) for p in s.use)) | {s.line}
            for line in uses[s.line]:
                made[line].add(s.line)
        self.harmful = set().union(*(run.harm for run in self.runs.values())) - {0}
        self.reached = set().union(*(run.reached for run in self.runs.values()))
        said = collections.defaultdict(set)
        for line, check, _, _ in self.reports:
            said[line].add(check)
        covered = lambda line, checks: any(said[at] & checks for at in uses.get(line, {line}))
        # The tensor of a from_blob may go through many hands: its report speaks for what comes after it.
        blobs = [line for line in said if "from-blob-lifetime" in said[line]]
        borrowed = {line for run in self.runs.values() for line in run.harm if line in run.lines and
                    any(at in run.lines[:run.lines.index(line)] for at in blobs)}
        self.missed = {line: "memory" for line in self.harmful - borrowed if not covered(line, COVERS)}

        # Stale: another value than on the CPU, on the same way, with nothing reported or harmful before it.
        self.stale, self.compared = set(), set()
        for (device, flags), run in self.runs.items():
            right = self.runs.get((0, flags & 7))
            if not device or right is None:
                continue
            way = 0
            while way < min(len(run.lines), len(right.lines)) and run.lines[way] == right.lines[way]:
                way += 1
            first = None
            for (step, line, value), (right_step, _, expected) in zip(run.values, right.values):
                if step != right_step or step >= way:
                    break
                self.compared.add(line)
                if value == expected:
                    continue
                self.stale.add(line)
                # What comes after the first may follow from it.
                if first:
                    continue
                first = line
                before = run.lines[:run.lines.index(line) + 1]
                if not any(at in self.harmful or right.harm for at in before) and \
                        not any(covered(at, COVERS) for at in before):
                    self.missed.setdefault(line, "stale")

        self.wrong, self.noise, self.judged = [], [], []
        bad = self.harmful | self.stale
        direct = {s.line for s in self.program.statements() if s.acc or not s.flows}
        for report in self.reports:
            line, check, evidence, _ = report
            at = made.get(line, set()) | {line}
            # Where a pointer is only made, its uses tell.
            if check not in MEMORY or line not in self.reached or not (at - {line} | direct & {line}) & self.reached:
                continue
            # Whether a number was stale shows where it is printed, and compared.
            if check == "async-copy" and not at & self.compared:
                continue
            self.judged.append(report)
            if not at & bad:
                (self.wrong if evidence == "proven" else self.noise).append(report)

    def moved_by_flag(self):
        return self.program.flags() != 0


def read_runs(text, outcomes):
    outcome = run = None
    for line in text.splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "P":
            outcome = outcomes[rest]
        elif kind == "R":
            device, flags = map(int, rest.split())
            run = outcome.runs[device, flags] = Run()
        elif kind == "L":
            run.lines.append(int(rest))
            if run.real:
                run.reached.add(int(rest))
        elif kind == "K":
            run.real = False
        elif kind in "CA":
            if run.real:
                run.harm.add(int(rest))
        elif kind == "V":
            at, value = rest.split()
            run.values.append((len(run.lines) - 1, int(at), value.replace("-nan", "nan")))
        elif kind == "X":
            run.error = rest.partition(" ")[2]
        elif kind == "D":
            outcomes[rest].died = True


def evaluate(build, programs, name):
    """The outcome of each program, or None where one does not compile."""
    outcomes = [None] * len(programs)
    left = list(range(len(programs)))
    source = build.temp / f"{name}.cpp"
    while left:
        lines, ranges = list(HEADER), {}
        for i in left:
            text, _ = programs[i].text(f"program_{i}", len(lines) + 1)
            ranges[i] = (len(lines) + 1, len(lines) + len(text))
            lines += text
        table = ["#ifdef ORACLE_RUN",
                 "struct Program { const char *name; int flags; void (*run)(bool, bool, bool, torch::Tensor); };",
                 "extern const Program programs[] = {"]
        table += [f'  {{"program_{i}", {programs[i].flags()}, program_{i}::run}},' for i in left]
        table += ["};", f"extern const int program_count = {len(left)};", "#endif", ""]
        source.write_text("\n".join(lines + table))
        done = subprocess.run([*build.compile, "-DORACLE_RUN", "-include-pch", str(build.run_pch), "-ferror-limit=0", "-c",
                               str(source), "-o", str(source.with_suffix(".o"))], capture_output=True, text=True)
        if done.returncode == 0:
            break
        at = [int(line) for line, _ in ERROR.findall(done.stderr)]
        broken = [i for i in left if any(ranges[i][0] <= line <= ranges[i][1] for line in at)]
        if not broken:
            raise Failure(done.stderr[-4000:])
        evaluate.errors.extend(f"program {i}: {message}" for line, message in ERROR.findall(done.stderr)
                               for i in broken if ranges[i][0] <= int(line) <= ranges[i][1])
        left = [i for i in left if i not in broken]
    if not left:
        return outcomes
    executable = source.with_suffix("")
    build.link([source.with_suffix(".o"), *build.objects], executable)
    for i in left:
        outcomes[i] = Outcome(programs[i])
    runs = subprocess.run([str(executable)], capture_output=True, text=True, errors="replace")
    read_runs(runs.stdout, {f"program_{i}": outcomes[i] for i in left})
    if runs.returncode != 0:
        raise Failure(f"{executable}: status {runs.returncode}\n{runs.stderr[-2000:]}")
    executable.unlink()

    options = {"ShowEvidence": "true"}
    options.update({f"torch-{check}.MinEvidence": "possible" for check in COVERS})
    config = "{CheckOptions: {" + ", ".join(f"{k}: {v}" for k, v in options.items()) + "}}"
    said = subprocess.run([build.tidy, f"--load={build.plugin}", "--checks=-*,torch-*", "--quiet", f"--config={config}", str(source),
                           "--", *build.flags, *(["-include-pch", build.pch] if build.pch else []), f"-I{HERE}", "-w"],
                          capture_output=True, text=True, errors="replace")
    if ERROR.search(said.stdout) or said.returncode != 0:
        raise Failure(f"clang-tidy on {source}:\n{said.stdout[-2000:]}{said.stderr[-2000:]}")
    for line, words, evidence, check in REPORT.findall(said.stdout):
        for i in left:
            if ranges[i][0] <= int(line) <= ranges[i][1]:
                outcomes[i].reports.append((int(line), check, evidence, words))
    for i in left:
        outcomes[i].lines = dict(zip(range(ranges[i][0], ranges[i][1] + 1), lines[ranges[i][0] - 1:ranges[i][1]]))
        # Lines are those of this text; the candidates of a reduction share statements no more than copies do.
        outcomes[i].judge()
    return outcomes


evaluate.errors = []


def reduced(build, program, wanted, name):
    """The program without the statements that do not matter to `wanted(outcome)`."""
    best = program
    for _ in range(12):
        singles = [c for c in (best.without({i}) for i in range(len(best.statements()))) if c.well_formed()]
        singles += [c for c in (best.unwrapped(i) for i in range(len(best.statements()))) if c and c.well_formed()]
        outcomes = evaluate(build, singles, name)
        good = [c for c, o in zip(singles, outcomes) if o and wanted(o)]
        if not good:
            break
        # Many that may go alone may go together.
        alone = sorted(set().union(*(c.dropped for c in good)))
        several = [best.without(set(alone[i:j])) for k in (1, 2, 4) for i in range(0, len(alone), -(-len(alone) // k))
                   for j in [i + -(-len(alone) // k)]]
        several = [c for c in several if c.well_formed()]
        outcomes = evaluate(build, several, name)
        good += [c for c, o in zip(several, outcomes) if o and wanted(o)]
        best = min(good, key=lambda c: len(c.statements()))
    return best


def show(outcome):
    marks = collections.defaultdict(list)
    for line, check, evidence, _ in outcome.reports:
        marks[line].append(f"{check}: {evidence}")
    for line, kind in outcome.missed.items():
        marks[line].append(f"MISSED ({kind})")
    for line in outcome.harmful:
        marks[line].append("harm")
    for line in outcome.stale:
        marks[line].append("stale")
    for line in outcome.wrong:
        marks[line[0]].append("WRONG PROOF")
    for line, text in outcome.lines.items():
        text = text.replace("at_line = __LINE__; ", "")
        print(f"    {text}" + (f"   // {', '.join(marks[line])}" if marks[line] else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--programs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first program")
    parser.add_argument("--batch", type=int, default=40, help="programs compiled together")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reduce", type=int, default=5)
    parser.add_argument("--mutate", action="store_true")
    parser.add_argument("--show-noise", choices=["possible", "likely"])
    parser.add_argument("--show", action="store_true", help="print every program with what was found")
    args = parser.parse_args()
    if args.temp is None:
        with tempfile.TemporaryDirectory() as temp:
            args.temp = temp
            return run(args)
    return run(args)


def mutants(programs, rng):
    """For each program with a guard: (its index, a copy in which one guard is negated or gone)."""
    made = []
    for i, program in enumerate(programs):
        for k, s in enumerate(program.statements()):
            s.identity = k
        guards = [s for s in program.statements() if s.guard]
        if not guards:
            continue
        chosen = rng.choice(guards).identity
        mutant = program.copy()
        s = mutant.statements()[chosen]
        if rng.random() < 0.5 and s.guard:
            s.text = s.guard
        elif s.body is None:
            mutant = mutant.without({chosen})
        else:
            mutant = mutant.unwrapped(chosen)
        if mutant is not None and mutant.well_formed():
            made.append((i, mutant))
    return made


def new_harm(before, after):
    """The harmful lines of `after` that did no harm in `before`."""
    harmless = {s.identity for s in before.program.statements() if s.line not in before.harmful}
    return {s.line for s in after.program.statements() if s.line in after.harmful and s.identity in harmless}


def mutate(args, build, numbers, programs):
    """Guards of right programs, negated or taken away: what is harmful only by that must be reported."""
    pairs = mutants(programs, random.Random(args.seed))
    both = [p for i, mutant in pairs for p in (programs[i], mutant)]
    outcomes = run_all(args, build, both)
    harmful = missed = 0
    for (i, _), before, after in zip(pairs, outcomes[::2], outcomes[1::2]):
        lines = new_harm(before, after) if before and after else set()
        if not lines:
            continue
        harmful += 1
        if lines & set(after.missed):
            missed += 1
            print(f"\n== mutant with no report: seed {args.seed}, program {numbers[i]}")
            show(after)
    print(f"\nmutants             {len(pairs)}, {harmful} of them harmful by the mutation")
    print(f"without a report    {missed}")
    return 1 if missed else 0


def run_all(args, build, programs):
    batches = [programs[i:i + args.batch] for i in range(0, len(programs), args.batch)]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        parts = pool.map(lambda k: evaluate(build, batches[k], f"batch_{k}"), range(len(batches)))
        return [outcome for part in parts for outcome in part]


def run(args):
    begin = time.monotonic()
    build = OracleBuild(args)
    build.prepare()
    prepared = time.monotonic()
    numbers = list(range(args.first, args.first + args.programs))
    programs = [generate.make(args.seed, n) for n in numbers]
    for number, program in zip(numbers, programs):
        if not program.well_formed():
            raise Failure(f"program {args.seed}:{number} names what it does not declare")
    if args.mutate:
        return mutate(args, build, numbers, programs)
    outcomes = run_all(args, build, programs)
    failed = [(n, o) for n, o in zip(numbers, outcomes) if o and (o.missed or o.wrong)]
    status = figures(args, outcomes, prepared - begin, time.monotonic() - begin)
    sys.stdout.flush()
    for k, (number, outcome) in enumerate(failed):
        kind = ("missed " if outcome.missed else "") + ("wrong proof" if outcome.wrong else "")
        print(f"\n== {kind}: seed {args.seed}, program {number}")
        if k < args.reduce:
            missed = set(outcome.missed.values())
            wrong = {(check, words) for _, check, _, words in outcome.wrong}
            wanted = lambda o: (bool(missed & set(o.missed.values())) if missed else
                                any((check, words) in wrong or check in {c for c, _ in wrong} for _, check, _, words in o.wrong))
            best = reduced(build, outcome.program, wanted, "reduce")
            outcome = evaluate(build, [best], "reduce")[0]
        show(outcome)
    for number, outcome in zip(numbers, outcomes):
        if outcome and args.show:
            print(f"\n== seed {args.seed}, program {number}")
            show(outcome)
        if outcome and args.show_noise:
            found = [r for r in outcome.noise if r[2] == args.show_noise]
            if found and outcome.moved_by_flag():
                print(f"\n== noise: seed {args.seed}, program {number}: " + ", ".join(f"{line}: {words}" for line, _, _, words in found))
                for line, _, _, _ in found:
                    outcome.lines[line] += "   // NOISE"
                show(outcome)
    return status


def figures(args, outcomes, prepared, seconds):
    known = [o for o in outcomes if o]
    count = lambda key: sum(len(key(o)) for o in known)
    missed, wrong = count(lambda o: o.missed), count(lambda o: o.wrong)
    print(f"\nprograms            {len(known)} (seed {args.seed}, {sum(len(o.runs) for o in known)} runs, "
          f"{len(outcomes) - len(known)} do not compile, {sum(o.died for o in known)} died)")
    print(f"lines judged        {count(lambda o: o.reached)}, harmful {count(lambda o: o.harmful | o.stale)}")
    print(f"missed              {missed}")
    print(f"wrong proofs        {wrong} of {count(lambda o: [r for r in o.judged if r[2] == 'proven'])}")
    moved = [o for o in known if o.moved_by_flag()]
    for level in ("likely", "possible"):
        of = sum(r[2] == level for o in moved for r in o.judged)
        noise = sum(r[2] == level for o in moved for r in o.noise)
        print(f"noise, {level:12} {noise} of {of}" + (f" ({100 * noise / of:.1f} %)" if of else ""))
    errors = collections.Counter(re.sub(r"[\d.-]+", "N", run.error)[:90] for o in known for run in o.runs.values()
                                 if run.error and "guard" not in run.error)
    for text, n in errors.most_common(6):
        print(f"exceptions          {n} x {text}")
    for text in evaluate.errors[:5]:
        print(f"compile error       {text}")
    print(f"seconds             {seconds:.0f} ({prepared:.0f} of them for the precompiled header and the device)")
    return 1 if missed or wrong else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"oracle.py: {failure}")
