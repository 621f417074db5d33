"""Report after a run its CPU time, and the tests that were skipped because a program is missing.

A test by day may take a second of CPU time, and twenty of them up to five; slower ones are marked
nightly, with a smaller version of the same law by day. CPU time doesn't depend on a machine's load,
and no test fails because of it: the report helps the author of the next test.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

# seconds for any test, seconds for the slowest, and how many tests may be that slow
SECOND, LONG, FEW = 1.0, 5.0, 20
NAMED = int(os.environ.get("ERRLAB_SLOWEST", 10))  # number of slowest tests that are listed
# Programs and files that a machine may lack, and how to get them. A test without its program is
# skipped with a reason that names it: "needs Chromium".
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
# if CI is set, nothing may be missing, because that machine decides
REQUIRED = {"Chromium", "the site", "the decks"}
NEEDED = re.compile(f"needs ({'|'.join(REMEDIES)})\\b")


class Costs:
    """CPU time of this process and its ended children, measured from phase to phase."""

    def __init__(self) -> None:
        self.last = self.now()
        self.apart: Counter[str] = Counter()  # seconds of what tests share, until a report

    @staticmethod
    def now() -> float:
        return sum(os.times()[:4])

    def since(self) -> float:
        before, self.last = self.last, self.now()
        return self.last - before

    @contextlib.contextmanager
    def shared(self, name: str) -> Iterator[None]:
        """Count what ends here to `name`, and not to the test that is the last to use it."""
        before = self.now()
        yield
        spent = self.now() - before
        self.apart[name] += spent
        self.last += spent


COSTS = Costs()
SPENT: Counter[str] = Counter()  # seconds by test
SHARED: Counter[str] = Counter()  # seconds of what tests share, such as Chromium
LACKING: Counter[str] = Counter()  # number of skipped tests, by the program that they need


def pytest_runtest_logstart() -> None:
    """Start to count here, because the time before was collection."""
    COSTS.since()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport():
    """Store the times of a phase in its report, which a worker sends to the main process."""
    report = yield
    report.cpu, report.shared = COSTS.since(), dict(COSTS.apart)
    COSTS.apart.clear()
    return report


def pytest_runtest_logreport(report) -> None:
    """Add up the times, and count the skipped tests."""
    SPENT[report.nodeid] += getattr(report, "cpu", 0.0)
    SHARED.update(getattr(report, "shared", {}))
    if report.skipped and (needed := NEEDED.search(str(report.longrepr))):
        LACKING[needed[1]] += 1


def missing_in_ci() -> set[str]:
    """Return the missing programs that CI must have."""
    return REQUIRED & set(LACKING) if os.environ.get("CI") else set()


def pytest_terminal_summary(terminalreporter) -> None:
    """List the slowest tests, and those that were skipped."""
    slowest = [(cpu, name) for name, cpu in SPENT.most_common(NAMED) if cpu > SECOND / 2]
    if slowest:
        above, far = (sum(cpu > limit for cpu in SPENT.values()) for limit in (SECOND, LONG))
        whole = sum((SPENT + SHARED).values())
        terminalreporter.section(f"CPU time: {whole:.0f} s")
        for cpu, name in slowest:
            terminalreporter.line(f"{cpu:6.1f} s  {name}")
        for name, cpu in SHARED.items():
            terminalreporter.line(f"{name}: {cpu:.0f} s, shared by tests and counted to none")
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
    """Fail in CI if a test was skipped because a program is missing."""
    if missing_in_ci() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def built(path: Path, needed: str) -> Path:
    """Return a path that another command makes, or skip the test that needs it."""
    if not path.exists():
        pytest.skip(f"needs {needed}")
    return path
