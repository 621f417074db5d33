"""Marks of single cases of a parametrised test."""

import pytest


def slow(cases, *among):
    """Mark those of the cases that take more than a tenth of a second."""
    mark = pytest.mark.slow
    return [
        c if c not in among else pytest.param(*(c if type(c) is tuple else (c,)), marks=mark)
        for c in cases
    ]
