# ruff: noqa: E501
"""Why a cell is refused: each message that the library may give, and whether the cell is impossible or not built.

A refusal that no rule knows fails the table. Each rule is read by a second person before it lands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import final

IMPOSSIBLE, NOT_BUILT = "impossible", "not built"


@final
@dataclass(frozen=True)
class Refusal:
    """A kind of message.

    Attributes
    ----------
    pattern : str
        A regular expression that a message of this kind contains.
    verdict : str
        ``impossible``, for a reason of mathematics, or ``not built``.
    why : str
        The reason, or what to do instead.
    """

    pattern: str
    verdict: str
    why: str


REFUSALS: tuple[Refusal, ...] = (
    Refusal(r"moves a configuration by the group, and a matrix system has none", IMPOSSIBLE, "W is moved by the group itself, `isospectral-midpoint`; there is no configuration"),
    Refusal(r"are functions of whole arrays, which are not compiled", NOT_BUILT, "array code, the default"),
    Refusal(r"stated by functions of arrays, so its equations are not written out in scalars", NOT_BUILT,
            "the pages on matrices and lattices say what there is; a small one can be stated in scalars, as an `sd.System`"),
    Refusal(r"a system of sites has no body", NOT_BUILT, "advect a frame at the sites, `sd.AdvectedFrame`: a run has it"),
    Refusal(r"a Kalman filter adds states, and those of", NOT_BUILT, "`update=\"particles\"`"),
    Refusal(r"a system of matrices has no body", IMPOSSIBLE, "there is no body in space; `plot`"),
    Refusal(r"dop853 cannot follow the noise of a hybrid", NOT_BUILT, "`rkmk4` or `lie-heun`, or modes without noise"),
    Refusal(r"dop853 needs a smooth driving path", NOT_BUILT, "an expression for the path: the reference is a run of `dop853`, which needs it within steps"),
    Refusal(r"is for systems without a constraint", IMPOSSIBLE, "a constrained motion is not Hamiltonian, so no method is symplectic for it"),
    Refusal(r"matches momenta at the ends of steps, and the state of this model has none", IMPOSSIBLE, "the motion is given: there are no momenta"),
    Refusal(r"matches momenta at the ends of steps, and the state of this model is velocities", NOT_BUILT,
            "a Lagrangian that is quadratic in velocities, a constraint by directions, or `implicit-midpoint`"),
    Refusal(r"needs iterated integrals, which are not known after a transition", NOT_BUILT, "a method of increments alone, such as `lie-heun`"),
    Refusal(r"no derivatives through transitions under noise", IMPOSSIBLE, "a Wiener process has no derivative by the time of a transition, which moves"),
    Refusal(r"formulation of a hybrid system", NOT_BUILT, "each mode has the form of its own definition"),
    Refusal(r"a Kalman filter needs coordinates of the velocities", NOT_BUILT, "`update=\"particles\"`, or directions instead of covectors"),
    Refusal(r"a derivation needs a basis B", NOT_BUILT, "state the constraint by directions"),
    Refusal(r"three-point increments do not form a Brownian path|compares paths, but three-point", IMPOSSIBLE,
            "three-point increments form no path, within a step or at another one"),
    Refusal(r"three-point increments has no paths", NOT_BUILT, "normal increments and a method with a strong order"),
    Refusal(r"the driving path is not in the store", NOT_BUILT, "give it again, `driver=`"),
    Refusal(r"a driving path given by increments is not defined at half the step", IMPOSSIBLE, "increments say nothing of the path within a step"),
    Refusal(r"Gibbs' density: expected a state of momenta", NOT_BUILT, "state the constraint by directions, with a Lagrangian that is quadratic in velocities; of a given motion, `find_measure`"),
    Refusal(r"(Gibbs|gibbs).*(energy|Lagrangian)", IMPOSSIBLE, "there is no energy without a Lagrangian; `find_measure`"),
    Refusal(r"a search for relations: expected equations that are algebraic", NOT_BUILT, "`prove` a relation that you know, or make the function an internal state"),
    Refusal(r"exact proofs do not support piecewise", NOT_BUILT, "prove each case"),
    Refusal(r"as many as per-path values", NOT_BUILT, "as many particles as there are values, `particles=`, or one system at a time, `system.at_path(i)`"),
    Refusal(r"(parameters|starts) per path: expected one", NOT_BUILT, "one system or start at a time, `system.at_path(i)`"),
    Refusal(r"works at one (state|set of parameters)", NOT_BUILT, "one system at a time, `system.at_path(i)`"),
    Refusal(r"a mean over paths needs noise", IMPOSSIBLE, "all paths are one: a single run gives the value"),
    Refusal(r"a mean over paths needs independent noises", IMPOSSIBLE, "paths with one noise are one sample"),
    Refusal(r"no derivatives at an event", IMPOSSIBLE, "a Wiener process has no derivative by the time of the event, which moves"),
    Refusal(r"are not differentiable", NOT_BUILT, "a smooth force in its place, differences of two runs, or `update=\"particles\"`"),
    Refusal(r"There is no noise to replace|row for each noise, got shape|expected increments \(steps, k\).*got shape \(16, 0", IMPOSSIBLE,
            "there is no noise to replace"),
    Refusal(r"cannot be made by its name|is not a system: expected a System subclass", NOT_BUILT, "a subclass of `sd.System` in a module"),
    Refusal(r"a hybrid system has no|a run of a hybrid system: expected one of one system|Simulate a hybrid system as a whole", NOT_BUILT, "ask one of its modes"),
    Refusal(r"one of a hybrid system, in whose impacts|level of a hybrid run", NOT_BUILT, "compare the energy with the losses of the transitions"),
    Refusal(r"a store to extend: expected a run of one system", NOT_BUILT, "`sd.extend(run, …)` of a run in memory, or `hybrid.simulate(state=run.final, …)`"),
    Refusal(r"expected what it takes, of a run", NOT_BUILT, "what the message says for each analysis and argument"),
    Refusal(r"unknown argument '(stop|checks|driver)' of simulate", NOT_BUILT, "the arrays and transitions of the run, or one of its modes"),
    Refusal(r"save of a hybrid system", NOT_BUILT, "the events of a hybrid system are its transitions"),
    Refusal(r"checks of an ensemble", NOT_BUILT, "the status of the ensemble"),
    Refusal(r"increments of the noise for", NOT_BUILT, "`driver=sd.Wiener()` and a method without iterated integrals"),
    Refusal(r"the driving path: expected increments of|the driving path ends before this step", NOT_BUILT, "an expression, or increments for all paths and steps"),
    Refusal(r"the run does not keep where the body is|got no configuration", NOT_BUILT, "`Formulation(reconstruct=True)`"),
    Refusal(r"an extended Kalman filter of parameters that differ", NOT_BUILT, "`update=\"particles\"`"),
    Refusal(r"backward simulation of particles: expected noise that moves all", IMPOSSIBLE,
            "noise that moves fewer directions gives transitions without a density: from a particle only its own descendants are reached, and there is nothing to choose between; `lag=`, or `update=\"extended-kalman\"`"),
    Refusal(r"backward simulation of particles: expected (one value|coordinates)", NOT_BUILT, "`lag=`; the message says what else"),
    Refusal(r"replications of paths that depend on each other", NOT_BUILT, "`driver=sd.Wiener()`, whose paths are independent"),
    Refusal(r"makes the noise of a whole time", IMPOSSIBLE, "the points are those of a whole time, and an ensemble has no last step"),
    Refusal(r"a run of replications that is extended|expected a start at its own t_start, got the final state", IMPOSSIBLE,
            "the points are those of a whole time: a new run to the later end"),
    Refusal(r"paths of a run of Sobol points: expected a multiple", NOT_BUILT, "as many paths as a multiple of the replications"),
    Refusal(r"unknown table of the system", IMPOSSIBLE, "the system has no table, so there is nothing to read"),
    Refusal(r"a group whose first three rows and columns are a rotation of space", IMPOSSIBLE,
            "the configuration has no rotation of space; an angle is observed by its name, with `wraps=`"),
    Refusal(r"a system to export: expected one value of each parameter", NOT_BUILT, "one path at a time, `system.at_path(i)`"),
    Refusal(r"a system to export: expected parameters that are numbers", NOT_BUILT, "a formula in place of the table"),
    Refusal(r"has the wrong shape: expected", NOT_BUILT, "values per path are arguments in Python, `sd.PerPath`"),
)  # fmt: skip


def rule_of(message: str) -> Refusal | None:
    """The rule that knows a message."""
    return next((rule for rule in REFUSALS if re.search(rule.pattern, message, re.DOTALL)), None)
