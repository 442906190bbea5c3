#!/usr/bin/env python3
"""Runs clang-tidy with the torch-* checks on one test file and compares reports and fixes with what the file states.

In a test file:

    // RUN: %check_torch_tidy %s torch-host-access %t [OPTION ...] [-- EXTRA-CLANG-FLAG ...]

    out[0] = p[0];
    // CHECK-MESSAGES: :[[@LINE-1]]:12: warning: ... [torch-host-access]
    // CHECK-FIXES: torch::Tensor host = t.detach().cpu();

 - Every report must be stated by CHECK-MESSAGES (warnings and errors) or, in a file that uses it, by CHECK-NOTES
   (warnings, errors and notes), in the order of the lines; nothing else may be reported. A file without either
   states that nothing is reported.
 - Every line that the fixes add or change must be stated by a CHECK-FIXES line, which states the whole line but
   for the space around it. A file without CHECK-FIXES states that nothing is changed.
 - The fixed text must compile, and a second run on it must report nothing.

Options (the checks are one name, or several separated by commas):

    -config=CONFIG        clang-tidy configuration, as for clang-tidy --config
    -expect-remaining[=N] the second run reports the reports that had no fix of their own (or exactly N)
    -check-suffix=X       use CHECK-MESSAGES-X, CHECK-NOTES-X and CHECK-FIXES-X
    -match-partial-fixes  a CHECK-FIXES line need not state the whole line
    -no-pch               do not use the precompiled header of LibTorch

%t becomes a folder in which the file keeps its name, since names and paths matter to the checks.
"""
import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys

DIAGNOSTIC = re.compile(r"^(?:(?P<file>.*?):\d+:\d+: )?(?P<kind>warning|error|fatal error|note): ")
APPLIED = "note: FIX-IT applied suggested code changes"
CONFLICT = "note: this fix will not be applied because it overlaps with another fix"


def fail(message, *outputs):
    print("FAILED: " + message)
    for output in outputs:
        print(output)
    sys.exit(1)


class Test:
    def __init__(self, args):
        self.args = args
        self.source = read(args.source)
        suffix = "-" + args.check_suffix if args.check_suffix else ""
        self.messages, self.notes, self.fixes = (f"CHECK-{kind}{suffix}" for kind in ("MESSAGES", "NOTES", "FIXES"))
        # Notes are compared where the file states any; else they are dropped.
        self.states_notes = self.states(self.notes)
        if self.states_notes and self.states(self.messages):
            fail(f"state reports by {self.messages} or by {self.notes}, not by both")
        shutil.rmtree(args.temp, ignore_errors=True)
        os.makedirs(args.temp)
        self.copy = os.path.join(args.temp, os.path.basename(args.source))
        # The statements go, so that they match neither themselves nor each other; the lines stay where they are.
        self.original = re.sub(r"// *CHECK-[A-Z0-9-]+:[^\r\n]*", "//", self.source)
        write(self.copy, self.original)

    def states(self, prefix):
        """Whether the file states anything with this prefix; CHECK-FIXES-NEXT and the like count, other suffixes do not."""
        return bool(re.search(re.escape(prefix) + r"(-NEXT|-SAME|-NOT|-DAG|-EMPTY|-COUNT-\d+)?:", self.source))

    def config(self):
        """The configuration of the test, which says that no other checks are on, where that saves half the time."""
        config = self.args.config
        if not self.args.only_torch or not all(name.startswith("torch-") for name in self.args.checks.split(",")):
            return config
        option = "{key: OnlyTorch, value: true}"
        if "CheckOptions: [" in config:
            return config.replace("CheckOptions: [", "CheckOptions: [" + option + ", ", 1)
        if config != "{}":
            fail("-config without a list of CheckOptions, which LLVM 14 needs: " + config)
        return "{CheckOptions: [" + option + "]}"

    def run_tidy(self, *options):
        """Runs clang-tidy on the copy; returns its diagnostics, one a line, without the snippets below them."""
        args = self.args
        flags = shlex.split(args.flags) + ([] if args.no_pch or not args.pch else ["-include-pch", args.pch])
        command = [args.clang_tidy, *(["--load=" + args.plugin] if args.plugin else []), "--checks=-*," + args.checks]
        command += ["--config=" + self.config(), *options, self.copy, "--", *flags, *args.clang_flags]
        print("running: " + shlex.join(command))
        environment = dict(os.environ, **dict(pair.split("=", 1) for pair in args.env))
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment)
        if result.returncode not in (0, 1) or "PLEASE submit a bug report" in result.stderr:
            fail(f"clang-tidy ended with status {result.returncode}", result.stdout, result.stderr)
        lines = [line for line in result.stdout.splitlines() if DIAGNOSTIC.match(line)]
        if result.returncode == 1 and not any(is_kind(line, "error", "fatal error") for line in lines):
            fail("clang-tidy failed without an error in the file", result.stdout, result.stderr)
        for line in result.stderr.splitlines():
            if "unknown check option" in line or "invalid configuration value" in line:
                lines.append(line)
        return lines

    def check_messages(self, lines):
        lines = [line for line in lines if APPLIED not in line]
        if not self.states_notes:
            lines = [line for line in lines if not is_kind(line, "note")]
        output = "\n".join(lines) + "\n"
        print(output)
        prefix = self.notes if self.states_notes else self.messages
        if not self.states(prefix):
            if lines:
                fail("the file states no report, but these were made", output)
            return
        kinds = "note|warning|error" if self.states_notes else "warning|error"
        self.file_check(prefix, output, "messages", f"--implicit-check-not={{{{{kinds}}}}}:")

    def check_fixes(self):
        fixed = read(self.copy)
        before, after = self.original.splitlines(), fixed.splitlines()
        diff = list(difflib.unified_diff(before, after, "original", "fixed", lineterm="", n=1))
        if not self.states(self.fixes):
            if diff:
                fail(f"the file states no {self.fixes}, but the fixes change it", "\n".join(diff))
            return
        full = [] if self.args.match_partial_fixes else ["--match-full-lines"]
        self.file_check(self.fixes, fixed, "fixes", *full)
        stated = [pattern(text, not self.args.match_partial_fixes) for text in re.findall(
            re.escape(self.fixes) + r"(?:-NEXT|-SAME|-DAG|-COUNT-\d+)?:[ \t]*([^\r\n]*)", self.source)]
        for line in diff[2:]:
            text = line[1:].strip()
            if line.startswith("+") and text and not any(p.search(text) for p in stated):
                fail(f"no {self.fixes} states this line: {text}", "\n".join(diff))

    def file_check(self, prefix, text, name, *options):
        """FileCheck of `text` against the file's statements with one prefix."""
        output = os.path.join(self.args.temp, name + ".txt")
        write(output, text)
        command = [self.args.filecheck, "--input-file=" + output, self.args.source, "--check-prefix=" + prefix, *options]
        print("running: " + shlex.join(command))
        result = subprocess.run(command, capture_output=True, text=True, errors="replace")
        if result.returncode:
            fail(f"{name} differ from what the file states", result.stderr)

    def check_fixed_text(self, first):
        """The second run, on the fixed text: it compiles, and what had a fix is no longer reported."""
        lines = [line for line in self.run_tidy() if not is_kind(line, "note")]
        output = "\n".join(lines)
        if any(is_kind(line, "error", "fatal error") for line in lines):
            fail("the fixed text does not compile", output, read(self.copy))
        expected = self.args.expect_remaining
        if expected is None:
            expected = 0
        elif expected < 0:
            expected = reports_without_fix(first)
        if len(lines) != expected:
            fail(f"the second run reports {len(lines)} times, expected: {expected}", output, read(self.copy))

    def run(self):
        lines = self.run_tidy("--fix")
        if any(CONFLICT in line for line in lines):
            fail("the fixes of two reports overlap", "\n".join(lines))
        self.check_messages(lines)
        self.check_fixes()
        if any(APPLIED in line for line in lines):
            self.check_fixed_text(lines)
        elif self.args.expect_remaining is not None:
            fail("-expect-remaining, but no fix was applied")


