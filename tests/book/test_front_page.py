"""The first screen of README and of the site shows a command with its real output."""

import pytest
from tables import ROOT

from errlab import report


@pytest.mark.parametrize("path", ["README.md", "book/intro.md"])
def test_the_first_screen_shows_what_the_command_prints(path):
    text = (ROOT / path).read_text("utf-8").replace("\n> ", "\n")
    last = text.index(str(report(errors=7, n=200)))
    screen = text[: text.index("\n", last)]
    assert "errlab" in screen
    assert "pip install ." in screen
    assert "errlab report --errors 7 --n 200" in screen
    assert len(screen.split()) < 160
