"""The messy data set: its real values, each of its faults, and the effect of each."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import messy
import messy_solution

ROOT = Path(__file__).parents[2]
SEEDS = (0, 1, 2, 3)
KEPT = ["smoothness", "compactness", "symmetry"]  # columns in which no value is blanked


@pytest.fixture(scope="module")
def made():
    return {seed: messy.make(seed) for seed in SEEDS}


def ill(table):
    return table["diagnosis"].str.strip().str[0].str.lower() == "m"


@pytest.mark.parametrize("seed", SEEDS)
def test_first_visits_are_the_real_measurements(made, seed):
    table = made[seed][0]
    data = load_breast_cancer(as_frame=True).frame
    real = data[[f"mean {name}" for name in KEPT]].round(5).itertuples(index=False, name=None)
    truth = dict(zip(real, data["target"] == 0, strict=True))
    table = table.assign(key=list(table[KEPT].itertuples(index=False, name=None)), ill=ill(table))
    other = table[(table["site"] != "east") & (table["patient"] < 9000)]
    first = other[other["key"].isin(truth)]
    assert set(first["patient"]) == set(other["patient"])
    assert (first["key"].map(truth) == first["ill"]).all()
    assert other.groupby("patient")["ill"].nunique().max() == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_every_trouble_is_there(made, seed):
    table, teachers = made[seed]
    assert set(table["diagnosis"]) == {"malignant", "benign", "M", "B", "M "}
    odd = table["texture"].isna() | (table["texture"] == messy.MISSING)
    assert table["texture"].isna().sum() > 30 < (table["texture"] == messy.MISSING).sum()
    healthy = ~ill(table) & (table["site"] == "south")
    assert odd[healthy].mean() > 3 * odd[~healthy].mean()
    both = set(table.loc[table["split"] == "train", "patient"])
    both &= set(table.loc[table["split"] == "test", "patient"])
    assert len(both) > 150
    copies = table[table["patient"] >= 9000]
    train = table[table["split"] == "train"]
    assert len(copies) > 80
    assert set(copies["split"]) == {"test"}
    assert len(copies.merge(train, on=KEPT)) >= len(copies)
    assert ((table["stay"] > 1) != ill(table)).mean() < 0.03
    east = table["site"] == "east"
    assert set(table.loc[east, "split"]) == {"test"}
    real = load_breast_cancer(as_frame=True).frame[[f"mean {name}" for name in KEPT]]
    larger = (1.25 * real).round(5).set_axis(KEPT, axis=1)
    assert table[east].merge(larger)["patient"].nunique() == table[east]["patient"].nunique()
    taught = table["patient"].isin(teachers)
    assert table.loc[taught, "old_score"].isin([0, 1]).all()
    assert not table.loc[~taught & (table["patient"] < 9000), "old_score"].isin([0, 1]).all()


def test_each_trouble_does_what_is_said_of_it(made):
    """On average over four tables; strong effects in each of them."""
    result = {seed: messy_solution.troubles(*made[seed]) for seed in SEEDS}
    assert len({len(all_of) for all_of in result.values()}) == 1
    moved = np.array([[t.wrong.error - t.right.error for t in result[seed]] for seed in SEEDS])
    spelled, coded, leak, copied, both, rows, site, stale = moved.T
    assert (spelled > 0.2).all()
    assert coded.mean() > 0
    assert (leak < -0.1).all()
    assert copied.mean() < -0.01
    assert (both < -0.04).all()
    assert (rows == 0).all()
    assert site.mean() < -0.05
    assert (stale < -0.07).all()
    for seed in SEEDS:
        by_row = result[seed][5]
        width = by_row.right.high - by_row.right.low
        assert by_row.wrong.high - by_row.wrong.low < 0.8 * width
        right = result[seed][2].right
        assert right.low < right.error < right.high
        assert result[seed][2].wrong.high < right.low, "a leak is not a matter of chance"


def test_students_get_the_table_the_task_and_their_part_of_the_sheet(tmp_path):
    path = messy.write(tmp_path / "out", seed=5)
    names = {p.name for p in path.parent.iterdir()}
    assert names == {"tumours.csv", "task.md", "data_sheet.md", "for_those_who_ask"}
    sheet = (path.parent / "data_sheet.md").read_text("utf-8")
    whole = (messy.HERE / "data_sheet.md").read_text("utf-8")
    assert sheet.strip() == whole.split(messy.APART)[0].strip() != whole.strip()
    read = pd.read_csv(path)
    assert all(f"| `{column}` |" in sheet for column in read.columns)
    assert len(read) == len(messy.make(5)[0])
    apart = pd.read_csv(path.parent / "for_those_who_ask" / "teachers.csv")
    assert list(apart["patient"]) == list(messy.make(5)[1])
