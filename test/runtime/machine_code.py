"""Compares the machine code of view_* with that of raw_* in an object file.

machine_code.py OBJDUMP OBJECT: every function view_X must have, byte for byte, the code of raw_X.
"""
import re
import subprocess
import sys


def functions(objdump, path):
    """The instructions of each function: (encoding, text), jump targets relative to its start."""
    dump = subprocess.run([objdump, "-d", path], check=True, capture_output=True, text=True).stdout
    found, current = {}, None
    for line in dump.splitlines():
        start = re.match(r"^[0-9a-f]+ <(\w+)>:$", line)
        if start:
            current = found.setdefault(start.group(1), [])
        elif current is not None and "\t" in line:
            fields = line.split("\t")
            text = fields[2].split("#")[0].strip() if len(fields) > 2 else ""
            # Padding behind the function is no code of it.
            if text and not re.match(r"^(data16 |cs )*(nopw?|nopl|xchg +%ax,%ax)", text):
                text = re.sub(r"\b[0-9a-f]+ <\w+(\+0x[0-9a-f]+)?>", r"start\1", text)
                current.append((fields[1].strip(), text))
    return found


def main(objdump, path):
    code = functions(objdump, path)
    pairs = [(name, "raw_" + name[len("view_"):]) for name in code if name.startswith("view_")]
    if not pairs:
        sys.exit("no functions to compare")
    failed = False
    for view, raw in sorted(pairs):
        same = code[view] == code[raw]
        loops = any(text.startswith("j") for _, text in code[view])
        print(f"{view}: {len(code[view])} instructions, {'equal' if same else 'DIFFERENT from ' + raw}")
        if not same:
            for a, b in zip(code[view], code[raw]):
                print(f"  {a[1]:50} {b[1]}")
        failed |= not same or not loops
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
