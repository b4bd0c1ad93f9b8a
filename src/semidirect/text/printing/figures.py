"""Numbers in the figures that a reader wants."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from semidirect.expressions import component_names


def plain(value: Any) -> Any:
    """The value converted to JSON's types."""
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


ROUNDING = 1e-12
"""A spread of paths that is smaller than this part of their values is that of rounding."""


def figures(value: Any) -> str:
    """A number to six figures, a dash for none; a list in brackets."""
    value = plain(value)
    if isinstance(value, list):
        return f"[{', '.join(map(figures, value))}]"
    if value is None:
        return "-"
    if isinstance(value, (bool, str)):
        return str(value).lower() if isinstance(value, bool) else value
    return f"{value:.6g}"


def standard_error(error: Any, size: float, form: str = ".6g") -> str:
    """A standard error in a table; 0 where all paths are equal but for rounding, as one below 1e-12 of the value's size says."""
    return figures(error) if error is None else "0" if abs(error) <= ROUNDING * abs(size) else format(error, form)


def with_error(value: float, error: float) -> str:
    """A value and its standard error, to the place of the second figure of the error: ``-0.0378 ± 0.0077``."""
    if 0 < error <= ROUNDING * abs(value):
        return f"{figures(value)} ± 0"
    if not (math.isfinite(value) and math.isfinite(error) and error > 0):
        return f"{figures(value)} ± {figures(error)}"
    place = 1 - math.floor(math.log10(error))
    if -3 <= place <= 7:
        return f"{value:.{max(place, 0)}f} ± {error:.{max(place, 0)}f}"
    digits = math.floor(math.log10(max(abs(value), error))) + place
    return f"{value:.{digits}e} ± {error:.1e}"


def components(name: str, value: Any, stored: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
    """A scalar with its name, or the components of a vector with theirs; ``stored`` are those of the coordinates of s."""
    if isinstance(value, (list, tuple)):
        yield from zip(component_names.component_names(name, len(value), stored), value, strict=True)
    else:
        yield name, value


def span(t_start: float, t_end: float) -> str:
    """The time span in words."""
    return f"to t = {t_end:g} s" if t_start == 0 else f"from t = {t_start:g} s to t = {t_end:g} s"
