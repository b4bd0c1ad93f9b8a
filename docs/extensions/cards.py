"""A card for each system of the package, written before Sphinx reads the pages.

Everything on a card comes from the system itself: its words, formulas, parameters, proofs, and the docstrings of its tests.
"""

from __future__ import annotations

import ast
import re
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import gallery

import semidirect as sd
from semidirect.cli import choices, description
from semidirect.text import printing

ROOT = Path(__file__).parents[2]
PLUGINS = ROOT / "plugins"
PICTURES = gallery.DOCS / "_static" / "systems"

FAMILIES = {
    "Tops and rigid bodies": (
        "rigid-body", "heavy-top", "lagrange-top", "kovalevskaya-top", "suslov", "kirchhoff-body", "clebsch-body",
    ),
    "Balls": (
        "rolling-ball", "routh-sphere", "chaplygin-ball", "slipping-ball", "tippe-top", "turntable-ball",
        "spherical-robot", "line-follower",
    ),
    "Discs, stones, sleighs": (
        "rolling-disk", "falling-disc", "euler-disc", "rattleback", "chaplygin-sleigh", "nonholonomic-particle",
    ),
    "Robots on wheels": ("differential-drive", "roller-racer"),
    "Spins and vortices": ("spin-chain", "point-vortices"),
}  # fmt: skip
NAMES = tuple(name for family in FAMILIES.values() for name in family)
GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega ell "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega".split()
)
TITLES = {"euler-disc": "Euler's disc", "suslov": "Suslov problem"}


def title(name: str) -> str:
    """``Routh sphere`` for ``routh-sphere``."""
    return TITLES.get(name, name.replace("-", " ").capitalize())


def escaped(text: str) -> str:
    """Text of a docstring as MyST, in which asterisks and bars mean nothing; code stays as it is."""
    parts = re.split(r"(``.*?``)", text, flags=re.DOTALL)
    return "".join(p.replace("``", "`") if p.startswith("``") else _indexed(p) for p in parts)


def _indexed(text: str) -> str:
    """Letters with indices, ξ_i and W^i, as on paper; labels such as (xgc_eq) and (constraints_disk) stay."""
    text = re.sub(r"([*_|<\[\]\\])", r"\\\1", text)
    text = re.sub(r"\\_(cm|gc|[a-zα-ω])(?![a-z])", r"{sub}`\1`", text)
    return re.sub(r"\^([a-z])(?![a-z])", r"{sup}`\1`", text)


def letter(symbol: str) -> str:
    """The symbol of a parameter as a formula: ``$\\ell$`` for ``ell``, ``$\\Omega_{0}$`` for ``Omega0``."""
    match = re.fullmatch(r"([A-Za-z]+?)_?(\d*|(?<=_)\w+)", symbol)
    if match is None:
        return escaped(symbol)
    stem, sub = match.groups()
    name = rf"\{stem}" if stem in GREEK else stem if len(stem) == 1 else rf"\mathrm{{{stem}}}"
    return f"${name}_{{{sub}}}$" if sub else f"${name}$"


def unbroken(unit: str) -> str:
    """A unit that stays on one line."""
    return unit.replace(" ", "\N{NO-BREAK SPACE}")


