"""Which printed name belongs to what: one name, one thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, final

from semidirect.expressions import component_names
from semidirect.pages.notation import STAR, unicode_name

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import SymbolicDefinition

RESERVED = ("t", "dt", "sqrt", "sin", "cos", "tan", "exp", "log", "Abs", "sign", "Min", "Max")
"""What text has a use for."""


@final
class Names:
    """The printed names of one page.

    A system's velocities, state and coordinates have theirs first, then its parameters. One that would be printed like something
    before it is spelled as in code (Omega for a number beside the vector Ω), and if that is taken too, has a star. Letters
    that equations bring with them (L, N, p) are then those that are free.
    """

    def __init__(self, system: SystemDefinition, setting: SymbolicDefinition):
        self.unavailable: set[str] = set(RESERVED)
        self._symbols: dict[str, str] = {}
        self._stems: dict[str, str] = {}
        d = setting.definition
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
            self._claim(stem, [x.name for x in symbols.flat], rows)

    def _claim(self, stem: str, components: Sequence[str], rows: Sequence[str] = ()) -> None:
        """Give a vector, its components, and the rows of a matrix their names."""
        names = dict.fromkeys((stem, *rows, *components))
        for stars in range(len(self.unavailable)):
            for mark in ("", "!"):
                labels = {n: _shown(n, mark, stars) for n in names}
                texts = {unicode_name(n) for n in labels.values()}
                if len(texts) == len(names) and not texts & self.unavailable:
                    self.unavailable |= texts
                    renames = {n: x for n, x in labels.items() if x != n}
                    self._symbols |= {n: x for n, x in renames.items() if n in components}
                    self._stems |= {n: x for n, x in renames.items() if n not in components}
                    return

    def symbol(self, name: str) -> str:
        """The name by which a symbol is printed."""
        return self._symbols.get(name, name)

    def stem(self, name: str) -> str:
        """The name by which a vector is printed."""
        return self._stems.get(name, name)

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
