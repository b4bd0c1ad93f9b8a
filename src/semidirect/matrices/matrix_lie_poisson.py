"""Lie–Poisson systems of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from semidirect.core import arguments, errors
from semidirect.definition import Definition, observable
from semidirect.groups import RealSpace
from semidirect.matrices.algebra_names import algebra
from semidirect.matrices.checks import check_functions
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.system import System

if TYPE_CHECKING:
    from semidirect.definition import ArrayStatement
    from semidirect.matrices.matrix_algebra import MatrixAlgebra
    from semidirect.matrices.matrix_state import MatrixState


def _has_hamiltonian(system: MatrixLiePoisson) -> bool:
    return type(system).hamiltonian is not MatrixLiePoisson.hamiltonian


class MatrixLiePoisson(System):
    """dW = [W, P(W)] dt + Σ [W, X_k]∘dWᵏ for W in so(N), su(N), u(N), gl(N) or sl(N), stated by functions of arrays.

    A subclass states :attr:`algebra`, :attr:`size` and :meth:`velocity`; it may state :meth:`hamiltonian`, :meth:`fields`,
    parameters, options, observables and a recommended ``initial = {"W": …}``. Its functions get W as an array
    ``(paths, N, N)`` and return such arrays; they may ask for ``t`` too. For so(3), W = hat(M) and P = hat(Ω).

    Attributes
    ----------
    algebra : str
        Name of the algebra.
    size : int
        N; a property, if it depends on a parameter.
    """

    group = RealSpace(1)
    algebra: ClassVar[str]
    size: Any
    _states_arrays: ClassVar[bool] = True
    method: ClassVar[str | None] = "isospectral-midpoint"

    @observable(needs=_has_hamiltonian)
    def energy(self, state: MatrixState) -> Any:
        """H(W)."""
        return state.energy

    # -- stated by a subclass --------------------------------------------------------------------------------------

    def velocity(self, W: np.ndarray) -> np.ndarray:
        """P(W), the gradient of the Hamiltonian by the pairing −½ tr (so), −tr (su, u), tr (gl, sl)."""
        raise errors.DefinitionError(f"{type(self).__name__} defines no velocity", hint="Define velocity(self, W).")

    def hamiltonian(self, W: np.ndarray) -> Any:
        """H(W), a number for each path; optional."""
        raise errors.DefinitionError(
            f"{type(self).__name__} defines no Hamiltonian, so it has no energy", hint="Define hamiltonian(self, W)."
        )

    def fields(self) -> Sequence[Any]:
        """The noise fields X_k: elements of the algebra, or functions of W."""
        return ()

    def written_out(self) -> System:
        """The system with equations in scalars, for algebras of few dimensions.

        Its state is as many entries of W as there are dimensions, under the names that they have here, ``W21``; those of the
        other entries are observables.
        """
        from semidirect.matrices.written_out import written_out

        return self.workings.known((MatrixLiePoisson, "written out"), lambda: written_out(self))

    # -- what the package asks of it -------------------------------------------------------------------------------

    def lie_algebra(self) -> MatrixAlgebra:
        """The algebra with its size."""
        one = self.workings.of_one_path
        name = type(self).__name__
        for attribute in ("algebra", "size"):
            if not hasattr(one, attribute):
                raise errors.DefinitionError(
                    f"{name} states no {attribute}", hint='Write algebra, size = "so", 4, for example.'
                )
        try:
            count = arguments.validated_whole("size", one.size, least=1)
            return algebra(one.algebra, count)
        except errors.InputError as error:
            raise errors.DefinitionError(
                f"{name}.algebra and size", expected="the name of an algebra and a size", got=str(error)
            ) from error

    def _define_with(self, parameters: Sequence[Any]) -> Definition:
        return self._define_arrays({"W": self.lie_algebra().flat.rows}, parameters)

    def _checked(self) -> None:
        super(System, self)._checked()
        if not hasattr(type(self), "algebra"):  # as a system without a group, which is checked at its first use
            return
        space = self.lie_algebra()
        for one in self._of_some_paths():
            check_functions(MatrixFunctions(one, space), space, energy=_has_hamiltonian(self))

    @property
    def _has_energy(self) -> bool:
        return _has_hamiltonian(self)

    @property
    def _derives_energy(self) -> bool:
        """Whether the observable of this name is the Hamiltonian."""
        return type(self).energy.method is MatrixLiePoisson.energy.method

    def _stated_by_arrays(self) -> ArrayStatement:
        from semidirect.matrices.matrix_statement import MatrixStatement

        return MatrixStatement(self)
