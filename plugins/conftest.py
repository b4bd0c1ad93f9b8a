"""Settings of every test: no deadlines, the same examples on every machine, floating-point errors raised."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

os.environ["MPLBACKEND"] = "Agg"

# First calls compile, so time says nothing. `--hypothesis-profile=explore` looks for new examples.
settings.register_profile("semidirect", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("explore", settings.get_profile("semidirect"), derandomize=False, max_examples=1000)
settings.load_profile("semidirect")


@pytest.fixture(autouse=True)
def _floating_point_errors_raise():
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield
