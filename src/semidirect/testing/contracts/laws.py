"""The driver by Hypothesis of the laws that ``semidirect check`` tries with random numbers of a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar, final

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import semidirect as sd
from semidirect.core import errors
from semidirect.definition import Definition, SystemDefinition
from semidirect.testing.laws import exact_points
from semidirect.testing.laws.sizes import budget
from semidirect.testing.laws.subject import Subject
from semidirect.testing.state_strategies import orbit_states, states

C = TypeVar("C", bound=SystemDefinition)


@final
@dataclass(frozen=True)
class Drawn:
    """One state of each kind, drawn by Hypothesis; for several variants of a system, one per label."""

    data: st.DataObject
    label: str = ""

    def exact(self, purpose: str, definition: Definition) -> Iterator[exact_points.ExactState]:
        """A state on the orbit."""
        yield self.data.draw(orbit_states(definition))

    def floats(self, purpose: str, system: Any) -> Iterator[dict[str, Any]]:
        """A state in floats."""
        yield self.data.draw(states(system))

    def cases(self, variants: Mapping[str, C]) -> Mapping[str, C]:
        """The one that is tested."""
        return {self.label: variants[self.label]}

    def none_is_regular(self) -> NoReturn:
        """Leave out states where a definition divides by 0 or is not real, such as a disc that lies flat."""
        reject()


def laws_named(*names: str) -> list[sd.laws.Law]:
    """The laws of these names."""
    laws = {law.name: law for law in sd.laws.LAWS}
    return [laws[name] for name in names]


def contract(name: str, doc: str, subject: Subject, laws: Iterable[sd.laws.Law], share: float = 0.05) -> type:
    """A pytest class with a test of each law that applies, ``test_energy_law`` for ``energy law``; ``share`` as of ``budget``."""
    tests = {f"test_{law.name.replace(' ', '_')}": _test(law, subject, share) for law in laws if _applies(law, subject)}
    return type(name, (), {"__doc__": doc, **tests})


def _applies(law: sd.laws.Law, subject: Subject) -> bool:
    try:
        return not law.absent(subject)
    except errors.SemidirectError:  # the test reports the error
        return True


def _test(law: sd.laws.Law, subject: Subject, share: float) -> Callable[..., None]:
    limited = budget(share, shrink=share > 0.05)

    def holds(data: st.DataObject, label: str) -> None:
        outcome = law.outcome(subject.drawn_by(Drawn(data, label)))
        if outcome.status == "not applicable":
            pytest.skip(outcome.figure)
        assert outcome.status != "failed", f"{outcome.figure}\n  → {outcome.look_at}"

    if law.cases is None:

        @limited
        @given(data=st.data())
        def test(self: Any, data: st.DataObject) -> None:
            holds(data, "")

    else:

        @pytest.mark.parametrize("label", subject.known(law.cases))
        @limited
        @given(data=st.data())
        def test(self: Any, data: st.DataObject, label: str) -> None:
            holds(data, label)

    test.__doc__ = law.doc
    return test
