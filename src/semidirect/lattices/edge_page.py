"""The edges on a page: which there are, their energy, and its force on a site."""

from __future__ import annotations

import re
from typing import Any

from semidirect.pages import unicode_name


def edge_lines(lattice: Any) -> list[tuple[str, str]]:
    """Text and LaTeX of each line."""
    import sympy as sp

    energies, edges, kinds = lattice.edge_energies(), lattice.one_path().edges, lattice.site_kinds()
    count = len(lattice.edge_pairs())
    kind = f"{edges!r}" if isinstance(edges, str) else "as given"
    several = f", {', '.join(lattice.per_edge)} of each edge" if lattice.per_edge else ""
    noise = "the same noise for all sites" if lattice.one_path().common_noise else "noise of its own for each site"
    by_h = lattice.edge_energy_is_of_h()
    lines = [
        (f"edges (i, j): {kind}, {count}{several}; {noise}",
         rf"(i, j) &: \text{{{kind}, {count} edges; {noise}}}"),
    ]  # fmt: skip
    to = "added to h" if energies.of_momenta else "subtracted from l"
    for one in energies.kinds:
        value, names = _with_products(one.energy)
        ends = f" of {' and '.join(one.energy.kinds)}" if kinds.several else ""
        of = rf"\;\text{{({', '.join(one.energy.kinds)})}}" if kinds.several else ""
        number = f", {len(one.edges)} edges" if kinds.several else ""
        lines.append((f"V_ij{ends} = {_text(str(value), names)}, {to}{number}",
                      rf"V_{{ij}}{of} &= {_latex(sp.latex(value), names)}"))  # fmt: skip
    sign, tex = ("", "") if by_h else ("−", "-")
    for name in energies.layout:
        own = name.removesuffix(f"_{kinds.names[kinds.kind_of(name)]}")
        letter, at = unicode_name(own), f" of kind {kinds.names[kinds.kind_of(name)]}" if kinds.several else ""
        place = "i" if not kinds.several else rf"i,\mathrm{{{kinds.names[kinds.kind_of(name)]}}}"
        lines.append((
            f"F_{letter} of site i{at} = {sign}Σ ∂V/∂{letter} over its edges",
            rf"F_{{{_tex_name(own)},{place}}} &= {tex}\sum_{{j}} \partial V_{{ij}}/\partial {_tex_name(own)}_i",
        ))  # fmt: skip
    return lines


def _with_products(energy: Any) -> tuple[Any, dict[str, tuple[str, str]]]:
    """The energy with a symbol for each scalar product of both ends, and the names of those symbols as text and LaTeX."""
    import sympy as sp

    value, names = sp.expand(energy.value), dict[str, tuple[str, str]]()
    both = [(one, other) for one in energy.ends[0] for other in energy.ends[1]]
    for number, (one, other) in enumerate(sorted(both, key=lambda pair: pair[0] != pair[1])):
        left, right = energy.ends[0][one], energy.ends[1][other]
        if len(left) < 2 or len(left) != len(right):
            continue
        product = sp.Symbol(f"products{number}")
        factor = value.coeff(left[0] * right[0])
        rest = sp.expand(value - factor * sum(x * y for x, y in zip(left, right, strict=True)))
        if factor != 0 and not any(rest.has(x) and rest.has(y) for x, y in zip(left, right, strict=True)):
            value = rest + factor * product
            letters, tex = (unicode_name(one), unicode_name(other)), (_tex_name(one), _tex_name(other))
            names[product.name] = (f"({letters[0]}_i·{letters[1]}_j)", rf"({tex[0]}_i\cdot {tex[1]}_j)")
    return value, names


def _tex_name(name: str) -> str:
    return rf"\{name}" if unicode_name(name) != name else name


def _text(text: str, names: dict[str, tuple[str, str]]) -> str:
    for symbol, (words, _) in reversed(names.items()):  # products10 before products1
        text = text.replace(symbol, words)
    text = text.replace("**2", "²").replace("**3", "³").replace("*", " ").replace(" - ", " − ")
    return re.sub(r"[A-Za-z]+(?=_[ij])", lambda m: unicode_name(m[0]), text)


def _latex(text: str, names: dict[str, tuple[str, str]]) -> str:
    for symbol, (_, tex) in reversed(names.items()):
        stem, number = re.match(r"(\D+)(\d+)", symbol).groups()  # type: ignore[union-attr]
        text = text.replace(f"{stem}_{{{number}}}", tex)
    return text
