"""Opening files of results, whose format is recognised by their first bytes or their name.

CSV, TSV, JSON, Parquet, the logs of harnesses, and any of them compressed.
"""

import bz2
import codecs
import copy
import gzip
import io
import json
import lzma
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from errlab._core import extras
from errlab.cli import formats, harnesses, text
from errlab.cli.table import Case, Table

_LARGEST = 100  # MB that a member of an archive may have when unpacked
# First bytes of compressed files, and the functions that open them.
_PACKED: dict[bytes, Callable[[Any], Any]]
_PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_ZSTANDARD = 93  # the number of Zstandard among the compression methods of ZIP files


def opened(path: str) -> Table:
    """Open a file, or standard input for ``-``, and read the names of its columns.

    Raises
    ------
    ValueError, OSError, ImportError
        If the file can't be read; the message is one line with the file and the remedy.
    """
    if path != "-":
        with open(path, "rb") as stream:
            return parse(stream, path)
    if sys.stdin is None:
        raise ValueError("standard input is closed")
    pipe = getattr(sys.stdin, "buffer", None)
    if pipe is None:  # a notebook replaces standard input by a text stream
        pipe = io.BufferedReader(io.BytesIO(sys.stdin.read().encode()))
    return parse(pipe, "standard input")


def parse(stream: io.BufferedReader, source: str) -> Table:
    """Recognise a file by its first bytes or its name, and open it."""
    # peek, because a pipe can be read only once
    start = stream.peek(4096).removeprefix(codecs.BOM_UTF8).lstrip()
    for mark, unpacked in _PACKED.items():
        if start.startswith(mark):
            try:
                return parse(unpacked(stream), source)
            except (EOFError, zlib.error, lzma.LZMAError) as error:
                raise ValueError(f"{source} is damaged: {error}") from None
    ending = Path(source).suffix.lower()
    if start.startswith(b"PAR1") or ending == ".parquet":
        return _parquet(stream, source)
    if ending in formats.ENDINGS:
        return formats.opened(stream, source)
    if start.startswith(b"PK\x03\x04") or ending == ".eval":
        return _archive(stream, source)
    if start.startswith(b"\x28\xb5\x2f\xfd"):
        remedy = "unpack it first, as in: zstd -dc FILE | errlab report -"
        raise ValueError(f"{source} is compressed; {remedy}")
    if start.startswith((b"{", b"[")):
        return text.objects(stream, source)
    return text.delimited(stream, source)


def _archive(stream: io.BufferedReader, source: str) -> Table:
    """Open an archive of Inspect: its header, and the summaries of its samples with the scores.

    It packs with Zstandard.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(stream.read())) as archive:
            names = set(archive.namelist())
            summaries = names & {"summaries.json"}
            if "header.json" in names:
                header = dict(_member(archive, "header.json"))
            else:
                # the process was killed before it wrote the header
                header = {**_member(archive, "_journal/start.json"), "status": "started"}
                summaries = {name for name in names if name.startswith("_journal/summaries/")}
            samples = [sample for name in summaries for sample in _member(archive, name)]
    except ImportError as error:
        remedy = f"inspect log convert --to json --output-dir FOLDER {source}"
        raise ImportError(f"{source}: {error}; or convert it: {remedy}") from None
    except Exception as error:  # zipfile, json and zstandard raise many kinds of errors
        kind = "a log of Inspect (if it is a ZIP or Excel file, save the table as CSV)"
        raise ValueError(f"{source} cannot be read as {kind}: {str(error)[:100]}") from None
    return harnesses.inspect(header, samples, source)


def _member(archive: zipfile.ZipFile, name: str) -> Any:
    """Unpack a member of an archive and parse its JSON, reading no more bytes than declared."""
    member = archive.getinfo(name)
    size = member.file_size
    if size > _LARGEST * 10**6:
        raise ValueError(f"{name} has {size / 1e6:.0f} MB, above the limit of {_LARGEST}")
    if member.compress_type != _ZSTANDARD:
        return json.loads(archive.read(name))
    # zipfile can't read Zstandard, or not several frames of it, so decompress the stored bytes here
    stored = copy.copy(member)
    stored.compress_type = zipfile.ZIP_STORED
    stored.file_size = member.compress_size
    del stored.CRC
    content = _unpacked(archive.read(stored), size + 1)
    if len(content) != size or zlib.crc32(content) != member.CRC:
        raise ValueError(f"{name} is damaged")
    return json.loads(content)


def _unpacked(packed: bytes, size: int) -> bytes:
    """Unpack this many bytes of several Zstandard frames."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        return zstd.ZstdFile(io.BytesIO(packed)).read(size)
    library = extras.load("zstandard").ZstdDecompressor()
    content: bytes = library.stream_reader(packed, read_across_frames=True).read(size)
    return content


def _parquet(stream: io.BufferedReader, source: str) -> Table:
    """Open a Parquet file with pyarrow."""
    library = extras.load("pyarrow.parquet")
    try:
        table = library.read_table(io.BytesIO(stream.read()))
    except Exception as error:  # pyarrow raises many kinds of errors
        raise ValueError(f"{source} cannot be read as Parquet: {str(error)[:100]}") from None

    def fetch(names: Sequence[str]) -> Iterator[Case]:
        return enumerate(table.select(names).to_pylist(), 1)

    return Table(source, table.column_names, fetch, "row")
