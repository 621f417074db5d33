"""What the browser tests of the labs share: a browser, pages with labs on them, agreement."""

import functools
import html
from pathlib import Path

import mpmath as mp
import numpy as np
from headless import CHROMIUM as CHROMIUM

from errlab.book import labs

ROOT = Path(__file__).parent.parent
# The colours of the book's theme, without the theme.
THEME = """
html { --pst-color-text-base: #222832; --pst-color-background: #fff; --pst-color-border: #d1d5da;
  --pst-color-text-muted: #48566b; --pst-color-surface: #f3f4f5; --pst-color-primary: #0a7d91; }
html[data-theme="dark"] { --pst-color-text-base: #ced6dd; --pst-color-background: #14181e;
  --pst-color-border: #48566b; --pst-color-text-muted: #9ca4af; --pst-color-surface: #222832;
  --pst-color-primary: #3fb1c5; }
body { color: var(--pst-color-text-base); background: var(--pst-color-background);
  font-family: sans-serif; max-width: 46rem; margin: 0 auto; padding: 1rem; }
"""


def page(*shown, theme="light"):
    """Return a page with the given labs on it, and nothing else."""
    sheets = (ROOT / "errlab" / "book" / "parts.css", ROOT / "book" / "_static" / "errlab.css")
    style = THEME + "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    body = "".join(map(drawn, shown))
    return (
        f'<!doctype html><html lang="en" data-theme="{theme}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{html.escape("Labs")}</title>'
        f"<style>{style}</style></head><body><main><h1>Labs</h1>{body}</main></body></html>"
    )


@functools.cache
def lab(name, **values):
    """Return a lab that nobody changes."""
    return labs.LABS[name](**values)


@functools.cache
def drawn(lab):
    return lab.html()


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


def exact_end(key, k, n, delta, side, near):
    """An end of an interval to 40 digits; `near` is where to look for it."""
    with mp.workdps(40):
        m, r, d = mp.mpf(int(k)) / int(n), mp.mpf(int(n - k)) / int(n), mp.mpf(float(delta))
        sign = 1 if side == "high" else -1
        z = -mp.sqrt(2) * mp.erfinv(2 * d - 1)
        t = -mp.log(d) / int(n)
        if key == "NOR":
            value = m + sign * z * mp.sqrt(m * r / int(n))
        elif key == "HOE":
            value = m + sign * mp.sqrt(t / 2)
        elif key == "WIL":
            a = z**2 / int(n)
            value = (m + a / 2 + sign * mp.sqrt(a * (m * r + a / 4))) / (1 + a)
        elif key == "AC":
            size = int(n) + z**2
            c = (int(k) + z**2 / 2) / size
            value = c + sign * z * mp.sqrt(c * (1 - c) / size)
        elif key == "T_HOE":
            value = mp.findroot(
                lambda q: m * mp.log(m / q) + r * mp.log(r / (1 - q)) - t, mp.mpf(float(near))
            )
        else:
            half = mp.mpf(1) / 2 if key == "JEF" else 0
            a, b = int(k) + half, int(n - k) + half
            if key == "CP":
                a, b = (a, b + 1) if side == "low" else (a + 1, b)
            level = d if side == "low" else 1 - d
            value = mp.findroot(
                lambda x: mp.betainc(a, b, 0, x, regularized=True) / level - 1,
                (mp.mpf(float(near)), mp.mpf(float(near)) * (1 + mp.mpf(10) ** -8)),
            )
        return float(min(max(value, 0), 1))
