"""A run as a GIF or an MP4: the chosen path of a scene, drawn by Matplotlib."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from semidirect.core import arguments, errors

TONES = {"body": ("#2a78bd", "#f0f2f4"), "mark": ("#d9541e", "#f3a24a"), "dark": ("#39424c", "#59636e")}
LIGHT = np.array([-0.35, -0.6, 0.72])
SIZE, DPI = (4.8, 4.2), 100
MOST = 400
"""Frames of a picture; a longer run is played in more than real time."""


def animate(scene: Mapping[str, Any], path: str | Path, *, number: int = 0, fps: int = 20, force: bool = False) -> Path:
    """Write a GIF, or an MP4 if ffmpeg is installed.

    Parameters
    ----------
    scene : mapping
        That of a :class:`~semidirect.view.page.View`.
    path : path
        A name that ends in ``.gif`` or ``.mp4``.
    number : int
        Which of the paths that the view shows, counted from 0.
    fps : int
        Frames per second.
    force : bool
        Whether a file of this name is replaced.

    Raises
    ------
    InputError
        For another kind of file, or an MP4 without ffmpeg.
    StoreError
        If there is something already, unless ``force`` is set, or it cannot be written.
    """
    from matplotlib.animation import FFMpegWriter, PillowWriter

    place = arguments.validated_place("an animation", path)
    arguments.validated_whole("number", number, least=0, most=len(scene["labels"]) - 1)
    kinds: dict[str, Any] = {".gif": PillowWriter, ".mp4": FFMpegWriter}
    kind = kinds.get(place.suffix.lower())
    if kind is None:
        raise errors.InputError(f"cannot animate {place}", expected="a name that ends in .gif or .mp4")
    if not kind.isAvailable():
        raise errors.InputError(f"cannot write {place}", expected="ffmpeg to be installed", got="no such program",
                                hint="Install it, or write a .gif.")  # fmt: skip
    # errors come before frames are drawn, which takes long
    if not force and (place.exists() or place.is_symlink()):
        raise errors.StoreError(f"{place} exists already", hint="Choose another name, or replace it with force=True.")
    # written beside it and moved, so that no half-written film has its name
    partial = place.with_name(f".{os.getpid()}-{place.name}")
    try:
        drawing = _Drawing(scene, number)
        writer = kind(fps=arguments.validated_whole("fps", fps, least=1, most=50))
        with writer.saving(drawing.figure, str(partial), DPI):
            for frame in drawing.frames(fps):
                drawing.draw(int(frame))
                writer.grab_frame()
        partial.replace(place)
    except OSError as error:
        raise errors.cannot_write(place, error) from error
    finally:
        partial.unlink(missing_ok=True)
    return place


def _unpacked(text: str, kind: str = "<f4") -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), kind).astype(float)


def _faces(part: Mapping[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Quadrilaterals ``(n, 4, 3)`` of a part about its centre, and which of two tones each has."""
    columns, rows = 24, 12
    u, v = np.linspace(0, 2 * np.pi, columns + 1), np.linspace(0, 1, rows + 1)
    kind = part["kind"]
    if kind in ("sphere", "dot"):
        u, v = np.meshgrid(u, np.pi * v)
        grid = np.stack([np.sin(v) * np.cos(u), np.sin(v) * np.sin(u), -np.cos(v)], axis=-1)
    elif kind == "box":
        return _box()
    else:
        profile = {"cylinder": [(0, -0.5), (1, -0.5), (1, 0.5), (0, 0.5)], "cone": [(1, 0), (0, 1)]}[kind]
        radius, height = np.array(profile, dtype=float).T
        grid = np.stack(
            [np.outer(radius, np.cos(u)), np.outer(radius, np.sin(u)), np.outer(height, np.ones_like(u))], -1
        )
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2).reshape(-1, 4, 3)
    x, y, z = quads.mean(axis=1).T
    if kind == "sphere":
        return quads, (x > 0) ^ (y > 0) ^ (z > 0)
    return quads, np.floor((np.arctan2(y, x) + np.pi) / (np.pi / 4)) % 2 == 0


def _box() -> tuple[np.ndarray, np.ndarray]:
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    quads, tones = [], []
    for axis in range(3):
        for side in (-0.5, 0.5):
            quads.append(np.insert(square, axis, side, axis=1))
            tones.append((axis + (side > 0)) % 2 == 0)
    return np.array(quads), np.array(tones)


