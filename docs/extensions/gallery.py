"""The gallery: a page for each script in ``examples`` that draws a picture, written before Sphinx reads the pages.

Pictures and what scripts print are in ``_static/gallery``; ``python docs/extensions/pictures.py`` makes them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

DOCS = Path(__file__).parents[1]
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "_static" / "gallery"

SECTIONS: dict[str, dict[str, str]] = {
    "First steps": {
        "top_from_scratch": "A class states a group, an advected vector and a Lagrangian, and the equations follow.",
        "rolling_ensemble": "Two hundred balls roll from one start, turned by noise about their own axes.",
        "paper_figure": "A Routh sphere with noise along its axis of symmetry, as in the paper.",
        "spin_sweep": "An initial value differs from path to path, to see from which spin on a top sleeps.",
    },
    "Rolling and sliding": {
        "rattleback": "Spun one way, a rattleback rattles and turns back; spun the other way, it does so much later.",
        "tippe_top": "A ball with its mass off centre slides until it stands on its head.",
        "euler_disc": "A coin that whirls precesses faster the flatter it lies, by a known formula.",
        "chaplygin_sleigh": "A sleigh turns its energy of rotation into motion ahead.",
        "turntable_ball": "A ball on a turning table runs on a circle at 2/7 of the rate of the table.",
        "dropped_ball": "A bouncing ball takes up the motion of a table, up to the bound of friction.",
        "hopping_hoop": "A hoop with a mass on its rim leaves the ground.",
        "snakeboard": "A board moves though nothing pushes it: its rider turns a rotor and steers.",
        "roller_racer": "A toy without pedals rolls off when its handlebar swings.",
        "wheel_forces": "A robot on wheels is under three constraints at once, whose forces follow.",
        "whipple_bicycle": "Gusts push a bicycle that nobody steers.",
        "line_follower": "Three rotors inside a ball drive it along a line.",
    },
    "Statistics of many paths": {
        "disk_position": "The density of the place of a rolling disk, beside its exact moments.",
        "first_passage": "How long a spinning top stands when it is shaken.",
        "rare_event": "A probability that plain sampling does not see, by selection of paths.",
        "multilevel": "The cost of a mean against its error, by multilevel Monte Carlo and by plain sampling.",
        "sensitivities": "Derivatives of a mean by a parameter, and of each path by its start.",
        "many_processes": "The chunks of one run are computed by several processes.",
        "mean_configuration": "The mean of an ensemble of rotations, and how it spreads.",
    },
    "Observation": {
        "robot_from_csv": "A wheel's radius and the noise of a robot are fitted to a file of positions.",
        "camera_sees_ball": "A filter follows a ball of which a camera sees six dots.",
        "fit_ball": "The offset and the noise of a ball are fitted to a film of its dots.",
    },
    "What is conserved": {
        "invariants_found": "A search finds the integral that Clebsch found in 1871.",
        "hess_top": "A relation that stays true if it is true at the start.",
        "momentum_sphere": "The angular momentum of a free body stays on a sphere, whatever the noise.",
        "poincare_section": "Points in which orbits of a top without noise cross a surface.",
    },
    "Noise, dissipation and memory": {
        "double_bracket": "Dissipation that takes energy and leaves the momentum on its sphere.",
        "random_attractor": "Many starts under one noise, and the law that stays the same.",
        "energy_preserving_noise": "Transport noise keeps the Casimir, another noise keeps the energy.",
        "brownian_rotations": "Brownian motion on the rotation group needs no Lagrangian.",
        "stick_slip": "A spring drags a rotor whose friction has a memory.",
        "measured_landscape": "A particle in a potential that is known at eleven places.",
        "zeitlin_sphere": "Vorticity on the sphere as a matrix, whose spectrum noise does not change.",
    },
    "Systems stated by a Hamiltonian": {
        "spin_wave": "A ring of classical spins carries a wave.",
        "vortices_on_a_sphere": "Point vortices carry each other along.",
    },
    "Many bodies": {
        "spin_dispersion": "Frequencies of waves in a chain of 128 spins, beside the formula.",
        "thousand_tops": "A thousand coupled tops in a line, under a noise that is common to all.",
        "cosserat_rod": "A rod of sixteen rigid cross-sections, free in space.",
        "hundred_vortices": "A hundred point vortices, each acting on all others.",
    },
    "Methods and noise": {
        "convergence_orders": "Errors of methods against the step, with their orders.",
        "long_run": "What methods keep of the energy of a top over a thousand seconds.",
        "driven_by_a_path": "The same equations, driven by a polygon instead of noise.",
    },
    "In other programs": {
        "sleigh_in_c": "A program in C runs a thousand paths of an exported sleigh.",
        "ball_in_diffrax": "The drift and the diffusion of an exported ball, for the solvers of diffrax.",
        "plan_by_optax": "Gradients of an ensemble mean drive optax.",
        "sleigh_plan": "A plan that parks a sleigh, found by optimal control.",
    },
}
"""Scripts of each section, with a sentence for the card of each."""
ELSEWHERE = tuple(SECTIONS["In other programs"])
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
    script = f"Download: {{download}}`{name}.py <../../examples/{name}.py>`"
    lines = [f"# {title}", script, text, f"```{{image}} /_static/gallery/{name}.webp\n:alt: {title}\n```"]
    for words, code in sections(name):
        lines += [words, f"```python\n{code}\n```"]
    printed = PICTURES / f"{name}.txt"
    if printed.exists():
        lines += ["It prints", f"```text\n{printed.read_text(encoding='utf-8').rstrip()}\n```"]
    return "\n\n".join(line for line in lines if line) + "\n"


def index() -> str:
    """The page with all pictures."""
    words = (
        "Each picture is drawn by a script of some tens of lines, in less than a minute if nothing is compiled yet. "
        "`python examples/rattleback.py` opens a window with the picture; each page begins with its script as a download."
    )
    sentences = {name: sentence for section in SECTIONS.values() for name, sentence in section.items()}
    return overview("Gallery", words, SECTIONS, "gallery", "1 2 3 3", lambda name: (heading(name)[0], sentences[name]))


def overview(
    title: str, words: str, sections: Mapping[str, Collection[str]], folder: str, columns: str,
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
