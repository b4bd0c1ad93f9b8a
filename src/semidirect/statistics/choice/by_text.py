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
    settings: dict[str, str] = {}
    for entry in (e for e in entries if _OPTION.match(e)):
        key, _, value = entry.partition("=")
        if key.strip() in settings or (key.strip() in ("kind", "name", "quantities")):
            raise errors.InputError(
                f"--reduce {text}", expected="each option once, quantities without a key", got=f"{key.strip()}= again",
                hint=_examples(),
            )  # fmt: skip
        settings[key.strip()] = value
    kind = statistic(name)
    allowed = options(kind)
    description: dict[str, Any] = {"kind": kind.kind, **{k: _value(v) for k, v in settings.items()}}
    if "name" in allowed:
        if len(names) != 1:
            raise errors.InputError(f"--reduce {name}", expected=f"one quantity, {name}:NAME,…", got=repr(text))
        description["name"] = names[0]
    elif names:
        description["quantities"] = names
    unknown = [k for k in description if k not in allowed and k != "kind"]
    missing = [k for k, required in allowed.items() if required and k not in description]
    if unknown or missing:
        raise errors.InputError(
            f"--reduce {text}",
            expected=f"with {', '.join(f'{k}=' for k in missing) or 'options ' + ', '.join(allowed)}",
            got=", ".join(f"{k}=" for k in unknown) or "without",
            hint=_examples(),
        )
    return from_description(description)


def _examples() -> str:
    return f"Examples: {examples()}."


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text.strip()
