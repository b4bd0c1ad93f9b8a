"""The arrays of a store: their metadata, their chunks as files."""

from __future__ import annotations

import gzip
import hashlib
import json
import math
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

LEVEL = 1
UNSAFE = r'[\\/:*?"<>|]'
"""Characters that some file systems do not accept in a name."""


@dataclass(frozen=True)
class StoredArray:
    """An array of a Zarr v3 store, divided along its first axis only.

    Its chunks are not compressed, since paths of chaotic systems do not compress, and since a truncated file of known size
    is easily detected. Chunks that are mostly fill values are compressed.

    Attributes
    ----------
    name : str
        Its place, ``section/name``.
    dtype : str
        Name of its data type.
    shape : tuple of int
        Its shape.
    length : int
        The number of entries of the first axis in a chunk; the last chunk is padded.
    dims : tuple of str
        Names of its axes.
    attributes : dict
        Further metadata.
    compressed : bool
        Whether its chunks are compressed by gzip.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    length: int
    dims: tuple[str, ...]
    attributes: Mapping[str, Any] = field(default_factory=dict)
    compressed: bool = False

    @property
    def chunk(self) -> tuple[int, ...]:
        """The shape of a chunk."""
        return (self.length, *(max(1, n) for n in self.shape[1:]))

    @property
    def fill(self) -> float | int:
        """The fill value: nan, or 0 in an array of integers."""
        return math.nan if np.dtype(self.dtype).kind == "f" else 0

    @cached_property
    def nbytes(self) -> int:
        """The bytes of a chunk in memory."""
        return math.prod(self.chunk) * np.dtype(self.dtype).itemsize

    @property
    def size(self) -> int | None:
        """The bytes of the file of a chunk; ``None`` if they vary."""
        return None if self.compressed else self.nbytes

    @property
    def largest(self) -> int:
        """The most bytes that the file of a chunk can have; gzip makes incompressible data slightly longer."""
        return self.nbytes + self.nbytes // 1000 + 1024 if self.compressed else self.nbytes

    @property
    def folder(self) -> str:
        """Its folder."""
        section, _, quantity = self.name.partition("/")
        return f"{section}/{folder_name(quantity)}" if quantity else section

    def file(self, number: int) -> str:
        """The file of a chunk."""
        return f"{self.folder}/c.{'.'.join([str(number), *['0'] * (len(self.shape) - 1)])}"

    def metadata(self) -> bytes:
        """The content of its ``zarr.json``."""
        one_byte = np.dtype(self.dtype).itemsize == 1
        last = [{"name": "gzip", "configuration": {"level": LEVEL}}] if self.compressed else []
        codec = {"name": "bytes"} if one_byte else {"name": "bytes", "configuration": {"endian": "little"}}
        return as_json({
            "zarr_format": 3, "node_type": "array", "shape": list(self.shape), "data_type": self.dtype,
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(self.chunk)}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "."}},
            "fill_value": "NaN" if np.dtype(self.dtype).kind == "f" else 0,
            "codecs": [codec, *last], "attributes": dict(self.attributes), "dimension_names": list(self.dims),
        })  # fmt: skip

    def encoded(self, values: np.ndarray) -> bytes:
        """The bytes of a chunk that begins with these entries and is padded."""
        little = np.dtype(self.dtype).newbyteorder("<")
        if values.shape != self.chunk:
            whole = np.full(self.chunk, self.fill, dtype=little)
            whole[tuple(map(slice, values.shape))] = values
            values = whole
        content = np.ascontiguousarray(values, dtype=little).tobytes()
        return gzip.compress(content, LEVEL, mtime=0) if self.compressed else content

    def decoded(self, content: bytes, shape: tuple[int, ...]) -> np.ndarray:
        """The reverse: the first entries of a chunk, in this shape, read-only; no more memory is taken than a chunk needs.

        Raises
        ------
        ValueError
            If the bytes are not those of a chunk.
        """
        little = np.dtype(self.dtype).newbyteorder("<")
        whole = np.frombuffer(self._inflated(content) if self.compressed else content, dtype=little)
        return np.asarray(whole.reshape(self.chunk)[tuple(map(slice, shape))], dtype=self.dtype)

    def _inflated(self, content: bytes) -> bytes:
        stream = zlib.decompressobj(wbits=31)  # gzip
        try:
            whole = stream.decompress(content, self.nbytes + 1)
        except zlib.error as error:
            raise ValueError(str(error)) from error
        if len(whole) != self.nbytes or not stream.eof or stream.unused_data:
            raise ValueError(f"it does not decompress to {self.nbytes} bytes")
        return whole


def folder_name(quantity: str) -> str:
    """The folder of a quantity; characters that a file system may reject are written as %2F and so on."""
    return re.sub(UNSAFE, lambda m: f"%{ord(m[0]):02X}", quantity)


def as_json(value: Any) -> bytes:
    """JSON, the same bytes for the same value."""
    return (json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()


def group(attributes: Mapping[str, Any]) -> bytes:
    """The content of the ``zarr.json`` of a group."""
    return as_json({"zarr_format": 3, "node_type": "group", "attributes": dict(attributes)})


def sealed_group(attributes: Mapping[str, Any]) -> bytes:
    """The ``zarr.json`` of a group whose last attribute, ``checksum``, is the SHA-256 of the content without it."""
    return group({**attributes, "checksum": hashlib.sha256(group(attributes)).hexdigest()})


def opened_group(content: bytes) -> dict[str, Any]:
    """The reverse: the attributes, without the checksum.

    Raises
    ------
    ValueError, KeyError, TypeError, RecursionError
        If any byte was changed.
    """
    attributes = dict(json.loads(content)["attributes"])
    attributes.pop("checksum")
    if sealed_group(attributes) != content:
        raise ValueError("it was changed or damaged: its checksum differs")
    return attributes