def is_kind(line, *kinds):
    match = DIAGNOSTIC.match(line)
    return bool(match) and match["kind"] in kinds


def reports_without_fix(lines):
    """How many warnings are not followed by a note that an edit of theirs was applied."""
    count, fixed = 0, True
    for line in [*lines, "warning: end"]:
        if is_kind(line, "warning"):
            count += not fixed
            fixed = False
        elif APPLIED in line:
            fixed = True
    return count


def pattern(text, full):
    """The regular expression of a FileCheck pattern: {{...}} is one, [[...]] is a variable, the rest is literal."""
    parts = re.split(r"(\{\{.*?\}\}|\[\[.*?\]\])", text.strip())
    expression = ""
    for part in parts:
        if part.startswith("{{"):
            expression += "(?:" + part[2:-2] + ")"
        elif part.startswith("[["):
            expression += ".*"
        else:
            expression += r"\s+".join(map(re.escape, re.split(r"\s+", part)))
    return re.compile(f"^{expression}$" if full else expression)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as file:
        file.write(text)


def main():
    argv, clang_flags = sys.argv[1:], []
    if "--" in argv:
        split = argv.index("--")
        argv, clang_flags = argv[:split], argv[split + 1:]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
                                     allow_abbrev=False)
    for option in ("--clang-tidy", "--filecheck"):
        parser.add_argument(option, required=True)
    parser.add_argument("--plugin", default="", help="the module with the checks")
    parser.add_argument("--flags", default="", help="compiler flags of every test")
    parser.add_argument("--pch", default="", help="precompiled header of LibTorch")
    parser.add_argument("--env", action="append", default=[], help="NAME=VALUE for clang-tidy")
    parser.add_argument("--only-torch", action="store_true", help="set the option OnlyTorch")
    parser.add_argument("source")
    parser.add_argument("checks")
    parser.add_argument("temp")
    parser.add_argument("-config", default="{}")
    parser.add_argument("-expect-remaining", type=int, nargs="?", const=-1)
    parser.add_argument("-check-suffix", default="")
    parser.add_argument("-match-partial-fixes", action="store_true")
    parser.add_argument("-no-pch", action="store_true")
    args = parser.parse_args(argv)
    args.clang_flags = clang_flags
    Test(args).run()


if __name__ == "__main__":
    main()
