"""Pack what each model got wrong on each item, from clones of the repositories.

usage: pack.py CIFAR_10_1 LABEL_ERRORS IMAGENET_V2 LIVECODEBENCH OUT

Each file holds ``models``, ``sets`` and, for each set, ``<set>.losses`` (models x items; losses of
0 and 1 as bits), and where there are some ``.classes``, ``.groups`` and ``.published``. README.md
beside this file names the repositories and their commits.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

CIFAR = {"test": "original", "new_v4": "v4", "new_v6": "v6"}
IMAGENET = {
    "validation": "imagenet-validation-original",
    "threshold07": "imagenetv2-a-44",
    "matched": "imagenetv2-b-33",
    "top_images": "imagenetv2-c-12",
}
# test set: file, field that names the item, field of the score in per cent
LIVECODEBENCH = {
    "execution": ("performances_execution", "sample_id", "Pass@1"),
    "execution_cot": ("performances_execution", "sample_id", "Pass@1-COT"),
    "generation": ("2024_02_26", "question_id", "pass@1"),
}


def read(repository: Path, name: str) -> bytes:
    """Return a file of the newest commit of a repository."""
    command = ["git", "show", f"HEAD:{name}"]
    return subprocess.run(command, cwd=repository, capture_output=True, check=True).stdout


def listed(repository: Path, folder: str) -> list[str]:
    """Return the names of the files in a folder of a repository."""
    command = ["git", "ls-tree", "--name-only", "HEAD", f"{folder}/"]
    found = subprocess.run(command, cwd=repository, capture_output=True, check=True).stdout
    return sorted(line.rsplit("/", 1)[1] for line in found.decode().split())


def array(repository: Path, name: str) -> Any:
    """Return an array of a repository."""
    return np.load(io.BytesIO(read(repository, name)))


def cifar10(repository: Path, labels: Path) -> dict[str, Any]:
    """Thirty networks on the old test set and on two new ones."""
    suffix = "_predictions.json"
    models = [
        name.removesuffix(suffix)
        for name in listed(repository, "model_predictions/original_predictions")
    ]
    board: dict[str, Any] = {"models": models, "sets": [*CIFAR]}
    for name, folder in CIFAR.items():
        if name == "test":
            classes = array(labels, "original_test_labels/cifar10_test_set_original_labels.npy")
        else:
            classes = array(repository, f"datasets/cifar10.1_{folder}_labels.npy")
        files = [f"model_predictions/{folder}_predictions/{model}{suffix}" for model in models]
        wrong = [np.array(json.loads(read(repository, file))) != classes for file in files]
        board[f"{name}.losses"] = np.packbits(np.array(wrong), axis=1)
        board[f"{name}.classes"] = classes.astype(np.int8)
    return board


def imagenet(repository: Path) -> dict[str, Any]:
    """Networks with predictions on the old validation set and on three new sets, top 1."""
    info = json.loads(read(repository, "data/metadata/class_info.json"))
    number = {entry["wnid"]: entry["cid"] for entry in info}
    of_set = [listed(repository, f"data/predictions/{folder}") for folder in IMAGENET.values()]
    files = sorted(set.intersection(*map(set, of_set)))
    models = [file.removesuffix(".npy") for file in files]
    board: dict[str, Any] = {"models": models, "sets": [*IMAGENET]}
    for name, folder in IMAGENET.items():
        images = json.loads(read(repository, f"data/datasets/{folder}.json"))["image_filenames"]
        classes = np.array([number[wnid] for _, wnid in images])
        wrong = [
            array(repository, f"data/predictions/{folder}/{file}")[:, 0] != classes
            for file in files
        ]
        board[f"{name}.losses"] = np.packbits(np.array(wrong), axis=1)
        board[f"{name}.classes"] = classes.astype(np.int16)
    return board


def livecodebench(repository: Path) -> dict[str, Any]:
    """Language models that predict what a program returns, and that write programs."""
    tables = {
        name: json.loads(read(repository, f"src/mocks/{file}.json"))["performances"]
        for name, (file, _, _) in LIVECODEBENCH.items()
    }
    models = sorted({row["model"] for rows in tables.values() for row in rows})
    board: dict[str, Any] = {"models": models, "sets": [*LIVECODEBENCH]}
    for name, (_, item, score) in LIVECODEBENCH.items():
        rows = tables[name]
        published: dict[tuple[str, str], int] = {}
        for row in rows:  # models may give an item different dates; the first one counts
            published.setdefault((str(row["question_id"]), str(row[item])), row["date"])
        items = sorted(published)
        losses = np.full((len(models), len(items)), np.nan)
        for row in rows:
            if row.get(score, -1) >= 0:
                at = items.index((str(row["question_id"]), str(row[item])))
                losses[models.index(row["model"]), at] = 1 - row[score] / 100
        # drop problems that one model lacks, because every model needs a score for every item
        ran = ~np.isnan(losses).all(axis=1)
        whole = ~np.isnan(losses[ran]).any(axis=0)
        groups = np.array([problem for problem, _ in items])[whole]
        board[f"{name}.losses"] = losses[:, whole]
        if len(set(groups)) < len(groups):
            board[f"{name}.groups"] = groups
        days = np.array([published[key] // 86_400_000 for key in items])[whole]
        board[f"{name}.published"] = days.astype(np.int32)
    return board


def main() -> None:
    """Write the three files."""
    cifar, labels, image_net, live_code, out = map(Path, sys.argv[1:])
    np.savez_compressed(out / "cifar10.npz", **cifar10(cifar, labels))
    np.savez_compressed(out / "imagenet.npz", **imagenet(image_net))
    np.savez_compressed(out / "livecodebench.npz", **livecodebench(live_code))


if __name__ == "__main__":
    main()
