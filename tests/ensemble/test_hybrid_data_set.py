"""A run of a hybrid system is written as a data set of xarray, and read again."""

import sys
from pathlib import Path

import numpy as np
import pytest
import xarray

import semidirect as sd
from semidirect.core.errors import InputError

sys.path.insert(0, str(Path(__file__).parents[1] / "facts"))  # the hoops of the tests of facts
from hopping_hoops import hoops


def test_a_run_is_written_and_read_again(tmp_path):
    """All arrays to the last bit, with their types, and all names."""
    run = hoops(3, 1)
    run.to_xarray().to_zarr(tmp_path / "hoops", zarr_format=2)
    with xarray.open_zarr(tmp_path / "hoops") as opened:
        read = sd.HybridRun.from_xarray(opened)
    assert list(read) == list(run)
    for name in run:
        np.testing.assert_array_equal(read[name], run[name], strict=True)
    for one, other in ((vars(read.transitions), vars(run.transitions)), (vars(read), vars(run))):
        for name, value in other.items():
            if isinstance(value, np.ndarray):
                np.testing.assert_array_equal(one[name], value, strict=True, err_msg=name)
    assert (read.modes, read.switches, read.start) == (run.modes, run.switches, run.start)
    assert (dict(read.units), read.to_xarray().attrs) == (dict(run.units), run.to_xarray().attrs)
    assert [read.sequence(i) for i in range(3)] == [run.sequence(i) for i in range(3)]
    with pytest.raises(InputError, match="a data set of a hybrid run"):
        sd.HybridRun.from_xarray(read.to_xarray().drop_vars("transition_loss"))
    for wrong in (xarray.Dataset(), None, {"hybrid": 1}):
        with pytest.raises(InputError, match="a data set of a hybrid run"):
            sd.HybridRun.from_xarray(wrong)
