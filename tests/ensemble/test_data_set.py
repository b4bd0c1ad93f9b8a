"""What a run says of its paths as an xarray Dataset: values per path as coordinates, configurations as matrices and rotations."""

import dataclasses

import numpy as np
import pytest
import xarray as xr

import semidirect as sd
from semidirect.core.errors import InputError, UnknownNameError
from semidirect.groups.element_layout import ElementLayout

OFFSETS = [0.1, 0.2, 0.3]
OMEGA = [[0.1, 0.2, 0.3], [1.0, 0.0, 0.5], [0.0, 0.4, 2.0]]


@pytest.fixture(scope="module")
def run():
    ball = sd.load(
        "rolling-ball", offset=sd.PerPath(OFFSETS), inertia=sd.PerPath([np.diag([2, 2, k]) for k in (1.5, 1.6, 1.7)])
    )
    return ball.simulate(t_end=0.02, dt=0.01, state={"Omega": OMEGA}, execution=sd.Execution(engine="numpy"))


def same(a, b):
    xr.testing.assert_identical(a, b)
    return True


def test_parameters_per_path_are_coordinates_with_units(run):
    data = run.to_xarray()
    assert data["offset"].dims == ("path",)
    assert data["offset"].attrs["units"] == "m"
    assert "offset" in data.coords
    assert data["offset"].values.tolist() == OFFSETS
    assert data["inertia"].dims == ("path", "row", "column")
    assert data["inertia"].sel(row="z", column="z").values.tolist() == [1.5, 1.6, 1.7]
    assert "mass" not in data.coords  # one number for all paths


def test_initial_values_per_path_are_coordinates(run):
    data = run.to_xarray()
    assert data["initial_Omega"].dims == ("path", "component")
    assert np.array_equal(data["initial_Omega"], OMEGA)
    assert np.allclose(data["initial_Omega"], run["Omega"][:, 0], rtol=1e-14)  # the run has it by way of the momenta


def test_groupby_takes_them(run):
    means = run.to_xarray().energy.groupby("offset").mean()
    assert means["offset"].values.tolist() == OFFSETS
    assert np.array_equal(means.transpose("offset", "time"), run["energy"])


def test_a_run_without_values_per_path_has_none():
    data = (
        sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, paths=2, execution=sd.Execution(engine="numpy")).to_xarray()
    )
    assert set(data.coords) == {"path", "time", "component", "component_9", "row", "column"}


def test_a_parameter_named_like_a_quantity_gets_another_name(run):
    twin = sd.Run(dataclasses.replace(run.data, by_path=lambda: {"energy": np.arange(3.0), "time": np.arange(3.0)}))
    data = twin.to_xarray()
    assert {"parameter_energy", "parameter_time"} <= set(data.coords)
    assert data["energy"].dims == ("path", "time")


def test_stores_keep_them(run, tmp_path):
    run.save(tmp_path / "memory")
    assert same(sd.Run.load(tmp_path / "memory").to_xarray(), run.to_xarray())
    stored = run.system.simulate(
        t_end=0.02,
        dt=0.01,
        state={"Omega": OMEGA},
        execution=sd.Execution(engine="numpy"),
        save=sd.Save(store=tmp_path / "as_it_goes"),
    )
    assert same(stored.to_xarray(), run.to_xarray())
    longer = sd.extend(tmp_path / "as_it_goes", t_end=0.03).to_xarray()
    assert longer["offset"].values.tolist() == OFFSETS
    assert np.array_equal(longer["initial_Omega"], OMEGA)


