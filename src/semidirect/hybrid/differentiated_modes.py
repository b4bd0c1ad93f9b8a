"""The modes of a hybrid system with the directions along which its paths are differentiated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from semidirect.core import errors
from semidirect.hybrid.mode import Mode
from semidirect.integrators import AdaptiveIntegrator
from semidirect.model import sensitivities
from semidirect.specification import Formulation
from semidirect.state import start_slopes


def names_of_sensitivities(formulation: Formulation | None) -> tuple[str, ...]:
    """The directions of the derivatives of a hybrid run; raises an :class:`InputError` for another formulation."""
    if formulation is None:
        return ()
    choice = Formulation.of(formulation)
    if replace(choice, sensitivity=()) != Formulation():
        raise errors.InputError(
            "formulation of a hybrid system",
            expected="sd.Formulation(sensitivity=…) alone",
            got=repr(choice),
            hint="Leave the rest out, or simulate one of its modes.",
        )
    return tuple(choice.sensitivity)


def differentiated(
    modes: Sequence[Mode], start: int, names: Sequence[str], state: Mapping[str, Any] | None
) -> list[Mode]:
    """The modes with their directions, and with the derivatives of the start of their runs.

    Parameters are known to each mode that has them; all other directions move the start, in the names of its mode.

    Raises
    ------
    UnknownNameError
        For a name that no mode knows.
    MethodError
        For noise, and for modes, conditions and methods that are not differentiable.
    """
    directions = [sensitivities.directions(mode.spec.model) for mode in modes]
    by_label: dict[str, dict[int, sensitivities.Direction]] = {}
    for name in names:
        for i, mode in enumerate(modes):
            # initial values belong to the mode at the start; a parameter may reach every mode
            usable = [d for d in directions[i].get(name, ()) if i == start or d.kind == "parameter"]
            if usable or name in mode.spec.system.workings.table_names:
                sensitivities.tangents_of(mode.spec.model, [name])
            for d in usable:
                by_label.setdefault(d.label, {})[i] = d
        if not any(
            name in (label, d.group) or name in directions[start] for label, ds in by_label.items() for d in ds.values()
        ):
            everything = {
                *directions[start],
                *(k for one in directions for k, ds in one.items() if ds and ds[0].kind == "parameter"),
            }
            raise errors.UnknownNameError("direction of a sensitivity", name, sorted(everything))
    out = []
    for i, mode in enumerate(modes):
        _refuse(mode)
        # all modes carry the same directions in one order, so that a switch can hand them on
        tangents = sensitivities.Tangents(tuple(_in(i, label, here) for label, here in by_label.items()))
        model = mode.spec.model.differentiated(tangents)
        slopes = start_slopes.with_slopes(
            mode.spec.start, model, state if i == start else None, mode.spec.t_start, validate=False, located=True
        ).slopes
        assert slopes is not None
        shape = len(tangents.directions), model.dimension + len(model.coordinates), -1
        out.append(replace(mode, tangents=tangents, start_slopes=slopes.reshape(shape)))
    return out


def described(mode: Mode) -> tuple[tuple[str, str, str], ...]:
    """Label, kind and group of each direction."""
    return () if mode.tangents is None else tuple((d.label, d.kind, d.group) for d in mode.tangents.directions)


def _in(number: int, label: str, here: Mapping[int, sensitivities.Direction]) -> sensitivities.Direction:
    some = next(iter(here.values()))
    return here.get(number, sensitivities.Direction(label, "none", -1, some.group))


def _refuse(mode: Mode) -> None:
    """Raise a :class:`MethodError` for a mode whose paths have no derivatives."""
    spec = mode.spec
    if spec.driver is not None:
        raise errors.MethodError(
            "no derivatives through transitions under noise", expected="modes without noise", got=f"noise in {mode.name}",
            hint="A Wiener process has no derivative by the time of a transition, which moves. Give the modes no noise, or take "
            "differences of means of two runs with one seed.",
        )  # fmt: skip
    if isinstance(spec.method, AdaptiveIntegrator):
        raise errors.MethodError(f"{spec.method.label} chooses its steps, so it has no derivatives of a step",
                                 hint="Use a method with fixed steps, such as rkmk4 or gauss(3).")  # fmt: skip
    sensitivities.refuse_kinks(spec.model)
    for guard in mode.guards:
        kink = sensitivities.kink_of(spec.model, guard.switch.when.name, [guard.row])
        if kink:
            raise errors.MethodError(f"the time of {guard.switch.label} is not differentiable", got=f"{kink} in it",
                                     hint="Use a smooth quantity in the condition.")  # fmt: skip
