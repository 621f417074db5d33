"""Write the cheat sheet from the registries: one line for each method."""

from __future__ import annotations

from errlab.bounds import BOUNDS

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


def page() -> str:
    """Return the page as Markdown."""
    rows = [
        f"| {b.name} | `{key}` | {b.loss} | {'yes' if b.rigorous else 'no'} | "
        f"{b.needs} | {b.equations} | {example(key)} |"
        for key, b in BOUNDS.items()
    ]
    table = "\n".join(
        [
            "| Bound | Key | Losses | Rigorous | Needs | Source | 7 errors in 200 |",
            "| --- | --- | --- | --- | --- | --- | --- |",
            *rows,
        ]
    )
    return f"""{HEAD}
## Which bound?

The last column is the one-sided upper bound at delta = 0.05 after 7 errors in 200 cases.
*Rigorous* means: covers at least 1 - delta whatever the distribution of such losses.

{table}

## One call

```python
from errlab import bounds
bounds.upper("CP", 7 / 200, 200)        # one-sided upper bound
bounds.interval("CP", 7 / 200, 200)     # two-sided interval
errlab.report(y_true, y_pred)           # the whole claim, in words
```
"""


if __name__ == "__main__":
    print(page())
