"""Systems with functions given by tables: a particle on a line in a potential V(x)."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import semidirect as sd
from semidirect import ops
from semidirect.cli.entry import main
from semidirect.equations.derive import derived_sde
from semidirect.laws import check
from semidirect.model.numerical_model import NumericalSDE

NODES = np.linspace(-2.0, 2.0, 9)
HEIGHTS = NODES**2 / 2 + 0.2 * np.sin(3 * NODES)
ROUGH = np.concatenate([-2 + 4 * np.geomspace(1e-4, 1, 11)[:-1], [2.0]])


class Hill(sd.System):
    """A particle on a line, in a potential and under noise of an amplitude given by tables."""

    mass: sd.Parameter = sd.parameter(2.0, unit="kg", symbol="m", positive=True)
    stations: sd.Parameter = sd.table(NODES, unit="m")
    potential: sd.Parameter = sd.table(HEIGHTS, unit="J", symbol="V")
    amplitude: sd.Parameter = sd.table(0.1 + 0.05 * np.cos(NODES), unit="m/√s", symbol="N")
    group = sd.RealSpace(1, coordinates=("x",))
    advected = {"b": sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 1))}
    initial = {"v": 0.5}

    def at(self, a, values, **more):
        return ops.interpolate(-a.b[0], self.stations, values, **more)

    def lagrangian(self, xi, a):
        return self.mass * xi.v**2 / 2 - self.at(a, self.potential)

    def constraint(self):
        return sd.Unconstrained(noise=sd.StateNoise(lambda a: [[self.at(a, self.amplitude)]]))

    @sd.observable(unit="J")
    def height(self, state):
        return self.at(state, self.potential)


RUN = {"t_end": 0.25, "dt": 0.01, "seed": 1, "method": "heun"}


def both(system, paths, **more):
    """The same run by array code and by a kernel."""
    given = {**RUN, "paths": paths, **more}
    return [system.simulate(**given, execution=sd.Execution(engine=e)) for e in ("numpy", "compiled")]


def test_a_potential_from_a_table_gives_its_force():
    spline, system = CubicSpline(NODES, HEIGHTS), Hill()
    assert "V'(-b₁)" in str(system.equations())
    assert r"V'\left(- b_{1}\right)" in system.equations().latex()
    assert "stations, V (potential)" in str(system.equations()).replace("stations (stations)", "stations")
    described = str(system.equations().described())
    assert "interpolate(-b1, stations, V, cubic, not_a_knot, 1)" in described
    for x in (-1.9, -0.3, 0.0, 1.1):
        drift = system.evaluate({"v": 0.0, "b": (-x, 1)})["drift"]["p_v"]
        assert abs(float(np.ravel(drift)[0]) + spline(x, 1)) < 1e-14  # 5e-16
    model, y = NumericalSDE.of(system), np.array([[0.7], [-0.6], [1.0]])
    ito, plain = (field(y, 0.0, 1.0, np.zeros(1))[1, 0] for field in (model.ito_field, model.field))
    noise = CubicSpline(NODES, 0.1 + 0.05 * np.cos(NODES))
    assert abs((plain - ito) - noise(0.6) * noise(0.6, 1) / 2) < 1e-16  # b = −x; 3e-18


def test_what_holds_for_every_function_is_proved():
    system = Hill()
    proof = system.prove("energy")
    assert proof.along("drift").certificate
    assert proof.along("noise1").holds is False
    assert system.prove("energy", along="drift", parameters="generic").certified
    refuted = system.prove("v", along="drift").counterexample
    x, spline = -float(refuted.state["b"][0]), CubicSpline(NODES, HEIGHTS)
    assert abs(float(refuted.value) + spline(x, 1) / 2) < 1e-14
    far = Hill(stations=NODES + 1000)  # where no state is tried
    assert far.prove("energy", along="drift").holds
    assert far.prove("v", along="drift").along("drift").holds is None


@pytest.mark.parametrize("nodes", [NODES, ROUGH], ids=["equal distances", "other distances"])
def test_kernels_and_array_code_give_the_same_bits(nodes):
    one, other = both(Hill(stations=nodes, potential=nodes**2, amplitude=0.1 + nodes / 50), 20)
    for name in ("v", "x", "height", "energy"):
        np.testing.assert_array_equal(one[name], other[name])
    assert one.data.status.tolist() == other.data.status.tolist()


def test_tables_per_path_are_those_of_each_path():
    rng = np.random.default_rng(0)
    nodes = ROUGH + np.where(np.abs(ROUGH) < 2, rng.uniform(0, 1e-4, (12, 11)), 0.0)
    values = rng.normal(size=(12, 11))
    system = Hill(stations=sd.PerPath(nodes), potential=sd.PerPath(values), amplitude=np.full(11, 0.1))
    one, other = both(system, 12)
    np.testing.assert_array_equal(one["v"], other["v"])
    for path in (0, 7, 11):
        alone = Hill(stations=nodes[path], potential=values[path], amplitude=np.full(11, 0.1))
        run = alone.simulate(**RUN, paths=12, execution=sd.Execution(engine="numpy"))
        np.testing.assert_array_equal(run["v"][path], one["v"][path])
    with pytest.raises(sd.errors.InputError, match="at_path"):
        system.prove("energy")


def test_a_recommended_state_may_read_tables_per_path():
    class Started(Hill):
        @property
        def initial(self):
            return {"v": ops.interpolate(0.3, self.stations, self.potential)}

    run = Started(potential=sd.PerPath([HEIGHTS, 2 * HEIGHTS])).simulate(**RUN)
    np.testing.assert_allclose(run["v"][:, 0], CubicSpline(NODES, HEIGHTS)(0.3) * np.array([1, 2]), rtol=0, atol=1e-15)


def test_the_length_of_a_table_is_no_part_of_the_structure(tmp_path):
    few, many = (
        Hill(),
        Hill(**dict.fromkeys(("potential", "amplitude"), np.zeros(100_000)), stations=np.linspace(-2, 2, 100_000)),
    )
    assert few.workings.signature == many.workings.signature
    assert NumericalSDE.of(few).structure is NumericalSDE.of(many).structure
    assert len(derived_sde(many).definition.parameters) == 4
    assert len(repr(many)) < 200
    assert many.simulate(t_end=0.02, dt=0.01, paths=2, seed=1, method="heun")["x"].shape == (2, 3)


def test_a_path_that_leaves_the_nodes_fails_with_this_reason():
    flat = Hill(potential=np.zeros(9), amplitude=np.full(9, 0.05))
    for run in both(flat, 9, state={"v": 4.0}, t_end=1):
        reasons = {f.reason for f in run.failures()}
        assert reasons == {"a table was read outside of its nodes"}
        assert abs(np.mean([f.time for f in run.failures()]) - 0.5) < 0.03
    late = Driven().simulate(t_end=3, dt=0.1, method="dop853")
    assert [f.reason for f in late.failures()] == ["a table was read outside of its nodes"]
    assert 2 <= late.failures()[0].time < 2.2
    other = Hill(mass=1e-300, potential=HEIGHTS).simulate(t_end=1, dt=0.1, method="heun", state={"v": 1e300})
    assert other.failures()[0].reason == "a table was read outside of its nodes"


class Driven(sd.System):
    """A particle on a line under a force that is a measured function of time."""

    times: sd.Parameter = sd.table([0.0, 0.5, 2.0], unit="s")
    signal: sd.Parameter = sd.table([0.0, 1.0, -1.0], unit="N", symbol="F")
    ends: sd.Option[str] = sd.option("not-a-knot", choices=("not-a-knot", "natural", "clamped"))
    kind: sd.Option[str] = sd.option("linear", choices=("linear", "cubic"))
    group = sd.RealSpace(1, coordinates=("x",))

    def lagrangian(self, xi):
        return xi.v**2 / 2

    def force(self, t):
        return [ops.interpolate(t, self.times, self.signal, kind=self.kind, ends=self.ends)]


def test_a_force_may_be_a_table_of_time():
    run = Driven().simulate(t_end=2, dt=0.25, method="rk4")
    t = run.times
    exact = np.where(t < 0.5, t**2, 0.25 + (t - 0.5) - (t - 0.5) ** 2 * (2 / 3))
    assert np.abs(run["v"][0] - exact).max() < 1e-15  # 2e-16
    for ends in ("natural", "clamped"):
        run = Driven(kind="cubic", ends=ends).simulate(t_end=2, dt=0.25, method="rk4")
        whole = CubicSpline([0.0, 0.5, 2.0], [0.0, 1.0, -1.0], bc_type=ends).antiderivative()
        assert np.abs(run["v"][0] - whole(t)).max() < 1e-14


def test_slopes_with_jumps_are_refused_where_their_derivative_is_needed():
    class Kinked(Hill):
        def at(self, a, values, **more):
            return super().at(a, values, kind="linear")

    smooth, kinked = Hill(), Kinked()
    assert np.isfinite(kinked.simulate(**RUN)["v"]).all()
    with pytest.raises(sd.errors.DefinitionError, match=r"interpolant of V jumps at its nodes.*Use kind='cubic'"):
        kinked.linearise()
    with pytest.raises(sd.errors.MethodError, match="interpolate"):
        kinked.simulate(**RUN, formulation=sd.Formulation(sensitivity="mass"))
    with pytest.raises(sd.errors.MethodError, match="'potential' is a table"):
        smooth.simulate(**RUN, formulation=sd.Formulation(sensitivity="potential"))


def test_sensitivities_are_differences():
    run = Hill().simulate(**RUN, paths=3, formulation=sd.Formulation(sensitivity=["mass", "v"]))
    found = run.sensitivity("x").values[:, -1]
    for k, moved in enumerate(({"mass": 1e-5}, {"v": 1e-5})):
        ends = [Hill(mass=2 + sign * moved.get("mass", 0)).simulate(**RUN, paths=3, state={"v": 0.5 + sign * moved.get("v", 0)})
                for sign in (1, -1)]  # fmt: skip
        slope = (ends[0]["x"] - ends[1]["x"])[:, -1] / 2e-5
        np.testing.assert_allclose(found[:, k], slope, rtol=0, atol=1e-9)  # 1e-11


def test_check_accepts_states_outside_of_the_nodes():
    class Far(Hill):
        initial = {"b": (-1000.0, 1.0)}

    report = check(lambda **_: Far(stations=NODES + 1000), quick=True)
    assert report.good, str(report)


@pytest.mark.parametrize(("given", "said"), [
    ({"stations": NODES[::-1]}, "the nodes stations: expected numbers that increase, got 2 and then 1.5, at entry 0"),
    ({"potential": HEIGHTS[1:]}, "interpolant of potential: expected one value for each of the 9 nodes of stations, got 8"),
    ({"potential": [np.nan] * 9}, "table 'potential' of Hill: expected finite numbers, got nan, at entry 0"),
    ({"potential": sd.PerPath([HEIGHTS, [*HEIGHTS[:-1], np.inf]])}, "got inf, at entry 8 of path 1"),
    ({"potential": [1.0]}, "at least two numbers in a row"),
    ({"potential": [[1.0, 2.0]]}, "at least two numbers in a row"),
    ({"potential": "V.npy"}, "not numeric"),
])  # fmt: skip
def test_tables_that_cannot_be_used_raise_errors(given, said):
    with pytest.raises(sd.errors.InputError, match=said):
        Hill(**given).simulate(**RUN)


def test_a_table_is_known_through_its_interpolant_only():
    def derived(body):
        kind = type("Wrong", (Hill,), {"lagrangian": body})
        return str(kind().equations())

    with pytest.raises(sd.errors.DefinitionError, match=r"V is a table: expected ops.interpolate"):
        derived(lambda self, xi: xi.v**2 * self.potential)
    with pytest.raises(sd.errors.DefinitionError, match="known through its interpolant only"):
        derived(lambda self, xi: xi.v**2 * self.potential[0])
    with pytest.raises(sd.errors.DefinitionError, match="expected two tables of the system"):
        derived(lambda self, xi, a: xi.v**2 * ops.interpolate(a.b[0], self.stations, [1.0, 2.0]))
    with pytest.raises(sd.errors.DefinitionError, match="Declare it in the class"):
        derived(lambda self, xi, a: xi.v**2 * ops.interpolate(a.b[0], [0.0, 1.0], [1.0, 2.0]))


def test_a_store_keeps_the_tables(tmp_path):
    system = Hill(potential=sd.PerPath([HEIGHTS, 2 * HEIGHTS]))
    run = system.simulate(**RUN)
    run.save(tmp_path / "run")
    again = sd.Run.load(tmp_path / "run")
    np.testing.assert_array_equal(again["v"], run["v"])
    np.testing.assert_array_equal(again.to_xarray()["potential"], system.values["potential"].values)
    longer = sd.Run.load(tmp_path / "run").extend(0.6) if hasattr(run, "extend") else None
    if longer is not None:
        whole = system.simulate(**{**RUN, "t_end": 0.6})
        np.testing.assert_array_equal(longer["v"], whole["v"])


def test_the_monitor_reads_tables_per_path():
    class Shaken(Hill):
        energy = sd.energy(unit="J", status="random")

    paths = np.arange(8)[:, None]
    for tables in ({"potential": HEIGHTS * (1 + paths / 10)}, {"stations": NODES + paths / 100}):
        system = Shaken(**{name: sd.PerPath(rows) for name, rows in tables.items()})
        run = system.simulate(t_end=1, dt=0.01, paths=8, seed=1, method="heun")
        assert run.monitor().met  # 1.05 and 1.04 of the exact quadratic variation, where 0.79 to 1.21 are allowed


def test_tables_are_read_from_files(tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "field.py").write_text(
        "import semidirect as sd\nfrom semidirect import ops\n\n\nclass Field(sd.System):\n    times = sd.table([0.0, 9.0])\n"
        "    signal = sd.table([0.0, 0.0])\n    group = sd.RealSpace(1, coordinates=('x',))\n\n"
        "    def lagrangian(self, xi):\n        return xi.v**2 / 2\n\n"
        "    def force(self, t):\n        return [ops.interpolate(t, self.times, self.signal)]\n"
    )
    np.save(tmp_path / "t.npy", np.linspace(0, 3, 5))
    (tmp_path / "F.csv").write_text("1, 1, 1, 1, 1\n")
    (tmp_path / "bad.csv").write_text("one, two\n")
    command = ["run", "field:Field", "--t-end", "2", "--dt", "0.5", "--method", "rk4", "--format", "json"]
    assert main([*command, "--set", f"times={tmp_path / 't.npy'}", "--set", f"signal={tmp_path / 'F.csv'}"]) == 0
    assert '"v"' in capsys.readouterr().out
    assert main([*command, "--set", f"times={tmp_path / 'bad.csv'}"]) != 0
    assert "a file with one row or column of numbers" in capsys.readouterr().err
