"""``semidirect list``: the installed systems."""

from __future__ import annotations

import warnings

from semidirect.cli.argument import Call
from semidirect.cli.command import Command
from semidirect.core.output import print_json
from semidirect.core.text_layout import printable, table


def execute(call: Call) -> int:
    """Carry it out."""
    rows = systems()
    if call.as_json:
        print_json(rows)
    else:
        columns = {"name": "name", "group": "group", "from": "from", "title": "what"}
        if len({row["from"] for row in rows}) < 2:
            del columns["from"]  # which says nothing where all are of one distribution
        print(table(list(columns.values()), [[row[key] for key in columns] for row in rows]))
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
    rows = []
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
        rows.append({"name": name, "title": title, "group": group, "from": entries[name].distribution})
    return rows


COMMAND = Command(
    "list", "list the installed systems", topic="systems", examples=("list", "list --format json"), execute=execute
)
add = COMMAND.add
