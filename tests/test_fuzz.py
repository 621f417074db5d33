"""One bad argument at a time: refused in one clear line of ours, or right."""

import collections
import inspect
import re

import fuzz
import pytest

from errlab import _checks, _public

GOOD = {"refused", "right"}


@pytest.mark.slow
def test_every_bad_argument_is_refused_or_right():
    bad, counts = [], collections.Counter()
    for name, parameter, what, found, words in fuzz.calls():
        judged = (name.split()[0], parameter) in fuzz.JUDGED
        counts[found] += 1
        if found not in GOOD and not judged:
            bad.append(f"{found}: {name}, {parameter} = {what}: {words}")
    assert not bad, "\n".join(bad)
    assert counts["refused"] > 20_000
    assert counts["right"] > 2_000


def test_the_fuzz_notices_each_kind_of_fault():
    """What it is to find, put before it: it must be able to fail."""
    kind = fuzz.Numbers(0, 1)
    base = fuzz.np.array([0.5])

    def judge(function, value):
        return fuzz.verdict(function, {"x": value}, kind.fine(value), False, base)[0]

    assert judge(lambda x: 0.5, 2) == "silent"  # nothing is checked
    assert judge(lambda x: float("nan"), 0.5) == "silent"
    assert judge(lambda x: 1 / x, "a") == "obscure"  # Python's own words
    assert judge(lambda x: (_ for _ in ()).throw(ValueError("no")), 2) == "obscure"  # not ours
    assert judge(lambda x: _checks.mean(x, "x"), 2) == "refused"
    assert judge(lambda x: float(_checks.mean(x, "x")), 0.5) == "right"


FUNCTIONS = fuzz.functions()
DOORS = sorted(FUNCTIONS.keys() - {"metrics.Confusion"})


def answer(function, **given):
    """What it says to such arguments: an error, or what it returns."""
    try:
        return repr(function(**given))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def test_every_public_function_says_what_it_takes():
    """Whoever adds a function puts @public over it."""
    said = {name: answer(FUNCTIONS[name], no_such_thing=1) for name in DOORS}
    clear = re.compile("TypeError: .*has no argument no_such_thing; it takes.*")
    assert {name: text for name, text in said.items() if not clear.fullmatch(text)} == {}


@pytest.mark.parametrize("elsewhere", [k for k, (here, _) in _public.ELSEWHERE.items() if here])
def test_names_of_other_libraries_are_answered(elsewhere):
    names, meaning = _public.ELSEWHERE[elsewhere]
    takes = {name: inspect.signature(FUNCTIONS[name]).parameters for name in DOORS}
    meant = {
        name
        for name, taken in takes.items()
        if taken.keys() & set(names.split())
        and elsewhere not in taken
        and elsewhere not in getattr(FUNCTIONS[name], "renamed", {})  # still taken
    }
    assert meant
    for name in meant:
        with pytest.raises(TypeError, match=f"takes .*= in place of {elsewhere}=: {meaning}"):
            fuzz.functions()[name](**{elsewhere: 1})
