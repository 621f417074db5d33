"""Print the vector instructions that NumPy uses here and could do without.

The value is for ``NPY_DISABLE_CPU_FEATURES``: with it, and ``OPENBLAS_CORETYPE=Prescott``, another
processor's rounding is tried on this one.
"""

from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__


def dispensable() -> list[str]:
    """Return the names of the instruction sets that NumPy has found and was not built to need."""
    return [name for name in __cpu_dispatch__ if __cpu_features__.get(name)]


if __name__ == "__main__":
    print(*dispensable())
