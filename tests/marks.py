"""Marks for single parameter sets of a parametrised test."""

import pytest


def slow(cases, *among):
    """Mark the parameter sets that take more than a tenth of a second."""
    return marked(pytest.mark.slow, cases, among)


def nightly(cases, *among):
    """Mark the parameter sets that take more than a second; smaller ones run by day."""
    return marked(pytest.mark.nightly, cases, among)


def marked(mark, cases, among):
    return [
        c if c not in among else pytest.param(*(c if type(c) is tuple else (c,)), marks=mark)
        for c in cases
    ]