class _Drawing:
    """A figure with the body of one path; :meth:`draw` moves it."""

    def __init__(self, scene: Mapping[str, Any], number: int):
        from matplotlib.colors import to_rgb
        from matplotlib.figure import Figure
        from mpl_toolkits.mplot3d.art3d import Poly3DCollection

        self.times = _unpacked(scene["times"], "<f8")
        shape = (len(scene["labels"]), len(self.times), -1)
        quaternion = _unpacked(scene["quaternion"]).reshape(shape)[number]
        self.position = _unpacked(scene["position"]).reshape(shape)[number]
        self.trail = _unpacked(scene["trail"]).reshape(shape)[number]
        self.joints = {k: _unpacked(v).reshape(shape[:2])[number] for k, v in scene["joints"].items()}
        good = np.all(np.isfinite(quaternion), axis=1)
        self.count = len(good) if good.all() else int(np.argmin(good))
        if not self.count:
            raise errors.InputError("an animation", expected="a path with values", got="one that fails at the start")
        self.rotation = Rotation.from_quat(quaternion[: self.count]).as_matrix()
        self.speed, parts = scene["speed"], scene["bodies"][scene["body"][number]]
        self.parts, colours = [], []
        for part in parts:
            quads, tone = _faces(part)
            dot = part["kind"] == "dot"
            linear = 0.04 * scene["radius"] * np.eye(3) if dot else np.array(part["linear"])
            one, two = (to_rgb(c) for c in (TONES["mark"] if dot else TONES[part["colour"]]))
            colours.append(np.where(np.asarray(tone)[:, None], one, one if dot else two))
            self.parts.append((quads @ linear.T, np.array(part["centre"]), part.get("joint", ""), part.get("hinge")))
        self.colours = np.concatenate(colours)
        self.figure = Figure(SIZE, dpi=DPI)
        axes: Any = self.figure.add_axes((0, 0, 1, 1), projection="3d", computed_zorder=False)
        self.axes = axes
        self._room(scene)
        self.body = Poly3DCollection(self.faces(0), zorder=3)
        self.axes.add_collection3d(self.body)
        line: Any
        (line,) = self.axes.plot([], [], [], color="#c2410c", linewidth=1.6, zorder=2)
        self.line = line
        self.clock = self.axes.text2D(0.03, 0.03, "", transform=self.axes.transAxes, color="#5c6670")

    def _room(self, scene: Mapping[str, Any]) -> None:
        """The ground, and a cube that holds the motion."""
        radius = scene["radius"]
        at = self.position[: self.count]
        low, high = at.min(axis=0) - radius, at.max(axis=0) + radius
        half, middle = (high - low).max() / 2, (high + low) / 2
        floor = 0.0 if scene["onGround"] else low[2]
        middle[2] = floor + 0.45 * half if scene["onGround"] else middle[2]
        for x in np.linspace(-half, half, 9):
            self.axes.plot(
                middle[0] + [x, x], middle[1] + [-half, half], [floor, floor], color="#d5d9dd", lw=0.7, zorder=1
            )
            self.axes.plot(
                middle[0] + [-half, half], middle[1] + [x, x], [floor, floor], color="#d5d9dd", lw=0.7, zorder=1
            )
        self.axes.set(**{f"{c}lim": (m - half, m + half) for c, m in zip("xyz", middle, strict=True)})
        self.axes.set_box_aspect((1, 1, 1), zoom=1.25)
        self.axes.view_init(elev=22, azim=-52)
        self.axes.set_axis_off()

    def faces(self, frame: int) -> np.ndarray:
        """The quadrilaterals ``(n, 4, 3)`` in space."""
        placed = []
        for quads, centre, joint, hinge in self.parts:
            if joint:
                axis = np.array(hinge) / np.linalg.norm(hinge)
                quads = quads @ Rotation.from_rotvec(self.joints[joint][frame] * axis).as_matrix().T
            placed.append((quads + centre) @ self.rotation[frame].T + self.position[frame])
        faces: np.ndarray = np.concatenate(placed)
        return faces

    def frames(self, fps: int) -> np.ndarray:
        """The frames that are drawn, in equal steps of time."""
        span = self.times[self.count - 1] - self.times[0]
        number = int(np.clip(span / self.speed * fps, 2, MOST))
        times = np.linspace(self.times[0], self.times[self.count - 1], number)
        return np.minimum(np.searchsorted(self.times, times - 1e-12), self.count - 1)

    def draw(self, frame: int) -> None:
        """Move the body to a frame."""
        quads = self.faces(frame)
        normals = np.cross(quads[:, 2] - quads[:, 0], quads[:, 3] - quads[:, 1])
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        normals = np.divide(normals, length, out=np.zeros_like(normals), where=length > 0)
        self.body.set_verts(quads)
        self.body.set_facecolor(np.clip(self.colours * (0.72 + 0.28 * (normals @ LIGHT))[:, None], 0, 1))
        self.line.set_data_3d(*self.trail[: frame + 1].T)
        self.clock.set_text(f"{self.times[frame]:.2f} s")
