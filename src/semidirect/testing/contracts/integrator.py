"""The contract of integrators, which tests their declarations."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import semidirect as sd
from semidirect import Execution, Integrator, System, Wiener
from semidirect.core import arguments, errors
from semidirect.integrators import integrator
from semidirect.testing.noise_problems import problems
from semidirect.testing.verification import drift_slope

CLASSES = ("additive", "single", "commutative", "general")
HARDEST_FIRST = ("general", "commutative", "single", "additive")
TOLERANCE = 0.2
"""Tolerance of a measured order. Measured over our methods: errors of at most .08."""
ROUND_OFF = 1e-12
"""After 400 steps of 1/20, relative. Measured for our geometric methods: 3e-14."""


def integrator_contract(method: Integrator | str, *, conserves: Sequence[str] = (), paths: int = 100,
                        on: Mapping[str, System] | None = None) -> type:  # fmt: skip
    """A pytest class that tests an integrator; assign it to a name that starts with ``Test``.

    Parameters
    ----------
    method : Integrator or str
        The method, made.
    conserves : sequence of str
        Observables of the problem without noise that it preserves to round-off: ``gamma-squared``, ``momentum-gamma``,
        ``energy``.
    paths : int
        For the strong order.
    on : dict class of noise → System, optional
        Default :func:`~semidirect.testing.noise_problems.problems`: a top that tumbles, and a particle whose noises commute.

    Returns
    -------
    type
        Tests: it declares itself and survives pickling; it follows the drift; its deterministic and its strong order are the
        declared ones, from both sides, on a nonlinear problem; the same bits in array code and compiled, in one part and in
        two; the declarations ``geometric`` and ``conserves``; errors for noise without a declared order.
    """
    scheme = integrator(method)
    if on is not None and not isinstance(on, Mapping):
        raise errors.InputError("on", expected="a mapping of classes of noise to systems", got=repr(on))
    arguments.validated_names("conserves", conserves)
    arguments.validated_whole("paths", paths, least=1)
    by_class = dict(problems() if on is None else on)
    table = scheme.strong_order
    follows = scheme.calculus != "ode"
    # the hardest noise that the method claims shows its order best
    strong = (
        next((n for n in HARDEST_FIRST if n in table and n in by_class), None) if follows and not scheme.weak else None
    )
    increments = Wiener(increment_law="three-point" if scheme.weak else "normal")

    class IntegratorContract:
        """The declarations of a method."""

        def test_it_declares_itself(self):
            assert isinstance(scheme.name, str)
            assert scheme.name
            assert scheme.calculus in ("stratonovich", "ito", "ode")
            assert set(scheme.strong_order) <= set(CLASSES)
            assert set(scheme.weak_order) <= set(CLASSES)
            assert all(order > 0 for order in (*scheme.strong_order.values(), *scheme.weak_order.values()))
            assert scheme.deterministic_order >= 1
            twin = pickle.loads(pickle.dumps(scheme))
            assert (type(twin), twin.label) == (type(scheme), scheme.label)

        def test_it_follows_the_drift(self):
            """y⁺ = y + f dt + O(dt²): halving the step quarters the rest."""
            system = by_class["none"]
            rest = [self._rest(system, dt) for dt in (2.0**-6, 2.0**-7)]
            assert rest[0] < 0.1 * 2.0**-6
            assert rest[1] <= 0.3 * rest[0] + 1e-13

        @staticmethod
        def _rest(system: System, dt: float) -> float:
            run = system.simulate(t_end=dt, dt=dt, method=scheme, execution=Execution(engine="numpy"), driver=0)
            names = [v.name for v in system.sde().variables]
            y = [np.concatenate([np.ravel(run[n][0, k]) for n in names]) for k in (0, 1)]
            return float(np.max(np.abs(y[1] - y[0] - dt * system.drift(y[0]))))

        def test_deterministic_order(self):
            _study(by_class["none"], scheme, "deterministic", 1)

        def test_array_code_and_compiled_code_give_the_same_bits(self):
            system = by_class[strong or ("general" if follows else "none")]
            noise: dict[str, Any] = {"driver": increments if follows else 0}
            runs = [
                system.simulate(
                    t_end=0.5,
                    dt=0.0625,
                    paths=5,
                    seed=3,
                    execution=Execution(threads=1, engine=engine),
                    method=scheme,
                    **noise,
                )
                for engine in ("numpy", "compiled")
            ]
            for name in runs[0].data:
                assert runs[0][name].tobytes() == runs[1][name].tobytes(), name
            assert not follows or len({x.tobytes() for x in runs[0][system.sde().variables[0].name]}) == 5

        def test_a_run_in_two_parts_is_the_run_in_one(self):
            """A step is a function of the state, the time and the increments, and of no step before it."""
            system = by_class[strong or ("general" if follows else "none")]
            options: dict[str, Any] = {
                "dt": 0.0625,
                "method": scheme,
                "execution": Execution(engine="numpy", threads=1),
            }
            options |= {"driver": increments if follows else 0}
            whole = system.simulate(t_end=0.5, paths=3, seed=3, **options)
            first = system.simulate(t_end=0.1875, paths=3, seed=3, **options)
            second = system.simulate(t_end=0.5, state=first.final, **options)
            for name in whole.data:
                assert second[name].tobytes() == np.ascontiguousarray(whole[name][:, 3:]).tobytes(), name

        def test_what_it_has_no_order_for_is_refused(self):
            refused = [n for n in CLASSES if n in by_class and n not in table] if not scheme.weak else list(CLASSES)
            if not follows or (table and not scheme.weak):
                for name in refused:
                    with pytest.raises(errors.MethodError) as caught:
                        by_class[name].simulate(t_end=0.25, dt=0.125, method=scheme)
                    assert caught.value.hint
            if scheme.weak:
                with pytest.raises(errors.MethodError, match="three-point"):
                    by_class["general"].simulate(t_end=0.25, dt=0.125, method=scheme, driver=Wiener())

    # tests of what a method does not claim would always pass, so they are not there
    if strong is not None:

        def test_strong_order(self: Any) -> None:
            _study(by_class[strong], scheme, "strong", paths)

        IntegratorContract.test_strong_order = test_strong_order  # type: ignore[attr-defined]
    if scheme.geometric:

        def test_the_configuration_stays_on_the_group(self: Any) -> None:
            system = by_class["general" if follows else "none"]
            noise: dict[str, Any] = {"driver": increments if follows else 0}
            run = system.simulate(t_end=20, dt=0.05, paths=3, seed=1, save="final", method=scheme, **noise)
            assert not run.failures()
            stored = np.concatenate([np.atleast_2d(run[n][:, -1].T) for n in _stored(system)])
            s = np.moveaxis(system.group.element(stored), -1, 0)
            assert max(float(system.group.residual(x)) for x in s) < ROUND_OFF
            for name, quantity in system.advected.items():
                a = np.asarray(run[name])[:, -1]
                assert np.max(np.abs(np.stack([quantity.at(x) for x in s]) - a)) < ROUND_OFF

        IntegratorContract.test_the_configuration_stays_on_the_group = (  # type: ignore[attr-defined]
            test_the_configuration_stays_on_the_group
        )
    if conserves:

        @pytest.mark.parametrize("name", list(conserves))
        def test_it_conserves(self: Any, name: str) -> None:
            run = by_class["none"].simulate(t_end=20, dt=0.05, save="every:4", method=scheme, driver=0)
            drift = drift_slope(run, name)
            assert drift.error < ROUND_OFF, f"{name}: {drift}"

        IntegratorContract.test_it_conserves = test_it_conserves  # type: ignore[attr-defined]
    return IntegratorContract


def _study(system: System, method: Integrator, kind: Any, paths: int) -> None:
    study = sd.analysis.convergence(
        system,
        method,
        kind,
        t_end=0.5,
        dt=0.0625,
        levels=5,
        paths=paths,
        tolerance=TOLERANCE,
        seed=2,
    )
    curve = study.curves[0]
    text = f"order {curve.fit.slope:.2f}, declared {curve.declared}"
    assert study.right_limit, f"{curve.limits:.1e} from the limit of {study.reference}, {curve.allowed:.1e} explained"
    assert curve.verdict in ("met", "inconclusive", "exact"), f"{curve.verdict}: {text}"
    if curve.verdict == "inconclusive" and curve.declared is not None:  # few steps above round-off, or a wide interval
        assert abs(curve.fit.slope - curve.declared) < 2 * TOLERANCE, text


def _stored(system: System) -> list[str]:
    from semidirect.expressions import component_names

    return list(component_names.grouped(tuple(system.group.stored_names)))
