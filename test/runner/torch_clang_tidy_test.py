#!/usr/bin/env python3
"""Tests of torch-clang-tidy, its installation, and of CMake's use of it.

    torch_clang_tidy_test.py --program=PROGRAM --clang-tidy=CLANG-TIDY --flags=FLAGS --build=TREE --cmake=CMAKE
"""
import argparse
import glob
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = """#include <ATen/ATen.h>
float first(const at::Tensor &t) { return t.data_ptr<float>()[0]; }
int *none() { return 0; }
"""


def run(*command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    return result.returncode, result.stdout + result.stderr


class TorchClangTidy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = os.path.realpath(cls.temporary.name)
        cls.source = os.path.join(cls.folder, "reads.cpp")
        with open(cls.source, "w") as file:
            file.write(SOURCE)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def reports(self, program):
        status, output = run(program, "--checks=-*,torch-*,modernize-use-nullptr", self.source, "--", *OWN.flags.split())
        self.assertEqual(status, 0, output)
        self.assertIn("reads.cpp:2:45: warning: host code reads the memory of 't'", output)
        self.assertIn("[torch-host-access]", output)
        self.assertIn("[modernize-use-nullptr]", output)

    def test_version(self):
        status, output = run(OWN.program, "--version")
        self.assertEqual(status, 0)
        self.assertRegex(output, r"torch-tidy version \d+\.\d+\.\d+")
        self.assertRegex(output, r"LLVM version \d+")

    def test_same_checks_and_options_as_clang_tidy(self):
        theirs = run(OWN.clang_tidy, "--checks=*", "--list-checks")[1].splitlines()
        ours = run(OWN.program, "--checks=*", "--list-checks")[1].splitlines()
        self.assertEqual([line for line in ours if " torch-" not in line], theirs)
        self.assertEqual(len([line for line in ours if " torch-" in line]), 14)
        self.assertEqual(run(OWN.program, "--no-such-option")[0], run(OWN.clang_tidy, "--no-such-option")[0])

    def test_reports(self):
        self.reports(OWN.program)

    def test_installed_elsewhere(self):
        prefix = os.path.join(self.folder, "some where")
        for component in ("checks", "tools"):
            status, output = run(OWN.cmake, "--install", OWN.build, "--prefix", prefix, "--component", component)
            self.assertEqual(status, 0, output)
        self.reports(os.path.join(prefix, "bin", "torch-clang-tidy"))
        self.assertEqual(len(glob.glob(os.path.join(prefix, "lib*", "**", "TorchTidyPlugin.so"), recursive=True)), 1)
        # A project that finds the installation, and runs it with its compilations.
        with open(os.path.join(self.folder, "CMakeLists.txt"), "w") as file:
            file.write("cmake_minimum_required(VERSION 3.22)\nproject(uses LANGUAGES CXX)\n"
                       "set(CMAKE_CXX_STANDARD 17)\nfind_package(torch_tidy_checks REQUIRED)\n"
                       "add_library(warns OBJECT reads.cpp)\nadd_library(fails OBJECT reads.cpp)\n"
                       "torch_tidy_enable(warns)\ntorch_tidy_enable(fails CHECKS -*,torch-host-access WARNINGS_AS_ERRORS)\n")
        tree = os.path.join(self.folder, "tree")
        flags = " ".join(flag for flag in OWN.flags.split() if not flag.startswith("-std"))
        status, output = run(OWN.cmake, "-S", self.folder, "-B", tree, "-DCMAKE_PREFIX_PATH=" + prefix, "-DCMAKE_CXX_FLAGS=" + flags)
        self.assertEqual(status, 0, output)
        status, output = run(OWN.cmake, "--build", tree, "--target", "warns")
        self.assertEqual(status, 0, output)
        self.assertIn("warning: host code reads", output)
        status, output = run(OWN.cmake, "--build", tree, "--target", "fails")
        self.assertNotEqual(status, 0, output)
        self.assertIn("error: host code reads", output)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("program", "clang-tidy", "flags", "build", "cmake"):
        parser.add_argument("--" + name, required=True)
    OWN, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
