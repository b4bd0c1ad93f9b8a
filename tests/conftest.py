"""Settings of every test: no deadlines, the same examples on every machine, floating-point errors raised."""

import os

# Before NumPy: threads of BLAS wait for each other actively, and beside another worker a 4 × 4 solve takes milliseconds.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gc

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, settings

os.environ["MPLBACKEND"] = "Agg"
os.environ.setdefault("SYMPY_CACHE_SIZE", "10000")  # ten times the usual: derivations take an eighth less time
os.environ.pop("COLUMNS", None)  # output as in a pipe, also of processes that tests start

# Derivations and compilers make many objects that live as long as a test, and cycles are rare among them: after 50,000
# instead of 500,000 new ones collections take a thirtieth of the time of all tests, and the memory is 20 MB less.
gc.set_threshold(500_000, 20, 100)

# First calls compile, so time says nothing. Many tests find a fault on purpose: nothing is explained, since that takes longer
# than to find it. `--hypothesis-profile=explore` looks for new examples.
settings.register_profile(
    "semidirect",
    deadline=None,
    derandomize=True,
    max_examples=30,
    phases=[phase for phase in Phase if phase is not Phase.explain],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("explore", settings.get_profile("semidirect"), derandomize=False, max_examples=1000)
settings.load_profile("semidirect")


@pytest.fixture(autouse=True)
def _floating_point_errors_raise():
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        yield


def pytest_collection_finish():
    """Leave what the modules of the tests hold out of all later collections."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter):
    """Print what tests recorded with ``record_property``, also from the workers of xdist."""
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            terminalreporter.write_line(f"{name}: {value}")
