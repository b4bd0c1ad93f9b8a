"""Run scripts of the gallery and keep their pictures: ``python docs/extensions/pictures.py [NAME …]``.

Without names, those that changed are run. A picture is a WebP file of less than 60 kB. ``made.json`` holds the SHA-256 of the
script that made it; a test compares them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import runpy
import sys
import time

from gallery import EXAMPLES, NAMES, PICTURES, source

MADE = PICTURES / "made.json"
LARGEST = 60_000


def digest(name: str) -> str:
    """Of the text of a script."""
    return hashlib.sha256(source(name).encode()).hexdigest()


def drawn(name: str) -> str:
    """Run a script, keep its picture, and return what it prints."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from PIL import Image

    def show() -> None:
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
        runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return printed.getvalue()


def main(names: list[str]) -> None:
    """Make the pictures of the scripts that are named, or of those that changed."""
    made = json.loads(MADE.read_text()) if MADE.exists() else {}
    for name in names or [n for n in NAMES if made.get(n) != digest(n)]:
        start = time.perf_counter()
        printed, place = drawn(name), PICTURES / f"{name}.txt"
        place.unlink(missing_ok=True)
        if printed:
            place.write_text(printed, encoding="utf-8")
        made[name] = digest(name)
        MADE.write_text(json.dumps({n: made[n] for n in NAMES if n in made}, indent=1) + "\n")
        size = (PICTURES / f"{name}.webp").stat().st_size
        print(f"{name}: {time.perf_counter() - start:.1f} s, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main(sys.argv[1:])
