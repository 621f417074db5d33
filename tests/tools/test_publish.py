"""What the book says about itself: nothing that nobody has set, and all that somebody has."""

import io
import re
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import matplotlib.image
import numpy as np
import pytest
import yaml
from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "book" / "_ext")]
import card  # noqa: E402
import errlab_about  # noqa: E402
import publish  # noqa: E402
import versions  # noqa: E402

SET = {
    "repository": {"url": "https://github.com/ada/book/", "branch": "trunk"},
    "html": {"baseurl": "https://ada.example/book"},
    "course": {"description": "A book."},
}


@pytest.fixture
def fork(monkeypatch):
    """Settings of somebody who has set every address."""
    known = publish.settings()
    known["html"]["baseurl"] = SET["html"]["baseurl"]
    monkeypatch.setattr(publish, "settings", lambda: {**known, **SET, "html": known["html"]})


def test_no_file_holds_an_address_that_nobody_has_set():
    known = publish.addresses(publish.settings())
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    sources = [ROOT / name for name in listed if Path(name).suffix in (".md", ".yml", ".ipynb")]
    if not listed:
        pytest.skip("no checkout")
    ours = re.compile(r"(?:github\.com|github\.io|mybinder\.org/v2/gh)/[\w./-]*errlab", re.I)
    found = [p.name for p in sources if ours.search(p.read_text("utf-8"))]
    assert known["repository"] or found == []


def test_without_a_repository_there_is_no_button_and_no_line_that_installs():
    known = publish.config("reader")
    if publish.addresses(publish.settings())["repository"]:
        pytest.skip("it is set here")
    assert "repository" not in known
    assert "launch_buttons" not in known
    assert known["sphinx"]["config"]["errlab_about"]["lite"].startswith("../lite/")
    text = (ROOT / "book" / "launch.md").read_text("utf-8")
    page = publish.conditional(text, publish.addresses(publish.settings()))
    assert not re.search(r"Colab\*|Binder\*|pip install|http|%", page)
    assert "JupyterLite" in page


def test_what_is_set_is_used(fork):
    known = publish.config("reader")
    assert known["repository"] == {"url": "https://github.com/ada/book", "branch": "trunk"}
    assert known["launch_buttons"]["colab_url"]
    assert known["html"]["baseurl"] == "https://ada.example/book/"
    assert "course" not in known
    assert known["sphinx"]["config"]["errlab_about"]["citation"]["url"] == known["html"]["baseurl"]
    text = (ROOT / "book" / "launch.md").read_text("utf-8")
    page = publish.conditional(text, publish.addresses(publish.settings()))
    assert 'pip install "errlab[book] @ git+https://github.com/ada/book@trunk"' in page
    assert "Colab*" in page


def test_students_are_not_sent_to_the_repository_of_the_solutions(fork):
    assert "repository" not in publish.config("student")
    known = publish.addresses({**SET, "course": {"student_repository": "https://github.com/a/s"}})
    assert known["repository"] == "https://github.com/ada/book"
    theirs = {**SET, "course": {"student_repository": "https://github.com/a/s"}}
    assert publish.addresses(theirs, "student")["repository"] == "https://github.com/a/s"
    assert publish.addresses(theirs, "student")["install"] == ""


def test_the_citation_is_that_of_the_file():
    known = publish.citation()
    raw = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    sentence, bibtex = errlab_about.cited(known)
    assert sentence.startswith(f"{known['authors'][0]} ({known['date'][:4]}). {raw['title']}.")
    assert bibtex.count("{") == bibtex.count("}")
    assert ("url" in bibtex) == ("url" in raw)
    doi = errlab_about.cited({**known, "doi": "10.1/x"})
    assert doi[0].endswith("https://doi.org/10.1/x")
    assert "doi = {10.1/x}" in doi[1]


def build(folder, **config):
    """Build three pages with the extension alone."""
    source = folder / "source"
    source.mkdir()
    (source / "index.rst").write_text(
        "A <b>\n=====\n\nShort.\n\nHow well will this do on data that it has not seen? "
        + "Nobody knows. " * 20
        + "\n\n.. cite-this::\n\n.. toctree::\n\n   one\n"
    )
    (source / "one.rst").write_text("One\n===\n\nA page of ``a < b``, said to whoever reads it.\n")
    config = {
        "extensions": ["errlab_about"],
        "html_title": "The book",
        "html_theme": "basic",
    } | config
    out = folder / "out"
    Sphinx(source, None, out, folder / "trees", "html", config, status=None).build()
    return out


ABOUT = {"description": "A book.", "citation": publish.citation(), "lite": ""}


def test_pages_describe_themselves_without_an_address(tmp_path):
    out = build(tmp_path, errlab_about=ABOUT)
    front, one = ((out / f"{name}.html").read_text("utf-8") for name in ("index", "one"))
    assert '<meta name="description" content="A page of a &lt; b, said to whoever' in one
    assert '<meta property="og:title" content="One">' in one
    assert '<meta name="citation_title"' in front
    assert "citation_title" not in one
    described = re.search(r'name="description" content="([^"]*)"', front).group(1)
    assert described.startswith("How well will this do")
    assert 100 < len(described) <= errlab_about.LONGEST
    assert "@software" in front
    assert not re.search(r"canonical|og:url|og:image", front + one)
    assert not (out / "sitemap.xml").exists()
    assert "http" not in (out / "404.html").read_text("utf-8")


