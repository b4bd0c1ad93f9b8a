"""The catalogue: what can be chosen by name or class, written from the classes before Sphinx reads the pages."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import semidirect as sd
from semidirect.cli import BUILT_IN, make_parser
from semidirect.definition import transport_noise
from semidirect.engines import stepping
from semidirect.inference import UPDATES
from semidirect.integrators import METHODS
from semidirect.random import drivers
from semidirect.statistics import choice

PAGE = Path(__file__).parents[1] / "catalogue.md"

HEAD = """# Catalogue

Everything that is chosen by its name or its class. The tables are written from the classes; the page {doc}`extend` says how a
package of your own adds to each of them, and the installed systems are on {doc}`systems/index`.
"""


def first_sentence(thing: object) -> str:
    """Of what a class says about itself, in MyST and fit for a cell."""
    text = " ".join(inspect.cleandoc(thing.__doc__).split("\n\n")[0].split())
    text = re.sub(r":\w+:`~?([^`]*)`", lambda m: f"`{m[1].rpartition('.')[2]}`", text).replace("``", "`")
    return re.split(r"(?<=\w\w)[.:] (?=[A-Z`])", text)[0].rstrip(".:").replace("|", "\\|")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in MyST."""
    lines = [header, ["---"] * len(tuple(header)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def groups() -> list[tuple[str, str]]:
    """Final classes of groups, and what they are."""
    kinds = dict.fromkeys(v for name in sorted(sd.groups.__all__) if isinstance(v := getattr(sd.groups, name), type))
    final = (k for k in kinds if issubclass(k, sd.LieGroup) and "__final__" in vars(k))
    return [(written("groups", k), first_sentence(k)) for k in final]


def written(topic: str, kind: type) -> str:
    """How a user writes a public class, which is at the top or in a topic."""
    return f"`sd.{kind.__name__}`" if kind.__name__ in sd.__all__ else f"`sd.{topic}.{kind.__name__}`"


def noises() -> list[tuple[str, str]]:
    """Classes of noise amplitudes, and what they are."""
    base = transport_noise.TransportNoise
    kinds = (k for k in vars(transport_noise).values() if isinstance(k, type) and issubclass(k, base) and k is not base)
    return [(written("noise", k), first_sentence(k)) for k in kinds]


def driver_rows() -> list[tuple[str, str, str]]:
    """Drivers, their flags, and what they are."""
    return [
        (f"`{k.__name__}`", ", ".join(f"`--{flag.name}`" for flag in k.flags), first_sentence(k))
        for k in drivers.DRIVERS.built_in.values()
    ]


def methods() -> list[tuple[str, str]]:
    """Methods with what they take, and what they are."""
    return [
        (f"`{name}({k.argument})`" if k.argument else f"`{name}`", first_sentence(k))
        for name, k in METHODS.built_in.items()
    ]


def statistics() -> list[tuple[str, str, str]]:
    """Names of statistics, their classes, and what they are."""
    return [(f"`{name}`", f"`sd.{k.__name__}`", first_sentence(k)) for name, k in choice.STATISTICS.built_in.items()]


def engines() -> list[tuple[str, str]]:
    """Names of engines, and what they are."""
    return [(f"`{name}`", first_sentence(k)) for name, k in stepping.ENGINES.built_in.items()]


def updates() -> list[tuple[str, str, str]]:
    """Names of the updates of filters, their classes, and what they are."""
    return [(f"`{name}`", written("inference", k), first_sentence(k)) for name, k in UPDATES.built_in.items()]


def commands() -> list[tuple[str, str]]:
    """Commands of semidirect itself, and what they do."""
    actions = make_parser(["list"])._subparsers._group_actions[0]
    assert isinstance(actions, argparse._SubParsersAction)
    return [(f"`{name}`", actions.choices[name].summary) for name in BUILT_IN]


def page() -> str:
    """The page, in MyST."""
    parts = [
        ("Groups", ("class", "what it is"), groups()),
        ("Noise amplitudes", ("class", "what it is"), noises()),
        ("Drivers", ("class", "options of `run`", "what it is"), driver_rows()),
        ("Methods", ("name", "what it is"), methods()),
        ("Statistics", ("name", "class", "what it is"), statistics()),
        ("Engines", ("name", "what it is"), engines()),
        ("Filter updates", ("name", "class", "what it is"), updates()),
        ("Commands", ("command", "what it does"), commands()),
    ]
    return "\n".join([HEAD, *(f"## {title}\n\n{table(header, rows)}\n" for title, header, rows in parts)])


def write(app: object = None) -> None:
    """Write the page if it changed."""
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != page():
        PAGE.write_text(page(), encoding="utf-8")


def setup(app):
    """Let Sphinx write the page before it reads any."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
