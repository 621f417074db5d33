"""Files of results as people have them: what each is, told by its beginning or its name.

CSV, TSV, JSON, Parquet, the logs of harnesses, and any of them compressed.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, cast

from errlab._core import extras
from errlab.cli import harnesses, objects
from errlab.cli.table import Table
from errlab.cli.text import DAMAGED, MARK, delimited

_LARGEST = 100  # MB that a member of an archive may take when it is unpacked
_TOGETHER = 20  # times as much that all of its samples may take
_PIPE = 2**30  # bytes without the end of a line that are taken from a pipe
_ZSTANDARD = 93  # the method of a member of a ZIP file that is packed so


@contextlib.contextmanager
def opened(path: str) -> Iterator[Table]:
    """Open a file, or with ``-`` standard input, and tell what its columns are called.

    Raises
    ------
    ValueError, OSError, ImportError
        In one line that names the file, and the remedy.
    """
    if path != "-":
        with open(path, "rb") as stream:
            yield parse(stream, path)
    elif sys.stdin is None or sys.stdin.closed:
        raise ValueError("standard input is closed")
    else:
        # read whole, so that nothing closes the stream of whoever called
        given = getattr(sys.stdin, "buffer", None)
        held = _held(given) if given else io.BytesIO(sys.stdin.read().encode())
        yield parse(held, "standard input")


def named(given: str) -> tuple[str, str]:
    """Split NAME=FILE, where no file is called so; a file alone has no name."""
    name, mark, path = given.partition("=")
    taken = name and path and mark and not set(name) & set("/\\")
    return (name, path) if taken and not os.path.exists(given) else ("", given)


def each_once(paths: Sequence[str]) -> None:
    """Refuse a file that is named twice, by whatever name, and names that no file can have."""
    for i, path in enumerate(paths):
        if "\0" in path:
            raise ValueError(f"{path}: no file has a NUL character in its name")
        if os.path.realpath(path) in map(os.path.realpath, paths[:i]):
            raise ValueError(f"{path} is named twice; name each file once")


def parse(stream: IO[bytes], source: str) -> Table:
    """Tell by its beginning, or by its name, what a file is, and open it."""
    if not stream.seekable():  # a pipe is read once, but ZIP and Parquet begin at their end
        stream = _held(stream)
    start = stream.read(4096).removeprefix(MARK).lstrip()
    stream.seek(0)
    for mark, unpacked in PACKED.items():
        if start.startswith(mark):
            with _whole(source):
                return parse(unpacked(stream), source)
    ending = Path(source).suffix.lower()
    # the beginning tells, else the ending of the name; the last entry takes anything
    found = next(way for begin, end, way in FORMATS if start.startswith(begin) or ending == end)
    if isinstance(found, str):
        raise ValueError(f"{source} {found}")
    return found(stream, source)


@contextlib.contextmanager
def _whole(source: str) -> Iterator[None]:
    """Say in one line that a compressed file is damaged."""
    try:
        yield
    except DAMAGED as error:
        raise ValueError(f"{source} is damaged: {error}") from None


def _held(stream: IO[bytes]) -> IO[bytes]:
    """Read a pipe whole; what never ends a line is not read for ever."""
    held = io.BytesIO()
    length = 0
    for piece in iter(partial(stream.read, 2**20), b""):
        end = piece.rfind(b"\n")
        length = length + len(piece) if end < 0 else len(piece) - end
        if length > _PIPE:
            raise ValueError(f"standard input has a line of more than {_PIPE / 1e6:.0f} MB")
        held.write(piece)
    held.seek(0)
    return held


@contextlib.contextmanager
def _foreign(source: str, kind: str) -> Iterator[None]:
    """Say in one line whatever another library raises at a damaged file."""
    try:
        yield
    except Exception as error:
        raise ValueError(f"{source} cannot be read as {kind}: {str(error)[:100]}") from None


def _archive(stream: IO[bytes], source: str) -> Table:
    """Open the archive of Inspect, which packs with Zstandard."""
    kind = "a log of Inspect (if it is a ZIP or Excel file, save the table as CSV)"
    with _foreign(source, kind):
        archive = zipfile.ZipFile(stream)
    if any(member.compress_type == _ZSTANDARD for member in archive.infolist()):
        try:
            _zstandard()
        except ImportError as error:
            said = f"{source}: {error}; or convert it: inspect log convert --to json "
            raise ImportError(f"{said}--output-dir FOLDER {source}") from None
    with _foreign(source, kind):
        read = partial(_member, stream, archive)
        names = list(dict.fromkeys(archive.namelist()))
        samples = [name for name in names if name.startswith("samples/")]
        head = _object(read("header.json")) if "header.json" in names else {}
        if "_journal/start.json" in names and "header.json" not in names:
            # the process was killed before it wrote how the run ended
            head = _object(read("_journal/start.json")) | {"status": "started"}
        # a summary tells the scores of all samples, and is small
        summary = read("summaries.json") if "summaries.json" in names else []
        if not isinstance(summary, list) or len(summary) != len(samples):
            size = sum(archive.getinfo(name).file_size for name in samples)
            if size > _TOGETHER * _LARGEST * 10**6:
                said = f"its samples have {size / 1e6:.0f} MB, above the limit of "
                raise ValueError(f"{said}{_TOGETHER * _LARGEST}")
            summary = [_scores(read(name)) for name in samples]
    return harnesses.inspect(head, summary, source)


def _object(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _scores(sample: object) -> object:
    """Return what is needed of a sample, so that the rest need not be held."""
    kept = ("id", "epoch", "scores")
    return {n: sample[n] for n in kept if n in sample} if isinstance(sample, dict) else sample


def _member(stream: IO[bytes], archive: zipfile.ZipFile, name: str) -> object:
    """Unpack a member of an archive, and read its JSON; no more is unpacked than it says."""
    member = archive.getinfo(name)
    size = member.file_size
    if size > _LARGEST * 10**6:
        raise ValueError(f"{name} has {size / 1e6:.0f} MB, above the limit of {_LARGEST}")
    if member.compress_type != _ZSTANDARD:
        return json.loads(archive.read(name))
    # zipfile reads one frame of several, or knows no Zstandard at all
    stream.seek(member.header_offset)
    widths = struct.unpack("<26xHH", stream.read(30))  # of the name and of further fields
    stream.seek(sum(widths), io.SEEK_CUR)
    found = _zstandard()(stream.read(member.compress_size), size + 1)
    if len(found) != size or zlib.crc32(found) != member.CRC:
        raise ValueError(f"{name} is damaged")
    return json.loads(found)


def _zstandard() -> Callable[[bytes, int], bytes]:
    """Return what unpacks so many bytes of several frames of Zstandard."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        return lambda packed, size: zstd.ZstdFile(io.BytesIO(packed)).read(size)
    library = extras.load("zstandard").ZstdDecompressor()

    def unpack(packed: bytes, size: int) -> bytes:
        return cast(bytes, library.stream_reader(packed, read_across_frames=True).read(size))

    return unpack


