"""Execute notebooks in record mode and store their text outputs, and their pictures as files.

``python tools/notebooks.py [NOTEBOOK ...]`` stores the named notebooks, or all chapters, audits,
pages and decks. The frames of explorers are stored in ``tests/records/``, so that readers don't see
their answers; decks show the chapters' frames and have no records. The table of chapters,
``notebooks/README.md``, is written anew, with the first picture of each chapter.

After a chapter was deleted, the same command with its old name removes what was stored for it.
"""

from __future__ import annotations

import base64
import html
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import yaml

ROOT = Path(__file__).resolve().parent.parent
RECORDS = ROOT / "tests" / "records"
DECKS = ROOT / "teaching" / "decks"
PICTURES = ROOT / "notebooks" / "pictures"
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
FOLDED = {"hide-input", "hide-cell"}  # tags of cells that JupyterLab folds, too
KEPT = ("tags", "mystnb", "slideshow")  # parts of a cell's metadata
KERNELS = {"ERRLAB_OUTPUT": "record", "OMP_NUM_THREADS": "1"}
KERNELS["PYTHONSTARTUP"] = str(ROOT / "tools" / "still.py")


def run(path: Path) -> nbformat.NotebookNode:
    """Execute one notebook in a kernel of its own."""
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=600,
        kernel_name="python3",
        resources={"metadata": {"path": path.parent}},
        coalesce_streams=True,
    )
    client.execute(env={**os.environ, **KERNELS})
    for number, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            # IPython only prints an error that is raised while a result is displayed, and goes on
            if output.output_type == "error" and "raises-exception" not in cell.metadata.get(
                "tags", []
            ):
                raise RuntimeError(f"{path}, cell {number}: {output.ename}: {output.evalue}")
    return notebook


def frames(notebook: nbformat.NotebookNode) -> list[Any]:
    """Take the records of frames out of the outputs of a notebook."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    records = [output.metadata.pop("errlab", None) for output in outputs if "metadata" in output]
    return [entry for entry in records if entry]


def keep_pictures(old: nbformat.NotebookNode, new: nbformat.NotebookNode) -> None:
    """Restore each picture whose record is unchanged, because other machines draw other pixels.

    A picture that Matplotlib shows by itself has no record, and is always replaced.
    """
    pictures: dict[str, str] = {}
    for cell in old.cells + new.cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "image/png" in data and described(output):
                # an explorer with another start has the same frames, but another alt text
                record = f"{data['text/plain']} {output.get('metadata')}"
                data["image/png"] = pictures.setdefault(record, data["image/png"])


def described(output: nbformat.NotebookNode) -> str:
    """Return the description of a picture: only a picture with a record has one."""
    return str(output.get("metadata", {}).get("image/png", {}).get("alt", ""))


def tidy(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Keep the source and the outputs; drop whatever changes from run to run."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    notebook.nbformat_minor = 5
    executed = 0
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number:02d}"
        cell.metadata = {key: cell.metadata[key] for key in KEPT if cell.metadata.get(key)}
        if cell.cell_type == "code":
            executed += 1
            cell.execution_count = executed  # nbval skips cells without a number
            for output in cell.outputs:
                if "execution_count" in output:
                    output.execution_count = executed
            if FOLDED & {*cell.metadata.get("tags", [])}:
                cell.metadata["jupyter"] = {"source_hidden": True}
    return notebook


def store(path: Path) -> None:
    """Execute one notebook and store its text outputs, and the frames of its explorers."""
    record = RECORDS / f"{path.stem}.json"
    record.unlink(missing_ok=True)  # the explorer may have been removed
    notebook = tidy(run(path))
    keep_pictures(nbformat.read(path, as_version=4), notebook)
    if (records := frames(notebook)) and path.parent != DECKS:
        record.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n", "utf-8")
    path.write_text(nbformat.writes(notebook) + "\n", "utf-8")
    print(f"  {path.relative_to(ROOT)}", flush=True)


def forget(path: Path) -> None:
    """Remove what was stored for a chapter whose notebook was deleted."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    if re.search(rf"file: {name.with_suffix('')}\s", (ROOT / "_toc.yml").read_text("utf-8")):
        raise SystemExit(f"{name} doesn't exist, but _toc.yml lists it; delete its line there")
    stored = [RECORDS / f"{path.stem}.json", PICTURES / f"{path.stem}.png"]
    table = (ROOT / "notebooks" / "README.md").read_text("utf-8")
    if f"]({path.name})" not in table and not any(file.exists() for file in stored):
        raise SystemExit(f"{name} doesn't exist, and nothing is stored for it; check its name")
    for file in stored:
        file.unlink(missing_ok=True)
    print(f"  {name}: removed what was stored for it", flush=True)


def title_of(path: Path, cells: list[nbformat.NotebookNode]) -> str:
    """Return the first heading of a notebook; without one, its name."""
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    heading = re.search(r"^# +(.+)", text, re.MULTILINE)
    return heading[1].strip() if heading else path.stem


def question_of(cells: list[nbformat.NotebookNode]) -> list[str]:
    """Return the question of a chapter: the first paragraph of its first cell that is all bold."""
    paragraphs = cells[0].source.split("\n\n") if cells and cells[0].cell_type == "markdown" else []
    bold = [re.fullmatch(r"\*\*((?:(?!\*\*).)+)\*\*", text, re.DOTALL) for text in paragraphs]
    return [match[1].replace("\n", " ") for match in bold if match][:1]


def overview() -> dict[Path, bytes]:
    """Return the text of `notebooks/README.md`, the table of chapters, and its pictures."""
    folder = ROOT / "notebooks"
    lines = [(folder / "README.md").read_text("utf-8").partition("\n## ")[0].rstrip("\n")]
    files: dict[Path, bytes] = {}
    for part in yaml.safe_load((ROOT / "_toc.yml").read_text("utf-8"))["parts"]:
        names = [entry["file"] for entry in part["chapters"]]
        chapters = [ROOT / f"{name}.ipynb" for name in names if name.startswith("notebooks/")]
        if chapters:
            lines += [f"\n## {part['caption']}\n", "| | |", "| --- | --- |"]
        for path in chapters:
            cells = nbformat.read(path, as_version=4).cells
            title = title_of(path, cells)
            outputs = (output for cell in cells for output in cell.get("outputs", []))
            picture_output = next((o for o in outputs if "image/png" in o.get("data", {})), None)
            image = ""
            if picture_output is not None:
                picture = PICTURES / f"{path.stem}.png"
                files[picture] = base64.b64decode(picture_output.data["image/png"])
                alt = html.escape(described(picture_output) or f"the first picture of {title}")
                image = f'<img src="pictures/{picture.name}" width="280" alt="{alt}">'
            link = "<br>".join([f"[{title}]({path.name})", *question_of(cells)])
            lines.append(f"| {image} | {link.replace('|', '&#124;')} |")
    return files | {folder / "README.md": ("\n".join(lines) + "\n").encode()}


def main(arguments: list[str]) -> None:
    """Store the named notebooks, or all of them."""
    every = [*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("book/**/*.ipynb")]
    every += DECKS.glob("*.ipynb")
    paths = [Path(a).resolve() for a in arguments] or sorted(every)
    for path in paths:
        if not path.exists():
            forget(path)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(store, filter(Path.exists, paths)))
    for path, content in overview().items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main(sys.argv[1:])
