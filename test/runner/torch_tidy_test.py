#!/usr/bin/env python3
"""Tests of torch-tidy, the project runner, on small projects that include the real LibTorch.

    torch_tidy_test.py --torch-tidy=PROGRAM --clangxx=CLANG++ --flags=FLAGS [unittest arguments]
"""
import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

READS = """
#include "{header}"
float first_of_{name}(const at::Tensor &t) {{
  const float *p = t.data_ptr<float>();
  return p[0] + p[1];
}}
"""
HEADER = """
#pragma once
#include <ATen/ATen.h>
inline float of_header(const at::Tensor &in_header) { return in_header.data_ptr<float>()[0]; }
"""
CLEAN = """
#include <ATen/ATen.h>
float clean(const at::Tensor &t) { return t.sum().item<float>(); }
"""


class Project:
    """A folder with sources and compile_commands.json; its state folder survives reset(), so that LibTorch is precompiled once."""

    def __init__(self, folder):
        self.folder = folder
        self.state = os.path.join(folder, "state")
        self.root = os.path.join(folder, "project")
        self.reset()

    def reset(self):
        shutil.rmtree(self.root, ignore_errors=True)
        os.makedirs(self.root)
        self.write("common.h", HEADER)
        self.write("a.cpp", READS.format(header="common.h", name="a"))
        self.write("b.cpp", READS.format(header="common.h", name="b"))
        self.write("clean.cpp", CLEAN)
        self.commands(["a.cpp", "b.cpp", "clean.cpp"])

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(textwrap.dedent(text).lstrip("\n"))

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def command(self, name, flags=(), compiler="c++"):
        return {"directory": self.root, "file": name,
                "arguments": [compiler, *FLAGS, "-I.", *flags, "-c", "-o", name + ".o", name]}

    def commands(self, names, entries=()):
        with open(self.path("compile_commands.json"), "w") as file:
            json.dump([*(self.command(name) for name in names), *entries], file)

    def start(self, *arguments, **options):
        return subprocess.Popen([PROGRAM, *arguments], cwd=self.root, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **options)

    def run(self, command, *arguments, state=None):
        process = self.start(command, *arguments, *([f"--state={state or self.state}"] if command != "merge" else []))
        out, err = process.communicate()
        return process.returncode, out, err

    def report(self, *arguments):
        status, out, err = self.run("check", "--format=json", *arguments)
        return status, json.loads(out), err

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments], cwd=self.root, check=True,
                       stdout=subprocess.DEVNULL)

    def commit(self):
        if not os.path.isdir(self.path(".git")):
            self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "state")

    def compiles(self, name):
        return subprocess.run([CLANGXX, "-fsyntax-only", *FLAGS, "-I.", name], cwd=self.root).returncode == 0


def places(report):
    return [(f["file"], f["line"], f["check"]) for f in report["findings"]]


ALL = [("a.cpp", 3, "torch-host-access"), ("b.cpp", 3, "torch-host-access"), ("common.h", 3, "torch-host-access")]


