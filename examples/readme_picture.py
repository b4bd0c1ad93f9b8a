"""
The picture of the README
=========================

A Routh sphere, a ball with its mass off centre, rolls on a plane while its angular velocity is known up to noise along the
body's axis χ. Without noise its energy, Jellett and Routh integrals are constant; with it they wander, and so does the ball.
"""

import io
import sys
from pathlib import Path

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.patches import Circle, FancyArrowPatch
from PIL import Image

import semidirect as sd
from semidirect.analysis import pictures, style

output = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs" / "_static" / "routh_sphere.png"

# %%
# Run 200 paths, and one without noise.

ball = sd.load("routh-sphere", inertia=(0.5, 0.5, 0.3), offset=0.3, noise=[[0, 0, 0.1]])
start = {"Omega": (0.5, 0.0, 1.0), "Gamma": (0.28, 0.0, -0.96)}
settings = {"t_end": 32, "dt": 0.02, "state": start, "save": "every:4"}
noisy = ball.simulate(paths=200, seed=4, method="lie-midpoint", **settings)
exact = ball.simulate(method="dop853", driver=0, **settings)


SHOWN = 40

# %%
# The path of the geometric centre.


def draw_paths(ax):
    centres = noisy["geometric-centre"][..., :2]
    for path in centres[:SHOWN]:
        pieces = np.stack([path[:-1], path[1:]], axis=1)
        lines = LineCollection(pieces, cmap="viridis_r", array=noisy.times[:-1], linewidths=0.55, alpha=0.55)
        ax.add_collection(lines)
    ax.scatter(*centres[:SHOWN, -1].T, s=5, color="#440154", linewidths=0, zorder=4)
    ax.plot(*pictures.mean(noisy, "geometric-centre")[:, :2].T, color=style.BLUE, linewidth=2.2, zorder=5)
    ax.plot(*exact["geometric-centre"][0, :, :2].T, color=style.RED, linewidth=2.2, zorder=6)
    ax.plot(0, 0, "o", color=style.BLACK, markersize=5, zorder=7)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xlabel="$x$ [m]", ylabel="$y$ [m]", title="path of the geometric centre")
    bar = ax.figure.colorbar(lines, ax=ax, location="bottom", fraction=0.035, pad=0.02, aspect=40)
    bar.set_label("$t$ [s]", fontsize=9, labelpad=1)
    bar.ax.tick_params(labelfontfamily=style.FONT, labelsize=8.5, length=2)
    bar.outline.set_visible(False)
    bar.solids.set_alpha(1)


# %%
# The integrals of the motion without noise.


def draw_quantity(ax, name, label):
    ax.plot(exact.times, exact[name][0], **style.DETERMINISTIC, label="no noise")
    ax.plot(noisy.times, pictures.mean(noisy, name), **style.MEAN, label=f"mean of {noisy.paths} paths")
    for share, alpha in ((50, 0.20), (90, 0.10)):
        edges = np.percentile(noisy[name], [50 - share / 2, 50 + share / 2], axis=0)
        ax.fill_between(noisy.times, *edges, color=style.BLUE, alpha=alpha, linewidth=0, label=f"{share} % of them")
    ax.plot(noisy.times, noisy[name][:6].T, **{**style.REALISATION, "linewidth": 0.5})
    ax.set_ylabel(label)
    ax.margins(x=0)
    ax.locator_params(axis="y", nbins=4)


# %%
# The Routh sphere.


def draw_ball(ax):
    n = 240
    v, u = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j]
    light = np.clip(1.12 - 0.55 * np.hypot(u + 0.35, v - 0.45), 0.35, 1)
    image = ax.imshow(light, cmap="Blues_r", vmin=-0.6, vmax=1.05, extent=(-1, 1, -1, 1), origin="lower", zorder=1)
    edge = Circle((0, 0), 1, facecolor="none", edgecolor="#33506b", linewidth=0.9, zorder=2)
    ax.add_patch(edge)
    image.set_clip_path(edge)
    chi = np.array([np.sin(0.5), -np.cos(0.5)])
    across = np.array([-chi[1], chi[0]])
    ax.plot([-1.45, 1.45], [-1, -1], color=style.GREY, linewidth=1.2, zorder=0)
    ax.plot(*np.outer(chi, [0.95, -1.42]), color=style.RED, linewidth=0.9, linestyle=(0, (4, 2)), zorder=3)
    arrow = {"color": style.RED, "zorder": 5}
    ax.add_patch(FancyArrowPatch((0, 0), tuple(0.52 * chi), arrowstyle="-|>", mutation_scale=10, **arrow))
    ends = (tuple(-1.2 * chi + 0.24 * across), tuple(-1.2 * chi - 0.24 * across))
    bow = {"connectionstyle": "arc3,rad=0.8", "arrowstyle": "<|-|>", "mutation_scale": 8, "linewidth": 1.1}
    ax.add_patch(FancyArrowPatch(*ends, **bow, **arrow))
    ax.plot(0, 0, "o", color=style.BLACK, markersize=2.5, zorder=6)
    ax.plot(*(0.52 * chi), "o", color=style.BLACK, markersize=6, zorder=4)
    ax.text(*(0.22 * chi + 0.2 * across), r"$\chi$", color=style.RED, fontsize=10, ha="center", va="center", zorder=6)
    ax.text(
        *(-1.3 * chi + 0.36 * across), r"$\xi\parallel\chi$", color=style.RED, fontsize=10.5, ha="left", va="center"
    )
    ax.set(xlim=(-1.5, 1.5), ylim=(-1.1, 1.75), aspect="equal")
    ax.axis("off")


with style.styled():
    figure = style.new_figure(10.4, 5.6)
    left, right = figure.subfigures(1, 2, width_ratios=(1.18, 1))
    plane = left.subplots()
    draw_paths(plane)
    style.dress(plane)
    draw_ball(plane.inset_axes((0.0, 0.01, 0.27, 0.3)))
    panels = right.subplots(3, 1, sharex=True)
    names = {"energy": "$E$ [J]", "jellett": "$J$ [kg m$^3$/s]", "routh": "$R$ [kg m$^2$/s]"}
    for ax, (name, label) in zip(panels, names.items(), strict=True):
        draw_quantity(ax, name, label)
        style.dress(ax)
    panels[0].set_title("energy, Jellett and Routh integral")
    handles, labels = panels[0].get_legend_handles_labels()
    panels[0].legend(handles, labels, loc="upper left", ncols=2, frameon=False, fontsize=9, borderaxespad=0)
    panels[-1].set_xlabel("$t$ [s]")
    right.align_ylabels()
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=160)

# %%
# A palette of 256 colours makes the file small.

picture = Image.open(pixels).convert("RGB")
palette = picture.quantize(256, method=Image.Quantize.FASTOCTREE)
picture.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(output, optimize=True)
