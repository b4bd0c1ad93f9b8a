"""Statistics as text: what ``--reduce`` says."""

from __future__ import annotations

import json
import re
from typing import Any

from semidirect.core import errors
from semidirect.statistics.choice.by_name import examples, from_description, options, statistic
from semidirect.statistics.reduction import Statistic
from semidirect.text import split_at_commas

__all__ = ["from_text"]

_OPTION = re.compile(r"\s*\w*\s*=")


def from_text(text: str) -> Statistic:
    """The statistic of ``KIND``, ``KIND:NAME,NAME,…`` or ``KIND:NAME,KEY=JSON,…``.

    Raises
    ------
    UnknownNameError, InputError
        For an unknown kind, and for what that kind does not take.
    """
    name, _, rest = text.partition(":")
    entries = split_at_commas(rest)
    names = [entry for entry in entries if not _OPTION.match(entry)]
    given: dict[str, str] = {}
    for entry in (e for e in entries if _OPTION.match(e)):
        key, _, value = entry.partition("=")
        if key.strip() in given or (key.strip() in ("kind", "name", "quantities")):
            raise errors.InputError(
                f"--reduce {text}", expected="each option once, quantities without a key", got=f"{key.strip()}= again",
                hint=_examples(),
            )  # fmt: skip
        given[key.strip()] = value
    kind = statistic(name)
    taken = options(kind)
    described: dict[str, Any] = {"kind": kind.kind, **{k: _value(v) for k, v in given.items()}}
    if "name" in taken:
        if len(names) != 1:
            raise errors.InputError(f"--reduce {name}", expected=f"one quantity, {name}:NAME,…", got=repr(text))
        described["name"] = names[0]
    elif names:
        described["quantities"] = names
    unknown = [k for k in described if k not in taken and k != "kind"]
    missing = [k for k, needed in taken.items() if needed and k not in described]
    if unknown or missing:
        raise errors.InputError(
            f"--reduce {text}",
            expected=f"with {', '.join(f'{k}=' for k in missing) or 'options ' + ', '.join(taken)}",
            got=", ".join(f"{k}=" for k in unknown) or "without",
            hint=_examples(),
        )
    return from_description(described)


def _examples() -> str:
    return f"Examples: {examples()}."


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
