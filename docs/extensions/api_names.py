"""The table of public names on the page of the API: each with the first line of its words, by subject."""

from __future__ import annotations

import inspect
import re

import semidirect as sd
from semidirect.core.lazy_names import stated_names

SUBJECTS = {
    "A system": ("", "system", "core.parameters", "definition.observables", "definition.preset", "definition.definition",
                 "core.blocks", "definition.shapes"),
    "Groups and representations": ("groups", "representations"),
    "Lagrangians and constraints": ("definition.lagrangians", "definition.constraints"),
    "Noise and drivers": ("definition.transport_noise", "model.noise_class", "random"),
    "Equations": ("equations",),
    "Runs": ("run", "ensemble", "state", "analysis", "core.failure"),
    "Observations and filters": ("inference",),
    "Errors and warnings": ("core.errors",),
}  # fmt: skip


def subject(module: str) -> str:
    """Where names of a module belong: the longest match."""
    inside = f"{module}.".removeprefix("semidirect.")
    found = {m: s for s, modules in SUBJECTS.items() for m in modules if inside.startswith(m and f"{m}.")}
    return found[max(found, key=len)]


def summary(name: str) -> str:
    """The first sentence of a docstring."""
    words = " ".join((inspect.getdoc(getattr(sd, name)) or "").split("\n\n")[0].split())
    words = re.sub(r":\w+:`~?([^`]*)`", lambda m: f"`{m[1].rpartition('.')[2]}`", words)
    return words.replace("``", "`").replace("|", r"\|")


def table() -> str:
    """All public names, in MyST."""
    rows: dict[str, list[str]] = {s: [] for s in SUBJECTS}
    places = stated_names("semidirect")
    for name in sorted((n for n in sd.__all__ if not inspect.ismodule(getattr(sd, n))), key=str.lower):
        module = places.get(name, "semidirect")
        rows[subject(module)].append(f"| {{py:obj}}`sd.{name} <{module}.{name}>` | {summary(name)} |")
    return "\n\n".join(f"## {s}\n\n| name | what |\n|---|---|\n" + "\n".join(r) for s, r in rows.items())


def setup(app):
    """Put the table into its page."""

    def read(app, document, text):
        if document == "api/index":
            text[0] = text[0].replace("<!-- names -->", table())

    app.connect("source-read", read)
    return {"parallel_read_safe": True}
