"""Names as readers know them: Omega is Ω, ~p_Omega is p with index Ω, ~v_Omega is Ω with a tilde; one tree for text and LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import final

import sympy as sp
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "Gamma": "Γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "Theta": "Θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "Lambda": "Λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "Xi": "Ξ", "pi": "π", "Pi": "Π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ", "tau": "τ", "upsilon": "υ", "Upsilon": "Υ",
    "phi": "φ", "Phi": "Φ", "chi": "χ", "psi": "ψ", "Psi": "Ψ", "omega": "ω", "Omega": "Ω", "ell": "ℓ", "varkappa": "ϰ",
}  # fmt: skip
_COMMANDS = {letter: rf"\{name}" for name, letter in _GREEK.items()} | {
    "ϰ": r"\varkappa",
    "𝕀": r"\mathbb{I}",
    "∂": r"\partial ",
}
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
STAR = "⋆"
"""After a name that would be printed like another one."""


def split_tags(name: str) -> tuple[str, list[str]]:
    """A name and its tags: ``@k`` for the column k of (dt, dW), ``°`` for 0, ``'k`` and ``"k`` for derivatives along it."""
    match = re.fullmatch(r"""([^@'"°]*)((?:[@'"°]\d*)*)""", name)
    return (name, []) if match is None else (match[1], re.findall(r"""[@'"°]\d*""", match[2]))


def component_name(name: str, i: int) -> str:
    """The name of the component i = 1, 2, … of a vector: before its tags."""
    base, tags = split_tags(name)
    stars = len(base) - len(base.rstrip(STAR))
    return f"{base.rstrip(STAR)}{i}{STAR * stars}{''.join(tags)}"


@final
@dataclass(frozen=True)
class Name:
    """A stem with its marks: an index below, a block above or below, a tilde, what stands before and behind.

    Attributes
    ----------
    stem : str
        One letter, or a word that is set upright.
    index : tuple of str
        Numbers below.
    block : Name or None
        The block whose part it is: above where there is an index too, else below.
    tilde : bool
        Whether it is transport.
    before : tuple of str
        ``d``, ``𝕀``, ``D₁`` in order, each before all that follows.
    column : str
        The column of (dt, dW), ⁽¹⁾ behind.
    stars : int
        How many names before it are printed alike.
    """

    stem: str
    index: tuple[str, ...] = ()
    block: Name | None = None
    tilde: bool = False
    before: tuple[str, ...] = ()
    column: str = ""
    stars: int = 0

    def text(self) -> str:
        """In text."""
        first, others = self.stem[:1], self.stem[1:]
        index = (("," if any(len(i) > 1 for i in self.index) else "").join(self.index)).translate(_SUBSCRIPT)
        out = first + ("\u0303" if self.tilde else "") + others + STAR * self.stars + index
        if self.block is not None:
            out += ("^" if index else "_") + self.block.text()
        out += f"⁽{self.column.translate(SUPERSCRIPT)}⁾" if self.column else ""
        return _marked_text(out, self.before)

    def latex(self, *, bold: bool = False) -> str:
        """In LaTeX, a vector in bold."""
        out = _set(self.stem, bold)
        out = rf"\widetilde{{{out}}}" if self.tilde else out
        index = ",".join(self.index)
        block = "" if self.block is None else self.block.latex()
        below, above = (index, [block]) if index and block else (index or block, [])
        above += [r"\star" * self.stars] * bool(self.stars) + [f"({self.column})"] * bool(self.column)
        out += (f"_{{{below}}}" if below else "") + (f"^{{{','.join(filter(None, above))}}}" if any(above) else "")
        for mark in reversed(self.before):
            out = {"d": rf"\mathrm{{d}}{out}", "𝕀": rf"\mathbb{{I}}{out}", "δ": rf"\delta {out}"}.get(mark) or (
                rf"\mathrm{{D}}_{{{mark[1:]}}}{out}"
            )
        return out


@final
@dataclass(frozen=True)
class Ratio:
    """∂s/∂x, with its marks before it."""

    above: Name
    below: Name
    before: tuple[str, ...] = ()

    def text(self) -> str:
        """In text."""
        return _marked_text(f"∂{self.above.text()}/∂{self.below.text()}", self.before)

    def latex(self, *, bold: bool = False) -> str:
        """In LaTeX, both of them vectors in bold."""
        above, below = (x.latex(bold=bold) for x in (self.above, self.below))
        out = rf"\frac{{\partial {above}}}{{\partial {below}}}"
        for mark in reversed(self.before):
            out = rf"\mathrm{{D}}_{{{mark[1:]}}}{out}"
        return out


def _marked_text(out: str, before: Sequence[str]) -> str:
    for mark in reversed(before):
        out = f"D{mark[1:].translate(_SUBSCRIPT)}{out}" if mark[0] == "D" else mark + out
    return out


def _set(stem: str, bold: bool) -> str:
    """A stem in LaTeX: a letter, or a word upright."""
    if len(stem) == 1 and (stem.isascii() or stem in _COMMANDS):
        letter = _COMMANDS.get(stem, stem)
        return rf"\boldsymbol{{{letter}}}" if bold else letter
    word = re.sub(r"([_^&%#${}])", r"\\\1", stem).replace("~", r"\sim ").replace("\\\\", r"\backslash ")
    word = "".join(_COMMANDS.get(c, c if c.isascii() else rf"\text{{{c}}}") for c in word)
    return rf"\mathbf{{{word}}}" if bold else rf"\mathrm{{{word}}}"


