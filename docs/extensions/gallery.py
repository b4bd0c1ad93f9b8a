"""The gallery: a page for each script in ``examples`` that draws a picture, written before Sphinx reads the pages.

Pictures and what scripts print are in ``_static/gallery``; ``python docs/extensions/pictures.py`` makes them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "_static" / "gallery"

SECTIONS = {
    "First steps": ("top_from_scratch", "rolling_ensemble", "paper_figure", "spin_sweep"),
    "Rolling and sliding": (
        "rattleback", "tippe_top", "euler_disc", "chaplygin_sleigh", "turntable_ball", "dropped_ball", "hopping_hoop",
        "snakeboard", "roller_racer", "wheel_forces", "whipple_bicycle", "line_follower",
    ),
    "Statistics of many paths": (
        "disk_position", "first_passage", "rare_event", "multilevel", "sensitivities", "many_processes",
        "mean_configuration",
    ),
    "Observation": ("robot_from_csv", "camera_sees_ball", "fit_ball"),
    "What is conserved": ("invariants_found", "hess_top", "momentum_sphere", "poincare_section"),
    "Noise, dissipation and memory": (
        "double_bracket", "random_attractor", "energy_preserving_noise", "brownian_rotations", "stick_slip",
        "measured_landscape", "zeitlin_sphere",
    ),
    "Systems stated by a Hamiltonian": ("spin_wave", "vortices_on_a_sphere"),
    "Many bodies": ("spin_dispersion", "thousand_tops", "cosserat_rod", "hundred_vortices"),
    "Methods and noise": ("convergence_orders", "long_run", "driven_by_a_path"),
    "In other programs": ("sleigh_in_c", "ball_in_diffrax", "plan_by_optax", "sleigh_plan"),
}  # fmt: skip
ELSEWHERE = SECTIONS["In other programs"]
"""These need a compiler or packages that others do without; tests/export/test_in_use.py runs them."""
NAMES = tuple(name for section in SECTIONS.values() for name in section)


def source(name: str) -> str:
    """The text of a script."""
    return (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")


def heading(name: str) -> tuple[str, str]:
    """Title of a script, and what it says about itself, in MyST."""
    title, _, text = ast.get_docstring(ast.parse(source(name))).partition("\n")
    return title, text.split("\n", 1)[1].strip()


def sections(name: str) -> list[tuple[str, str]]:
    """The parts of a script that ``# %%`` divides: words in MyST, and code."""
    code = source(name).split('"""', 2)[2].strip()
    parts = []
    for part in re.split(r"^# %%\n", code, flags=re.MULTILINE):
        words = re.match(r"(?:# .*\n)*", part)[0]
        parts.append((re.sub(r"^# ", "", words, flags=re.MULTILINE), part[len(words) :].strip()))
    return parts


def page(name: str) -> str:
    """The page of a script, in MyST."""
    title, text = heading(name)
    lines = [f"# {title}", text, f"```{{image}} /_static/gallery/{name}.webp\n:alt: {title}\n```"]
    for words, code in sections(name):
        lines += [words, f"```python\n{code}\n```"]
    printed = PICTURES / f"{name}.txt"
    if printed.exists():
        lines += ["It prints", f"```text\n{printed.read_text(encoding='utf-8').rstrip()}\n```"]
    lines.append(f"{{download}}`examples/{name}.py <../../examples/{name}.py>`")
    return "\n\n".join(line for line in lines if line) + "\n"


def index() -> str:
    """The page with all pictures."""
    words = (
        "Each picture is drawn by a script of some tens of lines, in less than a minute if nothing is compiled yet. "
        "`python examples/rattleback.py` opens a window with the picture."
    )
    return overview("Gallery", words, SECTIONS, "gallery", "1 2 3 3", lambda name: (heading(name)[0], ""))


def overview(
    title: str, words: str, sections: Mapping[str, Sequence[str]], folder: str, columns: str,
    card: Callable[[str], tuple[str, str]],
) -> str:  # fmt: skip
    """A page with a picture for each name, which leads to its page; ``card`` gives the title of one, and a line below it."""
    parts = [f"# {title}", words]
    for section, names in sections.items():
        cards = ""
        for name in names:
            head, line = card(name)
            cards += f"\n:::{{grid-item-card}} {head}\n:link: {name}\n:link-type: doc\n"
            cards += f":img-top: /_static/{folder}/{name}.webp\n:img-alt: {head}\n{line and line + chr(10)}:::\n"
        parts += [f"## {section}", f"::::{{grid}} {columns}\n:gutter: 3\n{cards}\n::::"]
    contents = "\n".join(name for names in sections.values() for name in names)
    parts.append(f"```{{toctree}}\n:hidden:\n\n{contents}\n```")
    return "\n\n".join(parts) + "\n"


def write(folder: Path, pages: dict[str, str]) -> None:
    """Write pages that changed, and remove those that are no more."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        place = folder / f"{name}.md"
        if not place.exists() or place.read_text(encoding="utf-8") != text:
            place.write_text(text, encoding="utf-8")


def setup(app):
    """Let Sphinx write the pages before it reads any."""
    app.connect(
        "builder-inited", lambda app: write(DOCS / "gallery", {"index": index(), **{n: page(n) for n in NAMES}})
    )
    return {"parallel_read_safe": True}
