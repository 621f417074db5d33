"""Make widgets show a still output without a kernel; kernels run this file through PYTHONSTARTUP.

Tests, the build and ``tools/notebooks.py`` set that variable. Then ipywidgets' ``interact`` runs
its function once, with the initial values of its controls, and the cell stores what it prints or
draws like any other output. The controls need a kernel, so a line below names them.
"""


def _show_still() -> None:
    import os
    from typing import Any

    # figures of pytest need no screen; those of a notebook go into the notebook
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    if os.environ.get("ERRLAB_OUTPUT", "live") == "live":
        return
    from IPython import get_ipython
    from IPython.display import Markdown, display
    from ipywidgets import Box, Output, Widget, interactive
    from ipywidgets.widgets import interaction

    def name_controls(widget: Any) -> None:
        controls = [control for control in widget.kwargs_widgets if hasattr(control, "value")]
        values = ", ".join(f"{control.description} = {control.value}" for control in controls)
        display(Markdown(f"*Here {values}; in a notebook with a kernel this can be changed.*"))

    # outputs go directly to the cell, and nothing that was shown is cleared
    Output.__enter__ = lambda self: self
    Output.__exit__ = lambda self, *error: None
    interaction.clear_output = lambda wait=False: None
    Widget._ipython_display_ = lambda self: print(repr(self))
    Box._ipython_display_ = Output._ipython_display_ = lambda self: None
    interactive._ipython_display_ = name_controls

    # A semicolon at the end of a cell hides its value. IPython looks for it in the history, where
    # nbval doesn't store the cells that it runs.
    shell: Any = get_ipython()
    cells = [""]
    shell.events.register("pre_run_cell", lambda info: cells.append(info.raw_cell))
    shell.displayhook.quiet = lambda: shell.displayhook.semicolon_at_end_of_expression(cells[-1])


_show_still()
del _show_still
