"""Writes small NumPy files by hand as a start for the fuzzer: make_fuzz_corpus.py DIRECTORY."""
import os
import struct
import sys

HEADERS = [
    ("<f4", False, "(2, 3)", 24), (">c16", True, "(1, 2)", 32), ("|b1", False, "()", 1),
    ("<i8", False, "(0, 5)", 0), ("|u1", True, "(3L,)", 3), ("<f2", False, "(1,)", 2),
    ("<f8", False, "(1000000000,)", 8),
]


def main(directory):
    os.makedirs(directory, exist_ok=True)
    for number, (descr, fortran, shape, size) in enumerate(HEADERS):
        text = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n".encode()
        for major in (1, 2, 3):
            length = struct.pack("<H" if major == 1 else "<I", len(text))
            with open(os.path.join(directory, f"{number}_{major}"), "wb") as out:
                out.write(b"\x93NUMPY" + bytes([major, 0]) + length + text + bytes(range(size)))


if __name__ == "__main__":
    main(sys.argv[1])
