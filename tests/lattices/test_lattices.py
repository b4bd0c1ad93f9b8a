"""Lattices against systems that are written out, reference values, and laws of sums over sites."""

import json
import pickle
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from semidirect_spin_chain import SpinChain

import semidirect as sd
from semidirect import ops
from semidirect.errors import DefinitionError, InputError, MethodError, UnknownNameError
from semidirect.lattices import Lattice

REFERENCES = Path(__file__).parents[1] / "oracles"


@cache
def reference(name):
    """Values of an independent code."""
    return json.loads((REFERENCES / f"{name}.json").read_text())


class Spin(sd.System):
    """A spin with an easy axis in a field, h = B·S + D S₃²."""

    group = sd.SO3()
    momentum_names = {"Omega": "S"}
    initial = {"S": (0.6, 0.0, 0.8)}
    easy: sd.Parameter = sd.parameter(0.0, symbol="D")
    field: sd.Parameter = sd.parameter((0.0, 0.0, 0.0), symbol="B", shape=(3,))
    noise: sd.Parameter = sd.parameter((), symbol="b", shape=(None, 3))

    def hamiltonian(self, p):
        return ops.dot(self.field, p.Omega) + self.easy * p.Omega[2] ** 2

    def noise_hamiltonian(self, p):
        return [ops.dot(ops.array(row), p.Omega) for row in self.noise]


class Chain(Lattice):
    """Spins with exchange."""

    sites: sd.Option[int] = sd.option(5)
    ring: sd.Option[bool] = sd.option(False)
    exchange: sd.Parameter = sd.parameter(1.0, symbol="J")
    easy: sd.Parameter = sd.parameter(0.0, symbol="D")
    field: sd.Parameter = sd.parameter((0.0, 0.0, 0.0), symbol="B", shape=(3,))
    noise: sd.Parameter = sd.parameter((), symbol="b", shape=(None, 3))

    @property
    def edges(self):
        return "ring" if self.ring else "line"

    def site(self):
        return Spin(easy=self.easy, field=self.field, noise=self.noise)

    def coupling(self, left, right):
        return self.exchange * ops.dot(left.S, right.S)

    @sd.observable()
    def magnetisation(self, state):
        return state.S.sum(axis=1)

    @sd.observable(status="exact")
    def lengths(self, state):
        return np.sum(state.S**2, axis=(-1, -2))


AXES = {"E1": (1, 0, 0), "E2": (0, 1, 0), "E3": (0, 0, 1)}


class Top(sd.System):
    """A heavy top whose whole frame is advected."""

    group = sd.SO3()
    advected = {name: sd.Advected(sd.VectorRepresentation(sd.SO3()), axis) for name, axis in AXES.items()}
    weight: sd.Parameter = sd.parameter((0.0, 0.0, 1.0), symbol="w", shape=(3,))
    noise: sd.Parameter = sd.parameter((), symbol="sigma", shape=(None, 3))
    inertia: sd.Parameter = sd.inertia((1.2, 0.9, 0.6))

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - ops.dot(self.weight, a.E3)

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Tops(Lattice):
    """Tops in a line, whose verticals (in the body) or directors are coupled."""

    sites, edges, per_edge = 3, "line", ("verticals",)
    verticals: sd.Parameter = sd.parameter((0.0, 0.0), symbol="k", shape=(2,))
    directors: sd.Parameter = sd.parameter(0.0, symbol="c")
    axis: sd.Parameter = sd.parameter((0.0, 0.0, 1.0), symbol="e", shape=(3,))
    weight: sd.Parameter = sd.parameter((0.0, 0.0, 1.0), symbol="w", shape=(3,))

    def site(self):
        return Top(weight=self.weight)

    def coupling(self, left, right):
        frames = [(ops.dot(self.axis, left[n]), ops.dot(self.axis, right[n])) for n in ("E1", "E2", "E3")]
        return -self.verticals * ops.dot(left.E3, right.E3) - self.directors * sum(x * y for x, y in frames)


@pytest.mark.parametrize("number", [1, 2])
def test_chains_of_spins_are_those_of_reference(number):
    case = reference("spin_chain")["trajectories"][number]
    chain = Chain(exchange=case["J"], ring=case["ring"], field=case["B"], easy=case["D"])
    run = chain.simulate(t_end=5, dt=0.5, state={"S": case["S0"]}, method="dop853")
    at = np.searchsorted(run.times, case["times"])
    assert np.abs(run["S"][0, at] - case["S"]).max() < 2e-11  # 8e-12
    assert np.abs(run["energy"] + case["energy"]).max() < 1e-11  # h = −H