def table(head: list[str], rows: list[list[str]]) -> str:
    """A table of MyST."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("\n", " ") for cell in line) + " |" for line in lines)


def dropdown(title: str, text: str) -> str:
    """What a click opens. Colons fence it: the title of a fence of backticks may contain no code."""
    return f"::::{{dropdown}} {title}\n{text}\n::::"


def verdict(proof: Any, noise: bool) -> str:
    """What a proof says of the drift, or of all noises together."""
    verdicts = [v for v in proof.verdicts if (v.column != "drift") == noise]
    if not verdicts:
        return "—"
    if any(v.holds is False for v in verdicts):
        return "no"
    if any(v.holds is None for v in verdicts):
        return "undecided"
    return "**yes**" if all(v.certificate for v in verdicts) else "**yes** (tested at random points)"


@dataclass(frozen=True)
class Card:
    """The page of one system."""

    name: str

    @cached_property
    def system(self) -> sd.System:
        """With its defaults."""
        return sd.load(self.name)

    @cached_property
    def about(self) -> dict[str, Any]:
        """What ``semidirect show`` says."""
        from semidirect.definition import plugins

        return description(self.name, plugins.resolve(self.name))

    @cached_property
    def plugin(self) -> Path:
        """The folder of its plugin."""
        package = type(self.system).__module__.partition(".")[0]
        return PLUGINS / package.removeprefix("semidirect_")

    @cached_property
    def definition(self) -> Path:
        """The file with its class."""
        return self.plugin.joinpath(*type(self.system).__module__.split(".")).with_suffix(".py")

    @cached_property
    def conserved(self) -> dict[str, Any]:
        """A proof for each observable, by its name."""
        return {name: self.system.prove(name) for name in self.system.observables()}

    def facts(self) -> list[str]:
        """The docstrings of its tests, each a statement."""
        statements = []
        for file in sorted((self.plugin / "tests").glob("test_*.py")):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    docstring = ast.get_docstring(node)
                    if docstring:
                        statements.append(
                            f"{escaped(' '.join(docstring.split(chr(10) * 2)[0].split()))} (`{node.name}`)"
                        )
        return statements

    def equations(self) -> str:
        """The ``align*`` environment of the page."""
        return self.system.equations().latex()

    def energy(self) -> str:
        """How the energy changes, as ``align*``."""
        return self.system.evolution("energy").latex()

    def page(self) -> str:
        """The card, in MyST."""
        words = [escaped(p) for p in self.about["doc"].split("\n\n")]
        sources = [p.removeprefix("Source: ") for p in words if p.startswith("Source: ")]
        words = [p for p in words if not p.startswith("Source: ")]
        parts = [
            f"# {title(self.name)}",
            f"`{self.name}`: {words[0].removeprefix(f'{title(self.name)}: ')}",
            f"```{{image}} /_static/systems/{self.name}.webp\n:alt: {title(self.name)}, its body and the trail of a path\n"
            ":width: 320px\n```",
            *words[1:],
            f'```python\nimport semidirect as sd\n\nsystem = sd.load("{self.name}")\n```',
            "## Equations",
            "$\\mathrm dW^i$ are increments of Wiener processes, $\\circ$ is Stratonovich's integral. A symbol is a "
            "parameter (see below), or is defined with the equations or on the page on [notation](../notation.md).",
            self.equations(),
            "How the energy changes:",
            self.energy(),
            "## Parameters",
            self._parameters(),
        ]
        if self.about["options"]:
            rows = [
                [f"`{n}`", f"`{o['default']}`", ", ".join(f"`{c}`" for c in choices(o)), escaped(o["doc"])]
                for n, o in self.about["options"].items()
            ]
            parts += ["Options:", table(["option", "default", "choices", "what"], rows)]
        parts += ["## What is conserved", *self._conserved(), "## Facts that tests verify"]
        parts.append("\n".join(f"- {fact}" for fact in self.facts()))
        parts.append(f"They are in `plugins/{self.plugin.name}/tests`, and hold for the whole family of the system.")
        parts += ["## Sources", *(f"{s}" for s in sources)] if sources else []
        path = "../../" + self.definition.relative_to(ROOT).as_posix()
        source = f"```{{literalinclude}} {path}\n:language: python\n```"
        parts += ["## Definition", f"{{download}}`{self.definition.name} <{path}>`"]
        parts.append(dropdown("The class, as it is run", source))
        examples = [n for n in gallery.NAMES if f'"{self.name}"' in gallery.source(n)]
        if examples:
            links = ", ".join(f"[{gallery.heading(n)[0]}](../gallery/{n}.md)" for n in examples)
            parts += ["## In the gallery", links]
        return "\n\n".join(parts) + "\n"

    def _parameters(self) -> str:
        declared = type(self.system).workings.parameters()
        rows = []
        for name, p in self.about["parameters"].items():
            default = printing.figures(p["default"]).replace("[]", "none")
            rows.append(
                [f"`{name}`", letter(declared[name].symbol), f"`{default}`", unbroken(p["unit"]), escaped(p["doc"])]
            )
        return table(["parameter", "symbol", "default", "unit", "what"], rows)

    def _conserved(self) -> list[str]:
        observables = self.system.observables()
        rows = [
            [
                f"`{name}`",
                unbroken(observables[name].unit),
                escaped(observables[name].doc.split("\n")[0]),
                verdict(p, False),
                verdict(p, True),
            ]
            for name, p in self.conserved.items()
        ]
        printed = "\n\n".join(str(p) for p in self.conserved.values())
        return [
            "Proved for the parameters above, at every state, along the drift and along all of its noises:",
            table(["quantity", "unit", "what", "drift", "noise"], rows),
            dropdown("The proofs, as `system.prove(…)` prints them", f"```text\n{printed}\n```"),
        ]


def index() -> str:
    """The page with all systems."""
    words = (
        "These systems come with the package. Each has a card, which is generated from the system: its equations are those that "
        "are integrated, and a test reads them back."
    )
    return gallery.overview(
        "Systems", words, FAMILIES, "systems", "2 2 3 4", lambda name: (title(name), escaped(Card(name).about["title"]))
    )


def write(app: Any) -> None:
    """Write all cards, by as many processes as Sphinx is to use."""
    if app.parallel > 1:
        with ProcessPoolExecutor(app.parallel) as pool:
            cards = list(pool.map(page_of, NAMES))
    else:
        cards = [page_of(name) for name in NAMES]
    gallery.write(gallery.DOCS / "systems", {"index": index(), **dict(zip(NAMES, cards, strict=True))})


def page_of(name: str) -> str:
    """The text of the card of a system."""
    return Card(name).page()


def setup(app: Any) -> dict[str, bool]:
    """Let Sphinx write the cards before it reads any page."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
