"""Which chapters are this book's own: rules of ours hold for them, and not for a stranger's.

The tests of a rule that every notebook must keep, or the build would fail, take all chapters. What
we ask of ourselves beyond that (an audit, three exercises, "where next", no term before its
explanation) is asked of `ours()` alone: chapters of the original book that are still in it.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import book  # noqa: E402

ORIGINAL = (
    "01_test_error",
    "02_holdout",
    "03_binary_bounds",
    "04_coverage",
    "05_bounded_bounds",
    "06_which_bound",
    "07_cross_validation",
    "08_bootstrap",
    "09_error_distribution",
    "10_small_samples",
    "11_comparing_two",
    "12_leaderboards",
    "13_confusion_roc",
    "14_report",
    "15_groups",
    "16_watching",
)


def ours():
    """The notebooks of the original chapters that are in the book."""
    return [path for path in book.listed() if path.stem in ORIGINAL]
