"""The class ``sd.System``: a definition with the methods that derive, prove, advise and simulate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, dataclass_transform, final

import numpy as np

from semidirect.analysis import Advice
from semidirect.core import WithMovedNames, arguments, display, errors, explains_calls, messages, moved_attribute
from semidirect.definition import GivenMotion, Observable, SystemDefinition, Workings, WorkingsOf
from semidirect.invariants import Conservation
from semidirect.specification import names_moved_arguments

if TYPE_CHECKING:
    from semidirect.engines import Execution
    from semidirect.equations import StratonovichSDE
    from semidirect.export import Exported
    from semidirect.model import NumericalSDE
    from semidirect.pages import Derivation, Equations
    from semidirect.run import Run
    from semidirect.specification import Checks, Formulation, MethodLike, Reduce, Save, seeds
    from semidirect.specification.conditions import Condition
    from semidirect.statistics import Statistic
    from semidirect.stepper import Stepper


def _no_attribute(system: System, name: str) -> Any:
    """The error of an attribute that a system does not have: where the value is, or what is probably meant."""
    kind = type(system).__name__
    if name.startswith("_"):
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")
    try:
        quantities = {*system.workings.definition().names, *system.observables()}
    except Exception:  # of a definition that is not one, which its use says
        quantities = set()
    own = [one for one in (*dir(type(system)), *vars(system).get("values", ())) if not one.startswith("_")]
    near = messages.nearest_name(name, own)
    quantity = near if near in quantities else messages.nearest_name(name, quantities, likeness=0.8)
    hint = f"Did you mean .{near}?" if near else ""
    if quantity:
        hint = f"Values of {quantity!r} are those of a run, run[{quantity!r}], or of a state, system.evaluate(state)."
    raise errors.NoAttributeError(f"{kind} has no attribute {name!r}", hint=hint)


class SystemWorkings(Workings["System"]):
    """Of a system, with what is derived from it."""

    def expression(self, quantity: Observable | Callable[..., Any], sde: StratonovichSDE) -> list[Any]:
        """An observable as expressions of the program of an SDE."""
        from semidirect.equations import quantity_expressions

        return quantity_expressions.component_expressions(self.system, quantity, sde)

    def model(self, *, variables: str = "momentum", form: str | None = None) -> NumericalSDE:
        """The equations as numerical functions with the parameters of the system."""
        from semidirect.model import NumericalSDE

        return NumericalSDE.of(self.system, variables=variables, form=form)


@dataclass_transform(
    kw_only_default=True, frozen_default=True
)  # for type checkers: declarations with types are arguments
@explains_calls
class System(Conservation, Advice, metaclass=WithMovedNames, has_energy=False):
    """Base of all systems; a subclass states the data of the theorem (EP) and is frozen once made.

    A subclass defines :attr:`group`, :attr:`advected`, :meth:`lagrangian`, :meth:`constraint` and, if it has them, forces,
    internal states, observables, and a recommended :attr:`initial` state. Without a constraint it may define :meth:`hamiltonian`
    in place of a Lagrangian, and :meth:`noise_hamiltonian`. Parameters and options are class attributes made by
    ``sd.parameter`` and ``sd.option``; those with a type, as in ``mass: sd.Parameter = sd.parameter(1.0)``, are arguments of the
    class for type checkers and editors too. Functions of the state may name those of ``xi, a, t, z`` that they use.

    Raises
    ------
    UnknownNameError
        For a keyword that is neither a parameter nor an option.
    InputError
        For a value out of its bounds.
    """

    workings = WorkingsOf(SystemWorkings)  # what the package asks of it
    _moved = "System"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        cls._refuse_names_of(*System.__mro__[: System.__mro__.index(SystemDefinition)])

    if not TYPE_CHECKING:  # a type checker would accept every attribute

        def __getattr__(self, name: str) -> Any:
            if any(
                name in vars(base) for base in type(self).__mro__
            ):  # a property that failed; this raises its error again
                return object.__getattribute__(self, name)
            return moved_attribute(self, name, partial(_no_attribute, self))

    # -- derivation ------------------------------------------------------------------------------------------------

    def sde(self, principle: str = "hamilton-pontryagin", *, variables: str = "momentum", form: str | None = None
            ) -> StratonovichSDE:  # fmt: skip
        """The equations as an object, derived once for each structure.

        Parameters
        ----------
        principle : {"hamilton-pontryagin", "lagrange-dalembert"}
            The principle that derives them.
        variables : {"momentum", "velocity"}
            State variables, if there is a choice.
        form : {"A", "B"}, optional
            Form of the constraint, where there is a choice.
        """
        from semidirect.equations import derived_sde

        return derived_sde(self, principle, variables=variables, form=form)

    def equations(self, form: str = "stratonovich", *, components: bool = False) -> Equations:
        """The equations to read: ``print`` them, or ``.latex()``.

        Parameters
        ----------
        form : {"stratonovich", "ito"}
        components : bool
            Whether to write out the components of a large algebra too; otherwise its page names its structure.
        """
        from semidirect.pages import Equations

        return Equations(self, form, components=components)

    def derivation(self) -> Derivation:
        """How the equations follow from the principle, step by step: ``print`` it, or ``.latex()``.

        Raises
        ------
        DefinitionError
            If the constraint is given by covectors only.
        """
        from semidirect.pages import Derivation

        return Derivation(self)

    # -- numbers ---------------------------------------------------------------------------------------------------

    def drift(self, y: Any, t: float = 0.0) -> np.ndarray:
        """The Stratonovich drift f(y, t); y is the state vector of :meth:`sde`, shape ``(d,)`` or ``(d, paths)``.

        Raises
        ------
        InputError
            For a y of another shape.
        """
        return self.workings.model().column(0, self._vector(y), arguments.finite_time(t))

    def diffusion(self, y: Any, t: float = 0.0) -> np.ndarray:
        """The noise fields g_i(y, t) as columns, shape ``(d, m)`` or ``(d, m, paths)``."""
        model, y, t = self.workings.model(), self._vector(y), arguments.finite_time(t)
        columns = [model.column(i + 1, y, t) for i in range(model.wieners)]
        return np.stack(columns, axis=1) if columns else np.zeros((len(y), 0, *y.shape[1:]))

    def _vector(self, y: Any) -> np.ndarray:
        """A state vector for all paths."""
        d, paths = self.workings.model().dimension, self.workings.paths
        try:
            array = arguments.numeric(y)
        except (TypeError, ValueError):
            raise errors.InputError("a state vector", expected=f"numbers ({d},) or ({d}, paths)", got=repr(y)) from None
        if (
            array.shape[:1] != (d,)
            or array.ndim > 2
            or (paths and array.ndim == 2 and array.shape[1] not in (1, paths))
        ):
            raise errors.InputError("a state vector", expected=f"shape ({d},) or ({d}, {paths or 'paths'})", got=str(array.shape),
                                    hint=f"Its components are {', '.join(self.workings.model().structure.state)}.")  # fmt: skip
        return array[:, None] if paths and array.ndim == 1 else array

    def linearise(self, state: Mapping[str, Any] | None = None, *, t: float | None = None) -> dict[str, np.ndarray]:
        """Jacobians of the drift and of each noise field at a state and time (default 0, or that of a ``run.final``), in the
        velocity variables; of a lattice in its own.

        Returns
        -------
        dict
            ``drift`` (d, d), ``noise1`` … (d, d), exact to round-off, and ``state`` (d,) where they were taken.
        """
        from semidirect.state import linearise

        return linearise(self, state, t)

    def evaluate(self, state: Mapping[str, Any] | None = None, *, t: float | None = None) -> dict[str, Any]:
        """All fields at one state: see :func:`semidirect.state.evaluation.evaluate`."""
        from semidirect.state import evaluate

        return evaluate(self, state, t)

    # -- notebooks -------------------------------------------------------------------------------------------------

    def _repr_html_(self) -> str:
        kind = type(self)
        choices = self.workings.choices
        values = [
            [name, display.glimpse(self.values[name]), p.unit, p.doc] for name, p in kind.workings.parameters().items()
        ] + [[name, display.glimpse(choices[name]), "", o.doc] for name, o in kind.workings.options().items()]
        watched = [[name, o.unit, o.status, o.doc] for name, o in self.observables().items()]
        parts = [display.heading(f"{kind.__name__}: {kind.workings.title()}")]
        parts += [display.table(["parameter", "value", "unit", ""], values)] if values else []
        parts += [display.table(["observable", "unit", "status", ""], watched)] if watched else []
        return "".join(
            [*parts, display.shown(lambda: display.preformatted(str(self.equations())), errors.SemidirectError)]
        )

    def _repr_latex_(self) -> str | None:
        try:
            return display.formulas(self.equations().latex())
        except errors.SemidirectError:
            return None

    # -- paths -----------------------------------------------------------------------------------------------------

    @names_moved_arguments
    def simulate(
        self,
        *,
        t_end: float,
        dt: float,
        t_start: float | None = None,
        paths: int | None = None,
        seed: seeds.Seed = "default",
        method: MethodLike | None = None,
        state: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
        driver: Any = None,
        save: str | Sequence[float] | Save = "all",
        reduce: str | Statistic | Sequence[str | Statistic] | Reduce | None = None,
        stop: Condition | Sequence[Condition] | None = None,
        checks: Checks | None = None,
        execution: Execution | None = None,
        formulation: Formulation | None = None,
    ) -> Run:
        """Run an ensemble of paths.

        A path is a function of (system, parameters, method, dt, noise resolution, seed, path index), to the last bit. It does
        not depend on the number of paths and threads, nor on division into several runs: times are absolute, and the noise
        of a step depends on its number, counted from t = 0. So a run to T₁, continued from its ``final`` to T₂, gives the
        same as a run to T₂; with ``dop853``, which chooses its steps, up to its tolerance.

        Parameters
        ----------
        t_end, dt : float
            When the run ends, and its step [s]; ``t_end`` is a multiple of ``dt``.
        t_start : float, optional
            When it starts [s], a multiple of ``dt`` before ``t_end``; default 0, or the time of a ``run.final`` that is the
            state.
        paths : int, optional
            Number of paths; default the number of per-path states or parameters, else 1.
        seed : int or None
            Seed of the noise; default 0, or that of a ``run.final`` that is the state. ``None`` draws one, which is in
            ``run.seed``, in the summary and in the store; a run that resumes takes that of its store. At another ``dt`` a seed
            gives other Brownian paths, unless both runs have one resolution, ``driver=Wiener(h0)``.
        method : str or Integrator, optional
            A name, with arguments in parentheses: ``heun``, ``sdelab(0.5)``; or an object, ``Heun()``. All of them are in
            :mod:`semidirect.integrators`, and the guide "Choose an integrator" has a table; other packages may add some.
            Default: the system's, else ``implicit-midpoint`` in A form and where the equations conserve a quadratic energy
            with all noises, and ``lie-heun`` elsewhere; :meth:`recommend` says why, and names better ones.
        state : dict, or function, optional
            State at ``t_start``, see :meth:`~semidirect.state.state.InitialState.of`. With a ``run.final`` the run continues from
            there, :class:`~semidirect.state.final.Final`; with ``t_start=0`` it starts anew in that state, and needs another
            seed not to meet the same noise again. A random start is a function ``(rng, count) -> dict`` with values path by path;
            ``rng`` is :class:`~semidirect.random.start_numbers.StartNumbers`.
        driver : optional
            The driver of the noise. Default ``Wiener()``, independent Wiener processes; :class:`~semidirect.Wiener` also gives a
            resolution, a covariance and three-point increments. :class:`~semidirect.noise.Sobol` makes them of Sobol points, by
            which means over paths have less variance. It may be replaced by an expression W(t) as text (a list
            for several noises), 0 for none, an array of increments ``(steps, m)`` or ``(steps, m, paths)`` of the steps of this
            run, a :class:`~semidirect.random.driving_path.DrivingPath`, or a :class:`~semidirect.random.driver.Driver` of
            another package.
        save : str, sequence of float, or Save
            When quantities are saved: ``"all"``, ``"final"``, ``"every:K"``, ``"times:…"`` or times. Which ones, which
            crossings of levels, and in which store on disk: :class:`~semidirect.Save`.
        reduce : str, Statistic, a sequence of them, or Reduce
            Statistics computed during the run, without saving paths: ``"moments"``, ``"covariance"``, ``"extremes"`` or
            objects such as :class:`~semidirect.Moments`; see ``run.reductions``. At which times: :class:`~semidirect.Reduce`.
        stop : Stop or Crossing, or a list of such; optional
            The conditions that stop a path; the first that is met counts. See ``run.stopped``.
        checks : Checks, optional
            Bounds of quantities, what becomes of paths that fail, an error check at half the step:
            :class:`~semidirect.Checks`.
        execution : Execution, optional
            Threads, executor, engine and progress: :class:`~semidirect.Execution`. The bits are the same.
        formulation : Formulation, optional
            Form of the constraint, state variables, and whether the configuration is reconstructed:
            :class:`~semidirect.Formulation`.

        Returns
        -------
        Run

        Raises
        ------
        InputError, MethodError
            For invalid arguments, before the first step.
        StoreError
            If the store exists and ``resume`` is false, contains another run, is being written by others, or cannot be written.
        WorkerError
            If the executor lost its workers.

        Warns
        -----
        FailedPathsWarning
            If paths failed: how many, which was the first, and why.
        """
        # imported here: a system can be defined and derived without loading what runs it
        from semidirect.core import failure
        from semidirect.ensemble import simulate
        from semidirect.run import Run

        run = Run(
            simulate(
                self, t_end=t_end, dt=dt, t_start=t_start, paths=paths, seed=seed, method=method, state=state, driver=driver,
                save=save, reduce=reduce, stop=stop, checks=checks, execution=execution, formulation=formulation,
            )
        )  # fmt: skip
        failure.warn_of_failures(run.data)
        return run

    @names_moved_arguments
    def ensemble(
        self,
        *,
        dt: float,
        t_start: float | None = None,
        paths: int | None = None,
        seed: seeds.Seed = "default",
        method: MethodLike | None = None,
        state: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
        driver: Any = None,
        checks: Checks | None = None,
        execution: Execution | None = None,
        formulation: Formulation | None = None,
    ) -> Stepper:
        """Paths that can be advanced step by step, read, resampled and changed; arguments as for :meth:`simulate`.

        Of the checks it takes bounds and ``validate``, of the execution threads and engine.

        Returns
        -------
        Stepper
            With ``advance``, ``read``, ``select``, ``replace``, ``copy`` and ``to_xarray``.

        Raises
        ------
        InputError, MethodError
            For invalid arguments, including ``dop853`` and drivers that are defined for some steps only.
        """
        from semidirect.stepper import stepper

        return stepper(
            self, dt=dt, t_start=t_start, paths=paths, seed=seed, method=method, state=state, driver=driver, checks=checks,
            execution=execution, formulation=formulation,
        )  # fmt: skip

    def export(
        self, to: str, *, what: str | Sequence[str] | None = None, method: MethodLike | None = None,
        quantities: Sequence[str] | None = None, name: str | None = None,
    ) -> Exported:  # fmt: skip
        """The equations, steps and quantities as a file in another language: see :func:`semidirect.runs.export`."""
        from semidirect.export import export

        return export(self, to, what=what, method=method, quantities=quantities, name=name)


@final
class Kinematics(GivenMotion, System, has_energy=False):
    """Kinematics on a Lie group: ds = s(ξ dt + Σ σ_i∘dW^i) with given ξ and σ_i; advected quantities follow, a = s⁻¹a₀.

    With ξ = 0 and σ_i = σ e_i for an orthonormal basis it is Brownian motion on the group, and that on its orbits. Its
    equations, Itô form, evolutions, proofs and runs are those of any :class:`System`; there are no momenta and no energy. A
    system with named parameters and observables subclasses ``System`` instead, with :class:`PrescribedVelocity` for its
    constraint and no ``lagrangian``.

    Parameters
    ----------
    group : LieGroup
    velocity : array (n,), PerPath, or callable(a, t, z)
        ξ; an array is a parameter, which :meth:`replace` changes without a new derivation. Default 0.
    noise : array (k, n), PerPath, or TransportNoise
        The σ_i; an array is a parameter, a function of the state is ``sd.StateNoise(function)``. Default none.
    advected : dict name → Advected
    internal : sequence of InternalState
    initial : dict
        Recommended state.
    """
