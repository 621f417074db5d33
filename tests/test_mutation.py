"""Small changes of the library, a few of them in every run; all of them at night."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import mutate  # noqa: E402

SOURCE = '''
"""Words, 1 of them."""
def share(k: int, n: int = 10, *, exact: bool = True) -> float:
    """Return k / n."""
    if k < 0 or k > n:
        raise ValueError(f"k must be at most {n + 1 - 1}")
    return min(k / n, 0.5) if exact else -k
'''


def test_every_formula_condition_and_number_is_changed():
    found = [one.text for one in mutate.mutants("errlab/x.py", SOURCE)]
    for words in ("k <= 0", "k >= n", "k < 1", "and k > n", "k * n", "0.505", "+k", "max("):
        assert sum(words in text for text in found) == 1, words
    for words in ("n: int=11", "exact: bool=False", "if not (k < 0", "if not exact"):
        assert sum(words in text for text in found) == 1, words
    assert len(found) == len(set(found)) == 12, "the words of errors and docstrings stay"


def test_a_sample_stays_when_other_mutants_come():
    few = mutate.mutants("errlab/x.py", SOURCE)
    more = mutate.mutants("errlab/y.py", SOURCE)
    first = mutate.chosen(few, 5)
    again = [one for one in mutate.chosen(few + more, 24) if one.module == "errlab/x.py"]
    assert again[:5] == first


def test_the_parts_are_the_library():
    named = {mutate.part(module) for module in mutate.modules()}
    assert named == set(mutate.PARTS)
    for name in named:
        files = mutate.test_files(name)
        assert all((ROOT / file).exists() for file in files)
        assert any(file.startswith(f"tests/{name.removeprefix('_')}") for file in files)
    assert "tests/bounds/test_laws.py" in mutate.test_files("bounds")
    assert "tests/bounds/test_watch.py" in mutate.test_files("_report")


def test_every_survivor_has_a_reason():
    assert all(reason.strip() for reason in mutate.judged().values())


@pytest.mark.slow
def test_a_sample_of_changes_is_noticed():
    parts = ["bootstrap", "crossval", "datasets", "generalization"]  # a second or two each
    call = [sys.executable, str(ROOT / "tools" / "mutate.py"), *parts, "--sample", "6", "--quick"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 of " in done.stdout
