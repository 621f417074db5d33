"""How long a reader waits for a lab: until the page shows it, and at each step.

Each lab stands alone on a page that is opened from a file. A step is a number typed, or a button
pressed: what the scripts do, with the style and the layout after it. Other work on the machine
makes some steps late, so the steps run in rounds, and beside the 95th percentile of all of them
stands that of the calmest round. The site's own tests print the same for the explorers.

Run it as ``python benchmarks/bench_labs.py [LAB ...]``; all labs by default. It needs a Chromium.
"""

import gzip
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from headless import CHROMIUM, FLAGS  # noqa: E402
from labs_browser import page  # noqa: E402

from errlab.book import labs  # noqa: E402

ROUNDS = 10
FRAME_MS = 1000 / 60
PAINT_MS = 1000

STEPS = """async root => {
  const frame = () => new Promise(done => requestAnimationFrame(done));
  const field = root.querySelector('input[type="text"]'), first = field.value;
  const button = root.querySelector('[data-add="1"], [data-do="ball"], [data-do="submit"]');
  const times = [];
  for (let i = 0; i < 40; i++) {
    await frame();
    const start = performance.now();
    if (button && i % 2) button.click();
    else {
      field.value = i % 4 ? first : String(Number(first) + 1);
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await null; // several traits that change at once are one picture
    root.getBoundingClientRect();
    times.push(performance.now() - start);
  }
  return times;
}"""


def measure(browser, lab, folder):
    """Return the first paint in milliseconds, the steps by round, and the weight in bytes."""
    file = folder / f"{lab.name}.html"
    text = page(lab)
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    tab = context.new_page()
    tab.goto(file.as_uri())
    tab.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
    paint = tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    root = tab.locator(f'[data-lab="{lab.name}"]')
    rounds = [root.evaluate(STEPS) for _ in range(ROUNDS)]
    context.close()
    return paint, np.array(rounds), len(gzip.compress(text.encode(), 9))


def main(names):
    """Print a line for each lab."""
    with (
        sync_playwright() as playwright,
        tempfile.TemporaryDirectory() as folder,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for name in names:
            paint, rounds, weight = measure(browser, labs.LABS[name](), Path(folder))
            late = np.percentile(rounds, 95)
            calm = np.percentile(rounds, 95, axis=1).min()
            print(
                f"{name:12} first paint {paint:4.0f} ms{'' if paint < PAINT_MS else ' TOO LATE'}; "
                f"a step {np.median(rounds):4.1f} ms, 95th percentile {late:5.1f}, calmest round "
                f"{calm:4.1f}{'' if calm <= FRAME_MS else ' TOO LATE'}; {weight / 1000:.0f} KB"
            )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or list(labs.LABS))
