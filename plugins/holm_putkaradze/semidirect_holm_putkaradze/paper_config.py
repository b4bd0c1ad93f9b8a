"""The configuration of ``semidirect reproduce``: ``paper.toml``, with the changes of the user's file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, final

from semidirect.core import errors
from semidirect_holm_putkaradze.experiment import Experiment
from semidirect_holm_putkaradze.toml_text import toml_text

__all__ = ["PaperConfig"]

#: the quantities of each system that figures and tables need
QUANTITIES = {
    "rolling-disk": ("omega", "nu", "theta", "phi", "x", "y", "energy"),
    "routh-sphere": ("Omega", "M", "Gamma", "x", "energy", "jellett", "routh", "gamma-norm", "geometric-centre"),
    "chaplygin-ball": (
        "Omega", "M", "Gamma", "x", "energy", "momentum-gamma", "momentum-squared", "gamma-norm", "geometric-centre",
    ),
}  # fmt: skip
#: tables whose keys are the system's business: it refuses those that it does not know
_OPEN = ("system", "state")


@final
@dataclass(frozen=True)
class PaperConfig:
    """The resolved configuration.

    Attributes
    ----------
    values : dict
        As in ``paper.toml``.
    """

    values: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path | None = None) -> PaperConfig:
        """The default configuration, with the values that a TOML file gives.

        Raises
        ------
        InputError
            If the file cannot be read or is not TOML, or a value cannot be used.
        UnknownNameError
            For a key, parameter or state variable that does not exist; the message lists those that do.
        """
        default = tomllib.loads(files("semidirect_holm_putkaradze").joinpath("paper.toml").read_text(encoding="utf-8"))
        config = cls(default if path is None else _merged(default, _parsed(Path(path)), ""))
        config.check()
        return config

    @property
    def methods(self) -> list[str]:
        """The methods, one column of each figure."""
        return list(self.values["methods"])

    @property
    def reference(self) -> str:
        """The method of the red lines."""
        return str(self.values["reference"])

    @cached_property
    def experiments(self) -> dict[str, Experiment]:
        """The systems to run, by name."""
        return {
            name: Experiment(name, table["system"], table["state"], table["t_end"], table["dt"], quantities)
            for name, quantities in QUANTITIES.items()
            for table in [self.values[name]]
        }

    def check(self) -> None:
        """Raise :class:`InputError` for values that cannot be used."""
        from semidirect.integrators import integrator

        realisations, seed = self.values["realisations"], self.values["seed"]
        if isinstance(realisations, bool) or not isinstance(realisations, int) or realisations < 1:
            raise errors.InputError("realisations", expected="a whole number, at least 1", got=repr(realisations))
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**64:
            raise errors.InputError("seed", expected="a whole number from 0 to 2**64 - 1", got=repr(seed))
        methods = self.values["methods"]
        if not (isinstance(methods, list) and methods and all(isinstance(m, str) for m in methods)):
            raise errors.InputError("methods", expected="a list of names of methods", got=repr(methods))
        if len(set(methods)) < len(methods):
            raise errors.InputError("methods", expected="different ones", got=repr(methods))
        for method in methods:
            if integrator(method).calculus != "stratonovich":
                raise errors.InputError("methods", expected="Stratonovich methods", got=repr(method))
        if not isinstance(self.values["reference"], str) or integrator(self.reference).calculus == "ito":
            raise errors.InputError(
                "reference", expected="dop853, or a Stratonovich method", got=repr(self.values["reference"])
            )
        for experiment in self.experiments.values():
            experiment.check()

    def text(self) -> str:
        """As TOML, to be read again."""
        return toml_text(self.values)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise errors.InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a TOML file.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise errors.InputError(
            f"{path} is not TOML: {error}", hint="paper.toml of semidirect_holm_putkaradze is an example."
        ) from error


def _merged(default: Mapping[str, Any], changes: Mapping[str, Any], where: str) -> dict[str, Any]:
    merged = dict(default)
    for key, value in changes.items():
        if key not in default and where.rpartition(".")[2] not in _OPEN:
            raise errors.UnknownNameError(f"key of {where}" if where else "key", key, default)
        old = default.get(key)
        if isinstance(old, Mapping) != isinstance(value, Mapping):
            kind = "a table" if isinstance(old, Mapping) else "a value"
            raise errors.InputError(f"{where}.{key}" if where else key, expected=kind, got=repr(value))
        merged[key] = _merged(old, value, f"{where}.{key}" if where else key) if isinstance(old, Mapping) else value
    return merged