def test_a_wave_of_finite_angle_is_exact():
    data, wave = reference("spin_chain")["dispersion"], reference("spin_chain")["exact_wave"]
    s, theta, k, n = data["s"], wave["theta"], wave["k"], np.arange(data["N"])
    start = s * np.stack(
        [np.sin(theta) * np.cos(k * n), np.sin(theta) * np.sin(k * n), np.full(len(n), np.cos(theta))], 1
    )
    chain = Chain(sites=12, ring=True, exchange=data["J"], easy=data["D"], field=(0, 0, data["B"]))
    run = chain.simulate(t_end=wave["t"], dt=0.5, state={"S": start}, method="dop853")
    assert np.abs(run["S"][0, -1] - wave["S"]).max() < 1e-11


@pytest.mark.parametrize("coupling", ["gamma", "director"])
def test_coupled_tops_are_those_of_reference(coupling):
    data = reference("coupled_tops")
    case, p, start = data[coupling], data["params"], data["start"]
    k = {"verticals": (p["k"], p["k"])} if coupling == "gamma" else {"directors": p["k"], "axis": p["e"]}
    tops = Tops(weight=p["mgl"] * np.array(p["chi"]), **k)
    g = np.array(start["g"])
    state = {"Omega": start["Omega"], **{f"E{i + 1}": g[:, i] for i in range(3)}}
    run = tops.simulate(t_end=2, dt=0.5, state=state, method="dop853")
    at = np.searchsorted(run.times, case["times"])
    assert np.abs(run["Omega"][0, at] - case["Omega"]).max() < 3e-11
    assert np.abs(run["E3"][0, at] - case["Gamma"]).max() < 3e-11
    assert np.abs(run["energy"] - case["energy"]).max() < 1e-11
    each, total = (tops.prove(text, along="drift") for text in ("dot(M, E3)", "sum(dot(M, E3))"))
    assert total.holds
    assert each.holds is (coupling == "gamma")
    assert tops.prove("energy", along="drift").holds


@pytest.mark.parametrize("method", ["heun", "lie-heun", "coadjoint-midpoint"])
def test_a_chain_is_the_system_that_is_written_out(method):
    one = SpinChain(coupling=[1.0, 1.0], field=(0.0, 0.0, 0.2), easy_axis=0.1, noise=[(0.3, 0.0, 0.1)])
    own = Chain(sites=3, field=(0.0, 0.0, 0.2), easy=0.1, noise=[(0.3, 0.0, 0.1)])
    shared = type("Shared", (Chain,), {"common_noise": True})(**own.values, **own.workings.choices)
    spins = np.array([one.initial[f"S_{x}"] for x in "abc"])
    how = {"t_end": 1, "dt": 1 / 16, "paths": 2, "seed": 3, "method": method}
    theirs = one.simulate(**how, formulation=sd.Formulation(reconstruct=False))
    ours = shared.simulate(**how, state={"S": spins})
    for i, letter in enumerate("abc"):
        assert np.abs(ours["S"][:, :, i] - theirs[f"S_{letter}"]).max() < 1e-14  # 2e-15
    if method in ("lie-heun", "coadjoint-midpoint"):
        lengths = np.linalg.norm(own.simulate(**how, state={"S": spins})["S"], axis=-1)
        assert np.abs(lengths - 1).max() < 1e-14  # 1e-15
        assert np.abs(ours["magnetisation"] - ours["S"].sum(axis=2)).max() == 0


def test_noise_of_each_site_is_its_own():
    chain = Chain(sites=3, exchange=0.0, noise=[(0.5, 0.0, 0.0), (0.0, 0.5, 0.0)])
    assert chain.workings.model().wieners == 6
    increments = np.random.default_rng(1).standard_normal((16, 6)) / 4
    together = chain.simulate(t_end=1, dt=1 / 16, driver=increments, method="heun")
    for i in range(3):  # noise k of site i has the number 3 k + i
        one = Spin(noise=[(0.5, 0.0, 0.0), (0.0, 0.5, 0.0)])
        alone = one.simulate(t_end=1, dt=1 / 16, driver=increments[:, [i, 3 + i]], method="heun")
        assert np.array_equal(together["S"][0, :, i], alone["S"][0])


def test_bits_do_not_depend_on_the_paths_beside_a_path():
    how = {"t_end": 0.5, "dt": 1 / 16, "seed": 3, "method": "lie-heun"}
    chain = Chain(sites=7, ring=True, noise=[(0.3, 0.1, 0.1)])
    several = chain.simulate(paths=9, execution=sd.Execution(threads=2), **how)
    alone = chain.simulate(paths=1, **how)
    assert np.array_equal(several["S"][:1], alone["S"])
    assert np.array_equal(several["energy"][:1], alone["energy"])
    later = chain.simulate(paths=9, **{**how, "t_end": 0.25})
    assert np.array_equal(sd.extend(later, t_end=0.5)["S"], several["S"])