def test_netcdf_and_zarr_keep_all(run, tmp_path):
    data = run.to_xarray()
    data.to_netcdf(tmp_path / "run.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as found:
        assert same(found.load(), data)
    data.to_zarr(tmp_path / "run.zarr", zarr_format=3, consolidated=False)
    assert same(xr.open_zarr(tmp_path / "run.zarr", consolidated=False).load(), data)


def test_expressions_can_be_written_too(tmp_path):
    kept = ["M1/M2", "(-M1)", "(M1 + M2)/M3", "dot(M, M)"]
    data = (
        sd.load("heavy-top")
        .simulate(t_end=0.02, dt=0.01, save=sd.Save(names=kept), execution=sd.Execution(engine="numpy"))
        .to_xarray()
    )
    assert [v for v in data.data_vars if v != "status"] == ["M1 over M2", "_(-M1)", "_(M1 + M2) over M3", "dot(M, M)"]
    assert data["M1 over M2"].attrs["long_name"] == "M1/M2"
    data.to_netcdf(tmp_path / "run.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as found:
        assert same(found.load(), data)


def test_crossings_are_in_it_and_are_written(tmp_path):
    both = [
        sd.Crossing("Gamma", 0.394, "falling", component=2, most=3, keep=["M", "energy"]),
        sd.Crossing("energy", 1e6, most=2, keep=["M1/M2"]),
    ]
    top = sd.load("heavy-top", noise=())
    run = top.simulate(t_end=6, dt=0.05, paths=2, method="rk4", save=sd.Save("final", crossings=both),
                       state={"Omega": [[0.1, 0, 3.0], [0.1, 0, 4.0]]}, execution=sd.Execution(engine="numpy"))  # fmt: skip
    data = run.to_xarray()
    first, second = run.crossings
    assert first.count.max() > 0
    assert second.count.max() == 0
    assert data["crossing1_M"].dims == ("path", "crossing1", "component")
    assert np.array_equal(data["crossing1_M"], first["M"], equal_nan=True)
    assert np.array_equal(data["crossing1_time"], first.times, equal_nan=True)
    assert np.array_equal(data["crossing1_count"], first.count)
    assert list(data["crossing1"].values) == [1, 2, 3]
    assert data["crossing1_energy"].attrs["units"] == "J"
    assert first.crossing.label in data["crossing1_energy"].attrs["long_name"]
    assert data["crossing2_M1 over M2"].dims == ("path", "crossing2")
    data.to_netcdf(tmp_path / "run.nc", engine="scipy")
    with xr.open_dataset(tmp_path / "run.nc", engine="scipy") as found:
        assert same(found.load(), data)
    assert same(sd.Run.load(run.save(tmp_path / "run.zarr")).to_xarray(), data)


def test_everything_says_what_it_is(run, tmp_path):
    data = run.to_xarray()
    assert data.attrs["Conventions"].startswith("CF-")
    assert all(v.attrs["long_name"] for v in data.variables.values())
    no_single_unit = {"status", "path", "reaction", "element", *(d for d in data.dims if d != "time")}
    for name in data.variables:
        assert ("units" in data[name].attrs) is (name not in no_single_unit), name
    assert data["reaction"].attrs["component_units"] == "N m, N m, N m, N, N, N"
    meanings = data["status"].attrs["flag_meanings"].split()
    assert len(meanings) == len(data["status"].attrs["flag_values"]) == 9
    assert data["offset"].attrs["long_name"] == "distance ℓ of the centre of mass from the centre"
    run.save(tmp_path / "run")
    zarr = xr.open_zarr(tmp_path / "run", group="data", consolidated=False)
    assert zarr["M"].attrs == {"units": "kg m²/s", "long_name": "momentum of Omega"}


def test_a_table_has_a_row_a_path_and_time(run):
    table = run.to_pandas()
    assert len(table) == run.paths * len(run.times)
    assert table.columns.is_unique
    assert {"path", "time", "M1", "g11", "x3", "energy", "offset", "inertia9", "initial_g33"} <= set(table)
    units = table.attrs["units"]
    assert (units["M1"], units["reaction3"], units["reaction4"], units["offset"]) == ("kg m²/s", "N m", "N", "m")
    for _, one in table.groupby("path"):
        path = int(one["path"].iloc[0])
        assert np.array_equal(one[["M1", "M2", "M3"]], run["M"][path])
        assert np.array_equal(one["g23"], run["g"][path, :, 5])
        assert set(one["offset"]) == {OFFSETS[path]}
    mean = table.groupby("offset")["energy"].mean()
    assert np.allclose(mean, run["energy"].mean(axis=1), rtol=1e-15)


def test_paths_that_go_on_begin_each_in_its_own_state(run):
    again = run.system.simulate(
        t_end=0.03, dt=0.01, state=run.final, execution=sd.Execution(engine="numpy")
    ).to_xarray()
    assert np.array_equal(again["initial_Omega"], run["Omega"][:, -1])


# -- configurations ----------------------------------------------------------------------------------------------------

GROUPS = {
    "SO3": sd.SO3(), "SO2": sd.SO2(), "SE2": sd.SE2(), "SE3": sd.SE3(), "R3": sd.RealSpace(3), "R1": sd.RealSpace(1),
    "T2": sd.groups.Torus(2), "Heisenberg": sd.groups.Heisenberg(), "SO(3)": sd.groups.SO(3), "SO(4)": sd.groups.SO(4),
    "SO(2)": sd.groups.SO(2),
    "SO3 x SO2": sd.DirectProduct(sd.SO3(), sd.SO2()), "SE3 x SE3": sd.DirectProduct(sd.SE3(), sd.SE3(), names=("p", "q")),
    "SE2 x T2": sd.DirectProduct(sd.SE2(coordinates=("phi", "x", "y")), sd.groups.Torus(2)),
    "SO3 |x V": sd.representations.SemidirectProduct(sd.SO3(), sd.VectorRepresentation(sd.SO3())),
    "SO3 |x S2V": sd.representations.SemidirectProduct(sd.SO3(),
        sd.representations.SymmetricSquare(sd.VectorRepresentation(sd.SO3()))),
    "SL2": sd.groups.MatrixGroup([[[1, 0], [0, -1]], [[0, 1], [0, 0]], [[0, 0], [1, 0]]], name="SL2"),
    "rotations by a basis": sd.groups.MatrixGroup([[[0, -1, 0], [1, 0, 0], [0, 0, 0]]], name="about e3"),
}  # fmt: skip
ROTATIONS = {
    "SO3": {"g": 3}, "SO2": {"angle": 2}, "SE2": {"angle": 2}, "SE3": {"g": 3}, "R3": {}, "R1": {},
    "T2": {"angle1": 2, "angle2": 2},
    "Heisenberg": {}, "SO(3)": {"g": 3}, "SO(4)": {"g": 4}, "SO(2)": {"g": 2}, "SO3 x SO2": {"g": 3, "angle": 2},
    "SE3 x SE3": {"p_g": 3, "q_g": 3}, "SE2 x T2": {"phi": 2, "angle1": 2, "angle2": 2}, "SO3 |x V": {"g": 3},
    "SL2": {}, "rotations by a basis": {"g": 2},
}  # fmt: skip


@pytest.mark.parametrize("name", GROUPS)
def test_matrices_come_back_from_stored_coordinates(name):
    group = GROUPS[name]
    layout = ElementLayout.of(group)
    g = group.random(0, (4, 3))
    stored = np.moveaxis(group.store(np.moveaxis(g, (0, 1), (-2, -1))), 0, -1)
    values = dict(zip(group.stored_names, np.moveaxis(stored, -1, 0), strict=True))
    assert np.allclose(layout.element(values), g, rtol=0, atol=1e-15)
    assert ElementLayout.from_description(layout.described()) == layout
    for _, (row, n) in layout.rotations.items():
        block = g[..., row : row + n, row : row + n]
        assert np.allclose(np.swapaxes(block, -1, -2) @ block, np.eye(n), rtol=0, atol=1e-12)  # 2e-15 measured
    if name in ROTATIONS:
        assert {k: n for k, (_, n) in layout.rotations.items()} == ROTATIONS[name]


@pytest.mark.parametrize(
    "name", ["heavy-top", "rolling-ball", "rolling-disk", "chaplygin-sleigh", "nonholonomic-particle"]
)
def test_every_system_has_labelled_configurations(name, tmp_path):
    run = sd.load(name).simulate(t_end=0.03, dt=0.01, paths=2, execution=sd.Execution(engine="numpy"))
    data, group = run.to_xarray(), run.system.group
    matrices = [v for v in data.data_vars if {d.partition("_")[0] for d in data[v].dims} >= {"row", "column"}]
    assert matrices
    assert run.element().shape == (2, 4, group.size, group.size)
    assert group.contains(run.element(), tol=1e-6).all()
    run.save(tmp_path / "run")
    loaded = sd.Run.load(tmp_path / "run")
    assert same(loaded.to_xarray(), data)
    for k in ElementLayout.of(group).rotations:
        assert np.array_equal(loaded.rotation(k).as_matrix(), run.rotation(k).as_matrix())


def test_the_matrix_of_a_rotation_and_the_rotation():
    run = sd.load("rolling-ball").simulate(t_end=0.03, dt=0.01, paths=2, execution=sd.Execution(engine="numpy"))
    data = run.to_xarray()
    assert data["g_matrix"].dims == ("path", "time", "row", "column")
    assert data["g_matrix"].sel(row="x", column="z").identical(data["g_matrix"].isel(row=0, column=2))
    assert np.array_equal(data["g_matrix"], run["g"].reshape(2, 4, 3, 3))
    assert data["x"].dims == ("path", "time", "component")
    assert data["component"].values.tolist() == ["x", "y", "z"]
    assert data["row_4"].values.tolist() == [1, 2, 3, 4]
    assert data["element"].dims == ("path", "time", "row_4", "column_4")
    assert np.array_equal(data["element"][..., :3, 3], run["x"])
    rotation = run.rotation("g")
    assert rotation.shape == (2, 4)
    assert np.allclose(rotation.as_matrix(), data["g_matrix"], rtol=0, atol=1e-12)  # 4e-16 measured
    assert np.allclose(run.rotation().as_quat(), rotation.as_quat())


def test_a_rotation_of_the_plane_is_one_about_the_third_axis():
    run = sd.load("chaplygin-sleigh").simulate(t_end=0.03, dt=0.01, paths=2, execution=sd.Execution(engine="numpy"))
    turned = run.rotation("phi").as_rotvec()
    assert np.allclose(turned[..., 2], run["phi"], rtol=0, atol=1e-14)
    assert not turned[..., :2].any()


def test_invalid_rotations_raise_errors():
    top = sd.load("heavy-top").simulate(t_end=0.02, dt=0.01, paths=3, execution=sd.Execution(engine="numpy"))
    with pytest.raises(UnknownNameError, match="Known: g"):
        top.rotation("h")
    with pytest.raises(InputError, match="an index or a mask"):
        top.rotation("g", paths="all")
    assert top.rotation("g", paths=[0, 2]).shape == (2, 3)
    g = top["g"].copy()
    g[1, 1] = np.nan
    failed = sd.Run(dataclasses.replace(top.data, data={**top.data, "g": g}))
    with pytest.raises(InputError, match=r"path 1, t = 0\.01\. Leave out the paths that failed"):
        failed.rotation("g")
    assert failed.rotation("g", paths=[0, 2]).shape == (2, 3)
    kept = sd.load("heavy-top").simulate(
        t_end=0.02, dt=0.01, save=sd.Save(names=["energy"]), execution=sd.Execution(engine="numpy")
    )
    with pytest.raises(UnknownNameError, match="Known: none"):
        kept.rotation("g")
    with pytest.raises(InputError, match="did not save the configuration"):
        kept.element()
    assert "element" not in kept.to_xarray()
    without = sd.load("heavy-top").simulate(
        t_end=0.02, dt=0.01, formulation=sd.Formulation(reconstruct=False), execution=sd.Execution(engine="numpy")
    )
    assert "g_matrix" not in without.to_xarray()
    spun = sd.load("rolling-disk").simulate(t_end=0.02, dt=0.01, execution=sd.Execution(engine="numpy"))
    with pytest.raises(InputError, match="which rotation"):
        spun.rotation()


def test_a_run_that_was_loaded_by_a_relative_path_is_found_from_another_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run.save("run")
    loaded, parts = sd.Run.load("run"), list(sd.Run.parts("run"))
    stored = run.system.simulate(
        t_end=0.02,
        dt=0.01,
        state={"Omega": OMEGA},
        save=sd.Save(store="as_it_goes"),
        execution=sd.Execution(engine="numpy"),
    )
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for found in (loaded, *parts, stored):
        assert same(found.to_xarray(), run.to_xarray())
