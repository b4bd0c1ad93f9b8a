"""Names of axes and of variables of a data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    pass

TIME, PATH, COMPONENT = "time", "path", "component"
"""Names of the axes of times, of paths, and of the components of a vector whatever its length."""

AXES = ("x", "y", "z")
"""Labels of the components of vectors of the plane and of space, and of rows and columns of their matrices."""


def dims(shape: tuple[int, ...]) -> tuple[str, ...]:
    """The dims of a vector, of a matrix, or of any other array: their plain names are those of length 3."""
    names = {0: (), 1: ("component",), 2: ("row", "column")}.get(len(shape)) or tuple(
        f"axis_{i}" for i in range(len(shape))
    )
    return tuple(name if n == 3 else f"{name}_{n}" for name, n in zip(names, shape, strict=True))


def axis(length: int) -> np.ndarray:
    """Labels of so many components: x, y, z of two and three, as objects, which Zarr and netCDF store alike; else 1, 2, …"""
    return np.array(AXES[:length], dtype=object) if length in (2, 3) else np.arange(1, length + 1)


def writable_name(name: str) -> str:
    """The name of an expression as netCDF and Zarr allow it."""
    name = name.replace("/", " over ")
    return name if name[0].isalnum() or name[0] == "_" else f"_{name}"
