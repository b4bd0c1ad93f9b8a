"""The location of a file: a path of the file system, or a URL."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from semidirect.core.arguments.names import validated_place
from semidirect.core.errors import InputError

_URL = re.compile(r"(?P<protocol>[A-Za-z][A-Za-z0-9+.-]+)://(?P<rest>.*)", re.DOTALL)
LOCAL = ("file", "local")
"""Protocols of the file system itself."""
MAGIC = "*?[]{}#"
"""Characters that stand for several names, or for a part of a document."""


def validated_location(name: str, value: Any) -> Path | str:
    """A path that the file system accepts, or a URL, without a slash at its end; ``file://`` is a path.

    Raises
    ------
    InputError
        For what is neither, for a protocol that is not known, and for a URL that names no folder of its own.
    """
    match = _URL.fullmatch(os.fspath(value)) if isinstance(value, (str, os.PathLike)) and _is_text(value) else None
    if match is None:
        return validated_place(name, value)
    protocol, rest = match["protocol"].lower(), match["rest"].rstrip("/")
    if protocol in LOCAL:
        return validated_place(name, rest)
    text = f"{protocol}://{rest.rpartition('@')[2]}"
    host, *parts = rest.split("/")
    if ":" in host.rpartition("@")[0]:
        raise InputError(
            name, expected="a URL without a name or password", got=f"one with both, of {text}",
            hint="Give them in the environment, or in the configuration of fsspec, so that they are in no file and no message.",
        )  # fmt: skip
    if "::" in rest or "://" in rest:
        raise InputError(
            name, expected="a URL of one protocol", got=text, hint="Caches and archives cannot be written to."
        )
    if any(part in ("", ".", "..") for part in parts) or not host or any(c in MAGIC or ord(c) < 32 for c in rest):
        raise InputError(
            name, expected=f"a URL such as {protocol}://bucket/run.zarr, without empty parts or any of {' '.join(MAGIC)}",
            got=ascii(text),
        )  # fmt: skip
    if protocol != "memory" and not parts:
        raise InputError(
            name, expected="a name within the bucket", got=text, hint=f"Write {protocol}://{host}/run.zarr."
        )
    _check_protocol(name, protocol, text)
    return f"{protocol}://{rest}"


def _is_text(value: Any) -> bool:
    return isinstance(os.fspath(value), str)


def _check_protocol(name: str, protocol: str, text: str) -> None:
    try:
        from fsspec import available_protocols
    except ImportError:
        raise InputError(
            f"{name} {text}", expected="a path, unless fsspec is installed",
            got="a URL", hint='Install it, with the package for the protocol: pip install "semidirect[cloud]" s3fs.',
        ) from None  # fmt: skip
    if protocol not in (protocols := available_protocols()):
        from semidirect.core.messages import near_names

        nearest = near_names.nearest_name(protocol, protocols)
        raise InputError(
            name, expected="a protocol of fsspec, such as s3, gs, abfs or memory", got=text,
            hint=f"Did you mean {nearest}://?" if nearest else "",
        )  # fmt: skip
