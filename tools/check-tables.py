#!/usr/bin/env python3
"""Makes the tables of checks in README.md and docs/checks/README.md from checks/Checks.def.

    check-tables.py            compares; exit status 1 and the difference where they are not the same
    check-tables.py --write    rewrites the tables
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- checks: made by tools/check-tables.py -->", "<!-- end of checks -->"


def checks():
    text = (ROOT / "checks/Checks.def").read_text()
    text = "\n".join(line for line in text.splitlines() if not line.startswith("//"))
    for match in re.finditer(r"TORCH_TIDY_CHECK\((\w+),((?:\s*\"(?:[^\"\\]|\\.)*\"\s*,?)+)\)", text):
        rest = match.group(2)
        # Adjacent literals are one; a comma ends an argument.
        fields = [""]
        for token in re.finditer(r"\"((?:[^\"\\]|\\.)*)\"|(,)", rest):
            if token.group(2):
                fields.append("")
            else:
                fields[-1] += token.group(1).replace('\\"', '"')
        if len(fields) != 4:
            sys.exit(f"checks/Checks.def: {match.group(1)} has {len(fields) + 1} arguments, not 5")
        yield fields


def table(folder):
    lines = ["| Check | Finds | Default `MinEvidence` | Edit |", "|---|---|---|---|"]
    for name, evidence, finds, edit in checks():
        page = name.removeprefix("torch-") + ".md"
        if not (ROOT / "docs/checks" / page).exists():
            sys.exit(f"docs/checks/{page} is missing: every check has a page")
        lines.append(f"| [{name}]({folder}{page}) | {finds} | {evidence} | {edit} |")
    return "\n".join(lines)


def main():
    status = 0
    for path, folder in ((ROOT / "README.md", "docs/checks/"), (ROOT / "docs/checks/README.md", "")):
        old = path.read_text()
        if BEGIN not in old or END not in old:
            sys.exit(f"{path.relative_to(ROOT)}: the lines '{BEGIN}' and '{END}' are missing")
        before, rest = old.split(BEGIN, 1)
        after = rest.split(END, 1)[1]
        new = f"{before}{BEGIN}\n{table(folder)}\n{END}{after}"
        if new == old:
            continue
        if "--write" in sys.argv[1:]:
            path.write_text(new)
            continue
        name = str(path.relative_to(ROOT))
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), name, name))
        status = 1
    listed = (ROOT / "test/checks/module/list.cpp").read_text()
    for name in sorted(fields[0] for fields in checks()):
        if f"// CHECK-NEXT: {name}\n" not in listed:
            print(f"test/checks/module/list.cpp does not state {name}")
            status = 1
    if status:
        print("The tables differ from checks/Checks.def; tools/check-tables.py --write rewrites them.")
    return status


sys.exit(main())