def test_with_an_address_there_is_a_canonical_link_and_a_sitemap(tmp_path):
    out = build(tmp_path, errlab_about=ABOUT, html_baseurl="https://ada.example/book/")
    one = (out / "one.html").read_text("utf-8")
    assert '<link rel="canonical" href="https://ada.example/book/one.html"' in one
    assert '<meta property="og:url" content="https://ada.example/book/one.html">' in one
    assert '<meta property="og:image" content="https://ada.example/book/_static/card.png">' in one
    sitemap = (out / "sitemap.xml").read_text("utf-8")
    assert re.findall("<loc>(.*?)</loc>", sitemap) == [
        "https://ada.example/book/index.html",
        "https://ada.example/book/one.html",
    ]
    assert 'href="https://ada.example/book/"' in (out / "404.html").read_text("utf-8")


def test_every_action_is_pinned_to_a_commit():
    text = (ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert all(re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", name) for name in used)
    known = yaml.safe_load(text)
    assert known["concurrency"]
    assert known["permissions"] == {"contents": "read"}


@pytest.mark.parametrize(
    "title", ["How well will it do?", "A title that is much longer than most titles are, of a book"]
)
def test_the_card_is_a_picture_of_the_size_that_others_ask_for(title):
    made = card.picture(title, "Ada Love")
    assert made[:8] == b"\x89PNG\r\n\x1a\n"
    pixels = matplotlib.image.imread(io.BytesIO(made), format="png")
    assert pixels.shape[:2] == (630, 1200)
    ink = np.argwhere(pixels[..., :3].min(axis=2) < 0.9)
    assert ink.min() > 10, "nothing touches the edge"
    assert tuple(ink.max(axis=0)) < (620, 1190)
    assert pixels[:120, 600:, :3].min() > 0.9, "the title stays beside the figure"
    assert made == card.picture(title, "Ada Love")
    assert made != card.picture(title, "Bob Hate")


def released(folder, name, files):
    with ZipFile(folder / f"{name}.zip", "w") as archive:
        for place, text in files.items():
            archive.writestr(place, text)
    return folder / f"{name}.zip"


@pytest.fixture
def site(tmp_path):
    for place in ("index.html", "book/kept.html", "student/index.html"):
        (tmp_path / "html" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "html" / place).write_text("<html><body></body></html>")
    return tmp_path / "html"


def test_a_released_version_stands_beside_the_latest_and_leads_to_it(site, tmp_path):
    page = '<html><body class="x"><main>Old</main></body></html>'
    files = {"index.html": page, "book/kept.html": page, "book/gone.html": page}
    files |= {"a.js": "x", "_static/part.html": "<p>"}
    assert versions.unpack(released(tmp_path, "v1.0.0", files), site) == "v1.0.0"
    old = site / "v1.0.0"
    wanted = {"index": "../index.html", "book/kept": "../../book/kept.html"}
    wanted["book/gone"] = "../../index.html"
    for name, link in wanted.items():
        text = (old / f"{name}.html").read_text()
        assert '<body class="x"><aside aria-label="Version"' in text
        assert f'href="{link}"' in text
        assert (old / f"{name}.html").parent.joinpath(link).resolve().exists()
    assert (old / "a.js").read_text() == "x"
    assert (old / "_static" / "part.html").read_text() == "<p>"
    assert "aside" not in (site / "index.html").read_text()
    listed = versions.listing(site, ["v1.2.0", "v1.10.0", "v1.0.0"], "A & B")
    links = re.findall(r'href="\.\./(.*?)/?index\.html"', listed)
    assert links == ["", "student", "v1.10.0", "v1.2.0", "v1.0.0"]
    assert "A &amp; B" in listed


@pytest.mark.parametrize(
    ("name", "place", "words"),
    [
        ("latest", "index.html", r"named like v1\.0\.0\.zip, got 'latest\.zip'"),
        ("v1.0.0", "../index.html", r"must stay in its folder, got '\.\./index\.html'"),
    ],
)
def test_an_archive_that_is_no_release_is_refused(site, tmp_path, name, place, words):
    before = (site / "index.html").read_text()
    with pytest.raises(ValueError, match=words):
        versions.unpack(released(tmp_path, name, {place: "<body>"}), site)
    assert (site / "index.html").read_text() == before


def test_what_the_workflow_publishes_stands_on_the_tests():
    known = yaml.safe_load((ROOT / ".github" / "workflows" / "book.yml").read_text("utf-8"))
    jobs = known["jobs"]
    assert all(jobs[name]["needs"] == "test" for name in ("publish", "release"))
    script = "\n".join(step.get("run", "") for step in jobs["release"]["steps"])
    for asset in ("dist/*", "_build/book.pdf", "_build/student/notebooks.zip", "_build/site.zip"):
        assert asset in script
    tested = "\n".join(step.get("run", "") for step in jobs["test"]["steps"])
    assert "tools/versions.py" in tested
    assert "_build/html/student" in tested
    writing = [name for name, job in jobs.items() if "write" in str(job.get("permissions", ""))]
    assert writing == ["publish", "release"]
