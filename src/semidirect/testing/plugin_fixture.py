"""A fixture that hides the installed plugins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest


@pytest.fixture
def installed_systems() -> Iterator[Callable[..., None]]:
    """Only the plugins that a test names are discovered: ``installed_systems(**{"my-top": "my_package:MyTop"})``.

    Import it into a test module or a ``conftest.py``, ``from semidirect.testing import installed_systems``. A value may be a
    pair (distribution, ``module:attribute``).
    """
    from semidirect import plugins
    from semidirect.core import registry

    points: list[Any] = []

    def install(**entries: str | tuple[str, str]) -> None:
        for name, value in entries.items():
            distribution, place = ("tests", value) if isinstance(value, str) else value
            points.append(SimpleNamespace(name=name, value=place, dist=SimpleNamespace(name=distribution)))

    former = registry.replace_entry_points({plugins.GROUP: points})
    yield install
    registry.replace_entry_points(former)
