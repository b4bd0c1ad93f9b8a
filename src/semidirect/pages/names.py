"""The printed names of objects: one name for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, final

from semidirect.core import errors
from semidirect.expressions import component_names
from semidirect.pages.notation import STAR, unicode_name

if TYPE_CHECKING:
    from semidirect.definition import Definition, SystemDefinition
    from semidirect.equations import SymbolicDefinition

_MARKS = rf"""{STAR}*(?:[@'"°]\d*)*"""
RESERVED = ("t", "dt", "sqrt", "sin", "cos", "tan", "exp", "log", "Abs", "sign", "Min", "Max")
"""What text has a use for."""


def chosen_symbols(system: SystemDefinition, definition: Definition) -> Mapping[str, str]:
    """The symbols that a system chooses for its names, the longest name first.

    Raises
    ------
    DefinitionError
        If one is for nothing of the system, or cannot be printed.
    """
    symbols, names = system.symbols, [name for name in definition.names if name not in ("s", "t")]
    if not isinstance(symbols, Mapping) or not all(isinstance(x, str) for x in (*symbols, *symbols.values())):
        raise errors.DefinitionError(
            "symbols", expected="a mapping, name to symbol, such as {'speed': 'u'}", got=repr(symbols)
        )
    for name, symbol in symbols.items():
        if name not in names:
            parameter = name in system.workings.parameters()
            hint = "A parameter states its own: sd.parameter(…, symbol=…)." if parameter else ""
            unknown = errors.UnknownNameError("name", name, names)
            raise errors.DefinitionError(f"symbols: {str(unknown).removesuffix('.')}", hint=hint)
        if re.fullmatch(r"[^\W\d_]+\d*(_[^\W_]+)?", symbol) is None:
            raise errors.DefinitionError(
                f"symbols: that of {name!r}", expected="a letter, the name of a Greek one, or a word, with an index, as in v_1",
                got=repr(symbol),
            )  # fmt: skip
    return dict(sorted(symbols.items(), key=lambda item: -len(item[0])))


@final
class Names:
    """The printed names of one page.

    A system's velocities, state and coordinates have theirs first, or the symbols that it chooses, then its parameters. One that
    would be printed like something before it is spelled as in code (Omega for a number beside the vector Ω), and if that is taken
    too, has a star. Letters that equations bring with them (L, N, p) are then those that are free.
    """

    def __init__(self, system: SystemDefinition, setting: SymbolicDefinition):
        self.unavailable: set[str] = set(RESERVED)
        self._symbols: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        d = setting.definition
        self.chosen = chosen_symbols(system, d)
        coordinates = component_names.layout(d.constraint.coordinates(d.group))
        sizes = {name: part.stop - part.start for name, part in {**d.group.blocks, **coordinates}.items()}
        moving = {d.momentum_name(k): part.stop - part.start for k, part in coordinates.items()}
        moving |= {k: s.stop - s.start for parts in (d.advected_layout, d.internal_layout) for k, s in parts.items()}
        moving |= dict.fromkeys(d.group.stored_names, 1)
        for name, size in moving.items():
            self._claim(f"~d{name}", _components(f"~d{name}", size))
        for name, size in (sizes | moving).items():
            self._claim(name, _components(name, size))
        for name, symbols in system.workings.all_symbols.items():
            stem = system.workings.parameters()[name].symbol or name
            rows = [f"{stem}{i + 1}" for i in range(symbols.shape[0])] if symbols.ndim == 2 else []
            self._claim(stem, [x.name for x in symbols.flat], rows, own=stem)

    def _claim(self, stem: str, components: Sequence[str], rows: Sequence[str] = (), own: str = "") -> None:
        """Give a vector, its components, and the rows of a matrix their names, ``own`` if that is no choice of the system."""
        names = dict.fromkeys((stem, *rows, *components))
        base = own or self._with_chosen(stem)
        for stars in range(len(self.unavailable)):
            for mark in ("", "!"):
                labels = {n: _shown(n if base == stem else f"{base}{n[len(stem) :]}", mark, stars) for n in names}
                texts = {unicode_name(n) for n in labels.values()}
                if len(texts) == len(names) and not texts & self.unavailable:
                    self.unavailable |= texts
                    self._symbols |= {n: x for n, x in labels.items() if n in components}
                    self._stems |= {n: x for n, x in labels.items() if n not in components}
                    return

    def symbol(self, name: str) -> str:
        """The name by which a symbol is printed."""
        return self._symbols.get(name) or self._with_chosen(name)

    def stem(self, name: str) -> str:
        """The name by which a vector is printed."""
        return self._stems.get(name) or self._with_chosen(name)

    def _with_chosen(self, name: str) -> str:
        """A name with the symbol that the system chooses for the whole of it, or for what it belongs to: ~v_speed is ~v_u."""
        for plain, symbol in self.chosen.items():
            match = re.fullmatch(rf"(~?[d𝕀δ]*|~?[^\W_]+_){re.escape(plain)}(\d*{_MARKS})", name)
            if match:
                part = match[1].endswith("_") and "_" in symbol and not match[1].startswith("~")
                return f"{'~' if part else ''}{match[1]}{symbol}{match[2]}"  # ~p_v_1 is p with v_1 below
        return name

    def free(self, *candidates: str) -> str:
        """The first of some names that nothing has, with stars if each is taken; from now on it is taken."""
        options: Iterable[str] = (
            *candidates,
            *(_shown(candidates[0], "", i) for i in range(1, len(self.unavailable) + 2)),
        )
        name = next(n for n in options if self.is_free(n))
        self.unavailable.add(unicode_name(name))
        return name

    def is_free(self, name: str) -> bool:
        """Whether nothing is printed by this name, with or without an index."""
        pattern = re.escape(unicode_name(name))
        return not any(re.fullmatch(rf"{pattern}([₀-₉,]*|[_^⁽].*)", other) for other in self.unavailable)


def _components(name: str, size: int) -> list[str]:
    return [name] if size == 1 else [f"{name}{i + 1}" for i in range(size)]


def _shown(name: str, mark: str, stars: int) -> str:
    """A name as it is spelled, with stars; what a derivation names itself keeps its mark."""
    return f"{'' if name.startswith('~') else mark}{name}{STAR * stars}"
