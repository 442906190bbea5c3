"""Compares the loops of view_* with those of raw_* in an object file.

machine_code.py OBJDUMP OBJECT: in every function view_X, the instructions of the loop must be those
of raw_X, whatever registers they use. (How a function comes to its first element may differ: the
order of two loads says nothing about the access.)
"""
import re
import subprocess
import sys


def functions(objdump, path):
    """For each function its instructions: (offset, text)."""
    dump = subprocess.run([objdump, "-d", path], check=True, capture_output=True, text=True).stdout
    found, current, start = {}, None, 0
    for line in dump.splitlines():
        head = re.match(r"^([0-9a-f]+) <(\w+)>:$", line)
        if head:
            start, current = int(head.group(1), 16), found.setdefault(head.group(2), [])
        elif current is not None and line.count("\t") >= 2:
            address, _, text = line.split("\t", 2)
            current.append((int(address.strip(" :"), 16) - start, text.split("#")[0].strip()))
    return found


def loop(code):
    """The instructions between the last backward jump and its target, with registers numbered in
    the order in which they appear."""
    body = []
    for offset, text in code:
        jump = re.match(r"^(j\w+) +[0-9a-f]+ <\w+(?:\+0x([0-9a-f]+))?>", text)
        target = int(jump.group(2) or "0", 16) if jump else offset + 1
        if target <= offset:
            body = [t for o, t in code if target <= o < offset] + [jump.group(1)]
    names = {}
    # Equality does not depend on the order of what is compared.
    if len(body) > 1 and body[-1] in ("je", "jne") and body[-2].startswith("cmp"):
        operation, operands = body[-2].split(None, 1)
        body[-2] = operation + " " + ",".join(sorted(operands.split(","), key=lambda o: str(body).find(o)))
    return [re.sub(r"%\w+", lambda r: names.setdefault(r.group(), f"%{len(names)}"),
                   re.sub(r"\s+", " ", text)) for text in body]


def main(objdump, path):
    code = functions(objdump, path)
    pairs = [(name, "raw_" + name[len("view_"):]) for name in code if name.startswith("view_")]
    if not pairs:
        sys.exit("no functions to compare")
    failed = False
    for view, raw in sorted(pairs):
        ours, plain = loop(code[view]), loop(code[raw])
        same = bool(ours) and ours == plain
        print(f"{view}: a loop of {len(ours)} instructions, {'equal' if same else 'DIFFERENT'}")
        if not same:
            print("  view: " + "; ".join(ours) + "\n  raw:  " + "; ".join(plain))
        failed |= not same
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
