"""One cache folder for all tests of kernels, so that a run of them compiles what it tests."""

import pytest


@pytest.fixture(scope="session", autouse=True)
def kernel_folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("kernels")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMIDIRECT_CACHE", str(place))
        yield place
