"""LaTeX of a page as the text of the page, so that it is read back in the same way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from semidirect.pages.notation import _GREEK

SUB, SUPER = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"), str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
SIGNS = {
    **{f"\\{name}": letter for name, letter in _GREEK.items()}, r"\times": "×", r"\cdot": "·", r"\circ": "∘", r"\,": " ",
    r"\quad": "  ", r"\ ": " ", r"\:": " ", r"\star": "⋆", r"\_": "_", r"\partial": "∂", r"\int": "∫ ", r"\mathsf": "",
    r"\left": "", r"\right": "", r"\diamond": "◇", r"\geq": ">=", r"\leq": "<=", "~": " ",
}  # fmt: skip
UPRIGHT = (r"\boldsymbol", r"\mathrm", r"\mathbf", r"\text", r"\operatorname", r"\mathbb")
FUNCTIONS = {rf"\{name}": name for name in ("sin", "cos", "tan", "exp", "log")} | {r"\max": "Max", r"\min": "Min"}
TOKEN = re.compile(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|\\[A-Za-z]+|\\.|[{}_^&']|\s+|.", re.DOTALL)


def lines_of(latex: str) -> list[str]:
    """The equations of an align* environment, and those of the sentence after it, as lines of text."""
    display, _, where = latex.strip().partition("\n\\end{align*}")
    inside = display.removeprefix("\\begin{align*}\n")
    inside = re.sub(r"( \\right\.)* \\\\\n&\\quad (\\left\.\s*)*", " ", inside)
    lines = inside.split(" \\\\\n")
    return [*(_in_text(Latex(line).text()) for line in lines), *_legend(where.strip())]


def _legend(where: str) -> list[str]:
    """The lines of text that a legend has for a sentence "where …; …; and … are parameters."."""
    if not where:
        return []
    sentence = re.fullmatch(r"where (.*)\.", where)[1]
    lines: list[str] = []
    for clause in (part.removeprefix("and ") for part in sentence.split("; ")):
        plain = re.sub(r"\$([^$]+)\$", lambda formula: _in_text(Latex(formula[1]).text()), clause)
        if kind := re.fullmatch(r"(.*) (?:is|are) (?:a parameter|parameters)", plain):
            words = re.sub(r" \(([^()]+)\)", lambda x: f" ({x[1].replace(' ', '_')})", kind[1])
            lines.append(f"parameters {words}")
        elif kind := re.fullmatch(r"(.*) is (the constraint, with the reaction .*)", plain):
            lines.append(f"{kind[1]} ({kind[2]})")
        elif re.search(r" (is|are) (advected|an internal state|internal states)$", plain) is None:
            rows = [_in_text(Latex(formula).text()) for formula in re.findall(r"\$([^$]+)\$", clause)]
            assert re.sub(r"\$[^$]+\$", "", clause) in ("", ", " * (len(rows) - 1)), clause
            lines += _joined(rows)
    return lines


def _joined(rows: list[str]) -> list[str]:
    """Formulas, with what p is behind the one that has it."""
    lines: list[str] = []
    for row in rows:
        if row.startswith("p = ") and lines:
            lines[-1] += f",  {row}"
        else:
            lines.append(row)
    return lines


def _in_text(line: str) -> str:
    """Powers that are no powers, and products of letters that are one name in text."""
    line = re.sub(r"dW(?:\^\((\d+)\)|([²³]))", lambda m: f"dW{m[1].translate(SUPER) if m[1] else m[2]}", line)
    return re.sub(r"(\S+ᵀ) (\S+) (\S+)(?=\)⁻¹|$)", r"\1\2\3", line)


class Latex:
    """One formula."""

    def __init__(self, latex: str):
        self.rest = list(TOKEN.findall(latex))[::-1]

    def text(self, end: str = "") -> str:
        """Everything up to a token."""
        out = ""
        while self.rest and self.rest[-1] != end:
            out += self._marked(self._one())
        if end:
            assert self.rest.pop() == end
        return re.sub(r"\s*&=\s*", " = ", out).replace("&", "")

    def _group(self) -> str:
        while self.rest[-1].isspace():
            self.rest.pop()
        if self.rest[-1] != "{":
            return self._one()
        self.rest.pop()
        return self.text("}")

    def _one(self) -> str:
        token = self.rest.pop()
        if token == "{":
            inside = self.text("}")
            return inside
        if token in UPRIGHT:
            inside = self._group()
            return {"I": "𝕀"}.get(inside, inside) if token == r"\mathbb" else inside
        if token == r"\widetilde":
            inside = self._group()
            return f"{inside[0]}\u0303{inside[1:]}"
        if token == r"\frac":
            above, below = self._group(), self._group()
            rate = above.startswith("∂") or (above, below) == ("dp", "dt")
            return f"{above}/{below}".replace("∂ ", "∂") if rate else f"(({above})/({below}))"
        if token == r"\sqrt":
            root = ""
            if self.rest[-1] == "[":
                self.rest.pop()
                root = self.text("]")
            inside = self._group()
            return f"(({inside})^(1/{root}))" if root else f"sqrt({inside})"
        if token in FUNCTIONS:
            power = ""
            if self.rest[-1] == "^":
                self.rest.pop()
                power = self._group()
            call = f"{FUNCTIONS[token]}{self._group() if self.rest[-1] == '{' else ''}"
            return f"({call})^({power})" if power else call
        if token == r"\left" and self.rest[-1] == "|":
            self.rest.pop()
            inside = self._until_bar()
            return f"Abs({inside})"
        if token == r"\begin{smallmatrix}":
            return "; ".join(" ".join(row) for row in self._rows(r"\end{smallmatrix}"))
        if token == r"\begin{pmatrix}":
            return self._matrix()
        if token == r"\begin{cases}":
            return self._cases()
        if token == r"\delta" or token == r"\partial":
            while self.rest and self.rest[-1].isspace():
                self.rest.pop()
            return {r"\delta": "δ", r"\partial": "∂"}[token]
        if token.isspace():
            return " "
        return SIGNS.get(token, token)

    def _until_bar(self) -> str:
        out = ""
        while not (self.rest[-1] == r"\right" and self.rest[-2] == "|"):
            out += self._marked(self._one())
        del self.rest[-2:]
        return out

    def _marked(self, base: str) -> str:
        """What stands below and above, in the order of text."""
        below = above = None
        primes = ""
        while self.rest and self.rest[-1] in ("_", "^", "'"):
            mark = self.rest.pop()
            if mark == "_":
                assert below is None, f"two subscripts of {base}"
                below = self._group()
            elif mark == "^":
                assert above is None, f"two superscripts of {base}"
                above = self._group()
            else:
                primes += "′"
        base += primes
        if below is None and above is None:
            return base
        if base == "ad":
            return f"ad*_{below}"
        stars, column, block, power = "", "", "", ""
        for part in (above or "").split(",") if above is not None else ():
            part = part.strip()
            if part and set(part) == {"⋆"}:
                stars = part
            elif re.fullmatch(r"\(\d+\)", part):
                column = f"⁽{part[1:-1].translate(SUPER)}⁾"
            elif part == "T":
                power = "ᵀ"
            elif part == "-1":
                power = "⁻¹"
            elif below is not None and re.fullmatch("[\\d,]+", below) and re.fullmatch(r"[^\W\d].*", part):
                block = f"^{part}"
            elif base == "dW":
                power = part.translate(SUPER)
            elif base == "e" and below is None and not part.isdigit():
                return f"exp({above})"
            else:
                power = {"2": "²", "3": "³"}.get(part, f"^({part})")
        index = ""
        if below is not None:
            parts = below.split(",")
            if all(p.isdigit() for p in parts):
                index = ("," if any(len(p) > 1 for p in parts) else "").join(parts).translate(SUB)
            else:
                index = f"_{below}"
        return f"{base}{stars}{index}{block}{column}{power}"

    def _rows(self, end: str) -> Iterator[list[str]]:
        cells, out = [], ""
        while self.rest[-1] != end:
            if self.rest[-1] == "&":
                self.rest.pop()
                cells, out = [*cells, out.strip()], ""
            elif self.rest[-1] == "\\\\":
                self.rest.pop()
                yield [*cells, out.strip()]
                cells, out = [], ""
            else:
                out += self._marked(self._one())
        self.rest.pop()
        yield [*cells, out.strip()]

    def _matrix(self) -> str:
        rows = [" ".join(row) for row in self._rows(r"\end{pmatrix}")]
        inside = "; ".join(rows).replace("- ", "−").replace("-", "−")
        return f"[{inside}]" if len(rows) == 2 else f"({inside})"

    def _cases(self) -> str:
        texts = []
        for value, condition in self._rows(r"\end{cases}"):
            texts.append(
                f"else {value}" if "otherwise" in condition else f"{value} if {condition.replace('for', '').strip()}"
            )
        return f"({', '.join(texts)})"
