"""A digest of the packages that equations depend on."""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path

EQUATIONS = (
    "core",
    "machine",
    "expressions",
    "instructions",
    "shapes",
    "groups",
    "definition",
    "equations",
    "model",
    "random",
    "integrators",
    "compile",
)
"""The packages that derived equations and kernels depend on: those that write them, and all that these import."""


@cache
def package_digest() -> str:
    """A digest of the files that equations depend on."""
    place, digest = Path(__file__).parents[2], hashlib.sha256()
    walks = (visit for name in EQUATIONS for visit in os.walk(place / name))
    files = [os.path.join(folder, name) for folder, _, names in walks for name in names if name.endswith(".py")]
    files += [str(place / f"{name}.py") for name in EQUATIONS if not (place / name).is_dir()]
    for file in sorted(files):
        with open(file, "rb") as opened:
            digest.update(os.path.relpath(file, place).replace(os.sep, "/").encode() + b"\0" + opened.read() + b"\0")
    return digest.hexdigest()
