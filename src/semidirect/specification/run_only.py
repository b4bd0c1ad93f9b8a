"""Remedies where an analysis does not take an argument of a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["remedy"]

_DATA_END = "Particles are followed to the last data: leave out the data after the event."
_ONE_TIME = "Methods are compared at one time: end before the event, t_end=…, or compare runs of simulate(stop=…) with two steps."
_DISTRIBUTION = (
    "Means, covariances and quantiles at the times of data are in the result, of quantities=[…]; paths are simulate's."
)
_LEFT_OUT = "Paths that fail are left out of the means and counted, failed; the error of the step is what it measures."
_NO_WEIGHT = "A particle that fails has no weight from then on; see the error of the step with half of dt=."
_DEFAULT_FORM = "It steps the equations in their default form: leave it out."
_DERIVATIVES = f"{_DEFAULT_FORM} Derivatives of a run are simulate's, run.sensitivity(…)."
_FIT_VALUES = (
    "Estimates, intervals and the filter at the estimate are in the result; "
    "paths are simulate's, with system.replace(…)."
)
_ERRORS = "Errors at t_end are in the result, of quantities that quantities=[…] names; paths are simulate's."

_OF_OBSERVABLES = _ERRORS.replace("quantities", "observables")

REMEDIES: Mapping[str, Mapping[str, str]] = {
    "ensemble": {
        "stop": "Look at read(…) between calls of advance, and end where you like.",
        "save": "Keep what read(…) returns between calls of advance.",
        "reduce": "Take statistics of what read(…) returns.",
    },
    "lyapunov": {
        "stop": "Exponents are rates over the whole time: end it earlier, t_end=….",
        "save": "Exponents of paths and batches are in the result; the paths are those of simulate with this seed.",
        "reduce": "Exponents of paths and batches are in the result; statistics are simulate's, of the same paths with "
                  "this seed.",
        "checks": "Paths that fail are left out of the means and counted, failed; see the error of the step with half of dt=.",
        "formulation": _DERIVATIVES,
    },
    "multilevel": {
        "stop": "Estimate an expression at t_end=…, or the mean of stopped paths by simulate(stop=…, reduce=sd.Moments([…])).",
        "save": "The estimate and those of its levels are in the result; paths are simulate's.",
        "reduce": "It estimates the mean of an expression: of x**2 for a variance, of x > 1 for a probability.",
        "checks": "It measures the error of the step itself, and raises an error if too many paths fail.",
        "formulation": _DERIVATIVES,
    },
    "filter": {
        "stop": _DATA_END, "save": _DISTRIBUTION, "reduce": _DISTRIBUTION, "checks": _NO_WEIGHT, "formulation": _DEFAULT_FORM,
    },
    "fit": {
        "stop": _DATA_END, "save": _FIT_VALUES, "reduce": _FIT_VALUES, "checks": _NO_WEIGHT, "formulation": _DEFAULT_FORM,
    },
    "convergence": {
        "stop": _ONE_TIME, "save": _ERRORS, "reduce": _ERRORS, "checks": _LEFT_OUT, "formulation": _DEFAULT_FORM,
    },
    "compare": {
        "stop": _ONE_TIME, "save": _OF_OBSERVABLES, "reduce": _OF_OBSERVABLES,
        "checks": _LEFT_OUT, "formulation": _DEFAULT_FORM,
    },
}  # fmt: skip
"""Function → argument → what to do."""


def remedy(function: str, arguments: Iterable[str]) -> str:
    """The remedy where a function does not take these arguments of ``simulate``."""
    arguments = tuple(arguments)
    remedies = REMEDIES.get(function, {})
    missing = [name for name in arguments if name not in remedies]
    sentences = list(dict.fromkeys(remedies[name] for name in arguments if name in remedies))
    if missing or not sentences:
        sentences.append("simulate takes it." if len(arguments) == 1 else "simulate takes them.")
    return " ".join(sentences)
