"""Marks of single cases of a parametrised test."""

import pytest


def slow(cases, *among):
    """Mark those of the cases that take more than a tenth of a second."""
    return [pytest.param(c, marks=pytest.mark.slow) if c in among else c for c in cases]
