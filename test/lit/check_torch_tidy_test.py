#!/usr/bin/env python3
"""Tests check_torch_tidy.py itself: it accepts a right test file and refuses each kind of wrong one.

    check_torch_tidy_test.py CLANG-TIDY FILECHECK

The files use checks of clang-tidy's own: modernize-use-nullptr (has a fix) and readability-braces-around-statements
are enough to make each mistake.
"""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "check_torch_tidy.py")
CHECK = "modernize-use-nullptr"
REPORT = "warning: use nullptr [modernize-use-nullptr]"


class CheckTorchTidy(unittest.TestCase):
    def run_on(self, text, *options):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "case.cpp")
            with open(source, "w") as file:
                file.write(text)
            result = subprocess.run([sys.executable, SCRIPT, "--clang-tidy=" + TIDY, "--filecheck=" + FILECHECK, source,
                                     CHECK, os.path.join(folder, "temp"), *options], capture_output=True, text=True)
            return result.returncode, result.stdout + result.stderr

    def accepts(self, text, *options):
        status, output = self.run_on(text, *options)
        self.assertEqual(status, 0, output)

    def refuses(self, reason, text, *options):
        status, output = self.run_on(text, *options)
        self.assertEqual(status, 1, output)
        self.assertIn(reason, output)

    def test_right_file(self):
        self.accepts(f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES: int *p = nullptr;\n")

    def test_right_file_without_reports(self):
        self.accepts("int *p = nullptr;\n")

    def test_suffix(self):
        self.accepts(f"int *p = 0;\n// CHECK-MESSAGES-A: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES-A: int *p = nullptr;\n",
                     "-check-suffix=A")

    def test_notes(self):
        self.accepts(f"int *p = 0;\n// CHECK-NOTES: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES: int *p = nullptr;\n")

    def test_report_not_stated(self):
        self.refuses("states no report", "int *p = 0;\n// CHECK-FIXES: int *p = nullptr;\n")

    def test_second_report_not_stated(self):
        self.refuses("messages differ", f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\nint *q = 0;\n"
                     "// CHECK-FIXES: int *p = nullptr;\n// CHECK-FIXES: int *q = nullptr;\n")

    def test_report_not_made(self):
        self.refuses("messages differ", f"int *p = nullptr;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n")

    def test_wrong_column(self):
        self.refuses("messages differ", f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:11: {REPORT}\n")

    def test_fix_not_stated(self):
        self.refuses("the fixes change it", f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n")

    def test_second_fix_not_stated(self):
        self.refuses("no CHECK-FIXES states this line", f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n"
                     f"int *q = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES: int *p = nullptr;\n")

    def test_wrong_fix(self):
        self.refuses("fixes differ", f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n"
                     "// CHECK-FIXES: int *p = nullptr\n")

    def test_does_not_compile(self):
        self.refuses("states no report", "int *p = 1;\n")

    def test_fixed_text_does_not_compile(self):
        # The macro makes the fixed line an error.
        self.refuses("the fixed text does not compile",
                     "#define nullptr 1\nint *p = 0;\n"
                     f"// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES: int *p = nullptr;\n")

    def test_remaining_that_does_not_remain(self):
        self.refuses("the second run reports 0 times, expected: 1",
                     f"int *p = 0;\n// CHECK-MESSAGES: :[[@LINE-1]]:10: {REPORT}\n// CHECK-FIXES: int *p = nullptr;\n",
                     "-expect-remaining=1")


if __name__ == "__main__":
    TIDY, FILECHECK = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
