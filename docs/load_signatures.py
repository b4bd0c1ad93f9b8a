"""The signatures of ``sd.load``, one for each system of the library.

By them an editor completes the names of the systems, then the parameters and options of the one that is named, and knows its
class; any other name gives a ``System``. ``python docs/load_signatures.py`` writes them into the stub.
"""

import re
import textwrap
from importlib.metadata import entry_points
from pathlib import Path

from semidirect.definition import Option, Preset

STUB = Path(__file__).parents[1] / "src" / "semidirect" / "__init__.pyi"
BEGIN, END = (
    "# systems of the library, written by `python docs/load_signatures.py`\n",
    "# end of the systems of the library\n",
)


def library():
    """Name → (class, what a preset chooses), of the systems that come with the package."""
    systems = {}
    for point in sorted(entry_points(group="semidirect.systems"), key=lambda point: point.name):
        if point.dist is not None and point.dist.name == "semidirect":
            loaded = point.load()
            systems[point.name] = (loaded.system, loaded.overrides) if isinstance(loaded, Preset) else (loaded, {})
    return systems


def kind_of(declared):
    """The type of what a parameter or an option is given."""
    if not isinstance(declared, Option):
        return "Numbers"
    return f"Literal[{', '.join(map(repr, declared.choices))}]" if declared.choices else type(declared.default).__name__


def argument(name, declared, default):
    """``name: type = default``; an array is left out, as a signature is to be read."""
    return f"{name}: {kind_of(declared)} = {repr(default) if isinstance(default, str | bool | int | float) else '...'}"


def signature(name, kind, chosen):
    """The overload for one system."""
    declared = {**kind.workings.parameters(), **kind.workings.options()}
    first = f'name: Literal["{name}"]'
    arguments = [first, "*", *(argument(n, d, chosen.get(n, d.default)) for n, d in declared.items())]
    whole = ", ".join(one.replace(" ", "\0") for one in arguments)  # no line ends within an argument
    lines = textwrap.fill(whole, 116, initial_indent="    ", subsequent_indent="    ", break_long_words=False)
    return f"@overload\ndef load(\n{lines}\n) -> {kind.__name__}: ...\n".replace("\0", " ").replace("'", '"')


def written(stub):
    """The text of the stub with the signatures of the installed library."""
    systems = library()
    imports = sorted({f"from {kind.__module__} import {kind.__name__}\n" for kind, _ in systems.values()})
    overloads = [signature(name, *of) for name, of in systems.items()]
    part = "".join([BEGIN, *imports, "\n# fmt: off\n", *overloads, "# fmt: on\n", END])
    return re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: part, stub, flags=re.DOTALL)


if __name__ == "__main__":
    STUB.write_text(written(STUB.read_text(encoding="utf-8")), encoding="utf-8")
