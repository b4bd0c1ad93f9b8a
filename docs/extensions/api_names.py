"""The table of public names on a page of the API: each with the first line of its words, by subject."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path

import semidirect as sd
from semidirect.core import offers

SUBJECTS = {
    "A system": ("", "system", "core.per_path", "core.blocks", "definition"),
    "Groups and representations": ("groups", "representations", "geometry"),
    "Lagrangians and constraints": ("definition.lagrangians", "definition.constraints"),
    "Noise and drivers": ("definition.transport_noise", "model.noise_class", "random"),
    "Equations": ("equations",),
    "What is conserved": ("invariants",),
    "Runs": ("run", "ensemble", "state", "analysis", "core.failure", "integrators"),
    "Observations and filters": ("inference",),
    "Pictures": ("analysis.pictures", "view"),
    "Checks and tests": ("laws", "testing"),
    "Errors and warnings": ("core.errors",),
}  # fmt: skip


DIRECTIVE = re.compile(r"^\.\. (automodule|autofunction):: (\S+)\n((?:   :.*\n)*)", re.MULTILINE)
"""What a page of the API shows: its kind, its name and its options."""
WHOLE = {"equations", "groups", "integrators", "invariants", "representations"}
"""Topics that a page shows as one module."""


def subject(module: str) -> str:
    """Where names of a module belong: the longest match."""
    inside = f"{module}.".removeprefix("semidirect.")
    subject_of = {m: s for s, modules in SUBJECTS.items() for m in modules if inside.startswith(m and f"{m}.")}
    return subject_of[max(subject_of, key=len)]


def summary(value: object) -> str:
    """The first sentence of a docstring."""
    words = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    words = re.sub(r":\w+:`~?([^`]*)`", lambda m: f"`{m[1].rpartition('.')[2]}`", words)
    return words.replace("``", "`").replace("|", r"\|")


def home(place: str, name: str) -> str:
    """The module that a name comes from, through the doors of packages."""
    module = import_module(place)
    stub = hasattr(module, "__path__") and (Path(module.__file__ or "").parent / "__init__.pyi").exists()
    inner = offers(place).get(name, (place,))[0] if stub else place
    return place if inner == place else home(inner, name)


def public_names() -> dict[str, tuple[str, object]]:
    """Name as it is written → module of its page and value: those at the top, then those of topics that are not among them."""
    entries: dict[str, tuple[str, object]] = {}
    at_the_top = {id(getattr(sd, name)) for name in sd.__all__}
    for topic in ("", *(name for name in sd.__all__ if inspect.ismodule(getattr(sd, name)))):
        package = getattr(sd, topic) if topic else sd
        stub = bool(getattr(package, "__path__", ())) and (Path(package.__file__).parent / "__init__.pyi").exists()
        places = (
            {n: home(p, n) for n, (p, _) in offers(package.__name__).items()} if stub and topic not in WHOLE else {}
        )
        for name in getattr(package, "__all__", ()):
            value = getattr(package, name)
            if not inspect.ismodule(value) and callable(value) and (not topic or id(value) not in at_the_top):
                other = package.__name__ if topic in WHOLE else value.__module__
                entries[f"{topic}.{name}" if topic else name] = places.get(name, other), value
    return entries


def targets() -> dict[int, str]:
    """Object → the name under which a page of the API has it: its own module's, or that of a package that shows it."""
    under: dict[int, str] = {}
    for page in sorted((Path(__file__).parents[1] / "api").glob("*.md")):
        for kind, name, options in DIRECTIVE.findall(page.read_text(encoding="utf-8")):
            if kind == "autofunction":
                where, _, last = name.rpartition(".")
                under.setdefault(id(getattr(import_module(where), last)), name)
                continue
            module, members = import_module(name), re.search(r":members:(.*)", options)
            listed = [n.strip() for n in members[1].split(",") if n.strip()] if members else []
            for member in listed or (dir(module) if members else ()):
                value = getattr(module, member)
                if listed or getattr(value, "__module__", "") == name or member in getattr(module, "__all__", ()):
                    under.setdefault(id(value), f"{name}.{member}")
    return under


def table() -> str:
    """All public names, in MyST."""
    rows: dict[str, list[str]] = {s: [] for s in SUBJECTS}
    at = targets()
    for place, (module, value) in sorted(public_names().items(), key=lambda item: item[0].lower()):
        name = at.get(id(value), f"{module}.{place.rpartition('.')[2]}")
        rows[subject(module)].append(f"| {{py:obj}}`sd.{place} <{name}>` | {summary(value)} |")
    return "\n\n".join(f"## {s}\n\n| name | what |\n|---|---|\n" + "\n".join(r) for s, r in rows.items())


def setup(app):
    """Put the table into its page."""

    def read(app, document, text):
        if document == "api/names":
            text[0] = text[0].replace("<!-- names -->", table())

    app.connect("source-read", read)
    return {"parallel_read_safe": True}