def test_parameters_differ_from_path_to_path_and_from_site_to_site():
    J = np.array([0.5, 1.0, 1.5])
    how = {"t_end": 0.5, "dt": 1 / 16, "seed": 3, "method": "heun"}
    start = {"S": np.random.default_rng(2).standard_normal((4, 3))}
    run = Chain(sites=4, exchange=sd.PerPath(J)).simulate(state=start, **how)
    for path in range(3):
        one = Chain(sites=4, exchange=J[path]).simulate(state=start, **how)
        assert np.array_equal(run["S"][path], one["S"][0])
        assert np.array_equal(run["energy"][path], one["energy"][0])

    class Uneven(Chain):
        def site(self):
            return Spin(easy=sd.PerPath([0.1, 0.2, 0.3, 0.4]))

    run = Uneven(sites=4, exchange=0.0).simulate(state=start, **how)
    for i in range(4):
        alone = Spin(easy=0.1 * (i + 1)).simulate(state={"S": start["S"][i]}, **how)
        assert np.allclose(run["S"][0, :, i], alone["S"][0], atol=1e-15)


@pytest.mark.parametrize(
    ("edges", "expected"),
    [("line", [(0, 1), (1, 2), (2, 3)]), ("ring", [(0, 1), (1, 2), (2, 3), (3, 0)]), ([(0, 2), (3, 1)], [(0, 2), (3, 1)]),
     ("all", [(i, j) for i in range(4) for j in range(i + 1, 4)])],
)  # fmt: skip
def test_edges(edges, expected):
    lattice = type("Own", (Chain,), {"edges": edges})(sites=4)
    S = np.random.default_rng(2).standard_normal((4, 3))
    drift = lattice.drift(S.T.ravel()).reshape(3, 4).T
    torque = np.zeros((4, 3))
    for i, j in expected:
        torque[i] += np.cross(S[i], S[j])
        torque[j] += np.cross(S[j], S[i])
    assert np.abs(drift - torque).max() < 1e-14


def test_proofs_of_sites_and_sums():
    chain = Chain(sites=4, ring=True, noise=[(0.0, 0.0, 0.3)])
    assert chain.prove("dot(S, S)").holds
    total = chain.prove("magnetisation")
    assert total.along("drift").holds
    assert total.along("noise1").holds is False
    assert "compared with sum(S)" in str(total)
    assert chain.prove("sum(S[2])").holds
    assert Chain(easy=0.2).prove("sum(S)").holds is False
    assert chain.prove("energy", along="drift").holds
    assert chain.prove("lengths").verdicts[0].holds is None  # a sum of squares is not looked for
    report = sd.laws.check(Chain)
    assert "sites of Spin" in str(report)


def test_a_page_prints_a_site_and_its_edges():
    page = str(Chain(noise=[(0.0, 0.0, 0.3)]).equations())
    for words in ("5 sites", "F_S₁", "edges (i, j): 'line', 4", "V_ij = J (S_i·S_j), added to h"):
        assert words in page
    display, where = Chain().equations().latex(legend=False), Chain().equations().latex()
    assert display.endswith("\\end{align*}")
    assert r"V_{ij} &= J (S_i\cdot S_j)" in display
    assert where.startswith(f"{display}\nwhere ")
    assert r"$\boldsymbol{B}$ (field)" in where


@pytest.mark.parametrize(
    ("stated", "error", "words"),
    [
        ({"edges": "star"}, DefinitionError, "'line', 'ring', 'all'"),
        ({"edges": [(0, 5)]}, DefinitionError, "sites 0 to 4"),
        ({"edges": [(1, 1)]}, DefinitionError, "two sites"),
        ({"edges": [(0.5, 1)]}, DefinitionError, "pairs of sites"),
        ({"sites": 0}, DefinitionError, "number of sites"),
        ({"per_edge": ("J",)}, DefinitionError, "names of parameters"),
        ({"per_edge": ("exchange",)}, InputError, "each of 4 edges"),
        ({"coupling": lambda self, left, right: left.S}, DefinitionError, "the energy of an edge"),
        ({"coupling": lambda self, left, right: left.Omega[0]}, UnknownNameError, "'Omega'.*they read the momenta: S"),
        (
            {"site": lambda self: sd.load("chaplygin-sleigh"), "coupling": lambda self, left, right: left["p_v"]},
            DefinitionError,
            "without a constraint",
        ),
        ({"site": lambda self: 5}, DefinitionError, "a system"),
        ({"site": lambda self: Chain()}, DefinitionError, "written out in scalars"),
        ({"site": lambda self: sd.load("rigid-body")}, UnknownNameError, "Known: M, Omega"),
        ({"site": lambda self: sd.Kinematics(sd.SO3())}, DefinitionError, "a Lagrangian or a Hamiltonian"),
    ],
)
def test_what_is_stated_wrongly_is_told(stated, error, words):
    with pytest.raises(error, match=words):
        type("Wrong", (Chain,), stated)()


