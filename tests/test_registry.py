"""The registries: how methods are looked up, and which entries are refused."""

from types import SimpleNamespace

import pytest

from errlab._core.registry import Registry
from errlab.bounds import BOUNDS
from errlab.compare import COMPARISONS
from errlab.metrics import RATES
from errlab.training_set import INTERVALS
from errlab_book.exercises import EXERCISES


@pytest.mark.parametrize("registry", [BOUNDS, COMPARISONS, EXERCISES, INTERVALS, RATES])
def test_every_key_and_full_name_is_found_in_any_spelling(registry):
    for key, entry in registry.items():
        for spelling in (key, key.upper(), key.lower(), key.replace("_", "-"), f" {key} "):
            assert registry[spelling] is registry.get(spelling) is entry
            assert spelling in registry
            assert registry.find(spelling) == key
        for name in [getattr(entry, "name", None), *getattr(entry, "names", ())]:
            if name is not None:
                for spelling in (name, name.lower(), name.upper(), name.replace(" ", "_")):
                    assert registry[spelling] is entry
    places = [entry.place for entry in registry.values() if hasattr(entry, "place")]
    assert places == sorted(set(places))


def test_the_name_of_the_function_is_one_too():
    assert BOUNDS["wilson"].key == "WIL"
    assert BOUNDS["clopper_pearson"].key == BOUNDS["CLOPPER PEARSON"].key == "CP"


def registry_of(*entries):
    registry = Registry("thing")
    for key, entry in entries:
        registry.add(key, SimpleNamespace(**entry))
    return registry


def test_a_key_wins_over_a_name_and_a_doubtful_name_is_refused():
    registry = registry_of(("A", {"name": "B"}), ("B", {"name": "twin"}), ("C", {"name": "Twin"}))
    assert registry["b"] is registry["B"]
    with pytest.raises(ValueError, match="thing must be one of B, C, got 'TWIN'"):
        registry["TWIN"]


def test_the_place_decides_the_order_and_is_free():
    registry = registry_of(("X", {"place": 7}), ("Y", {"place": 2}), ("Z", {"place": 5}))
    message = "place must be free, got 7 for thing 'V', but 'X' has it; use place=8"
    with pytest.raises(ValueError, match=f"^{message}$"):
        registry.add("V", SimpleNamespace(place=7))
    assert [*registry] == ["Y", "Z", "X"]
