"""Write the cheat sheet from the registries: one line for each method."""

from __future__ import annotations

from errlab.bounds import BOUNDS, clopper_pearson
from errlab.compare import COMPARISONS
from errlab.holdout import sample_size
from errlab.intervals import INTERVALS

HEAD = """# Cheat sheet

Every number and every row on this page is computed from the package when the book is built.
"""


def example(key: str) -> str:
    """Return what the bound says of 7 errors in 200 cases."""
    entry = BOUNDS[key]
    if entry.needs == "losses":
        value = entry.function([1.0] * 7 + [0.0] * 193)
    else:
        value = entry.function(7 / 200, 200)
    return f"{value:.4f}"


def rows(lines: list[list[str]]) -> str:
    """Return a Markdown table from a header and its rows."""
    head, *body = lines
    return "\n".join(
        "| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *body]
    )


def bounds_table() -> str:
    """Return the registry of bounds as a table."""
    head = ["Bound", "Key", "Losses", "Rigorous", "Needs", "Source", "7 errors in 200"]
    return rows([
        head,
        *(
            [
                b.name,
                f"`{key}`",
                b.loss,
                "yes" if b.rigorous else "no",
                b.needs,
                b.equations,
                example(key),
            ]
            for key, b in BOUNDS.items()
        ),
    ])  # fmt: skip


def comparisons_table() -> str:
    """Return the registry of comparisons as a table."""
    body = [
        [c.name, f"`{key}`", c.takes, "yes" if c.paired else "no", c.guarantee]
        for key, c in COMPARISONS.items()
    ]
    return rows([["Comparison", "Key", "Takes", "Same cases", "Its level"], *body])


def intervals_table() -> str:
    """Return the registry of intervals from one training set as a table."""
    body = [[entry.name, f"`{key}`", entry.source] for key, entry in INTERVALS.items()]
    return rows([["Interval", "Key", "Source"], *body])


def page() -> str:
    """Return the page as Markdown."""
    zero = clopper_pearson(0, [10, 50, 100, 1000])
    rule = ", ".join(f"{u:.2%} after {n}" for u, n in zip(zero, (10, 50, 100, 1000), strict=True))
    return f"""{HEAD}
## One test set: which bound?

The last column is the one-sided upper bound at delta = 0.05 after 7 errors in 200 cases.
*Rigorous* means: covers at least 1 - delta whatever the distribution of such losses.

{bounds_table()}

No error at all: the true error is at most {rule} cases.

Cases for a margin of one point by Hoeffding, both sides: {sample_size(0.01):,}; when choosing
among 100 models: {sample_size(0.01, models=100):,}.

## One training set and no test set

{intervals_table()}

## Two classifiers

{comparisons_table()}

## The calls

```python
import errlab
from errlab import bounds, compare, crossval, holdout

errlab.report(y_true, y_pred)  # the whole claim, in words
errlab.report(y_true, pred_a, pred_b)  # is B better than A?
errlab.report(y_true, old, new, margin=0.01)  # is the new one worse by more than a point?
bounds.upper("CP", 7 / 200, 200)  # one-sided upper bound
bounds.interval("CP", 7 / 200, 200)  # two-sided interval
holdout.sample_size_for("CP", epsilon=0.01, mean=0.05)  # test cases needed
crossval.cross_val_losses(model, X, y, cv=10)  # a loss for every case
compare.mcnemar(n01=2, n10=9, method="exact")
compare.paired_difference([[40, 2], [9, 149]], method="exact")  # the same test, with its interval
```
"""


if __name__ == "__main__":
    print(page())
