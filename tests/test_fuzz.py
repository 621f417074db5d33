"""One bad argument at a time: refused by errlab in one clear line, or the right result."""

import inspect

import fuzz
import pytest

from errlab._core import public

FUNCTIONS = fuzz.functions()
DOORS = sorted(FUNCTIONS.keys() - {"metrics.Confusion"})


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@pytest.mark.parametrize(
    "night",
    [
        pytest.param(False, marks=pytest.mark.slow, id="day"),
        pytest.param(True, marks=pytest.mark.nightly, id="night"),
    ],
)
def test_every_odd_argument_is_refused_or_right(name, night):
    made = list(fuzz.calls(name, night))
    assert night or len(made) >= 20
    assert [call for call in made if call[3] not in ("refused", "right", "judged")] == []


@pytest.mark.parametrize("name", DOORS)
def test_every_public_function_says_what_it_takes(name):
    """It is decorated with @public, and answers names of other libraries with its own."""
    taken = inspect.signature(FUNCTIONS[name]).parameters
    with pytest.raises(TypeError, match=r"has no argument no_such_thing; it takes"):
        FUNCTIONS[name](no_such_thing=1)
    for other, (names, meaning) in public.OTHER_NAMES.items():
        if taken.keys() & set(names.split()) and other not in taken:
            with pytest.raises(TypeError, match=f"takes .*= in place of {other}=: {meaning}"):
                FUNCTIONS[name](**{other: 1})


def test_each_name_of_another_library_stands_for_one_of_ours():
    taken = {p for name in DOORS for p in inspect.signature(FUNCTIONS[name]).parameters}
    assert [
        names for names, _ in public.OTHER_NAMES.values() if names and not taken & {*names.split()}
    ] == []
