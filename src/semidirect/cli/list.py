"""``semidirect list``: the installed systems."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING

from semidirect.cli.arguments import add_command, add_format
from semidirect.core.output import print_json
from semidirect.core.text_layout import printable, table

if TYPE_CHECKING:
    from semidirect.cli.arguments import Commands


def add(commands: Commands) -> None:
    """Declare the command."""
    add_format(
        add_command(
            commands,
            "list",
            "list the installed systems",
            execute,
            topic="systems",
            examples=("list", "list --format json"),
        )
    )


def execute(args: argparse.Namespace) -> int:
    """Carry it out."""
    found = systems()
    if args.format == "json":
        print_json(found)
    else:
        columns = {"name": "name", "group": "group", "from": "from", "title": "what"}
        if len({s["from"] for s in found}) < 2:
            del columns["from"]  # which says nothing where all are of one distribution
        print(table(list(columns.values()), [[s[key] for key in columns] for s in found]))
    return 0


def systems() -> list[dict[str, str]]:
    """Name, title, group and distribution of every system that can be made; the others are announced by a warning."""
    import inspect

    from semidirect.core.errors import PluginWarning
    from semidirect.core.registry import of_other_package
    from semidirect.definition import plugins
    from semidirect.definition.preset import Preset

    with warnings.catch_warnings():
        loaded = plugins.load_all()
        warnings.simplefilter("ignore", PluginWarning)  # they were shown
        entries = plugins.available()
    found = []
    for name, kind in loaded.items():
        try:
            with of_other_package(f"making {name}"):
                group = kind().group.name
        except Exception as error:
            owner = entries[name].distribution
            text = f"the system {name!r} of {owner!r} cannot be made with its defaults: {type(error).__name__}: {error}"
            warnings.warn(text, PluginWarning, stacklevel=2)
            continue
        doc = kind.doc if isinstance(kind, Preset) else kind.__doc__
        title = printable(inspect.cleandoc(doc or "").split("\n")[0])
        found.append({"name": name, "title": title, "group": group, "from": entries[name].distribution})
    return found
