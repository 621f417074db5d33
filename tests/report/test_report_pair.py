"""The report of two classifiers: verdict, p-value and interval agree, in numbers and in print."""

import json
import math
import re

import numpy as np
import pytest
from tables import DATA
from test_values import pair
from words import whole

import errlab
from errlab_book.figures import record

MARGINS = np.genfromtxt(DATA / "margins.txt", dtype=str, delimiter="|", autostrip=True)


@pytest.mark.slow
def test_non_inferiority():
    for *counts, size, verdict, words in MARGINS:
        margin, counts = float(size), list(map(int, counts))
        result = pair(*counts, margin=margin, names=("old", "new"))
        assert result.verdict == verdict, counts
        assert words in result.reading
        assert (result.low >= -margin) == result.within_margin
        assert result.within_margin == (verdict in ("better", "not worse") or "no more" in words)
        assert "the margin was chosen before the test" in whole(result)
        message = json.loads(result.to_json())
        assert (message["verdict"], message["margin"]) == (verdict, margin)
        # without a margin, the same test only says which one is better
        plain = pair(*counts)
        assert (plain.low, plain.high, plain.pvalue) == (result.low, result.high, result.pvalue)
        assert plain.verdict in (verdict, "cannot tell")
    assert "worse by the margin" in record(result.plot())


@pytest.mark.slow
def test_the_picture_says_what_the_text_says():
    result = pair(12, 10, 25_000)
    observed = re.search(r": (\S+) percentage points", result.sentences()[0]).group(1)
    assert f"on this test, {observed}" in record(result.plot())
    single = errlab.report(errors=37_072, n=10**6)
    text = record(single.plot())
    assert "error rate on the test, 3.707%" in text
    assert f"at most {math.ceil(single.upper * 1e5) / 1e3}%" in text
