"""Plots of a bootstrap that breaks the pairs of examples and labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from scipy import special

from errlab import checks
from errlab.bootstrap import combine632
from errlab.checks import FloatArray, Seed
from errlab.datasets import gaussian_mixture
from errlab.style import new_panels, styled
from errlab_book.plots.paper import ACCENT, BODY, INK

Z95 = float(special.ndtri(0.975))
CASES = 30  # examples in a training set, as in the paper
DRAWS = 50  # bootstrap samples of each training set


class Pairing(NamedTuple):
    """Results over many training sets: arrays of shape (repeats,).

    Attributes
    ----------
    truth : ndarray
        True error of the line.
    right, broken : ndarray
        Its .632 estimate, from bootstrap samples whose labels went along with their examples, and
        from samples whose labels stayed where they were.
    """

    truth: FloatArray
    right: FloatArray
    broken: FloatArray

    def held(self, kind: str, n: int) -> float:
        """Return the fraction of training sets in which Wald's interval contains the true error.

        `kind` is "right" or "broken", and n the size that the formula divides by.
        """
        estimate = getattr(self, checks.choice(kind, "kind", ["right", "broken"]))
        half = Z95 * np.sqrt(estimate * (1 - estimate) / n)
        return float(np.mean(np.abs(estimate - self.truth) <= half))


def pairing(separation: float, *, repeats: int = 200, rng: Seed = 0) -> Pairing:
    """Estimate the error of a line with right and with broken pairs, over many training sets.

    The classes are Gaussian, in two dimensions (see `errlab.datasets.gaussian_mixture`). Both
    bootstraps see the same samples.

    Parameters
    ----------
    separation : float
        Distance of the classes, at least 0.
    repeats : int
        Training sets of `CASES` examples; each is resampled `DRAWS` times.
    rng : seed, Generator or None
        Draws everything; the same in each call by default.

    Returns
    -------
    Pairing

    Raises
    ------
    ValueError, TypeError
        If a number leaves its range.

    Examples
    --------
    >>> found = pairing(3.0, repeats=20, rng=0)
    >>> bool(found.broken.mean() > found.right.mean() + 0.1)
    True
    """
    times = checks.one_count(repeats, "repeats")
    rng = checks.generator(rng)
    results: list[tuple[float, ...]] = []
    while len(results) < times:
        X, y, _ = gaussian_mixture(CASES, separation=separation, rng=rng)
        # a training set with one class has no line
        if len(np.unique(y)) == 2:
            Z = np.column_stack([np.ones(CASES), X])
            drawn = rng.integers(CASES, size=(DRAWS, CASES))
            line = np.linalg.lstsq(Z, y, rcond=None)[0]
            training = float(np.mean((Z @ line > 0) != (y > 0)))
            results.append((_error(line, separation), *_point632(Z, y, drawn, training)))
    return Pairing(*np.array(results).T)


def _point632(Z: FloatArray, y: FloatArray, drawn: Any, training: float) -> list[float]:
    """Return the .632 estimates of drawn examples, with their own labels and with those of `y`."""
    # an additional last axis for the two kinds of labels, which share a pseudoinverse
    labels = np.stack([y[drawn], np.broadcast_to(y, drawn.shape)], axis=-1)
    beta = np.linalg.pinv(Z[drawn]) @ labels
    # draws x examples: True if a draw left the example out
    out = (drawn[:, :, None] != np.arange(len(y))).all(axis=1)
    often = out.sum(axis=0)
    some = often > 0  # an example that every draw contains is never tested
    missed = out[..., None] & (((Z @ beta) > 0) != (y > 0)[:, None])
    left_out = (missed.sum(axis=0)[some] / often[some, None]).mean(axis=0)
    return [float(combine632(training, error)) for error in left_out]


def _error(line: Any, separation: float) -> float:
    """Return a line's error on the Gaussian mixture, whose means are at half the separation."""
    # each class is normal around its mean, and the classes are equally frequent
    length = np.linalg.norm(line[1:])
    shift = line[1] * separation / 2
    return float(special.ndtr(-(shift + np.array([line[0], -line[0]])) / length).mean())


@styled
def plot_pairing(found: Pairing) -> list[Axes]:
    """Draw how far .632 estimates are from the true error, with right and with broken pairs.

    The shaded band is as wide as a 95% interval for 30 examples: estimates outside of it miss the
    true error.

    Parameters
    ----------
    found : Pairing
        What `pairing` returns.

    Returns
    -------
    list of Axes
        Right pairs, broken pairs.

    Examples
    --------
    >>> axes = plot_pairing(pairing(2.0, repeats=20, rng=0))
    >>> axes[1].get_xlabel()
    'estimate less true error, points'
    """
    panels = new_panels(2, figsize=(4.8, 4.2), sharex=True, sharey=True)
    bins = np.linspace(-0.35, 0.35, 29)
    for index, (ax, kind) in enumerate(zip(panels, ("right", "broken"), strict=True)):
        estimate = getattr(found, kind)
        half = Z95 * np.sqrt(np.mean(estimate) * (1 - np.mean(estimate)) / CASES)
        ax.axvspan(-half, half, color=INK, alpha=0.12, lw=0)
        counts = np.histogram(np.clip(estimate - found.truth, -0.35, 0.35), bins)[0]
        ax.bar(
            bins[:-1], counts / len(estimate), np.diff(bins), align="edge",
            color=(INK, ACCENT)[index], alpha=(BODY, 1)[index], hatch=("", "///")[index],
            edgecolor="white", lw=0.4,
        )  # fmt: skip
        ax.axvline(0, color=INK, lw=1)
        ax.set_title(f"{kind} pairs: coverage {found.held(kind, CASES):.0%}")
        ax.set(yticks=[])
    panels[0].set(xlim=(-0.35, 0.35), ylim=(0, 0.42))
    panels[1].set_xticks([-0.3, 0, 0.3], ["-30", "0", "+30"])
    panels[1].set_xlabel("estimate less true error, points")
    return panels
