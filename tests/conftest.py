"""What was not tested for want of a browser or of the site is said in the very last line."""

import re

import pytest


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: takes minutes in a browser; runs at night")


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    reasons = re.findall(r"SITE NOT TESTED, [^'\"]*", " ".join(str(r.longrepr) for r in skipped))
    if reasons:
        print(f"{reasons[0]}: {len(reasons)} tests skipped")