class Runner(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.project = Project(os.path.realpath(cls.folder.name))

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.project.reset()

    def fails(self, pattern, *arguments, **options):
        status, out, err = self.project.run(*arguments, **options)
        self.assertEqual(status, 2, out + err)
        self.assertRegex(err, pattern)
        self.assertEqual(out, "")

    # --- check ---

    def test_reports_and_status(self):
        status, out, err = self.project.run("check")
        self.assertEqual(status, 1, err)
        # The header's report comes once, though two files include it.
        self.assertEqual(re.findall(r"^(\S+?):(\d+):\d+: warning: .*\((\w+)\) \[torch-host-access\]$", out, re.M),
                         [("a.cpp", "3", "possible"), ("b.cpp", "3", "possible"), ("common.h", "3", "possible")])
        self.assertRegex(out, r"(?m)^a.cpp:4:10: note: the memory is read here$")
        self.assertRegex(err, r"torch-host-access +0 +0 +3 +3")
        self.assertIn("3 files, 3 reports", err)

    def test_clean(self):
        self.project.commands(["clean.cpp"])
        status, out, err = self.project.run("check")
        self.assertEqual((status, out), (0, ""), err)

    def test_nothing_is_done_twice(self):
        first = self.project.run("check")
        second = self.project.run("check")
        self.assertIn("no work to do", second[2])
        self.assertEqual(first[:2], second[:2])

    def test_only_users_of_a_header_again(self):
        self.project.run("check")
        self.project.write("common.h", HEADER.replace("in_header", "renamed"))
        _, out, err = self.project.run("check")
        self.assertIn("Analysing a.cpp", err)
        self.assertNotIn("Analysing clean.cpp", err)
        self.assertIn("'renamed'", out)

    def test_configuration_is_followed(self):
        self.project.run("check")
        self.project.write(".clang-tidy", "CheckOptions:\n  - {key: torch-host-access.MinEvidence, value: likely}\n")
        self.assertEqual(self.project.report()[0], 0)
        self.project.write(".clang-tidy", "Checks: '-*,bugprone-*'\n")  # says nothing of ours
        self.assertEqual(places(self.project.report()[1]), ALL)
        self.project.write(".clang-tidy", "Checks: '-torch-host-access'\n")
        self.assertEqual(self.project.report()[0], 0)
        self.project.write(".clang-tidy", "Checks: '-*,torch-scalar-read'\n")
        self.assertEqual(self.project.report()[0], 0)
        self.assertEqual(places(self.project.report("--checks=-*,torch-host-access")[1]), ALL)
        
        self.assertEqual(
            self.project.report("--checks=-*,torch-host-access", "--option=torch-host-access.MinEvidence=proven")[0], 0)

    def test_fail_on(self):
        self.assertEqual(self.project.run("check", "--fail-on=likely")[0], 0)
        self.project.write("clean.cpp", """
            #include <ATen/ATen.h>
            float proven() { return at::zeros({2}, at::kCUDA).data_ptr<float>()[1]; }
            """)
        status, report, _ = self.project.report("--fail-on=proven")
        self.assertEqual(status, 1)
        self.assertEqual([f["evidence"] for f in report["findings"]], ["possible", "possible", "proven", "possible"])

    def test_paths_and_exclude(self):
        self.assertEqual(places(self.project.report("b.cpp")[1]), ALL[1:])
        self.assertEqual(places(self.project.report("--exclude=^common")[1]), ALL[:2])
        self.fails("no file of .* matches", "check", "nowhere")

    def test_shards_merge(self):
        parts = []
        for part in range(1, 4):
            status, report, _ = self.project.report(f"--shard={part}/3")
            parts.append(self.project.path(f"part{part}.json"))
            with open(parts[-1], "w") as file:
                json.dump(report, file)
        status, out, err = self.project.run("merge", "--format=json", *parts)
        self.assertEqual(status, 1, err)
        self.assertEqual(places(json.loads(out)), ALL)
        self.assertEqual(json.loads(out)["files"], 3)
        self.fails("--shard wants i/n", "check", "--shard=4/3")
        self.fails("is no report", "merge", self.project.path("compile_commands.json"))

    # --- the gate ---

    def test_baseline(self):
        baseline = self.project.path("baseline.json")
        self.fails("--write-baseline", "check", "--baseline=" + baseline)
        self.assertEqual(self.project.run("check", "--write-baseline=" + baseline)[0], 0)
        self.assertEqual(self.project.run("check", "--baseline=" + baseline)[0], 0)
        # Moved and indented lines are the same.
        self.project.write("a.cpp", "// one\n// two\n" + self.project.read("a.cpp").replace("  const", "      const"))
        status, report, _ = self.project.report("--baseline=" + baseline)
        self.assertEqual((status, report["findings"], report["known"]), (0, [], 3))
        # Twice the same line is one more.
        self.project.write("a.cpp", self.project.read("a.cpp") + self.project.read("a.cpp").replace("first_of", "second_of"))
        status, report, _ = self.project.report("--baseline=" + baseline)
        self.assertEqual((status, len(report["findings"])), (1, 1))
        self.project.write("baseline.json", "{}")
        self.fails("no baseline of this version", "check", "--baseline=" + baseline)

    def test_diff(self):
        self.project.commit()
        self.assertEqual(self.project.run("check", "--diff=HEAD")[0], 0)
        self.project.write("a.cpp", self.project.read("a.cpp") + self.project.read("a.cpp").replace("first_of", "second_of"))
        status, report, err = self.project.report("--diff=HEAD")
        self.assertEqual((status, places(report)), (1, [("a.cpp", 8, "torch-host-access")]))
        self.assertEqual(report["files"], 1)
        # A line that a note points at brings the report in: here the one that uses the memory.
        self.project.commit()
        self.project.write("b.cpp", self.project.read("b.cpp").replace("p[0] + p[1]", "p[1] + p[0]"))
        self.assertEqual(places(self.project.report("--diff=HEAD")[1]), ALL[1:2])
        self.fails("git cannot compare", "check", "--diff=no-such-revision")

    # --- formats ---

    def test_formats(self):
        status, out, _ = self.project.run("check", "--format=github")
        self.assertEqual(status, 1)
        self.assertRegex(out, r"^::warning file=a\.cpp,line=3,col=\d+,title=torch-host-access::host code reads .*%0Aa\.cpp:4: ")
        issues = json.loads(self.project.run("check", "--format=gitlab")[1])
        self.assertEqual([(i["location"]["path"], i["severity"]) for i in issues],
                         [("a.cpp", "minor"), ("b.cpp", "minor"), ("common.h", "minor")])
        self.assertEqual(len({i["fingerprint"] for i in issues}), 3)
        out = self.project.run("check", "--explain", "a.cpp")[1]
        self.assertRegex(out, r"1\. a\.cpp:2: nothing is known about the device of parameter 't'")
        self.assertRegex(out, r"3\. a\.cpp:4: the memory is read here")
        target = self.project.path("report.txt")
        self.assertEqual(self.project.run("check", "-o", target)[1], "")
        self.assertIn("a.cpp:3:", self.project.read("report.txt"))

    def test_sarif(self):
        document = json.loads(self.project.run("check", "--format=sarif")[1])
        try:
            from sarif_pydantic import Sarif
            Sarif.model_validate(document)
        except ImportError:
            print("sarif_pydantic is not installed: the document is not validated", file=sys.stderr)
        run = document["runs"][0]
        self.assertEqual(document["version"], "2.1.0")
        self.assertEqual(run["originalUriBaseIds"]["ROOT"]["uri"], f"file://{self.project.root}/")
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(len(rules), 14)
        for result, (file, line, check) in zip(run["results"], ALL, strict=True):
            self.assertEqual(rules[result["ruleIndex"]], check)
            location = result["locations"][0]["physicalLocation"]
            self.assertEqual((location["artifactLocation"]["uri"], location["region"]["startLine"]), (file, line))
            self.assertTrue(result["relatedLocations"])
            self.assertTrue(result["codeFlows"][0]["threadFlows"][0]["locations"])
            self.assertRegex(result["partialFingerprints"]["torchTidy/v1"], "^[0-9a-f]{20}$")
            change = result["fixes"][0]["artifactChanges"][0]
            self.assertEqual(change["artifactLocation"]["uri"], file)
            # The edit, applied as SARIF says it, compiles.
            text = self.project.read(file)
            for edit in sorted(change["replacements"], key=lambda e: -e["deletedRegion"]["byteOffset"]):
                start = edit["deletedRegion"]["byteOffset"]
                text = text[:start] + edit["insertedContent"]["text"] + text[start + edit["deletedRegion"]["byteLength"]:]
            self.project.write(file, text)
        self.assertTrue(self.project.compiles("a.cpp") and self.project.compiles("b.cpp"))

    # --- bad input ---

    def test_no_database(self):
        os.remove(self.project.path("compile_commands.json"))
        self.fails("CMAKE_EXPORT_COMPILE_COMMANDS", "check")
        self.fails("CMAKE_EXPORT_COMPILE_COMMANDS", "check", "-p", "nowhere")
        self.project.write("compile_commands.json", "[{]")
        self.fails("is broken", "check")
        self.project.write("compile_commands.json", "[]")
        self.fails("names no file", "check")

    def test_missing_file(self):
        self.project.commands(["a.cpp", "gone.cpp"])
        status, report, err = self.project.report()
        self.assertEqual(status, 2)
        self.assertEqual([(f["file"], f["kind"]) for f in report["failures"]], [("gone.cpp", "missing")])
        self.assertEqual(places(report), [ALL[0], ALL[2]])
        self.assertEqual(self.project.run("check", "--ignore-failures")[0], 1)

    def test_does_not_parse(self):
        self.project.write("b.cpp", "#include <ATen/ATen.h>\nint broken( {\n")
        status, report, err = self.project.report()
        self.assertEqual(status, 2)
        self.assertEqual([(f["file"], f["kind"]) for f in report["failures"]], [("b.cpp", "parse")])
        self.assertIn("b.cpp:2:", report["failures"][0]["detail"])
        self.assertEqual(places(report), [ALL[0], ALL[2]])

    def test_unknown_flags(self):
        self.project.commands(["a.cpp"], [self.project.command("b.cpp", ["-fno-such-flag-anywhere", "-fno-gnu-unique"])])
        status, report, err = self.project.report()
        self.assertEqual((status, report["failures"], places(report)), (1, [], ALL))
        self.assertEqual(report["ignoredFlags"], ["b.cpp: -fno-such-flag-anywhere"])

    def test_command_of_nvcc(self):
        flags = ["-gencode", "arch=compute_90,code=sm_90", "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC,-DFROM_HOST=1",
                 "--threads=4", "-ccbin", "g++"]
        self.project.write("b.cpp", "#if FROM_HOST != 1\n#error not translated\n#endif\n" + self.project.read("b.cpp"))
        self.project.commands(["a.cpp"], [self.project.command("b.cpp", flags, compiler="nvcc")])
        status, report, _ = self.project.report()
        self.assertEqual((status, report["failures"]), (1, []))
        self.assertIn(("b.cpp", 6, "torch-host-access"), places(report))
        self.project.commands(["a.cpp"], [dict(self.project.command("b.cpp", [], compiler="nvcc"),
                                               arguments=["nvcc", "b.cpp", "-gencode"])])
        status, report, _ = self.project.report()
        self.assertEqual([(f["file"], f["kind"]) for f in report["failures"]], [("b.cpp", "command")])

    def test_macros_before_libtorch(self):
        # The precompiled header knows nothing of the macro, so that it must not be used.
        self.project.write("b.cpp", "#define first_of_b renamed\n" + self.project.read("b.cpp"))
        self.assertEqual(self.project.report()[0], 1)
        spec = next(name for name in os.listdir(os.path.join(self.project.state, "specs")) if name.startswith("b-"))
        with open(os.path.join(self.project.state, "specs", spec)) as file:
            self.assertEqual(json.load(file)["pch"], "")

    def test_time_limit(self):
        # Without the precompiled header LibTorch takes seconds to parse, everywhere.
        status, report, _ = self.project.report("--timeout=1", "--no-pch", "a.cpp", f"--state={self.project.folder}/slow")
        self.assertEqual(status, 2)
        self.assertEqual([(f["file"], f["kind"]) for f in report["failures"]], [("a.cpp", "timeout")])

    def test_crash(self):
        # The analysing process is killed from outside, as by the system when memory is short.
        process = self.project.start("check", "--no-pch", "--format=json", "a.cpp", "clean.cpp", "-j", "1",
                                     f"--state={self.project.folder}/crash")
        self.kill_first("analyse-here", process)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 2, err)
        report = json.loads(out)
        self.assertEqual([f["kind"] for f in report["failures"]], ["crash"])
        # The other file went on, and the next run tries again.
        status, report, _ = self.project.report("--no-pch", "a.cpp", "clean.cpp", f"--state={self.project.folder}/crash")
        self.assertEqual((status, report["failures"]), (1, []))

    def kill_first(self, word, process):
        """Kills the first process below \\p process with \\p word in its command."""
        while process.poll() is None:
            lines = subprocess.run(["ps", "-eo", "pid,args"], capture_output=True, text=True).stdout.splitlines()
            for line in lines:
                pid, command = line.split(None, 1)
                if f" {word} {self.project.folder}" in command and "torch-tidy" in command and "/bin/sh" not in command:
                    os.kill(int(pid), signal.SIGKILL)
                    return
            time.sleep(0.02)

    def test_state_cannot_be_written(self):
        self.fails("choose another place with --state", "check", state="/dev/null/state")

    def test_unknown_arguments(self):
        for arguments in (["check", "--no-such-option"], ["nothing"], []):
            process = self.project.start(*arguments)
            _, err = process.communicate()
            self.assertEqual(process.returncode, 2)
            self.assertIn("--help", err)

    # --- fix ---

    def test_fix(self):
        self.project.commit()
        before = {name: self.project.read(name) for name in ("a.cpp", "b.cpp", "common.h")}
        status, diff, err = self.project.run("fix", "--dry-run")
        self.assertEqual(status, 0, err)
        self.assertIn("+  const auto t_host = t.detach().cpu();", diff)
        self.assertEqual(before, {name: self.project.read(name) for name in before})
        status, out, err = self.project.run("fix")
        self.assertEqual((status, out), (0, diff), err)
        self.assertIn("3 edits made in 3 files", err)
        self.assertEqual(self.project.read("common.h").count(".detach().cpu()"), 1)
        self.assertTrue(self.project.compiles("a.cpp") and self.project.compiles("b.cpp"))
        self.assertEqual(self.project.run("check")[0], 0)

    def test_fix_wants_a_clean_tree(self):
        self.project.commit()
        self.project.write("clean.cpp", CLEAN + "// changed\n")
        self.fails("commit or stash them", "fix")
        self.assertNotIn("_host", self.project.read("a.cpp"))
        self.assertEqual(self.project.run("fix", "--allow-dirty")[0], 0)
        self.assertIn("_host", self.project.read("a.cpp"))

    def test_edits_that_break_a_file_are_taken_back(self):
        # The name that the edit declares is a macro here.
        self.project.write("a.cpp", READS.format(header="common.h", name="a").replace("#include", "#define t_host 1\n#include"))
        before = self.project.read("a.cpp")
        status, diff, err = self.project.run("fix")
        self.assertEqual(self.project.read("a.cpp"), before)
        if status == 1:
            self.assertIn("taken back", err)
        self.assertIn("t_host", self.project.read("b.cpp"))
        self.assertTrue(self.project.compiles("a.cpp") and self.project.compiles("b.cpp"))

    def test_killed_while_fixing(self):
        originals = {name: self.project.read(name) for name in ("a.cpp", "b.cpp", "common.h")}
        self.project.run("fix", "--no-verify")
        fixed = {name: self.project.read(name) for name in originals}
        for delay in (0.0, 0.02, 0.05, 0.1, 0.2):
            self.project.reset()
            self.project.run("check")  # so that only the edits are left to do
            process = self.project.start("fix", "--no-verify", "--quiet", f"--state={self.project.state}")
            time.sleep(delay)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            for name in originals:
                self.assertIn(self.project.read(name), (originals[name], fixed[name]))
        self.assertEqual(self.project.run("fix")[0], 0)
        self.assertEqual(self.project.run("check")[0], 0)

    def test_killed_while_checking(self):
        for name in ("a.cpp", "b.cpp", "clean.cpp"):
            self.project.write(name, self.project.read(name) + "// once more\n")
        process = self.project.start("check", f"--state={self.project.state}", start_new_session=True)
        time.sleep(0.5)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.assertEqual(places(self.project.report()[1]), ALL)

    def test_two_at_once(self):
        for name in ("a.cpp", "b.cpp", "clean.cpp"):
            self.project.write(name, self.project.read(name) + "// twice\n")
        both = [self.project.start("check", "--format=json", f"--state={self.project.state}") for _ in range(2)]
        outputs = [process.communicate()[0] for process in both]
        self.assertEqual([process.returncode for process in both], [1, 1])
        self.assertEqual(places(json.loads(outputs[0])), ALL)
        self.assertEqual(outputs[0], outputs[1])

    def test_full_disk(self):
        with self.small_disk() as disk:
            if not disk:
                self.skipTest("mounting a small file system needs root")
            # The project on the full disk, its state elsewhere.
            root = os.path.join(disk, "project")
            shutil.copytree(self.project.root, root)
            original = self.project.read("a.cpp")
            with open(os.path.join(root, "compile_commands.json")) as file:
                commands = file.read().replace(self.project.root, root)
            with open(os.path.join(root, "compile_commands.json"), "w") as file:
                file.write(commands)
            filler = os.open(os.path.join(disk, "filler"), os.O_WRONLY | os.O_CREAT)
            with contextlib.suppress(OSError):
                while True:
                    os.write(filler, b"x" * 4096)
            os.close(filler)
            process = subprocess.run([PROGRAM, "fix", f"--state={self.project.folder}/full"], cwd=root, capture_output=True,
                                     text=True)
            self.assertEqual(process.returncode, 2, process.stderr)
            self.assertIn("No space left on device", process.stderr)
            with open(os.path.join(root, "a.cpp")) as file:
                self.assertEqual(file.read(), original)
            self.assertEqual([name for name in os.listdir(root) if "torch-tidy" in name], [])

    @contextlib.contextmanager
    def small_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = os.path.realpath(folder)
            mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder],
                                     stderr=subprocess.DEVNULL).returncode == 0
            try:
                yield folder if mounted else None
            finally:
                if mounted:
                    subprocess.run(["umount", "-l", folder], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torch-tidy", required=True)
    parser.add_argument("--clangxx", required=True)
    parser.add_argument("--flags", required=True)
    own, rest = parser.parse_known_args()
    PROGRAM, CLANGXX, FLAGS = own.torch_tidy, own.clangxx, own.flags.split()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
