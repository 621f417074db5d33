"""A data set that is not clean: ``python teaching/messy/messy.py`` writes to ``_build/messy``.

The data are real: Wolberg, Street and Mangasarian's breast tumours, which come with scikit-learn.
This program adds typical faults, step by step, from a seed; with another seed each group of
students gets its own file. `messy_solution.py` shows what each fault does to the error.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

HERE = Path(__file__).resolve().parent
TARGET = HERE.parent.parent / "_build" / "messy"
FEATURES = ["texture", "smoothness", "compactness", "symmetry"]
SPELLINGS = {
    "north": ("malignant", "benign"),
    "south": ("M", "B"),
    "east": ("M ", "benign"),
}
MISSING = -999
APART = "<!-- from here on for the instructor -->"


def patients(rng: np.random.Generator) -> pd.DataFrame:
    """Return the real data, one row for each patient, with a site."""
    data = load_breast_cancer(as_frame=True).frame
    frame = data[[f"mean {name}" for name in FEATURES]].set_axis(FEATURES, axis=1)
    frame["ill"] = data["target"] == 0
    frame.insert(0, "patient", rng.permutation(len(frame)) + 1000)
    frame.insert(1, "site", rng.choice(list(SPELLINGS), len(frame), p=[0.45, 0.35, 0.2]))
    return frame.sample(frac=1, random_state=rng).reset_index(drop=True)


def visits(frame: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Give each patient up to four rows; repeated measurements differ a little."""
    times = rng.integers(1, 5, len(frame))
    rows = frame.loc[frame.index.repeat(times)].reset_index(drop=True)
    again = rows.duplicated("patient")
    noise = rng.normal(size=(len(rows), len(FEATURES))) * (0.15 * frame[FEATURES].std().to_numpy())
    rows.loc[again, FEATURES] += noise[again]
    return rows


def drift(rows: pd.DataFrame) -> pd.DataFrame:
    """Scale up all measurements of the site that joined last, as another device might."""
    east = rows["site"] == "east"
    rows.loc[east, FEATURES] *= 1.25
    return rows


def old_score(rows: pd.DataFrame, teachers: np.ndarray) -> pd.Series:
    """Return the scores of an old model, which was trained on some of the patients.

    It weights its 15 nearest examples by distance, so it has memorised its training data.
    """
    trained_on = rows["patient"].isin(teachers)
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(15, weights="distance"))
    model.fit(rows.loc[trained_on, FEATURES], rows.loc[trained_on, "ill"])
    return pd.Series(model.predict_proba(rows[FEATURES])[:, 1].round(3), index=rows.index)


def stay(rows: pd.DataFrame, rng: np.random.Generator) -> pd.Series:
    """Return the days in hospital afterwards, which nobody knows at the time of the diagnosis."""
    usual = np.where(rows["ill"], rng.integers(3, 10, len(rows)), rng.integers(0, 2, len(rows)))
    odd = rng.random(len(rows)) < 0.03
    return pd.Series(np.where(odd, rng.integers(0, 10, len(rows)), usual), index=rows.index)


def blanks(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Remove textures, mostly of healthy patients at one site; replace half of them by a code."""
    probability = np.where(~rows["ill"] & (rows["site"] == "south"), 0.3, 0.04)
    gone = rng.random(len(rows)) < probability
    rows.loc[gone, "texture"] = np.where(rng.random(gone.sum()) < 0.5, MISSING, np.nan)
    return rows


def copies(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Append copies of training rows as test rows of patients with new numbers."""
    train = rows.index[rows["split"] == "train"]
    again = rows.loc[rng.choice(train, len(train) // 5, replace=False)].copy()
    again["split"] = "test"
    again["patient"] = 9000 + np.arange(len(again))
    return pd.concat([rows, again])


def make(seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the messy table, and the patients that the old model was trained on."""
    rng = np.random.default_rng(seed)
    rows = drift(visits(patients(rng), rng))
    earlier = rows.loc[rows["site"] != "east", "patient"].unique()
    teachers = np.sort(rng.choice(earlier, len(earlier) // 2, replace=False))
    rows["stay"] = stay(rows, rng)
    rows["old_score"] = old_score(rows, teachers)
    rows = blanks(rows, rng)
    train = (rows["site"] != "east") & (rng.random(len(rows)) < 0.6)
    rows["split"] = np.where(train, "train", "test")
    rows = copies(rows, rng).sample(frac=1, random_state=rng).reset_index(drop=True)
    pairs = zip(rows["site"], rows["ill"], strict=True)
    labels = [SPELLINGS[site][0 if ill else 1] for site, ill in pairs]
    rows.insert(0, "row", np.arange(1, len(rows) + 1))
    rows = rows.drop(columns="ill").assign(diagnosis=labels)
    return rows.round(dict.fromkeys(FEATURES, 5)), teachers


def write(target: Path, seed: int = 0) -> Path:
    """Write the students' files, and apart the old model's patients; return the table's path."""
    target.mkdir(parents=True, exist_ok=True)
    path = target / "tumours.csv"
    table, teachers = make(seed)
    table.to_csv(path, index=False)
    for name in ("task.md", "data_sheet.md"):
        text = (HERE / name).read_text("utf-8").split(APART)[0]
        (target / name).write_text(text.rstrip() + "\n", "utf-8")
    apart = target / "for_those_who_ask"
    apart.mkdir(exist_ok=True)
    (apart / "teachers.csv").write_text("patient\n" + "\n".join(map(str, teachers)) + "\n", "utf-8")
    return path


def main(arguments: Sequence[str]) -> int:
    """Write the data set; the first argument is an optional seed."""
    print(write(TARGET, int(arguments[0]) if arguments else 0))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
