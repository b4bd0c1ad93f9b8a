"""The edges on a page: which there are, their energy, and its force on a site."""

from __future__ import annotations

import re
from typing import Any

from semidirect.pages import unicode_name


def edge_lines(lattice: Any) -> list[tuple[str, str]]:
    """Text and LaTeX of each line."""
    import sympy as sp

    energy, edges = lattice.edge_energy(), lattice.one_path().edges
    count = len(lattice.edge_pairs())
    kind = f"{edges!r}" if isinstance(edges, str) else "as given"
    several = f", {', '.join(lattice.per_edge)} of each edge" if lattice.per_edge else ""
    noise = "the same noise for all sites" if lattice.one_path().common_noise else "noise of its own for each site"
    value, names = _with_products(energy)
    by_h = lattice.edge_energy_is_of_h()
    lines = [
        (f"edges (i, j): {kind}, {count}{several}; {noise}",
         rf"(i, j) &: \text{{{kind}, {count} edges; {noise}}}"),
        (f"V_ij = {_text(str(value), names)}, {'added to h' if by_h or energy.of_momenta else 'subtracted from l'}",
         rf"V_{{ij}} &= {_latex(sp.latex(value), names)}"),
    ]  # fmt: skip
    sign, tex = ("", "") if by_h else ("−", "-")
    for name in energy.layout:
        letter = unicode_name(name)
        lines.append((
            f"F_{letter} of site i = {sign}Σ ∂V/∂{letter} over its edges",
            rf"F_{{{_tex_name(name)},i}} &= {tex}\sum_{{j}} \partial V_{{ij}}/\partial {_tex_name(name)}_i",
        ))  # fmt: skip
    return lines


def _with_products(energy: Any) -> tuple[Any, dict[str, tuple[str, str]]]:
    """The energy with a symbol for each scalar product of both ends, and the names of those symbols as text and LaTeX."""
    import sympy as sp

    value, names = sp.expand(energy.value), dict[str, tuple[str, str]]()
    for number, (name, part) in enumerate(energy.layout.items()):
        left, right = (end[part] for end in energy.ends)
        if len(left) < 2:
            continue
        product = sp.Symbol(f"products{number}")
        factor = value.coeff(left[0] * right[0])
        rest = sp.expand(value - factor * sum(x * y for x, y in zip(left, right, strict=True)))
        if factor != 0 and not any(rest.has(x) and rest.has(y) for x, y in zip(left, right, strict=True)):
            value = rest + factor * product
            letter, tex = unicode_name(name), _tex_name(name)
            names[product.name] = (f"({letter}_i·{letter}_j)", rf"({tex}_i\cdot {tex}_j)")
    return value, names


def _tex_name(name: str) -> str:
    return rf"\{name}" if unicode_name(name) != name else name


def _text(text: str, names: dict[str, tuple[str, str]]) -> str:
    for symbol, (words, _) in names.items():
        text = text.replace(symbol, words)
    text = text.replace("**2", "²").replace("**3", "³").replace("*", " ").replace(" - ", " − ")
    return re.sub(r"[A-Za-z]+(?=_[ij])", lambda m: unicode_name(m[0]), text)


def _latex(text: str, names: dict[str, tuple[str, str]]) -> str:
    for symbol, (_, tex) in names.items():
        stem, number = re.match(r"(\D+)(\d+)", symbol).groups()  # type: ignore[union-attr]
        text = text.replace(f"{stem}_{{{number}}}", tex)
    return text
