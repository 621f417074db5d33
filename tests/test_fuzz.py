"""One bad argument at a time: refused by errlab in one clear line, or the right result."""

import inspect
import re

import fuzz
import pytest

from errlab._core import public

FUNCTIONS = fuzz.functions()
DOORS = sorted(FUNCTIONS.keys() - {"metrics.Confusion"})


def check(made, at_least):
    assert len(made) >= at_least
    assert [call for call in made if call[3] not in ("refused", "right", "judged")] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_odd_argument_is_refused_or_right(name):
    check(list(fuzz.calls(name)), 20)


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted({name for name, *_ in fuzz.LONG}))
def test_odd_arguments_that_take_long_are_refused_or_right(name):
    check(list(fuzz.calls(name, night=True)), 1)


def answer(function, **options):
    """Return the error or the result for such arguments."""
    try:
        return repr(function(**options))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def test_every_public_function_says_what_it_takes():
    """Every public function must be decorated with @public."""
    message = {name: answer(FUNCTIONS[name], no_such_thing=1) for name in DOORS}
    clear = re.compile("TypeError: .*has no argument no_such_thing; it takes.*")
    assert {name: text for name, text in message.items() if not clear.fullmatch(text)} == {}


@pytest.mark.parametrize("other", [k for k, (local, _) in public.OTHER_NAMES.items() if local])
def test_names_of_other_libraries_are_answered(other):
    names, meaning = public.OTHER_NAMES[other]
    takes = {name: inspect.signature(FUNCTIONS[name]).parameters for name in DOORS}
    meant = {
        name
        for name, taken in takes.items()
        if taken.keys() & set(names.split()) and other not in taken
    }
    assert meant
    for name in meant:
        with pytest.raises(TypeError, match=f"takes .*= in place of {other}=: {meaning}"):
            FUNCTIONS[name](**{other: 1})
