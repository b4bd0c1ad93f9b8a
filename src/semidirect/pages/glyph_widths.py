"""Widths of LaTeX formulas in em, in Computer Modern: what TeX and KaTeX set is a little narrower."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, final

Kind = Literal["ordinary", "binary", "relation", "open", "close", "comma", "space"]

TOKEN = re.compile(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\[A-Za-z]+|\\.|\d+|[{}_^&']|\s+|.", re.DOTALL)
_LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_ITALIC = dict(zip(_LATIN, (
    750, 787, 787, 856, 796, 782, 786, 912, 518, 651, 921, 681, 1079, 912, 791, 781, 791, 767, 671, 723, 792, 805, 1083, 906,
    803, 755, 529, 429, 433, 520, 466, 598, 513, 576, 345, 469, 552, 318, 878, 600, 485, 503, 482, 479, 469, 361, 572, 521, 743,
    572, 526, 509), strict=True))  # fmt: skip
_UPRIGHT = dict(zip(_LATIN, (
    750, 708, 722, 764, 681, 653, 785, 750, 361, 514, 778, 625, 917, 750, 778, 681, 778, 736, 556, 722, 750, 764, 1042, 750, 775,
    611, 500, 556, 444, 556, 444, 384, 514, 556, 278, 306, 528, 278, 833, 556, 500, 556, 528, 392, 394, 389, 556, 542, 736, 528,
    542, 444), strict=True))  # fmt: skip
_SIGNS = {
    "(": 389, ")": 389, "[": 278, "]": 278, "|": 278, ",": 278, ".": 278, ";": 278, "/": 500, "+": 778, "-": 778, "=": 778,
    "<": 778, ">": 778, "'": 280, r"\times": 778, r"\cdot": 278, r"\circ": 500, r"\star": 500, r"\geq": 778, r"\leq": 778,
    r"\langle": 389, r"\rangle": 389, r"\int": 1000, r"\partial": 590, r"\{": 500, r"\}": 500, r"\_": 500,
}  # fmt: skip
_SPACES = {r"\,": 167, r"\:": 222, r"\;": 278, r"\ ": 333, r"\quad": 1000, r"\qquad": 2000, "~": 333}
_KINDS: dict[str, Kind] = {
    "+": "binary", "-": "binary", r"\times": "binary", r"\cdot": "binary", r"\circ": "binary", "=": "relation", "<": "relation",
    ">": "relation", r"\geq": "relation", r"\leq": "relation", "(": "open", "[": "open", ")": "close", "]": "close",
    ",": "comma", ";": "comma",
}  # fmt: skip
_GREEK, _CAPITAL, _BOLD, _SCRIPT = 0.69, 0.84, 1.2, 0.7
"""The widest Greek letters, small and capital; bold letters and indices relative to plain ones."""
NOTHING = 0.12
r"""``\left.`` and ``\right.``."""


@final
@dataclass(frozen=True)
class Box:
    """A part of a formula that is not divided: its LaTeX, its width with the space around it, and what it is."""

    tex: str
    width: float
    kind: Kind = "ordinary"
    stretched: bool = False


def width(latex: str) -> float:
    """The width of a formula in one line."""
    return sum(box.width for box in boxes(latex))


def boxes(latex: str, most: float = 1e9) -> list[Box]:
    """The parts of a formula; fractions and roots that are wider than ``most`` are written on one level, so that they divide."""
    return list(_Boxes(latex, most).read())


@final
class _Boxes:
    def __init__(self, latex: str, most: float):
        self.rest, self.most = TOKEN.findall(latex)[::-1], most

    def read(self) -> Iterator[Box]:
        before: Kind = "relation"
        while self._skipped():
            for box in self._scripted():
                sign = box.kind == "binary" and before in ("relation", "open", "binary", "comma")
                unary = Box(box.tex, _SIGNS[box.tex] / 1000) if sign else box
                yield unary
                before = before if unary.kind == "space" else unary.kind

    def _scripted(self) -> list[Box]:
        """A base with what stands below and above it."""
        boxes = self._base()
        scripts, wide = "", 0.0
        while self._skipped() in ("_", "^", "'"):
            mark = self.rest.pop()
            if mark == "'":
                scripts, wide = f"{scripts}'", wide + 0.28
                continue
            inside = self._group()
            scripts += f"{mark}{{{inside}}}"
            wide = max(wide, _SCRIPT * width(inside) + 0.05)
        if scripts:
            last = boxes[-1]
            boxes[-1] = Box(last.tex + scripts, last.width + wide, last.kind, last.stretched)
        return boxes

    def _skipped(self) -> str:
        """The next token that is no white space."""
        while self.rest and (self.rest[-1].isspace() or self.rest[-1] == "&"):
            self.rest.pop()
        return self.rest[-1] if self.rest else ""

    def _group(self) -> str:
        """The next group, without its braces."""
        self._skipped()
        token = self.rest.pop()
        if token != "{":
            return token + "".join(f"{{{self._group()}}}" for _ in range(_arguments(token)))
        inside, depth = "", 1
        while True:
            token = self.rest.pop()
            depth += (token == "{") - (token == "}")
            if not depth:
                return inside
            inside += token

    def _base(self) -> list[Box]:
        token = self.rest.pop()
        if token == "{":
            self.rest.append(token)
            inside = self._group()
            return [Box(f"{{{inside}}}", width(inside))]
        if token in (r"\left", r"\right"):
            bracket = self.rest.pop()
            kind: Kind = "open" if token == r"\left" else "close"
            wide = NOTHING if bracket == "." else _SIGNS.get(bracket, 500) / 1000 + 0.3
            return [Box(token + bracket, wide, kind, stretched=True)]
        if token == r"\frac":
            above, below = self._group(), self._group()
            wide = max(width(above), width(below)) + 0.24
            flat = rf"\left({above}\right) / \left({below}\right)"
            return boxes(flat, self.most) if wide > self.most else [Box(rf"\frac{{{above}}}{{{below}}}", wide)]
        if token == r"\sqrt" and self.rest[-1] != "[":
            inside = self._group()
            wide = width(inside) + 1
            return (
                boxes(rf"\left({inside}\right)^{{1/2}}", self.most)
                if wide > self.most
                else [Box(rf"\sqrt{{{inside}}}", wide)]
            )
        if token.startswith(r"\begin"):
            return [self._environment(token)]
        if _arguments(token):
            inside = self._group()
            return [Box(f"{token}{{{inside}}}", _lettered(token, inside))]
        return [_sign(token)]

    def _environment(self, begin: str) -> Box:
        tex, rows, end = begin, [[""]], begin.replace("begin", "end")
        while (token := self.rest.pop()) != end:
            tex += token
            if token == "\\\\":
                rows.append([""])
            elif token == "&":
                rows[-1].append("")
            else:
                rows[-1][-1] += token
        columns = [max(width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
        return Box(tex + end, sum(columns) + len(columns) + 1)


def _arguments(token: str) -> int:
    upright = (
        r"\mathrm",
        r"\mathbf",
        r"\mathsf",
        r"\mathbb",
        r"\boldsymbol",
        r"\text",
        r"\operatorname",
        r"\widetilde",
    )
    return 2 if token == r"\frac" else int(token in (*upright, r"\sqrt"))


def _lettered(token: str, inside: str) -> float:
    """Letters in another shape."""
    if token == r"\widetilde":
        return width(inside)
    if token == r"\boldsymbol":
        return _BOLD * width(inside)
    word = sum(_UPRIGHT.get(c, 500) for c in re.sub(r"\\[a-z]+ ?", "w", inside)) / 1000
    return (_BOLD if token == r"\mathbf" else 1) * word + (0.34 if token == r"\operatorname" else 0)


def _sign(token: str) -> Box:
    if token in _SPACES:
        return Box(token, _SPACES[token] / 1000, "space")
    kind = _KINDS.get(token, "ordinary")
    around = {"binary": 0.445, "relation": 0.556, "comma": 0.167}.get(kind, 0)
    if token.isdigit():
        return Box(token, 0.5 * len(token))
    if token in _SIGNS or token in _ITALIC:
        return Box(token, (_SIGNS.get(token) or _ITALIC[token]) / 1000 + around, kind)
    name = token.removeprefix("\\")
    function = name in ("sin", "cos", "tan", "exp", "log", "max", "min")
    greek = _CAPITAL if name[:1].isupper() else _GREEK
    return Box(token, sum(_UPRIGHT[c] for c in name) / 1000 + 0.34 if function else greek)
