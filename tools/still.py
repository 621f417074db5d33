"""What a notebook shows where no kernel is: the variable PYTHONSTARTUP names this file for kernels.

Tests, the build and ``tools/notebooks.py`` set it. Then ipywidgets' ``interact`` runs its function
once, with the values that its controls begin with, and what it prints or draws stands in the cell
as any other output; the controls themselves need a kernel, and are named in a line below.
"""


def _show_still() -> None:
    import os
    from typing import Any

    # pytest's own figures are drawn without a screen; those of a notebook, into the notebook
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

    # outputs go where they would go without the widget, and nothing that was shown is cleared
    Output.__enter__ = lambda self: self
    Output.__exit__ = lambda self, *error: None
    interaction.clear_output = lambda wait=False: None
    Widget._ipython_display_ = lambda self: print(repr(self))
    Box._ipython_display_ = Output._ipython_display_ = lambda self: None
    interactive._ipython_display_ = name_controls

    # A semicolon at the end of a cell hides its value. IPython looks for it in the history, where
    # nbval, which keeps none, has no cell.
    shell: Any = get_ipython()
    cells = [""]
    shell.events.register("pre_run_cell", lambda info: cells.append(info.raw_cell))
    shell.displayhook.quiet = lambda: shell.displayhook.semicolon_at_end_of_expression(cells[-1])


_show_still()
del _show_still
