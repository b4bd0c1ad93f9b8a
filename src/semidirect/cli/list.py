"""``semidirect list``: the installed systems."""

from __future__ import annotations

import warnings

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core import messages
from semidirect.text import printing, text_layout


def execute(call: Call) -> int:
    """Carry it out."""
    rows = systems()
    if call.as_json:
        printing.print_json(rows)
    else:
        columns = {"name": "name", "group": "group", "from": "from", "title": "what"}
        if len({row["from"] for row in rows}) < 2:
            del columns["from"]  # which says nothing where all are of one distribution
        print(text_layout.table(list(columns.values()), [[row[key] for key in columns] for row in rows]))
    return 0


def systems() -> list[dict[str, str]]:
    """Name, title, group and distribution of every system that can be made; the others are announced by a warning."""
    import inspect

    from semidirect.core import errors, registry
    from semidirect.definition import Preset, plugins

    with warnings.catch_warnings():
        kinds = plugins.load_all()
        warnings.simplefilter("ignore", errors.PluginWarning)  # they were shown
        entries = plugins.available()
    rows = []
    for name, kind in kinds.items():
        try:
            with registry.of_other_package(f"making {name}"):
                group = kind().group.name
        except Exception as error:
            owner = entries[name].distribution
            text = f"the system {name!r} of {owner!r} cannot be made with its defaults: {type(error).__name__}: {error}"
            messages.warn_caller(text, errors.PluginWarning)
            continue
        doc = kind.doc if isinstance(kind, Preset) else kind.__doc__
        title = messages.printable(inspect.cleandoc(doc or "").split("\n")[0])
        rows.append({"name": name, "title": title, "group": group, "from": entries[name].distribution})
    return rows


COMMAND = Command(
    "list", "list the installed systems", topic="systems", examples=("list", "list --format json"), execute=execute
)
add = COMMAND.add
