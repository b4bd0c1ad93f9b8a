"""The known name that a misspelled one probably means."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["nearest_name"]


def nearest_name(name: object, known: Iterable[str], *, likeness: float = 0.6) -> str | None:
    """The nearest of some names, whatever the case of the letters, hyphens, underscores and spaces; ``None`` if none is as alike,
    1 being the same.
    """
    import difflib

    if not isinstance(name, str):
        return None
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=max(likeness, 0.75))
    plain = {_plain(one): one for one in reversed(names)}
    alike = near or difflib.get_close_matches(_plain(name), [*plain], n=1, cutoff=likeness)
    return None if not alike else plain.get(alike[0], alike[0])


def _plain(name: str) -> str:
    return name.casefold().replace("-", "").replace("_", "").replace(" ", "")
