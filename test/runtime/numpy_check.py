"""Real NumPy on the other side of save_npy and load_npy.

numpy_check.py DIRECTORY: checks the arrays that the test wrote there (ours_<type>.npy), then writes
arrays for the test to read (numpy_<version>_<order>_<type>.npy).
"""
import os
import sys

import numpy as np
from numpy.lib import format as npy

NAMES = {
    "Bool": "?", "Byte": "u1", "Char": "i1", "Short": "i2", "Int": "i4", "Long": "i8",
    "Half": "f2", "Float": "f4", "Double": "f8", "ComplexFloat": "c8", "ComplexDouble": "c16",
}


def sample(shape, name):
    """The elements that the test's sample() has."""
    n = np.arange(np.prod(shape, dtype=int))
    if name == "Bool":
        n = n % 3 == 1
    elif name == "Byte":
        n = n % 251
    else:
        n = n % 200 - 100
        if name.startswith("Complex"):
            n = n + 1j * (2 * n + 1)
    return n.astype(NAMES[name]).reshape(shape)


def main(directory):
    for name in NAMES:
        found = np.load(os.path.join(directory, f"ours_{name}.npy"))
        expected = sample((2, 3, 4), name)
        assert found.dtype == expected.dtype, (name, found.dtype)
        assert found.shape == expected.shape and (found == expected).all(), name
    assert np.load(os.path.join(directory, "ours_scalar.npy")).shape == ()
    assert np.load(os.path.join(directory, "ours_empty.npy")).shape == (0, 5)
    for name in NAMES:
        array = sample((2, 3, 4), name)
        for order, stored in (("C", array), ("F", np.asfortranarray(array)),
                              ("B", array.astype(array.dtype.newbyteorder(">")))):
            for version in ((1, 0), (2, 0), (3, 0)):
                path = os.path.join(directory, f"numpy_{version[0]}_{order}_{name}.npy")
                with open(path, "wb") as out:
                    npy.write_array(out, stored, version=version)


if __name__ == "__main__":
    main(sys.argv[1])