def _parquet(stream: IO[bytes], source: str) -> Table:
    """Open a Parquet file; it needs pyarrow."""
    library = extras.load("pyarrow.parquet")
    with _foreign(source, "Parquet"):
        file = library.ParquetFile(stream)

    def fetch(names: Sequence[str]) -> tuple[dict[str, list[Any]], Sequence[int]]:
        with _foreign(source, "Parquet"):
            found = file.read(columns=names)
            return {n: found[n].to_pylist() for n in names}, range(1, found.num_rows + 1)

    return Table(source, list(file.schema_arrow.names), fetch, unit="row")


# How a file begins, what its name ends in, and what opens it, or what to do about it.
PACKED: dict[bytes, Callable[[Any], Any]]
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
_ZSTD = "is compressed; unpack it first, as in: zstd -dc FILE | errlab report -"
_WIDE = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")  # UTF-16 and UTF-32
Way = Callable[[IO[bytes], str], Table]
FORMATS: tuple[tuple[bytes | tuple[bytes, ...], str | None, Way | str], ...] = (
    (b"PAR1", ".parquet", _parquet),
    (b"PK\x03\x04", ".eval", _archive),
    (b"\x28\xb5\x2f\xfd", None, _ZSTD),
    (_WIDE, None, "is in UTF-16 or UTF-32; convert it, as in: iconv -f UTF-16 -t UTF-8 FILE"),
    ((b"{", b"["), None, objects.opened),
    (b"", None, delimited),
)
