"""Every error that the package raises: it says what was expected, what was given, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class SemidirectError(Exception):
    """Base of all errors of this package.

    Attributes
    ----------
    what, expected, got, where, hint : str
        The parts of the message; empty where there is nothing to say.
    """

    def __init__(self, what: str, *, expected: str = "", got: str = "", where: str = "", hint: str = ""):
        self.what, self.expected, self.got, self.where, self.hint = what, expected, got, where, hint
        parts = [what]
        if expected:
            parts.append(f"expected {expected}")
        if got:
            parts.append(f"got {got}")
        if where:
            parts.append(f"at {where}")
        message = ": ".join([parts[0], ", ".join(parts[1:])]) if len(parts) > 1 else parts[0]
        super().__init__(f"{message}. {hint}" if hint else message)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.args, vars(self))


def _restored(kind: type[SemidirectError], args: tuple[Any, ...], parts: dict[str, Any]) -> SemidirectError:
    """An error that was raised in another process."""
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(parts)
    return error


class InputError(SemidirectError, ValueError):
    """An argument or another input of the user is invalid."""


class UnknownNameError(InputError):
    """An unknown name; the message says why there is none, or lists the nearest known name and all known names."""

    def __init__(self, kind: str, name: object, choices: Iterable[object], reason: str = ""):
        import reprlib

        from semidirect.core.messages.near_names import nearest_name

        self.kind, self.known, self.absent = kind, tuple(map(str, choices)), bool(reason)
        self.name = name if isinstance(name, str) else reprlib.repr(name)
        near = nearest_name(name, self.known)
        text = ", ".join(self.known) if self.known else "none"
        names = (f"Did you mean {near!r}? " if near else "") + f"Known: {text}."
        super().__init__(
            f"unknown {kind} {reprlib.repr(name)}" if not isinstance(name, str) else f"unknown {kind} {name!r}",
            hint=f"{reason[0].upper()}{reason[1:]}." if reason else names,
        )


class NotSavedError(UnknownNameError):
    """A quantity that the system has, but that a run did not save; the message says how it is saved."""

    def __init__(self, name: str, saved: Iterable[object], hint: str):
        self.kind, self.name, self.known, self.absent = "quantity of the run", name, tuple(map(str, saved)), False
        text = ", ".join(self.known) if self.known else "nothing"
        SemidirectError.__init__(self, f"the run did not save {name!r}, but {text}", hint=hint)


def unknown_quantity(what: str, name: object, choices: Iterable[object], absent: Mapping[str, str]) -> InputError:
    """The error for a quantity that does not exist, with the reason if ``absent`` has one."""
    if isinstance(name, str) and name in absent:
        return InputError(f"{what} {name!r} does not exist", hint=f"{absent[name][0].upper()}{absent[name][1:]}.")
    return UnknownNameError(what, name, choices)


def cannot_write(place: object, error: OSError) -> StoreError:
    """The error for a file that the operating system does not write, with its reason."""
    return StoreError(f"cannot write {place}: {error.strerror or error}", hint="Choose a place you may write to.")


class UnknownAttributeError(UnknownNameError, AttributeError):  # type: ignore[misc]  # both have the name
    """An unknown name used as an attribute, so that ``hasattr`` and ``getattr`` with a default work as usual."""


class NoAttributeError(InputError, AttributeError):
    """An object has no attribute of this name; the message says where the value is, or the nearest attribute."""


class CallError(InputError, TypeError):
    """A call has an argument of an unknown name, too many arguments, or too few; the message says how it is written."""


class DefinitionError(InputError):
    """The definition of a system, group, representation or constraint is inconsistent."""


class NotOnGroupError(InputError):
    """A matrix is not an element of the group (the message carries the residual)."""


class NoRealLogarithmError(InputError):
    """A group element has no real logarithm, or none that the group can compute."""


class PerPathError(InputError):
    """A parameter with a value for each path was used as a single number; the decision is then made path by path."""

    def __init__(self) -> None:
        super().__init__(
            "a parameter per path was used as one number", hint="sd.by_path gives its values, paths first."
        )


class MethodError(InputError):
    """An integrator does not apply to a system, a noise or an option."""


class SimulationError(SemidirectError, RuntimeError):
    """Paths failed in a run with ``on_failure="raise"``.

    Attributes
    ----------
    failures : tuple of Failure
        The failures known at that time.
    """

    def __init__(self, failures: list[Any] | tuple[Any, ...]):
        self.failures = tuple(failures)
        n, limit = len(self.failures), 5
        text = "; ".join(map(str, self.failures[:limit])) + (f"; and {n - limit} more" if n > limit else "")
        super().__init__(
            f"{n} path{'s' * (n != 1)} failed: {text}", hint="Checks(on_failure='report') continues with the others."
        )


class StoreError(SemidirectError, OSError):
    """A saved run cannot be written or read."""


class WorkerError(SemidirectError, RuntimeError):
    """The executor lost its workers and could not be restarted."""
