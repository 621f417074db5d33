"""No code parses sentences: if every method is reworded at once, nothing but words changes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Every public function with a method, on every kind of input; printed as JSON without words.
CALLS = '''
import json
import sys

from errlab._core import evidence
from errlab._core.evidence import Evidence, Method

reword = sys.argv[1] == "reword"
if reword:
    before = Method.__new__
    Method.__new__ = lambda cls, words, key="": before(
        cls, f"method no. {len(words)}", key=key or words
    )

import numpy as np

import errlab

rng = np.random.default_rng(4)
groups = np.repeat(np.arange(12), [5, 9, 30, 12, 7, 40, 11, 25, 6, 18, 22, 15])
n = len(groups)
y = np.zeros(n, int)
a, b, c = (rng.random((3, n)) < rng.beta(3, 6, (3, 12))[:, groups]).astype(int)
marks, others = rng.integers(1, 6, (2, n))
graded = {"scores": marks, "range": (1, 5)}
truth = (rng.random(n) < 0.3).astype(int)
p, q = rng.normal(size=(2, n)) + truth
results = [errlab.report(errors=7, n=200), errlab.report(y, a, b)]
for method in ("proven", "t"):
    for extra in ({}, {"groups": groups}):
        if extra:
            results += [errlab.report(y, *two, method=method, **extra) for two in ([a], [a, b])]
        results += [
            errlab.report(**graded, **more, method=method, **extra)
            for more in ({}, {"scores_b": others}, {"scores_b": marks})
        ]
    results += [
        errlab.models(y, {"a": a, "b": b, "c": c}, groups=groups, method=method),
        errlab.models(scores={"a": marks, "b": others}, range=(1, 5), method=method),
    ]
results += [errlab.models(y, {"a": a, "b": b, "c": c})]
for name, one, two in (
    ("roc_auc", p, q), ("accuracy", a, b), ("recall", a, b), ("balanced_accuracy", a, b),
    ("f1", a, b), ("mae", p, q),
):
    options = {"metric": name, "resamples": 100, "rng": 0}
    results += [errlab.metric(truth, *scores, **options) for scores in ([one], [one, two])]
    if name != "mae":
        results += [errlab.metric(truth, one, **options, groups=groups)]
results += [
    errlab.metrics.error_at_shares(a, truth, {0: 0.9, 1: 0.1}, method="mover"),
    errlab.metrics.weighted_error(a, rng.random(n) + 0.1),
]

WORDS = {"method", "claim", "details", "interval"}


def plain(value):
    """Keep numbers, keys and verdicts; of the words only how many sentences there are."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in WORDS}
    return value


told = []
for result in results:
    found = json.loads(result.to_json())
    found["evidence"] = found.get("evidence", {}) | {"method": evidence.method_key(result.method)}
    told.append(plain(found) | {"sentences": len(result.sentences())})
methods = [str(result.method) for result in results]
print(json.dumps({"told": told, "methods": methods}))
'''


def run(how):
    """Return the results of all calls, made in another process."""
    done = subprocess.run(
        [sys.executable, "-c", CALLS, how], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.slow
def test_rewording_every_method_changes_words_and_nothing_else():
    plain, reworded = run("plain"), run("reword")
    for method, other, before, after in zip(
        plain["methods"], reworded["methods"], plain["told"], reworded["told"], strict=True
    ):
        assert other.startswith("method no. "), f"{method!r} is no Method: its words are its key"
        assert after == before, method
