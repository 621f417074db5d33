"""Make a SWE-bench report for the tests: the last step of `run_evaluation`, without containers.

Run in an empty directory: ``python swebench_report.py`` writes the files that containers would
leave, and lets SWE-bench make the report.
"""

import json
from pathlib import Path

from swebench.harness.reporting import make_run_report

NAMES = [f"django__django-{11000 + i}" for i in range(10)]
RESOLVED = NAMES[:5]
FAILED, EMPTY = NAMES[7], NAMES[8]  # one task with an error, and one without a patch
MODEL = "toy/small"

for name in NAMES:
    if name not in (FAILED, EMPTY):
        folder = Path("logs/run_evaluation/first") / MODEL.replace("/", "__") / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "report.json").write_text(json.dumps({name: {"resolved": name in RESOLVED}}))
predictions = {
    name: {
        "instance_id": name,
        "model_name_or_path": MODEL,
        "model_patch": "" if name == EMPTY else "diff",
    }
    for name in NAMES
}
make_run_report(predictions, [{"instance_id": name} for name in NAMES], "first")
partial = dict(list(predictions.items())[:8])
make_run_report(partial, [{"instance_id": name} for name in NAMES], "first", report_dir="broken")
