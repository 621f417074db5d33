"""What each trouble of the messy data set does to the error that is reported.

``python teaching/messy/messy_solution.py`` prints, trouble by trouble, the error and its 95%
interval with this one trouble left in, and with none left. The classifier is the same throughout:
three nearest neighbours. Intervals are Korn and Graubard's, by patient, unless the trouble is to
forget that.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from errlab import bounds, metrics

sys.path.insert(0, str(Path(__file__).resolve().parent))
import messy


class Said(NamedTuple):
    """An error and its interval."""

    error: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.error:.1%} ({self.low:.1%} to {self.high:.1%})"


class Trouble(NamedTuple):
    """A trouble, how it is noticed, and what is said with it and without."""

    name: str
    noticed: str
    wrong: Said
    right: Said


def clean(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with one spelling, with missing values as such, and without copies."""
    rows = table.assign(diagnosis=table["diagnosis"].str.strip().str[0].str.upper())
    rows["texture"] = rows["texture"].replace(messy.MISSING, np.nan)
    return without_copies(rows)


def without_copies(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table without rows whose measurements stand there once already."""
    others = [name for name in messy.FEATURES if name != "texture"]  # which may be missing
    return rows.sort_values("patient").drop_duplicates(others).sort_index()


def by_patient(rows: pd.DataFrame) -> pd.Series:
    """Choose half of the patients, by their numbers; copies come with numbers of their own."""
    known = np.sort(rows["patient"].unique())
    known = known[known < 9000]
    return rows["patient"].isin(np.random.default_rng(0).permutation(known)[: len(known) // 2])


def tried(rows: pd.DataFrame, train: pd.Series, more: Sequence[str] = ()) -> pd.Series:
    """Train on some rows, and return the losses of the others."""
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    features = [*messy.FEATURES, *more]
    middle = rows.loc[train, features].median()
    filled = rows[features].fillna(middle)
    learner.fit(filled[train], rows.loc[train, "diagnosis"])
    wrong = learner.predict(filled[~train]) != rows.loc[~train, "diagnosis"]
    return wrong.astype(float)


def grouped(losses: pd.Series, rows: pd.DataFrame) -> Said:
    """Say the error with an interval that knows of the patients."""
    found = metrics.korn_graubard(losses, groups=rows.loc[losses.index, "patient"])
    return Said(found.estimate, found.low, found.high)


def by_row(losses: pd.Series) -> Said:
    """Say the error with an interval that takes each row for a case."""
    ends = bounds.interval("CP", losses.mean(), len(losses))
    return Said(losses.mean(), ends.low, ends.high)


def troubles(table: pd.DataFrame, teachers: np.ndarray) -> list[Trouble]:
    """Return what each trouble does."""
    tidy = clean(table)
    old = tidy[tidy["site"] != "east"]
    east = tidy[tidy["site"] == "east"]
    losses = tried(old, by_patient(old))
    right = grouped(losses, old)

    spelled = old.assign(diagnosis=table.loc[old.index, "diagnosis"])
    coded = old.assign(texture=table.loc[old.index, "texture"])
    doubled = table[table["site"] != "east"].assign(
        diagnosis=lambda rows: rows["diagnosis"].str[0].str.upper(),
        texture=lambda rows: rows["texture"].replace(messy.MISSING, np.nan),
    )
    given = old["split"] == "train"
    everywhere = pd.concat([old, east])
    taught = old["patient"].isin(teachers)
    stale = ((old["old_score"] > 0.5) != (old["diagnosis"] == "M")).astype(float)
    return [
        Trouble(
            "labels in several spellings",
            "five values where there should be two",
            grouped(tried(spelled, by_patient(spelled)), spelled),
            right,
        ),
        Trouble(
            "a code for missing values read as a number",
            f"the smallest texture is {messy.MISSING}",
            grouped(tried(coded, by_patient(coded)), coded),
            right,
        ),
        Trouble(
            "a column from after the diagnosis",
            "one feature alone is nearly perfect; ask when it was known",
            grouped(tried(old, by_patient(old), ["stay"]), old),
            right,
        ),
        Trouble(
            "training rows copied into the test set, under new numbers",
            "equal measurements of different patients",
            grouped(tried(doubled, by_patient(doubled)), doubled),
            right,
        ),
        Trouble(
            "patients in both parts, as the column `split` has it",
            "numbers of patients that stand in both",
            grouped(tried(old, given), old),
            right,
        ),
        Trouble(
            "each row taken for a case",
            "more rows than patients; a design effect above 1",
            by_row(losses),
            right,
        ),
        Trouble(
            "a site that joined later, told the error of the others",
            "its measurements are all larger",
            right,
            grouped(tried(everywhere, everywhere["site"] != "east"), everywhere),
        ),
        Trouble(
            "scores of an old model, which some of the patients have taught",
            "scores of exactly 0 and 1; then ask whom it was fitted on",
            grouped(stale, old),
            grouped(stale[~taught], old),
        ),
    ]


def page(seed: int = 0) -> str:
    """Return what the troubles do as a table in Markdown."""
    found = troubles(*messy.make(seed))
    lines = ["| Trouble | How it is noticed | With it | Without |", "| --- | --- | --- | --- |"]
    lines += [f"| {t.name} | {t.noticed} | {t.wrong} | {t.right} |" for t in found]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
