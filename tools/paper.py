"""Make a reading copy of the article, ``_build/paper.pdf``, with pandoc and Typst."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import pypandoc
import typst

ROOT = Path(__file__).resolve().parent.parent
PAPER = ROOT / "book" / "paper"


def main() -> None:
    """Convert, numbering references to figures as the journal's own filter does."""
    text = (PAPER / "paper.md").read_text("utf-8")
    figures = re.findall(r"\\label\{(fig:\w+)\}", text)
    for number, label in enumerate(figures, 1):
        text = text.replace(rf"\autoref{{{label}}}", f"Figure {number}")
    text = re.sub(r"\\label\{fig:\w+\}", "", text)
    options = ["--citeproc", "--standalone", f"--bibliography={PAPER / 'paper.bib'}"]
    options += ["--variable=papersize:a4", f"--resource-path={PAPER}"]
    # the journal has its own format for authors, which pandoc ignores
    authors = re.findall(r"- name: ([^#\n]+)", text.partition("\naffiliations:")[0])
    options += [f"--metadata=author:{name.strip()}" for name in authors]
    body = pypandoc.convert_text(text, "typst", format="markdown", extra_args=options)
    with tempfile.NamedTemporaryFile("w", suffix=".typ", dir=PAPER, encoding="utf-8") as source:
        source.write(body)
        source.flush()
        typst.compile(source.name, output=str(ROOT / "_build" / "paper.pdf"), root=str(PAPER))


if __name__ == "__main__":
    main()
