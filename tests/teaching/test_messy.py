"""The messy data set: its real values, each of its faults, and the effect of each."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import messy
import messy_solution

pytestmark = pytest.mark.slow

KEPT = ["smoothness", "compactness", "symmetry"]  # columns in which no value is blanked
DATA = load_breast_cancer(as_frame=True).frame
REAL = DATA[[f"mean {name}" for name in KEPT]].set_axis(KEPT, axis=1)


@pytest.fixture(scope="module")
def made():
    return [messy.make(seed) for seed in range(4)]


def ill(table):
    return table["diagnosis"].str.strip().str[0].str.lower() == "m"


def test_first_visits_are_the_real_measurements(made):
    real = REAL.round(5).itertuples(index=False, name=None)
    truth = dict(zip(real, DATA["target"] == 0, strict=True))
    for table, _ in made:
        table = table.assign(key=list(table[KEPT].itertuples(index=False, name=None)))
        table["ill"] = ill(table)
        other = table[(table["site"] != "east") & (table["patient"] < 9000)]
        first = other[other["key"].isin(truth)]
        assert set(first["patient"]) == set(other["patient"])
        assert (first["key"].map(truth) == first["ill"]).all()
        assert other.groupby("patient")["ill"].nunique().max() == 1


def test_every_trouble_is_there(made):
    for table, teachers in made:
        assert set(table["diagnosis"]) == {"malignant", "benign", "M", "B", "M "}
        blank, coded = table["texture"].isna(), table["texture"] == messy.MISSING
        assert min(blank.sum(), coded.sum()) > 30
        healthy = ~ill(table) & (table["site"] == "south")
        assert (blank | coded)[healthy].mean() > 3 * (blank | coded)[~healthy].mean()
        parts = dict(list(table.groupby("split")))
        assert len({*parts["train"]["patient"]} & {*parts["test"]["patient"]}) > 150
        copies, east = table[table["patient"] >= 9000], table[table["site"] == "east"]
        assert len(copies) > 80
        assert set(copies["split"]) == set(east["split"]) == {"test"}
        assert len(copies.merge(parts["train"], on=KEPT)) >= len(copies)
        assert ((table["stay"] > 1) != ill(table)).mean() < 0.03
        larger = (1.25 * REAL).round(5)
        assert east.merge(larger)["patient"].nunique() == east["patient"].nunique()
        taught = table["patient"].isin(teachers)
        whole = table["old_score"].isin([0, 1])
        assert whole[taught].all()
        assert not whole[~taught & (table["patient"] < 9000)].all()


def test_each_trouble_does_what_is_said_of_it(made):
    """On average over four tables; strong effects in each of them."""
    result = [messy_solution.troubles(*one) for one in made]
    moved = np.array([[t.wrong.error - t.right.error for t in every] for every in result])
    spelled, coded, leak, copied, both, rows, site, stale = moved.T
    assert spelled.min() > 0.2
    assert coded.mean() > 0
    assert (rows == 0).all()
    assert (np.max([leak, both, stale], axis=1) < [-0.1, -0.04, -0.07]).all()
    assert (np.mean([copied, site], axis=1) < [-0.01, -0.05]).all()
    for _, _, leaked, _, _, by_row, *_ in result:
        width = by_row.right.high - by_row.right.low
        assert by_row.wrong.high - by_row.wrong.low < 0.8 * width
        assert leaked.right.low < leaked.right.error < leaked.right.high
        assert leaked.wrong.high < leaked.right.low, "a leak is not a matter of chance"


def test_students_get_the_table_the_task_and_their_part_of_the_sheet(tmp_path):
    path = messy.write(tmp_path / "out", seed=5)
    table, teachers = messy.make(5)
    names = {p.name for p in path.parent.iterdir()}
    assert names == {"tumours.csv", "task.md", "data_sheet.md", "for_those_who_ask"}
    sheet = (path.parent / "data_sheet.md").read_text("utf-8")
    whole = (messy.HERE / "data_sheet.md").read_text("utf-8")
    assert sheet.strip() == whole.split(messy.APART)[0].strip() != whole.strip()
    read = pd.read_csv(path)
    assert all(f"| `{column}` |" in sheet for column in read.columns)
    assert len(read) == len(table)
    apart = pd.read_csv(path.parent / "for_those_who_ask" / "teachers.csv")
    assert list(apart["patient"]) == list(teachers)
