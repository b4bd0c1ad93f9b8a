"""Updates of filters by name: those of semidirect, and what another package may add."""

import sys
from typing import final

import numpy as np
import pytest
from ornstein_uhlenbeck import INTERVAL, SEEN, Braked, values

import semidirect as sd
from semidirect.core import registry
from semidirect.inference import UPDATES, CloudUpdate, Update

DATA = (INTERVAL * np.arange(1, 4), values(5, 0.8, 0.7, 3)[:, None])
OPTIONS = {"dt": 0.25, "method": "heun"}


@final
class Linear(Update):
    """An update without particles: the extended Kalman filter."""

    name, random = "linear", False

    def filtered(self, task):
        return sd.ExtendedKalman().filtered(task)


@final
class Noisy(Update):
    """The same, declared random."""

    name = "noisy"

    def filtered(self, task):
        return sd.ExtendedKalman().filtered(task)


@final
class Inflated(CloudUpdate):
    """An update that has to be made with an option."""

    name = "inflated"

    def __init__(self, factor):
        self.factor = factor

    def assimilate(self, cloud, before, sighting, values, streams):
        raise NotImplementedError


class Point:
    def __init__(self, kind):
        self.name, self.value = kind.name, f"acme:{kind.__name__}"
        self.dist = type("Distribution", (), {"name": "acme"})


@pytest.fixture
def installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "acme", sys.modules[__name__])
    points = [Point(kind) for kind in (Linear, Noisy, Inflated)]
    monkeypatch.setattr(
        registry.extension, "entry_points", lambda group: points if group == "semidirect.updates" else []
    )


def test_all_updates_are_found():
    assert set(UPDATES.built_in) == {"particles", "ensemble-kalman", "extended-kalman"}
    assert sd.ExtendedKalman in UPDATES.built_in.values()


def test_an_update_without_particles_is_used_by_name(installed):
    """With the same result as the object, and no smoothed estimates."""
    found = sd.filter(Braked(), SEEN, DATA, update="linear", **OPTIONS)
    assert found.data.identical(sd.filter(Braked(), SEEN, DATA, update="extended-kalman", **OPTIONS).data)
    with pytest.raises(sd.errors.MethodError, match="smoothing with update='linear'"):
        sd.filter(Braked(), SEEN, DATA, update="linear", lag=1, **OPTIONS)
    with pytest.raises(sd.errors.MethodError, match="reject= with update='linear'"):
        sd.filter(Braked(), SEEN, DATA, update="linear", reject=4, **OPTIONS)


@pytest.mark.filterwarnings("ignore:the data do not determine mass")
def test_a_fit_searches_as_the_update_declares(installed):
    """Without random numbers there is one seed and no Monte Carlo error, whoever wrote the update. The mass changes nothing."""
    exact, other, noisy = (
        sd.fit(Braked(), SEEN, DATA, "mass", replicates=2, update=update, **OPTIONS)
        for update in ("extended-kalman", "linear", "noisy")
    )
    assert other.log_likelihood == exact.log_likelihood
    assert (exact.log_likelihood_error, other.log_likelihood_error) == (0, 0)
    assert set(other.replicates) == {0}
    assert set(noisy.replicates) == {0, 1}


@pytest.mark.parametrize(
    ("update", "error", "words"),
    [
        ("inflated", sd.errors.InputError, r"the update 'inflated' needs options.*update=Inflated\(…\)"),
        (
            "liner",
            sd.errors.UnknownNameError,
            r"update 'liner'\. Did you mean 'linear'\?.*particles, inflated, linear, noisy",
        ),
        (3, sd.errors.UnknownNameError, "3"),
        (Linear, sd.errors.UnknownNameError, "Linear"),
    ],
)
def test_what_is_no_update_raises_an_error(installed, update, error, words):
    for call in (sd.filter, lambda *given, **more: sd.fit(*given, "b", **more)):
        with pytest.raises(error, match=words):
            call(Braked(), SEEN, DATA, update=update, **OPTIONS)


def test_a_misspelled_method_of_an_update_raises_an_error():
    with pytest.raises(sd.errors.DefinitionError, match="assimilate"):
        type("Mine", (CloudUpdate,), {"__module__": "acme", "assimilates": lambda self: None})