def test_what_a_lattice_does_not_do_is_told():
    chain = Chain(noise=[(0.3, 0.1, 0.1)])
    how = {"t_end": 0.1, "dt": 0.05, "seed": 1}
    with pytest.raises(UnknownNameError, match="Gamma"):
        chain.simulate(**how, state={"Gamma": (0, 0, 1)})
    with pytest.raises(InputError, match="or one value for all sites"):
        chain.simulate(**how, state={"S": np.ones((4, 3))})
    with pytest.raises(InputError, match="site 2, component 1"):
        chain.simulate(**how, state={"S": np.where(np.arange(15).reshape(5, 3) == 7, np.nan, 1.0)})
    with pytest.raises(MethodError, match="at most 4096"):
        Chain(sites=100, noise=[(0.3, 0.1, 0.1)]).simulate(**how, method="lie-milstein")
    with pytest.raises(InputError, match="no body"):
        chain.simulate(**how).view()


def test_values_at_sites_have_names():
    run = Chain(noise=[(0.3, 0.1, 0.1)]).simulate(t_end=0.2, dt=0.05, paths=2, seed=1)
    assert run["S"].shape == (2, 5, 5, 3)
    assert run.data["S"].shape == (2, 5, 15)  # the first component of all sites, then the second
    assert np.array_equal(run["S4_2"], run["S"][:, :, 3, 1])
    assert np.array_equal(pickle.loads(pickle.dumps(run))["S"], run["S"])


@pytest.mark.parametrize("text", ["dot(S, S)", "S[2]", "norm(S)", "2*S", "S12 + 0", "S5 + 0"])
def test_an_expression_of_a_run_names_sites(text):
    """Of whole arrays the same text is one of each site in a proof, and was one of all numbers in a run."""
    chain = Chain()
    run = chain.simulate(t_end=0.1, dt=0.05)
    assert np.array_equal(run["S4_2 + S1_1"], run["S"][:, :, 3, 1] + run["S"][:, :, 0, 0])
    for read in (lambda: run[text], lambda: chain.simulate(t_end=0.1, dt=0.05, stop=sd.Stop(text, above=9))):
        with pytest.raises((InputError, UnknownNameError), match=r"number of their site, such as S2_1|Known: .*S4_2"):
            read()


def test_a_sum_in_a_run_is_an_observable():
    with pytest.raises(InputError, match=r"a lattice is an observable, such as state"):
        Chain().simulate(t_end=0.1, dt=0.05)["sum(S)"]


def test_jacobians_of_a_lattice_with_noise():
    chain = Chain(sites=3, noise=[(0.3, 0.1, 0.1)])
    S = np.random.default_rng(5).standard_normal((3, 3))
    found = chain.linearise({"S": S})
    y, direction = S.T.ravel(), np.random.default_rng(6).standard_normal(9)
    step = 1e-6
    for name, field in (("drift", chain.drift), ("noise2", lambda y: chain.diffusion(y)[:, 1])):
        slope = (field(y + step * direction) - field(y - step * direction)) / (2 * step)
        assert np.abs(found[name] @ direction - slope).max() < 1e-8  # 1.8e-10
    assert np.array_equal(chain.diffusion(np.stack([y, 2 * y], axis=1))[:, :, 0], chain.diffusion(y))


def test_limits_and_axes_of_a_lattice_are_told():
    with pytest.raises(DefinitionError, match=r"number of sites of Chain.*from 1 to"):
        Chain(sites=10**12)
    with pytest.raises(InputError, match=r"each of 4 edges.*exchange = sd.parameter\(…, shape=\(None,\)\)"):
        type("Wrong", (Chain,), {"per_edge": ("exchange",)})()


def test_an_observable_does_not_mix_paths():
    """Without an axis numpy takes the mean of all paths, too."""
    mixed = type("Mixed", (Chain,), {"all": sd.observable()(lambda self, state: state.S.mean())})
    constant = type("Constant", (Chain,), {"two": sd.observable()(lambda self, state: 2 * self.exchange)})
    noisy = {"noise": [(0.3, 0.1, 0.1)]}
    with pytest.raises(DefinitionError, match=r"'all' depends on the paths.*give numpy an axis"):
        mixed(**noisy).simulate(t_end=0.1, dt=0.05, paths=3, seed=1)
    assert (constant(**noisy).simulate(t_end=0.1, dt=0.05, paths=3, seed=1)["two"] == 2).all()
    assert mixed(**noisy).simulate(t_end=0.1, dt=0.05, seed=1)["all"].shape == (1, 3)
