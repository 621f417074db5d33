"""Excel, Stata, SPSS, Feather and numpy files, read by their libraries."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from errlab._core import extras
from errlab.cli.table import Case, Table

if TYPE_CHECKING:
    from pandas import DataFrame

# by file extension: the function of pandas, and the package that it needs
_READERS = {
    ".xlsx": ("read_excel", "openpyxl"),
    ".xlsm": ("read_excel", "openpyxl"),
    ".xls": ("read_excel", "xlrd"),
    ".ods": ("read_excel", "odfpy"),
    ".dta": ("read_stata", ""),
    ".sav": ("read_spss", "pyreadstat"),
    ".feather": ("read_feather", "pyarrow"),
    ".arrow": ("read_feather", "pyarrow"),
}
_OTHERS = {
    ".rds": "R", ".rdata": "R", ".pkl": "Python's pickle", ".pickle": "Python's pickle",
    ".mat": "Matlab", ".db": "SQLite", ".sqlite": "SQLite", ".h5": "HDF5", ".pt": "PyTorch",
}  # fmt: skip
ENDINGS = {*_READERS, *_OTHERS, ".npy", ".npz"}


def opened(stream: IO[bytes], source: str) -> Table:
    """Open a file by its extension, or explain in one sentence what to do."""
    ending = Path(source).suffix.lower()
    if ending in _OTHERS:
        raise ValueError(
            f"{source} is of {_OTHERS[ending]}, which errlab can't read: save it as CSV"
        )
    if ending in (".npy", ".npz"):
        return _arrays(stream, source, ending)
    reader, package = _READERS[ending]
    try:
        pandas = extras.load("pandas")
        read = getattr(pandas, reader)
        if reader == "read_excel":
            read = partial(read, sheet_name=None)
        frame = read(source if ending == ".sav" else io.BytesIO(stream.read()))
    except ImportError:
        needs = " ".join(filter(None, ("pandas", package)))
        raise ValueError(
            f"{source} can't be read without {needs.replace(' ', ' and ')}: save it as CSV, or pip "
            f"install {needs}"
        ) from None
    except Exception as error:  # pandas and its readers raise many kinds of errors
        raise ValueError(f"{source} can't be read ({str(error)[:100]}): save it as CSV") from None
    if reader == "read_excel":
        frame = _only_sheet(frame, source)
    columns = {str(name): frame[name].tolist() for name in frame.columns}
    return of_columns(columns, source)


def _only_sheet(sheets: dict[str, DataFrame], source: str) -> DataFrame:
    """Return the only sheet of a workbook that isn't empty; refuse several."""
    filled = [name for name, frame in sheets.items() if len(frame)]
    if len(filled) > 1:
        raise ValueError(
            f"{source} has {len(filled)} sheets ({', '.join(filled)}): save the one with the cases "
            "as CSV"
        )
    return sheets[filled[0] if filled else next(iter(sheets))]


def of_columns(columns: dict[str, list[Any]], source: str) -> Table:
    """Return a table from columns; NaN becomes None."""
    if not columns:
        raise ValueError(f"{source} is empty")

    def fetch(names: Sequence[str]) -> Iterator[Case]:
        for number, row in enumerate(zip(*(columns[name] for name in names), strict=True), 1):
            values = (None if value is None or value != value else value for value in row)
            yield number, dict(zip(names, values, strict=True))

    return Table(source, list(columns), fetch, "row")


def _arrays(stream: IO[bytes], source: str, ending: str) -> Table:
    """Open numpy arrays: a vector of scores, true and predicted labels, or named columns."""
    try:
        loaded = np.load(io.BytesIO(stream.read()), allow_pickle=False)
        names = loaded.files if ending == ".npz" else loaded.dtype.names or ()
        columns = {name: loaded[name] for name in names}
    except Exception as error:  # numpy raises many kinds of errors for a broken file
        raise ValueError(f"{source} can't be read ({str(error)[:100]}): save it as CSV") from None
    columns = columns or _columns_of(loaded, source)
    if len({column.shape for column in columns.values()}) > 1:
        raise ValueError(f"{source} has columns of different lengths: {', '.join(columns)}")
    return of_columns({name: column.tolist() for name, column in columns.items()}, source)


def _columns_of(array: Any, source: str) -> dict[str, Any]:
    """Return the columns of an array without names."""
    if array.ndim == 1:
        return {"score": array}
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        raise ValueError(
            f"{source} is a square array: counts go to errlab.metric(table=..., metric='f1_macro') "
            "or errlab.per_class(table=...), rows true and columns predicted"
        )
    if array.ndim == 2 and 2 in array.shape:
        pair = array if array.shape[0] == 2 else array.T
        return dict(zip(("y_true", "y_pred"), pair, strict=True))
    raise ValueError(
        f"{source} is an array of shape {array.shape}, where one or two columns are read: save it "
        "as CSV"
    )
