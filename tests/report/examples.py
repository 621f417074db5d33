"""Results of every kind, and their numbers without words."""

import json

import numpy as np

import errlab
from errlab._core import evidence

RNG = np.random.default_rng(4)
GROUPS = np.repeat(np.arange(12), [5, 9, 30, 12, 7, 40, 11, 25, 6, 18, 22, 15])
N = len(GROUPS)
ZERO = np.zeros(N, int)
A, B, C = (RNG.random((3, N)) < RNG.beta(3, 6, (3, 12))[:, GROUPS]).astype(int)
MARKS, OTHERS = RNG.integers(1, 6, (2, N))
TRUTH = (RNG.random(N) < 0.3).astype(int)
P, Q = RNG.normal(size=(2, N)) + TRUTH
GRADED = {"scores": MARKS, "range": (1, 5)}
PLAIN = [
    errlab.report(errors=7, n=200),
    errlab.report(ZERO, A),
    errlab.report(ZERO, A, B),
    errlab.report(ZERO, A, B, margin=0.02),
    errlab.report(scores=A),
    errlab.report(scores=A, scores_b=B),
    *(
        errlab.report(**GRADED, **more, method=method)
        for method in ("proven", "t")
        for more in ({}, {"scores_b": OTHERS})
    ),
]
GROUPED = [
    errlab.report(*labels, **more, groups=GROUPS, method=method)
    for method in ("proven", "t")
    for labels, more in (
        ((ZERO, A), {}), ((ZERO, A, B), {}), ((), GRADED), ((), GRADED | {"scores_b": OTHERS}),
    )
]  # fmt: skip
APART = errlab.report([0] * 340, [1] * 300 + [0] * 40, groups=[0] * 300 + [*range(1, 41)])
ROC = [errlab.metric(TRUTH, *scores, metric="roc_auc") for scores in ([P], [P, Q])]


def others():
    """Yield results of other functions."""
    labels, marks = {"a": A, "b": B, "c": C}, {"a": MARKS, "b": OTHERS}
    yield errlab.models(ZERO, labels)
    for method in ("proven", "t"):
        yield errlab.models(ZERO, labels, groups=GROUPS, method=method)
        for extra in ({}, {"groups": GROUPS}):
            yield errlab.report(**GRADED, scores_b=MARKS, method=method, **extra)
            yield errlab.models(scores=marks, range=(1, 5), method=method, **extra)
    for name in ("roc_auc", "accuracy", "recall", "balanced_accuracy", "f1", "mae"):
        one, two = (P, Q) if name in ("roc_auc", "mae") else (A, B)
        options = {"metric": name, "resamples": 100, "rng": 0}
        yield errlab.metric(TRUTH, one, **options)
        yield errlab.metric(TRUTH, one, two, **options)
        if name != "mae":
            yield errlab.metric(TRUTH, one, **options, groups=GROUPS)
    yield errlab.metrics.error_at_shares(A, TRUTH, {0: 0.9, 1: 0.1}, method="mover")
    yield errlab.metrics.weighted_error(A, RNG.random(N) + 0.1)


def without_words(value):
    """Keep numbers, keys and verdicts."""
    if isinstance(value, dict):
        words = ("method", "claim", "details", "interval")
        return {k: without_words(v) for k, v in value.items() if k not in words}
    return value


def numbers():
    """Return of every result its method, its numbers, and how many sentences it has."""
    rows = []
    for result in (*PLAIN, *GROUPED, *others()):
        values = json.loads(result.to_json())
        values["evidence"] = values.get("evidence", {}) | {
            "key": evidence.method_key(result.method)
        }
        rows.append([str(result.method), without_words(values), len(result.sentences())])
    return rows