def parsed(name: str) -> Name | Ratio:
    """A code name. ``~`` is before what a derivation names itself, ``!`` before a word that is printed as it is.

    ``~∂s/Gamma`` is ∂s/∂Γ.
    """
    base, tags = split_tags(name)
    if base.startswith("~∂"):
        above, _, below = base[2:].partition("/")
        return Ratio(_stars(above), _stars(below), tuple(f"D{tag[1:]}" for tag in reversed(tags)))
    return _stars(name)


def _stars(name: str) -> Name:
    base, tags = split_tags(name)
    stars = len(base) - len(base.rstrip(STAR))
    base = base.rstrip(STAR)
    result = _staged(base[1:]) if base.startswith("~") else _plain(base)
    before = result.before
    column = result.column
    for tag in tags:
        if tag[0] in "@°":
            column = tag[1:] or "0"
        else:
            before = (f"D{tag[1:]}", *before)
    return Name(result.stem, result.index, result.block, result.tilde, before, column, stars)


def _staged(name: str) -> Name:
    """A name that a derivation gave."""
    if name.startswith("𝕀"):
        return _marked("𝕀", _plain(name.removeprefix("𝕀")))
    if name.startswith("v_"):
        inner = _plain(name[2:])
        return Name(inner.stem, inner.index, inner.block, True)
    if name.startswith("kappa_Gamma"):
        return Name("κ", _plain(name[6:]).index)
    if (part := _part(name)) is not None:
        return part
    if name.startswith("delta_"):
        return _marked("δ", _plain(name.removeprefix("delta_")))
    if name.startswith("d") and len(name) > 1:
        under = name[1:]
        return _marked("d", _part(under) or _plain(under))
    return _plain(name)


def _part(name: str) -> Name | None:
    """A letter with the block below whose part it is: ``p_Omega``, ``eta_Y2``."""
    letter, _, block = name.partition("_")
    stem = letter.rstrip(STAR)
    is_letter = len(stem) == 1 or stem in _GREEK
    if not is_letter or not re.match(r"[^\W\d]", block):
        return None
    return Name(_GREEK.get(stem, stem), (), _plain(block), stars=len(letter) - len(stem))


def _marked(mark: str, name: Name) -> Name:
    return Name(name.stem, name.index, name.block, name.tilde, (mark, *name.before), name.column, name.stars)


def _plain(name: str) -> Name:
    if name.startswith("~"):
        return _staged(name[1:])
    if name.startswith("𝕀"):
        return _marked("𝕀", _plain(name[1:]))
    verbatim = name.startswith("!")
    match = re.fullmatch(r"([^\W\d_]+?)(\d*)((?:_\w*)?)", name.removeprefix("!"))
    if not match:
        return Name(name.removeprefix("!"))
    stem, digits, rest = match.groups()
    letter = stem if verbatim else _GREEK.get(stem, stem)
    if re.fullmatch(r"_[^\W\d_]+\d*", rest):
        return Name(letter, (digits,) if digits else (), _plain(rest[1:]))
    parts = tuple(x for x in (digits, *rest.split("_")) if x)
    if all(x.isdigit() for x in parts):
        return Name(letter, parts)
    return Name(name.removeprefix("!"))


def unicode_name(name: str) -> str:
    """A code name in text: ``~p_Omega`` → ``p_Ω``, ``~v_Omega`` → ``Ω̃``, ``~dGamma`` → ``dΓ``, ``xi1`` → ``ξ₁``."""
    return parsed(name).text()


def latex_name(name: str, *, bold: bool = False) -> str:
    r"""A code name in LaTeX: ``~v_Omega`` → ``\widetilde{\boldsymbol{\Omega}}`` where ``bold``."""
    return parsed(name).latex(bold=bold)


class _Text(StrPrinter):
    """SymPy's text, cases in words."""

    def _print_Piecewise(self, e: sp.Piecewise) -> str:
        *cases, (last, otherwise) = e.args
        texts = [f"{self._print(value)} if {self._print(condition)}" for value, condition in cases]
        end = f"else {self._print(last)}" if otherwise == True else f"{self._print(last)} if {self._print(otherwise)}"  # noqa: E712
        return f"({', '.join([*texts, end])})"


def readable(expression: sp.Expr, name_of: Callable[[str], str] = str, *, latex: bool) -> str:
    """A scalar expression with readable names; ``name_of`` gives the name of a name."""
    names = {s: name_of(s.name) for s in expression.free_symbols}
    return written(expression, {s: (unicode_name(n), latex_name(n)) for s, n in names.items()}, latex=latex)


def written(expression: sp.Expr, names: Mapping[sp.Symbol, tuple[str, str]], *, latex: bool) -> str:
    """A scalar expression with names for its symbols in text and in LaTeX, its terms in one order in both."""
    symbols = {s: sp.Symbol(names[s][0]) for s in expression.free_symbols}
    in_names = expression.xreplace(symbols)
    if latex:
        return str(LatexPrinter({"symbol_names": {symbols[s]: names[s][1] for s in symbols}}).doprint(in_names))
    text = _Text().doprint(in_names)
    text = re.sub(r"\*\*([^\W\d]\w*)", r"**(\1)", text)
    text = re.sub(r"\*\*([23])(?![\d.])", lambda m: {"2": "²", "3": "³"}[m[1]], text)
    return text.replace("**", "^").replace("*", " ")
