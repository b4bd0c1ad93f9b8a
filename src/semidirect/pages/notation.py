"""Names as readers know them: Omega is Ω, p_Omega is p with index Ω, v_Omega is Ω with a tilde."""

from __future__ import annotations

import re
from collections.abc import Callable

import sympy as sp

_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "Gamma": "Γ", "delta": "δ", "Delta": "Δ", "epsilon": "ε", "zeta": "ζ", "eta": "η",
    "theta": "θ", "Theta": "Θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "Lambda": "Λ", "mu": "μ", "nu": "ν", "xi": "ξ",
    "Xi": "Ξ", "pi": "π", "Pi": "Π", "rho": "ρ", "sigma": "σ", "Sigma": "Σ", "tau": "τ", "upsilon": "υ", "Upsilon": "Υ",
    "phi": "φ", "Phi": "Φ", "chi": "χ", "psi": "ψ", "Psi": "Ψ", "omega": "ω", "Omega": "Ω", "ell": "ℓ",
}  # fmt: skip
_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def split_tags(name: str) -> tuple[str, list[str]]:
    """A name and its tags: ``@k`` for the column k of (dt, dW), ``'k`` and ``"k`` for derivatives along it."""
    match = re.fullmatch(r"""([^@'"]*)((?:[@'"]\d*)*)""", name)
    assert match is not None
    return match[1], re.findall(r"""[@'"]\d*""", match[2])


def unicode_name(name: str) -> str:
    """A code name in text: ``p_Omega`` → ``p_Ω``, ``v_Omega`` → ``Ω̃``, ``dGamma`` → ``dΓ``, ``xi1`` → ``ξ₁``."""
    base, tags = split_tags(name.replace("~", ""))
    text = _plain(base)
    for tag in tags:
        if tag[0] == "@":
            text += "⁽" + tag[1:].translate(SUPERSCRIPT) + "⁾"
        else:
            text = f"D{tag[1:].translate(_SUBSCRIPT)}{text}"
    return text


def _plain(name: str) -> str:
    if name.startswith("𝕀"):
        return "𝕀" + _plain(name[1:])
    if name.startswith("v_"):
        base = _plain(name[2:])
        return base[0] + "\u0303" + base[1:]
    if name.startswith("kappa_"):
        return "κ" + (f"_{_plain(name[6:])}" if not name.startswith("kappa_Gamma") else _plain("x" + name[11:])[1:])
    if name.startswith("p_"):
        return f"p_{_plain(name[2:])}"
    if (under := _differential(name)) is not None:
        return f"d{_plain(under)}"
    match = re.fullmatch(r"([A-Za-z]+?)(\d*)((?:_\w*)?)", name)
    if not match:
        return name
    stem, digits, rest = match.groups()
    block = rest.strip("_")
    known = re.fullmatch(r"[A-Za-z]+\d*", block)
    above = f"{'^' if digits else '_'}{_plain(block)}" if known else block.replace("_", "").translate(_SUBSCRIPT)
    return _GREEK.get(stem, stem) + digits.translate(_SUBSCRIPT) + above


def _differential(name: str) -> str | None:
    """The name under a differential: ``dGamma1`` → ``Gamma1``, ``dp_Y`` → ``p_Y``."""
    match = re.fullmatch(r"d((?:p_)?([A-Za-z]+?)\d*)", name)
    known = match is not None and (match[1].startswith("p_") or match[2] in _GREEK or match[2][0].isupper())
    return match[1] if match is not None and known else None


def latex_name(name: str, *, bold: bool = False) -> str:
    r"""A code name in LaTeX: ``v_Omega`` → ``\widetilde{\boldsymbol{\Omega}}`` where ``bold``."""
    name, tags = split_tags(name.replace("~", ""))
    text = _plain_latex(name, bold)
    for tag in tags:
        text = rf"{text}^{{({tag[1:]})}}" if tag[0] == "@" else rf"\mathrm{{D}}_{{{tag[1:]}}}{text}"
    return text


def _plain_latex(name: str, bold: bool) -> str:
    if name.startswith("𝕀"):
        return r"\mathbb{I}" + _plain_latex(name[1:], bold)
    if name.startswith("v_"):
        return rf"\widetilde{{{_plain_latex(name[2:], bold)}}}"
    if name.startswith("kappa_"):
        digits = re.sub(r"\D", "", name)
        return _plain_latex(f"kappa{digits}", bold)
    if name.startswith("p_"):
        return rf"{_plain_latex('p', bold)}_{{{_plain_latex(name[2:], False)}}}"
    if (base := _differential(name)) is not None:
        return rf"\mathrm{{d}}{_plain_latex(base, bold)}"
    match = re.fullmatch(r"([A-Za-z]+?)(\d*)((?:_\w*)?)", name)
    stem, digits, rest = match.groups() if match else (name, "", "")
    symbol = rf"\{stem}" if stem in _GREEK else stem
    symbol = rf"\boldsymbol{{{symbol}}}" if bold else symbol
    if re.fullmatch(r"_[A-Za-z]+\d*", rest):  # the part of something in a block
        block = _plain_latex(rest.strip("_"), False)
        return rf"{symbol}_{{{digits}}}^{{{block}}}" if digits else rf"{symbol}_{{{block}}}"
    index = ",".join(x for x in (digits, *rest.strip("_").split("_")) if x)
    return symbol + (f"_{{{index}}}" if index else "")


def readable(expression: sp.Expr, known: Callable[[str], str] = str, *, latex: bool) -> str:
    """A scalar expression with readable names; ``known`` gives the name of a name."""
    symbols = sorted(expression.free_symbols, key=lambda s: s.name)
    if latex:
        return str(sp.latex(expression, symbol_names={s: latex_name(known(s.name)) for s in symbols}))
    text = str(expression.xreplace({s: sp.Symbol(unicode_name(known(s.name))) for s in symbols}))
    text = text.replace("**2", "²").replace("**3", "³").replace("**", "^")
    return text.replace("*", " ")
