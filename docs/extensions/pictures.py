"""Make the pictures of the gallery and of the systems: ``python docs/extensions/pictures.py [NAME …]``.

Without names, the scripts of the gallery that changed are run. A picture is a WebP file of less than 60 kB. ``made.json`` holds
the SHA-256 of the script that made it; a test compares them. A script that makes a ``FuncAnimation`` has a picture that moves, of
less than 300 kB. ``--systems NAME …`` draws the bodies of systems, ``--motion`` the
moving picture of the first page.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import runpy
import sys
import tempfile
import time
from typing import Any

from gallery import EXAMPLES, NAMES, PICTURES, source

MADE = PICTURES / "made.json"
LARGEST, LARGEST_THAT_MOVES = 60_000, 300_000
MOTION = PICTURES.parent / "ball.gif"
BODIES = PICTURES.parent / "systems"
SECONDS = {"euler-disc": 0.35, "falling-disc": 2.0, "rattleback": 2.0, "tippe-top": 5.3, "turntable-ball": 9.0}
"""How long a body moves before it is drawn, where that is not 6 s."""


def digest(name: str) -> str:
    """Of the text of a script."""
    return hashlib.sha256(source(name).encode()).hexdigest()


def largest(name: str) -> int:
    """The largest size of the picture of a script, in bytes."""
    return LARGEST_THAT_MOVES if "FuncAnimation(" in source(name) else LARGEST


def moving_picture(name: str, animation: Any) -> None:
    """All frames of an animation, in 48 colours."""
    import matplotlib.pyplot as plt
    from PIL import Image, ImageSequence

    with tempfile.TemporaryDirectory() as folder:
        animation.save(f"{folder}/frames.gif", writer="pillow", dpi=72)
        frames = [f.convert("RGB") for f in ImageSequence.Iterator(Image.open(f"{folder}/frames.gif"))]
    plt.close("all")
    palette = frames[-1].quantize(48, dither=Image.Dither.NONE)
    first, *rest = (f.quantize(palette=palette, dither=Image.Dither.NONE).convert("RGB") for f in frames)
    how = {"save_all": True, "append_images": rest, "duration": int(animation._interval), "loop": 0, "method": 4}
    place = PICTURES / f"{name}.webp"
    first.save(place, lossless=True, **how)
    if place.stat().st_size >= LARGEST_THAT_MOVES:
        first.save(place, quality=40, **how)


def drawn(name: str) -> str:
    """Run a script, keep its picture, and return what it prints."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from PIL import Image

    def show() -> None:
        if largest(name) == LARGEST_THAT_MOVES:
            return
        pixels = io.BytesIO()
        plt.gcf().savefig(pixels, dpi=130)
        picture = Image.open(pixels).convert("RGB").quantize(128, dither=Image.Dither.NONE).convert("RGB")
        picture.save(PICTURES / f"{name}.webp", lossless=True, method=6)
        if (PICTURES / f"{name}.webp").stat().st_size >= LARGEST:
            picture.save(PICTURES / f"{name}.webp", quality=60, method=6)
        plt.close("all")

    plt.show = show
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        values = runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    if largest(name) == LARGEST_THAT_MOVES:
        moving_picture(name, values["moving"])
    return printed.getvalue()


def body(name: str) -> None:
    """Draw the body of a system at the end of a run, with its trail."""
    from PIL import Image, ImageChops, ImageSequence

    import semidirect as sd

    t_end = SECONDS.get(name, 6.0)
    run = sd.load(name).simulate(t_end=t_end, dt=t_end / 600, seed=1, execution=sd.Execution(engine="numpy"))
    with tempfile.TemporaryDirectory() as folder:
        moving = run.view(frames=300).animate(f"{folder}/body.gif", fps=2)
        *_, last = (frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(moving)))
    last = last.crop((0, 0, last.width, last.height - 40))  # without the clock
    left, top, right, bottom = ImageChops.difference(last, Image.new("RGB", last.size, "white")).getbbox()
    side = max(right - left, (bottom - top) * 4 // 3) + 16
    picture = Image.new("RGB", (side, side * 3 // 4), "white")
    picture.paste(
        last.crop((left, top, right, bottom)), ((side - right + left) // 2, (side * 3 // 4 - bottom + top) // 2)
    )
    picture.resize((360, 270), Image.Resampling.LANCZOS).save(BODIES / f"{name}.webp", quality=80, method=6)


def motion() -> None:
    """The ball of the first page as a small GIF, under 700 kB: what ``semidirect animate`` writes, in 48 colours."""
    from PIL import Image, ImageSequence

    import semidirect as sd

    ball = sd.load("routh-sphere", inertia=(0.5, 0.5, 0.3), offset=0.3, noise=[[0, 0, 0.3]])
    start = {"Omega": (0.5, 0.0, 1.6), "Gamma": (0.6, 0.0, -0.8)}
    run = ball.simulate(t_end=9, dt=0.01, seed=4, state=start)
    with tempfile.TemporaryDirectory() as folder:
        moving = Image.open(run.view().animate(f"{folder}/ball.gif", fps=12))
        frames = [f.convert("RGB").crop((20, 60, 460, 384)) for f in ImageSequence.Iterator(moving)]
    palette = frames[-1].quantize(48, dither=Image.Dither.NONE)
    first, *rest = (f.quantize(palette=palette, dither=Image.Dither.NONE) for f in frames)
    first.save(MOTION, save_all=True, append_images=rest, duration=83, loop=0, optimize=True)


def main(names: list[str]) -> None:
    """Make the pictures of the scripts that are named, or of those that changed; after ``--systems``, those of systems."""
    if names == ["--motion"]:
        motion()
        return
    if names[:1] == ["--systems"]:
        for name in names[1:]:
            body(name)
        return
    digests = json.loads(MADE.read_text()) if MADE.exists() else {}
    for name in names or [n for n in NAMES if digests.get(n) != digest(n)]:
        start = time.perf_counter()
        printed, place = drawn(name), PICTURES / f"{name}.txt"
        place.unlink(missing_ok=True)
        if printed:
            place.write_text(printed, encoding="utf-8")
        digests[name] = digest(name)
        MADE.write_text(json.dumps({n: digests[n] for n in NAMES if n in digests}, indent=1) + "\n")
        size = (PICTURES / f"{name}.webp").stat().st_size
        print(f"{name}: {time.perf_counter() - start:.1f} s, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
