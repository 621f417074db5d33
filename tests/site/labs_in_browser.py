"""What the tests of labs share: to type into them, and to read what they say."""

import functools

import numpy as np

from errlab.book import labs

LEVEL = 1e-9  # the largest relative difference between the page and errlab
SAID_MS = 3000


@functools.cache
def lab(name, **values):
    """Return a lab that nobody changes."""
    return labs.LABS[name](**values)


# Set fields as a reader would, and read what the lab says; many times over in one call.
TYPE = """(root, values) => {
  for (const [name, value] of Object.entries(values)) {
    const field = root.querySelector(`[name="${name}"]`);
    field.value = value;
    field.dispatchEvent(new Event('input', {bubbles: true}));
  }
}"""
OUTPUTS = """root => Object.fromEntries([...root.querySelectorAll('[data-out]')].map(
  e => [e.dataset.out, e.dataset.value === undefined ? null : Number(e.dataset.value)]))"""


def off(got, want):
    """Return the relative differences, 0 where both are 0."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(got == want, 0.0, np.abs(got - want) / np.abs(want))
