"""One compiled kernel for each structure and method: noise, steps and reconstruction in a loop over lanes.

The kernel is the step of the integrator itself, traced; NumPy and the kernel do the same operations in the same order and
give the same bits. No fastmath.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary, ref

import numpy as np

from semidirect.compile.load_function import loaded
from semidirect.compile.of_equations import OfEquations
from semidirect.compile.packed_tables import Pair
from semidirect.compile.variant import Variant
from semidirect.integrators import Integrator
from semidirect.machine import address_of, paused_collector, reached_code
from semidirect.model import DerivedEquations, NumericalSDE

if TYPE_CHECKING:
    from semidirect.compile.loop_function import LoopFunction

LINE = 8
"""Numbers in a line of the cache."""

K = TypeVar("K")
KERNELS: OfEquations[Any] = OfEquations()
_codes: WeakKeyDictionary[type[Integrator], dict[Any, str]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Kernel:
    """A compiled kernel, and how many paths it takes in a block.

    Attributes
    ----------
    code : callable
        The machine code.
    lanes : int
        Paths in a block.
    numbers, masks : int
        The sizes of its working memory.
    tables : tuple
        Its interpolants.
    """

    code: Callable[..., None]
    lanes: int
    numbers: int
    masks: int
    tables: tuple[Pair, ...] = ()

    def run(self, y: np.ndarray, s: np.ndarray, p: np.ndarray, dW: np.ndarray | None, mix: np.ndarray | None,
            path: int, seed: int, first: int, steps: int, dt: float, root: float, unconverged: np.ndarray,
            tables: tuple[np.ndarray, np.ndarray] | None = None, origin: float = 0.0) -> None:  # fmt: skip
        """Advance lane blocks y ``(blocks, d, lanes)`` and s ``(blocks, r, lanes)`` by ``steps`` steps from step ``first`` on.

        The arrays are contiguous: p ``(blocks or 1, parameters, lanes)``, dW ``(blocks, steps, m, lanes)`` where increments are
        given, mix ``(m, m)`` the Cholesky factor of correlated noises; path is the number of the first path; the time of step n
        is ``origin + n·dt``. If there are
        interpolants, ``tables`` are their numbers and their places ``(blocks, interpolants, lanes)``, see
        :class:`~.packed_tables.PackedTables`.
        ``unconverged (blocks, lanes)``, integers, receives the first step that did not converge, or the first step of all where a
        later one turned too far, if it is −1.
        """
        memory = np.empty(self.numbers + self.masks + LINE)
        # from the start of a cache line, which no row then straddles
        numbers = -(-address_of(memory) // (8 * LINE)) * 8 * LINE
        masks = numbers + 8 * self.numbers
        left = masks + 8 * (self.masks - self.lanes)
        increments, mixed = 0 if dW is None else dW, 0 if mix is None else mix
        whole = (y, s, p, *(tables or (0, 0)), increments, mixed, unconverged, numbers, masks, left)
        self.code(*whole, len(y), path, seed, first, steps, dt, root, origin)

    @classmethod
    def of(cls, model: NumericalSDE, method: Integrator, variant: Variant) -> Kernel:
        """The compiled kernel of a model under a method."""

        def step() -> LoopFunction:
            from semidirect.compile.step_function import step_function

            return step_function(model, method, variant)

        return kernel_of(model.structure, method, label_of(method, variant), step, loaded_kernel)

    @staticmethod
    def is_known(model: NumericalSDE, method: Integrator, variant: Variant) -> bool:
        """Whether the kernel was compiled before, so that it can be loaded in a fraction of a second."""
        label = label_of(method, variant)
        return label is not None and model.structure.knows(label)


def kernel_of(
    equations: DerivedEquations, method: Integrator, label: str | None, step: Callable[[], LoopFunction],
    load: Callable[[str, Callable[[], LoopFunction], str], K],
) -> K:  # fmt: skip
    """The kernel of a method for some equations, which is made once and kept with them.

    Parameters
    ----------
    label : str, optional
        Its key, of :func:`label_of`; without one it is made at each call.
    step : callable() → LoopFunction
        Its function, which is written only where no text of it is cached.
    load : callable(description, step, purpose) → kernel
        The kernel of this description; its function is ``step()`` if it has to be compiled.
    """
    once, purpose = cache(step), f"the steps of {method.label}"
    # the code of a foreign method may not show everything that it does
    key = label if type(method).__module__.startswith("semidirect.") else None

    def make() -> K:
        with paused_collector():
            text = once().described if key is None else equations.text(key, lambda: once().described)
            return load(text, once, purpose)

    return make() if label is None else KERNELS.get(equations, (ref(type(method)), label), make)


def loaded_kernel(description: str, make: Callable[[], LoopFunction], purpose: str = "steps") -> Kernel:
    """The compiled kernel of this description; its function is ``make`` if it has to be compiled."""
    code, facts = loaded(description, make, purpose)
    lanes = facts["lanes"]
    return Kernel(code, lanes, facts["rows"] * lanes, facts["masks"] * lanes, tuple(map(tuple, facts["tables"])))


def label_of(method: Integrator, variant: Hashable) -> str | None:
    """The key of a kernel; it includes the code of the method, since a foreign base class may have been edited.

    ``None`` if the code has no digest.
    """
    kinds, values = type(method).__mro__, tuple(vars(method).items())
    ours = all(kind.__module__.startswith("semidirect.") for kind in kinds if issubclass(kind, Integrator))
    try:
        if ours and all(isinstance(v, (str, int, float)) for _, v in values):
            codes = _codes.setdefault(type(method), {})
            if values not in codes:  # code of this package, which nobody edits while it runs
                codes[values] = reached_code.reached_code(method, own=kinds)
            code = codes[values]
        else:
            code = reached_code.reached_code(method, own=kinds)
        return f"kernel {method.label} {code} {variant}"
    except reached_code.UnknownCodeError:
        return None
