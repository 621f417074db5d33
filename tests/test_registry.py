"""The registries: how methods are looked up, and which entries are refused."""

from types import SimpleNamespace

import pytest

from errlab._core.registry import Registry
from errlab.bounds import BOUNDS
from errlab.compare import COMPARISONS
from errlab.metrics import RATES
from errlab.training_set import INTERVALS
from errlab_book.exercises import EXERCISES

REGISTRIES = [BOUNDS, COMPARISONS, EXERCISES, INTERVALS, RATES]


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.what)
def test_every_key_is_found_in_any_spelling(registry):
    for key, entry in registry.items():
        for spelling in (key, key.upper(), key.lower(), key.replace("_", "-"), f" {key} "):
            assert registry[spelling] is entry
            assert spelling in registry
            assert registry.get(spelling) is entry
            assert registry.find(spelling) == key


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda registry: registry.what)
def test_every_full_name_is_found_in_any_spelling(registry):
    for entry in registry.values():
        for name in [getattr(entry, "name", None), *getattr(entry, "names", ())]:
            if name is not None:
                for spelling in (name, name.lower(), name.upper(), name.replace(" ", "_")):
                    assert registry[spelling] is entry


def test_three_names_of_clopper_and_pearson():
    for name in ("cp", "clopper-pearson", "Clopper-Pearson", "clopper_pearson", "CLOPPER PEARSON"):
        assert BOUNDS[name].key == "CP"
    assert RATES["Recall"].key == RATES["hit-rate"].key == "TPR"
    assert BOUNDS["wilson"].key == "WIL", "the name of the function"


def test_a_key_wins_over_a_name_and_a_doubtful_name_is_refused():
    registry = Registry("thing")
    registry.add("A", SimpleNamespace(name="B"))
    registry.add("B", SimpleNamespace(name="twin"))
    registry.add("C", SimpleNamespace(name="Twin"))
    assert registry["b"] is registry["B"]
    with pytest.raises(ValueError, match="thing must be one of B, C, got 'TWIN'"):
        registry["TWIN"]


@pytest.mark.parametrize("registry", [BOUNDS, COMPARISONS, INTERVALS], ids=["b", "c", "i"])
def test_no_two_share_a_place(registry):
    places = [entry.place for entry in registry.values()]
    assert places == sorted(set(places))


def test_a_place_that_is_taken_is_refused_with_a_free_one():
    registry = Registry("bound")
    registry.add("X", SimpleNamespace(place=7))
    message = "place must be free, got 7 for bound 'Y', but 'X' has it; use place=8"
    with pytest.raises(ValueError, match=f"^{message}$"):
        registry.add("Y", SimpleNamespace(place=7))
    assert [*registry] == ["X"]


def test_the_place_decides_the_order():
    registry = Registry("thing")
    for key, place in (("X", 7), ("Y", 2), ("Z", 5)):
        registry.add(key, SimpleNamespace(place=place))
    assert list(registry) == ["Y", "Z", "X"]
