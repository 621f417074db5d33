"""What a run cost, in CPU time, and what it left out for want of a program: said at its end.

A test by day may take a second of CPU time, and twenty of them up to five; what takes longer is
marked nightly, beside a smaller case of the same law. A busy machine changes nothing in these
numbers, and no test fails by them: they are for who writes the next one.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

SECOND, LONG, FEW = 1.0, 5.0, 20  # what a test may take, and what a few may
NAMED = 10  # how many of the slowest are named
# Programs and files that a machine may lack, and how to get them. A test that needs one is
# skipped for a reason that says so: "needs Chromium".
REMEDIES = {
    "Chromium": "apt-get install chromium, or name one in CHROMIUM",
    "bubblewrap": "apt-get install bubblewrap; in a container, allow it user namespaces",
    "openpyxl": "pip install --group test",
    "pyreadstat": "pip install --group test",
    "nbgrader": "make -C teaching others",
    "the site": "make book, or name its folder in ERRLAB_SITE",
    "the decks": "make -C teaching slides",
    "the PDF": "make -C teaching pdf",
}
REQUIRED = {"Chromium", "the site", "the decks"}  # where CI is set, whose word decides
NEEDED = re.compile(f"needs ({'|'.join(REMEDIES)})\\b")


class Costs:
    """CPU time of this process and its ended children, at one phase after the other."""

    def __init__(self) -> None:
        self.last = self.now()

    @staticmethod
    def now() -> float:
        return sum(os.times()[:4])

    def since(self) -> float:
        before, self.last = self.last, self.now()
        return self.last - before


COSTS = Costs()
SPENT: Counter[str] = Counter()  # by test
LACKING: Counter[str] = Counter()  # tests by what they need


def pytest_runtest_logstart() -> None:
    """Begin to count: what came before was collecting."""
    COSTS.since()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Write the time of a phase into its report, which a worker sends as it is."""
    report = yield
    report.cpu = COSTS.since()
    return report


def pytest_runtest_logreport(report) -> None:
    """Add up."""
    SPENT[report.nodeid] += getattr(report, "cpu", 0.0)
    if report.skipped and (needed := NEEDED.search(str(report.longrepr))):
        LACKING[needed[1]] += 1


def missing_in_ci() -> set[str]:
    """Return what was lacking in CI, where it is required."""
    return REQUIRED & set(LACKING) if os.environ.get("CI") else set()


def pytest_terminal_summary(terminalreporter) -> None:
    """Name the slowest, and what was not run."""
    slowest = [(cpu, name) for name, cpu in SPENT.most_common(NAMED) if cpu > SECOND / 2]
    if slowest:
        above, far = (sum(cpu > limit for cpu in SPENT.values()) for limit in (SECOND, LONG))
        terminalreporter.section(f"CPU time: {sum(SPENT.values()):.0f} s")
        for cpu, name in slowest:
            terminalreporter.line(f"{cpu:6.1f} s  {name}")
        terminalreporter.line(
            f"{above} tests took more than {SECOND:g} s, {far} more than {LONG:g} s; "
            f"by day at most {FEW} and none should (CONTRIBUTING.md, Tests)"
        )
    for needed, tests in sorted(LACKING.items()):
        fails = needed in missing_in_ci()
        terminalreporter.line(
            f"NOT RUN for want of {needed}: {tests} test{'s' * (tests > 1)}; {REMEDIES[needed]}"
            + ". FAILED, since CI is set" * fails,
            red=fails,
            yellow=not fails,
        )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """On the machine that decides, what is not run is no success."""
    if missing_in_ci() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def built(path: Path, needed: str) -> Path:
    """Return a path that another command has made, or skip the test that needs it."""
    if not path.exists():
        pytest.skip(f"needs {needed}")
    return path
