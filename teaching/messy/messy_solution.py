"""What each fault in the messy data set does to the reported error.

``python teaching/messy/messy_solution.py`` prints for each fault the error and its 95% interval,
with this fault left in and with all of them fixed. The classifier is always three nearest
neighbours. The intervals are Korn and Graubard's, grouped by patient, unless the fault is to
ignore the groups.
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


class ErrorRate(NamedTuple):
    """An error rate and its interval."""

    error: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.error:.1%} ({self.low:.1%} to {self.high:.1%})"


class Trouble(NamedTuple):
    """A fault, how to notice it, and the error rates with it and without."""

    name: str
    noticed: str
    wrong: ErrorRate
    right: ErrorRate


def clean(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with uniform labels, NaN for missing values, and no copies."""
    rows = table.assign(diagnosis=table["diagnosis"].str.strip().str[0].str.upper())
    rows["texture"] = rows["texture"].replace(messy.MISSING, np.nan)
    return without_copies(rows)


def without_copies(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the table without rows that repeat the measurements of another."""
    others = [name for name in messy.FEATURES if name != "texture"]  # texture may be missing
    return rows.sort_values("patient").drop_duplicates(others).sort_index()


def by_patient(rows: pd.DataFrame) -> pd.Series:
    """Choose the rows of half of the patients; copies, numbered from 9000, aren't chosen."""
    patients = np.sort(rows["patient"].unique())
    patients = patients[patients < 9000]
    half = np.random.default_rng(0).permutation(patients)[: len(patients) // 2]
    return rows["patient"].isin(half)


def held_out_losses(rows: pd.DataFrame, train: pd.Series, more: Sequence[str] = ()) -> pd.Series:
    """Return the losses on the rows that aren't in `train`, after training on those that are."""
    learner = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    features = [*messy.FEATURES, *more]
    middle = rows.loc[train, features].median()
    filled = rows[features].fillna(middle)
    learner.fit(filled[train], rows.loc[train, "diagnosis"])
    wrong = learner.predict(filled[~train]) != rows.loc[~train, "diagnosis"]
    return wrong.astype(float)


def grouped(losses: pd.Series, rows: pd.DataFrame) -> ErrorRate:
    """Return the error rate with an interval for groups of rows, the patients."""
    interval = metrics.korn_graubard(losses, groups=rows.loc[losses.index, "patient"])
    return ErrorRate(interval.estimate, interval.low, interval.high)


def by_row(losses: pd.Series) -> ErrorRate:
    """Return the error rate with an interval that treats all rows as independent."""
    ends = bounds.interval("CP", losses.mean(), len(losses))
    return ErrorRate(losses.mean(), ends.low, ends.high)


def troubles(table: pd.DataFrame, teachers: np.ndarray) -> list[Trouble]:
    """Return the faults, each with the error rates with and without it."""
    tidy = clean(table)
    old = tidy[tidy["site"] != "east"]
    right = grouped(held_out_losses(old, by_patient(old)), old)
    return [*faulty_columns(table, old, right), *faulty_tests(tidy, old, teachers, right)]


def faulty_columns(table: pd.DataFrame, old: pd.DataFrame, right: ErrorRate) -> list[Trouble]:
    """Return the faults that are in the columns: labels, codes, leaks, copies."""
    spelled = old.assign(diagnosis=table.loc[old.index, "diagnosis"])
    coded = old.assign(texture=table.loc[old.index, "texture"])
    doubled = table[table["site"] != "east"].assign(
        diagnosis=lambda rows: rows["diagnosis"].str[0].str.upper(),
        texture=lambda rows: rows["texture"].replace(messy.MISSING, np.nan),
    )
    return [
        Trouble(
            "labels in several spellings",
            "five values where there should be two",
            grouped(held_out_losses(spelled, by_patient(spelled)), spelled),
            right,
        ),
        Trouble(
            "a code for missing values read as a number",
            f"the smallest texture is {messy.MISSING}",
            grouped(held_out_losses(coded, by_patient(coded)), coded),
            right,
        ),
        Trouble(
            "a column from after the diagnosis",
            "one feature alone is nearly perfect; ask when it was known",
            grouped(held_out_losses(old, by_patient(old), ["stay"]), old),
            right,
        ),
        Trouble(
            "training rows copied into the test set, under new numbers",
            "equal measurements of different patients",
            grouped(held_out_losses(doubled, by_patient(doubled)), doubled),
            right,
        ),
    ]


def faulty_tests(
    tidy: pd.DataFrame, old: pd.DataFrame, teachers: np.ndarray, right: ErrorRate
) -> list[Trouble]:
    """Return the faults that are in the way of testing: split, groups, site, old scores."""
    everywhere = pd.concat([old, tidy[tidy["site"] == "east"]])
    trained_on = old["patient"].isin(teachers)
    old_losses = ((old["old_score"] > 0.5) != (old["diagnosis"] == "M")).astype(float)
    return [
        Trouble(
            "patients in both parts, as the column `split` has it",
            "the same patient numbers in both parts",
            grouped(held_out_losses(old, old["split"] == "train"), old),
            right,
        ),
        Trouble(
            "rows treated as independent",
            "more rows than patients; a design effect above 1",
            by_row(held_out_losses(old, by_patient(old))),
            right,
        ),
        Trouble(
            "the error of the old sites, reported for a site that joined later",
            "its measurements are all larger",
            right,
            grouped(held_out_losses(everywhere, everywhere["site"] != "east"), everywhere),
        ),
        Trouble(
            "scores of an old model, trained on some of the patients",
            "scores of exactly 0 and 1; then ask whom it was fitted on",
            grouped(old_losses, old),
            grouped(old_losses[~trained_on], old),
        ),
    ]


def page(seed: int = 0) -> str:
    """Return the effects of all faults as a table in Markdown."""
    lines = ["| Fault | How to notice it | With it | Without |", "| --- | --- | --- | --- |"]
    for trouble in troubles(*messy.make(seed)):
        lines.append(f"| {trouble.name} | {trouble.noticed} | {trouble.wrong} | {trouble.right} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(page(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
