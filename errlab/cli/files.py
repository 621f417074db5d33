"""Files of results as people have them: what each is, told by its beginning or its name.

CSV, TSV, JSON, Parquet, the logs of harnesses, and any of them compressed.
"""

import bz2
import codecs
import contextlib
import gzip
import io
import json
import lzma
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
from errlab.cli.table import Row, Table
from errlab.cli.text import DAMAGED, delimited

_LARGEST = 100  # MB that a member of an archive may take when it is unpacked
_TOGETHER = 20  # times as much that all of its samples may take
_PIPE = 2**30  # bytes without the end of a line that are taken from a pipe
_ZSTANDARD = 93  # the method of a member of a ZIP file that is packed so


def opened(path: str) -> Table:
    """Open a file, or with ``-`` standard input, and tell what its columns are called.

    Raises
    ------
    ValueError, OSError, ImportError
        In one line that names the file, and the remedy.
    """
    if path != "-":
        with open(path, "rb") as stream:
            return parse(stream, path)
    if sys.stdin is None or sys.stdin.closed:
        raise ValueError("standard input is closed")
    if hasattr(sys.stdin, "buffer"):
        # read whole, so that nothing closes the stream of whoever called
        return parse(_whole(sys.stdin.buffer), "standard input")
    return parse(io.BytesIO(sys.stdin.read().encode()), "standard input")


def parse(stream: IO[bytes], source: str) -> Table:
    """Tell by its beginning, or by its name, what a file is, and open it."""
    if not stream.seekable():  # a pipe is read once, but ZIP and Parquet begin at their end
        stream = _whole(stream)
    start = stream.read(4096).removeprefix(codecs.BOM_UTF8).lstrip()
    stream.seek(0)
    for mark, unpacked in PACKED.items():
        if start.startswith(mark):
            try:
                return parse(unpacked(stream), source)
            except DAMAGED as error:
                raise ValueError(f"{source} is damaged: {error}") from None
    ending = Path(source).suffix.lower()
    for begins, ends, reader in FORMATS:
        if start.startswith(begins) or ending == ends:
            return reader(stream, source)
    for begins, remedy in REMEDIES.items():
        if start.startswith(begins):
            raise ValueError(f"{source} {remedy}")
    if start.startswith((b"{", b"[")):
        return objects.opened(stream, source)
    return delimited(stream, source)


def _whole(stream: IO[bytes]) -> IO[bytes]:
    """Read a pipe whole; what never ends a line is not read for ever."""
    content = io.BytesIO()
    length = 0
    for piece in iter(partial(stream.read, 2**20), b""):
        length += len(piece)
        if b"\n" in piece:
            length = len(piece) - piece.rindex(b"\n")
        if length > _PIPE:
            raise ValueError(f"standard input has a line of more than {_PIPE / 1e6:.0f} MB")
        content.write(piece)
    content.seek(0)
    return content


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
            remedy = f"inspect log convert --to json --output-dir FOLDER {source}"
            raise ImportError(f"{source}: {error}; or convert it: {remedy}") from None
    with _foreign(source, kind):
        header, samples = _members(stream, archive)
    return harnesses.inspect(header, samples, source)


def _members(stream: IO[bytes], archive: zipfile.ZipFile) -> tuple[dict[str, Any], list[object]]:
    """Return the header and the samples of an archive."""
    read = partial(_member, stream, archive)
    names = dict.fromkeys(archive.namelist())
    header: dict[str, Any] = {}
    if "header.json" in names:
        header = dict(read("header.json"))
    elif "_journal/start.json" in names:
        # the process was killed before it wrote how the run ended
        header = {**read("_journal/start.json"), "status": "started"}
    samples = [name for name in names if name.startswith("samples/")]
    if "summaries.json" in names:
        # a summary tells the scores of all samples, and is small
        summaries = read("summaries.json")
        if len(summaries) == len(samples):
            return header, summaries
    size = sum(archive.getinfo(name).file_size for name in samples)
    if size > _TOGETHER * _LARGEST * 10**6:
        limit = _TOGETHER * _LARGEST
        raise ValueError(f"its samples have {size / 1e6:.0f} MB, above the limit of {limit}")
    scored = []
    for sample in map(read, samples):
        if isinstance(sample, dict):  # the rest need not be held
            sample = {name: sample[name] for name in sample.keys() & {"id", "epoch", "scores"}}
        scored.append(sample)
    return header, scored


def _member(stream: IO[bytes], archive: zipfile.ZipFile, name: str) -> Any:
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
    content = _zstandard()(stream.read(member.compress_size), size + 1)
    if len(content) != size or zlib.crc32(content) != member.CRC:
        raise ValueError(f"{name} is damaged")
    return json.loads(content)


def _zstandard() -> Callable[[bytes, int], bytes]:
    """Return what unpacks so many bytes of several frames of Zstandard."""
    if sys.version_info >= (3, 14):
        from compression import zstd

        return lambda packed, size: zstd.ZstdFile(io.BytesIO(packed)).read(size)
    reader = extras.load("zstandard").ZstdDecompressor().stream_reader
    return lambda packed, size: cast(bytes, reader(packed, read_across_frames=True).read(size))


def _parquet(stream: IO[bytes], source: str) -> Table:
    """Open a Parquet file; it needs pyarrow."""
    library = extras.load("pyarrow.parquet")
    with _foreign(source, "Parquet"):
        file = library.ParquetFile(io.BytesIO(stream.read()))

    def fetch(names: Sequence[str]) -> Iterator[tuple[int, Row]]:
        with _foreign(source, "Parquet"):
            yield from enumerate(file.read(columns=names).to_pylist(), 1)

    return Table(source, list(file.schema_arrow.names), fetch, "row")


# How a file begins, what its name ends in, and what opens it, or what to do about it.
PACKED: dict[bytes, Callable[[Any], Any]]
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ": lzma.open}
FORMATS = ((b"PAR1", ".parquet", _parquet), (b"PK\x03\x04", ".eval", _archive))
_WIDE = "is in UTF-16 or UTF-32; convert it, as in: iconv -f UTF-16 -t UTF-8 FILE"
REMEDIES = {
    b"\x28\xb5\x2f\xfd": "is compressed; unpack it first, as in: zstd -dc FILE | errlab report -",
    b"\xff\xfe": _WIDE,
    b"\xfe\xff": _WIDE,
    b"\0\0\xfe\xff": _WIDE,
}
