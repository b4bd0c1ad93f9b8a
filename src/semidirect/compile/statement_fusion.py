"""Fuses statements: a value that only the next line reads is written into that line.

Numba spends its time by statements, not by operations. The operations stay as they are, and so do the bits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from semidirect.compile.loop_splitting import NAME

LONGEST = 240
"""Characters of a line: Python's parser takes some hundred nested parentheses, not more."""

_WHOLE = re.compile(r"[\w.]+(\[[^\[\]]*\]|\([^()]*\))?")


def joined(lines: Sequence[str], wanted: Iterable[str] = ()) -> list[str]:
    """Lines ``name = code`` or ``place = code``, each joined to the next line if nothing else reads its value.

    Parameters
    ----------
    wanted : iterable of str
        Names that what follows reads.
    """
    uses = Counter(name for line in lines for name in NAME.findall(line.split(" = ", 1)[1]))
    uses.update(wanted)
    out: list[str] = []
    for line in lines:
        target, code = line.split(" = ", 1)
        while out:
            name, value = out[-1].split(" = ", 1)
            if "[" in name or uses[name] != 1 or name not in NAME.findall(code) or len(value) + len(code) > LONGEST:
                break
            out.pop()
            inside = value if _WHOLE.fullmatch(value) else f"({value})"
            code = re.sub(rf"\b{name}\b", lambda _: inside, code)  # noqa: B023
        out.append(f"{target} = {code}")
    return out
