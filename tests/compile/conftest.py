"""One cache folder for all tests of kernels, so that a run of them compiles what it tests, and its workers compile it once."""

import os

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernel_folder(tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    place = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "kernels"
    place.mkdir(mode=0o700, exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMIDIRECT_CACHE", str(place))
        yield place
