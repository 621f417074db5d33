"""A lecturer's own notebook works as a chapter, as `instructors.md` ("With one of your own") says.

The notebooks in `tests/data/strangers` are written as other people write them: plain Matplotlib and
a data frame; `interact` and Markdown; saved by JupyterLab, with warnings and cells that never ran.
"""

import configparser
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
import yaml
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils
from tables import ROOT, toml

import address
import newest
from errlab_book import handout

DATA = ROOT / "tests" / "data" / "strangers"
SHOWN = toml("strangers/shown.toml")


def run(folder, program, *words, fails=False, **variables):
    """Run a program of this environment in a folder; return what it prints."""
    place = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "book", ROOT / "tests")))}
    command = [Path(sys.executable).with_name(program), *words]
    environment = {**os.environ, **place, **variables}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert (done.returncode != 0) == fails, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture
def fork(tmp_path):
    """A copy of the project with a book of one page, to which chapters are added."""
    for name in ("notebooks", "tests/records", "book"):
        (tmp_path / name).mkdir(parents=True)
    for path in (ROOT / "errlab", ROOT / "teaching", *(ROOT / "book").iterdir()):
        if path.name != "_ext":  # which finds the project that it belongs to
            (tmp_path / path.relative_to(ROOT)).symlink_to(path)
    for name in ("conftest.py", "pyproject.toml", "_config.yml", "tests/sanitize.cfg"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("tools", "book/_ext"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "notebooks" / "README.md").write_text("# Chapters\n", "utf-8")
    (tmp_path / "first.md").write_text("# A book\n", "utf-8")
    return tmp_path


def list_chapters(fork, names):
    chapters = [{"file": f"notebooks/{name}"} for name in names]
    parts = [{"caption": "Own", "chapters": chapters}]
    toc = {"format": "jb-book", "root": "first", "parts": parts}
    (fork / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")


def store(fork, *names):
    for name in names:
        shutil.copy(DATA / f"{name}.ipynb", fork / "notebooks")
    list_chapters(fork, names)
    run(fork, "python", "tools/notebooks.py", *(f"notebooks/{name}.ipynb" for name in names))
    for name in names:
        cells = nbformat.read(fork / "notebooks" / f"{name}.ipynb", 4).cells
        assert all(cell.execution_count for cell in cells if cell.cell_type == "code")
    overview = (fork / "notebooks" / "README.md").read_text("utf-8")
    assert [name for name in names if f"]({name}.ipynb)" not in overview] == []


@pytest.mark.slow
def test_make_style_judges_no_chapter_from_number_17_on(tmp_path):
    """In our own chapters it finds the same faults."""
    cells = [nbformat.v4.new_code_cell("import os;x = 1 # t" + "eh")]
    (tmp_path / "notebooks").mkdir()
    for name in ("pyproject.toml", "notebooks/ruff.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for number in ("16", "17", "29", "30"):
        path = tmp_path / "notebooks" / f"{number}_name.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    for command in ("ruff check .", "ruff format --check .", "codespell"):
        faults = run(tmp_path, *command.split(), fails=True)
        assert {*re.findall(r"(\d\d)_name", faults)} == {"16"}, command


def test_ids_times_and_addresses_are_not_compared():
    """Other digits are."""
    rules = configparser.RawConfigParser()
    rules.read(ROOT / "tests" / "sanitize.cfg", "utf-8")

    def sanitized(text):
        for section in rules.sections():
            text = re.sub(rules[section]["regex"], rules[section]["replace"], text)
        return text

    pairs = (DATA.parent / "sanitized.txt").read_text("utf-8").split("\n\n")[1:]
    for first, second in map(str.splitlines, pairs):
        assert sanitized(first) == sanitized(second)
        assert sanitized(f"62 {first}") != sanitized(f"63 {second}")


@pytest.mark.slow
def test_a_notebook_with_interact_is_stored(fork):
    store(fork, "19_play")
    text = (fork / "notebooks" / "19_play.ipynb").read_text("utf-8")
    assert "**3 of 100** are wrong: 3%" in text
    assert "2 + 5 = 7" in text


@pytest.mark.nightly
def test_strangers_notebooks_are_stored_compared_built_and_taken_out(fork):
    build = ("jupyter-book", "build", "--warningiserror", "--keep-going", ".")
    compare = ("pytest", "-q", "-o", "addopts=", "--nbval")
    play = fork / "notebooks" / "19_play.ipynb"
    store(fork, *SHOWN)
    run(fork, *compare, "notebooks", ERRLAB_OUTPUT="record")
    run(fork, *compare, "notebooks", ERRLAB_OUTPUT="book")
    kept = [path.stem for path in (fork / "_build" / "executed" / "notebooks").iterdir()]
    assert sorted(kept) == sorted(SHOWN)
    run(fork, *build, ERRLAB_OUTPUT="book")
    site = fork / "_build" / "html"
    for name, texts in SHOWN.items():
        page = (site / "notebooks" / f"{name}.html").read_text("utf-8")
        body = re.sub(r"<(script|style)\b.*?</\1>", "", page.split("<article")[1], flags=re.DOTALL)
        assert [text for text in texts if text not in body] == [], name

    # a changed output of interact is noticed
    stored = play.read_text("utf-8")
    play.write_text(stored.replace("2 + 5 = 7", "2 + 5 = 8"), "utf-8")
    assert "2 + 5 = 8" in run(fork, *compare, play, ERRLAB_OUTPUT="record", fails=True)
    play.write_text(stored, "utf-8")

    gone, *others = SHOWN
    list_chapters(fork, others)
    (fork / "notebooks" / f"{gone}.ipynb").unlink()
    run(fork, "python", "tools/notebooks.py", f"notebooks/{gone}.ipynb")
    assert [path.name for path in (fork / "notebooks").rglob(f"*{gone}*")] == []
    assert gone not in (fork / "notebooks" / "README.md").read_text("utf-8")
    for built in ("html", ".doctrees"):  # as make clean does, but with the outputs
        shutil.rmtree(fork / "_build" / built)
    run(fork, *build, ERRLAB_OUTPUT="book")
    assert not (site / "notebooks" / f"{gone}.html").exists()
    assert gone not in (site / "first.html").read_text("utf-8")


# --- The book's address: one line sets it everywhere, and without it no link is broken.


BOOK = ROOT / "tests" / "data" / "small_book"
HANDED = "notebooks/12_watching.ipynb"
REPOSITORY, SITE = "https://example.org/ida/errors", "https://example.org/errors/"


def test_what_nothing_builds_holds_the_address_of_the_configuration():
    assert [str(path) for path, old, new in address.files() if old != new] == []


@pytest.mark.slow
@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_one_line_sets_the_address_everywhere_and_takes_it_out_again(step, tmp_path):
    """By day with every sixth notebook, and one that students get."""
    for name in ("README.md", "CITATION.cff", "pyproject.toml", "_config.yml", "_toc.yml"):
        shutil.copy(ROOT / name, tmp_path)
    pages = re.findall(r"(?:file|root): (\S+)", (ROOT / "_toc.yml").read_text("utf-8"))
    paths = [path for page in pages if (path := ROOT / f"{page}.ipynb").exists()]
    assert len(paths) > 30
    for path in {*paths[::step], ROOT / HANDED}:
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)

    def texts_at(repository, site):
        config = tmp_path / "_config.yml"
        text = re.sub(r'(?<=\n  url: )"[^"]*"', f'"{repository}"', config.read_text("utf-8"))
        text = re.sub(r"\n  (?:# )?baseurl: \S+", f'\n  baseurl: "{site}"', text)
        config.write_text(text, "utf-8")
        texts = {path: new for path, _, new in address.files(tmp_path)}
        for path, text in texts.items():
            path.write_text(text, "utf-8")
        assert [path for path, old, new in address.files(tmp_path) if old != new] == []
        return texts

    before = texts_at("", "")
    github = ("https://github.com/NAME/REPOSITORY", "", "https://name.github.io/REPOSITORY/")
    for repository, baseurl, site in ((REPOSITORY, SITE, SITE), github):
        texts = texts_at(repository, baseurl)
        citation = yaml.safe_load(texts[tmp_path / "CITATION.cff"])
        assert (citation["repository-code"], citation["url"]) == (repository, site)
        assert f"]({site})" in texts[tmp_path / "README.md"]
        assert f'Repository = "{repository}"' in texts[tmp_path / "pyproject.toml"]
        notebooks = [path for path in before if path.suffix == ".ipynb"]
        assert len(notebooks) >= len(paths) // step
        for path in notebooks:
            cells = nbformat.reads(texts[path], as_version=4).cells
            page = path.relative_to(tmp_path).with_suffix(".html").as_posix()
            line = cells[0].source.splitlines()[2]
            assert line.startswith(f"[Read this page on the site]({site}{page})")
            assert len(cells) == len(json.loads(before[path])["cells"])
        # students get no way to the solutions
        for student in (False, True):
            handout.write(tmp_path / HANDED, tmp_path / "x", student=student)
            assert (site in (tmp_path / "x").read_text("utf-8")) is not student
    assert texts_at("", "") == before


OPTIONS = toml("small_book/options.toml")


def build(folder, site, repository, student):
    """Build the small book at an address; return its pages by their paths."""
    shutil.copytree(BOOK, folder, dirs_exist_ok=True)
    shutil.copy(ROOT / "book" / "_static" / "favicon.svg", folder)
    conf = "def setup(app):\n    app.add_config_value('errlab_edition', 'reader', 'env')\n"
    (folder / "conf.py").write_text(conf)
    first = nbformat.v4.new_markdown_cell(
        f"# One\n\n[Read this page on the site]({site}pages/one.html) or elsewhere\n\nAnd then."
    )
    nbformat.write(nbformat.v4.new_notebook(cells=[first]), folder / "pages" / "one.ipynb")
    options = {name: value for name, value in OPTIONS.items() if name != "edition"}
    options |= {"html_baseurl": site, "errlab_edition": "student" if student else "reader"}
    options["html_theme_options"] = options["html_theme_options"] | {"repository_url": repository}
    out = folder / "out"
    with patch_docutils(folder), docutils_namespace():
        Sphinx(folder, folder, out, folder / ".trees", "html", options, status=None).build()
    pages = [*out.rglob("*.html"), *out.glob("*.xml")]
    return {path.relative_to(out).as_posix(): path.read_text("utf-8") for path in pages}


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("edition", OPTIONS["edition"], ids=lambda edition: edition["name"])
def test_an_edition_holds_what_leads_somewhere_and_nothing_else(edition, tmp_path):
    site = edition["site"]
    pages = build(tmp_path, site, edition["repository"], "student" in edition)
    for name, texts in edition["holds"].items():
        assert [text for text in texts if text not in pages[name]] == [], name
    for text in edition["lacks"]:
        assert [name for name, page in pages.items() if text in page] == [], text
    assert not {*edition["without"]} & {*pages}
    if "404.html" in pages:
        links = re.findall(r'href="([^"]*)"', pages["404.html"])
        assert links
        assert all(link.startswith(site) for link in links), "it is shown at any address"


# --- The workflows are well formed, and call existing commands.


FILES = (ROOT / ".github" / "workflows").glob("*.yml")
WORKFLOWS = {path.name: yaml.safe_load(path.read_text("utf-8")) for path in FILES}
STEPS = [
    (name, step)
    for name, workflow in WORKFLOWS.items()
    for job in workflow["jobs"].values()
    for step in job["steps"]
]


def test_each_target_and_file_of_a_step_exists():
    checked = set()
    for name, step in STEPS:
        for line in step.get("run", "").splitlines():
            if match := re.match(r"make (?:-C (\w+) )?(.+)", line):
                text = (ROOT / (match[1] or ".") / "Makefile").read_text("utf-8")
                declared = re.search(r"^\.PHONY: (.+)", text, re.MULTILINE)
                assert set(match[2].split()) <= set(declared[1].split()), line
                checked.add(name)
            elif match := re.match(r"python ([\w/]+\.py)", line):
                assert (ROOT / match[1]).exists(), line
                checked.add(name)
    assert checked == {*WORKFLOWS}


def test_what_others_wrote_is_pinned_and_no_job_may_do_more_than_it_must():
    for workflow in WORKFLOWS.values():
        assert workflow["permissions"] == {"contents": "read"}
        for name, job in workflow["jobs"].items():
            assert "timeout-minutes" in job or "permissions" in job, name
    versions = [step["uses"].partition("@")[2] for _, step in STEPS if "uses" in step]
    assert [v for v in versions if not re.fullmatch("[0-9a-f]{40}", v)] == []


def test_every_python_that_the_package_takes_is_tested():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    versions = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    legs = WORKFLOWS["book.yml"]["jobs"]["test"]["strategy"]["matrix"]["include"]
    assert set(versions) == {leg["python"] for leg in legs}
    assert min(versions, key=lambda v: int(v[2:])) in project["requires-python"]
    ci = set(re.split(r"[\s;]+", (ROOT / ".ci" / "run").read_text("utf-8")))
    assert {f"python{version}" for version in versions} <= ci


def test_newest_asks_for_the_same_packages_without_their_pins():
    wanted = newest.unpinned()
    assert {"numpy", "jupyter-book<2", "ipykernel<7", "mypy", "myst-nb"} <= set(wanted)
    assert "2" in {version.split(".")[0] for version in newest.pins()["numpy"]}


# --- The settings for plain Sphinx equal those that Jupyter Book derives from ``_config.yml``.


# Settings that only Jupyter Book has: its private ones, and some that no page of ours uses.
UNUSED = {"jupyter_book", "sphinx.ext.intersphinx", "sphinx_comments", "sphinx_multitoc_numbering",
          "sphinx_thebe", "sphinx_togglebutton"}  # fmt: skip
PATHS = ("bibtex_bibfiles", "external_toc_path", "html_favicon", "html_search_scorer",
         "html_static_path", "templates_path")  # fmt: skip
OWN = {"comments_config", "use_jupyterbook_latex", "use_multitoc_numbering", "latex_engine",
       "html_logo", "pygments_style", "exclude_patterns"}  # fmt: skip


def absolute(value):
    return [absolute(path) for path in value] if isinstance(value, list) else str(ROOT / value)


def test_it_sets_what_jupyter_book_sets():
    config = pytest.importorskip("jupyter_book.config")
    options = {"cli_config": {"latex_individualpages": False}, "use_external_toc": True}
    theirs, _ = config.get_final_config(user_yaml=ROOT / "_config.yml", sourcedir=ROOT, **options)
    ours = runpy.run_path(str(ROOT / "book" / "_plain" / "conf.py"))
    extensions, ours_too = (set(settings.pop("extensions")) for settings in (theirs, ours))
    assert extensions - UNUSED <= ours_too <= extensions
    theme, ours_too = (settings.pop("html_theme_options") for settings in (theirs, ours))
    for name, value in ours_too.items():
        wanted = theme[name]
        if name == "launch_buttons":
            wanted = {key: wanted[key] for key in value}
        assert value == wanted, name
    for name in theirs.keys() - OWN:
        value = absolute(theirs[name]) if name in PATHS else theirs[name]
        if name in ours:
            assert ours[name] == value, name
        else:  # Sphinx's default is the same
            assert value in ("", [], False, "show", "sphinx", "pdflatex", None), name
