"""Lattices of several kinds of sites: against systems that are written out by hand, other orders of the sites, and laws."""

import pickle

import numpy as np
import pytest
from test_written_out import Point

import semidirect as sd
from semidirect import ops
from semidirect.core.errors import DefinitionError, InputError, UnknownNameError
from semidirect.lattices import Lattice

VERTICAL = sd.VectorRepresentation(sd.SO3())
INERTIA, PUSH, FIELDS = (1.0, 1.5, 2.0), (0.1, 0.0, 0.2), ((0.1, 0.0, 0.2), (0.0, 0.3, 0.0))
HOW = {"t_end": 0.5, "dt": 1 / 16, "paths": 3, "seed": 1}


class Top(sd.System):
    """A heavy top."""

    group = sd.SO3()
    advected = {"Gamma": sd.Advected(VERTICAL, (0, 0, 1))}
    initial = {"Omega": (0.3, -0.2, 1.0), "Gamma": (0.6, 0.0, 0.8)}
    inertia: sd.Parameter = sd.inertia(INERTIA)
    noise: sd.Parameter = sd.parameter((PUSH,), symbol="sigma", shape=(None, 3))

    def lagrangian(self, xi, a):
        return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 - a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Spin(sd.System):
    """A spin with an easy axis."""

    group = sd.SO3()
    momentum_names = {"Omega": "S"}
    initial = {"S": (0.6, 0.0, 0.8)}
    easy: sd.Parameter = sd.parameter(0.3, symbol="D")
    noise: sd.Parameter = sd.parameter(FIELDS, symbol="b", shape=(None, 3))

    def hamiltonian(self, p):
        return self.easy * p.Omega[2] ** 2

    def noise_hamiltonian(self, p):
        return [ops.dot(ops.array(row), p.Omega) for row in self.noise]


class Mixed(Lattice):
    """Tops by a Lagrangian and spins by a Hamiltonian."""

    pattern: sd.Option[str] = sd.option("spin top spin")
    sites: sd.Option[int] = sd.option(3)
    edges = "ring"
    strength: sd.Parameter = sd.parameter(0.4, symbol="k")
    easy: sd.Parameter = sd.parameter(0.3, symbol="D")

    @property
    def kinds(self):
        return self.pattern.split()

    def site(self):
        return {"top": Top(), "spin": Spin(easy=self.easy)}

    def coupling(self, left, right, kinds):
        match kinds:
            case "top", "spin":
                return self.strength * ops.dot(left.Gamma, right.S) + left.M[0] * right.S[1] / 5
            case "spin", "top":
                return self.strength * ops.dot(right.Gamma, left.S) + right.M[0] * left.S[1] / 5
            case "spin", "spin":
                return ops.dot(left.S, right.S)
            case _:
                return -self.strength * ops.dot(left.Gamma, right.Gamma)


class Three(Mixed):
    """Two spins and a top in a ring."""

    @sd.observable()
    def rest(self, state):
        """What the edges have of the energy, less it by hand."""
        spins, tops = state.S_spin, state.Gamma_top
        by_hand = np.sum(spins[:, 0] * spins[:, 1], axis=-1) + 0.4 * np.sum(spins * tops, axis=(1, 2))
        by_hand = by_hand + state.M_top[:, 0, 0] * np.sum(spins[:, :, 1], axis=1) / 5
        return state.energy - state.site_energy.sum(axis=1) - by_hand


KERNELS = ("lie-heun", "top spin", 10), ("coadjoint-midpoint", "top top spin top spin spin spin top top top", 20)


class ByHand(sd.System):
    """Spin a, top b and spin c in a ring, on the product of their groups."""

    group = sd.DirectProduct(sd.SO3(), sd.SO3(), sd.SO3(), names=("a", "b", "c"))
    momentum_names = {"a_Omega": "a", "b_Omega": "b", "c_Omega": "c"}
    advected = {"Gamma": sd.Advected(sd.groups.Pullback(VERTICAL, group, ("b_Omega",)), (0, 0, 1))}

    def hamiltonian(self, p, a):
        one, top, two = p.a_Omega, p.b_Omega, p.c_Omega
        own = sum(m**2 / (2 * I) for m, I in zip(top, INERTIA, strict=True)) + a.Gamma[2]
        spins = ops.dot(one, two) + 0.3 * (one[2] ** 2 + two[2] ** 2)
        return own + spins + 0.4 * ops.dot(a.Gamma, one + two) + top[0] * (one[1] + two[1]) / 5

    def noise_hamiltonian(self, p):
        """Those of the spins, noise 1 of both, noise 2 of both; that of the top is transport noise, which comes first."""
        return [ops.dot(ops.array(b), x) for b in FIELDS for x in (p.a_Omega, p.c_Omega)]

    def constraint(self):
        return sd.Unconstrained(noise=[(0, 0, 0, *PUSH, 0, 0, 0)])


def test_two_kinds_are_the_system_that_is_written_by_hand():
    lattice, by_hand, method = Three(), ByHand(), "coadjoint-midpoint"
    rng = np.random.default_rng(4)
    S, M = rng.standard_normal((2, 3)), rng.standard_normal(3)
    run = lattice.simulate(**HOW, method=method, state={"S_spin": S, "M_top": M})
    start = {"a": S[0], "b": M, "c": S[1], "Gamma": (0.6, 0.0, 0.8)}
    other = by_hand.simulate(**HOW, method=method, state=start)
    for ours, theirs in (("S_spin", ("a", "c")), ("M_top", ("b",)), ("Gamma_top", ("Gamma",))):
        for i, name in enumerate(theirs):
            assert np.abs(run[ours][:, :, i] - other[name]).max() < 1e-14, name  # 2e-15
    assert np.abs(run["energy"] - other["energy"]).max() < 2e-14  # 4e-15
    assert np.abs(run["rest"]).max() < 2e-14  # 2e-15
    assert np.ptp(run["S_spin2_3"][:, -1]) > 0.01
    rates = lattice.evaluate({"S_spin": S, "M_top": M})["drift"]  # of the system that is written out
    ours = lattice.drift(np.concatenate([M, S.T.ravel(), (0.6, 0.0, 0.8)]))
    assert np.abs(np.array(rates["S_spin2_"]) - ours[4:9:2]).max() < 1e-14  # 2e-16
    assert np.abs(np.array(rates["M_top1_"]) - ours[:3]).max() < 1e-14


@pytest.mark.parametrize(("method", "pattern", "sites"), KERNELS)
def test_kernels_have_the_bits_of_array_code(method, pattern, sites):
    """With as many sites of a kind, and with fewer; together and alone, in one call and in two."""
    lattice = Mixed(pattern=pattern, sites=sites, strength=0.1)
    runs = [
        lattice.simulate(**{**HOW, "paths": 9}, method=method, execution=sd.Execution(engine=engine, threads=threads))
        for engine, threads in (("numpy", 1), ("compiled", 2))
    ]
    for name in runs[0].data:
        assert np.array_equal(*(run[name] for run in runs)), name
    half = lattice.simulate(**{**HOW, "t_end": 0.25}, method=method)
    assert np.array_equal(sd.extend(half, t_end=0.5)["S_spin"], runs[0]["S_spin"][:3])
    assert np.abs(np.linalg.norm(runs[0]["S_spin"], axis=-1) - 1).max() < 1e-14  # 6e-16


def test_another_order_of_the_sites():
    """The same edges with other numbers of their ends."""
    order = np.array([3, 0, 4, 2, 1])
    kinds = ("spin", "top", "spin", "top", "spin")
    edges = np.array([(0, 1), (1, 2), (3, 2), (3, 4), (0, 4)])
    number = np.argsort(order)  # the new number of each site
    lattices = [
        type("Ordered", (Mixed,), {"kinds": k, "edges": e})(sites=5)
        for k, e in ((kinds, edges), ([kinds[i] for i in order], number[edges]))
    ]
    spins, tops = [0, 2, 4], [1, 3]
    at = {kind: [places.index(i) for i in order if i in places] for kind, places in (("spin", spins), ("top", tops))}
    S, M = np.random.default_rng(2).standard_normal((3, 3)), np.random.default_rng(3).standard_normal((2, 3))
    dW = np.random.default_rng(5).standard_normal((8, 8)) / 4  # noise of two tops, then two noises of three spins
    moved = dW[:, [*at["top"], *(2 + np.array(at["spin"])), *(5 + np.array(at["spin"]))]]
    how = {"t_end": 0.5, "dt": 1 / 16, "method": "heun"}
    one = lattices[0].simulate(**how, driver=dW, state={"S_spin": S, "M_top": M})
    two = lattices[1].simulate(**how, driver=moved, state={"S_spin": S[at["spin"]], "M_top": M[at["top"]]})
    assert np.abs(one["S_spin"][:, :, at["spin"]] - two["S_spin"]).max() < 1e-14  # 2e-16
    assert np.abs(one["M_top"][:, :, at["top"]] - two["M_top"]).max() < 1e-14


def test_proofs_of_kinds_and_of_sums_over_all_sites():
    lattice = Mixed(pattern="spin top spin spin", sites=4)
    assert lattice.prove("energy", along="drift").holds
    assert lattice.prove("dot(S_spin, S_spin)").holds
    assert lattice.prove("sum(S_spin)", along="drift").holds is False
    free = type("Free", (Lattice,), {
        "sites": 5, "kinds": ("a", "b", "a", "b", "a"), "site": lambda self: {"a": Spin(easy=0), "b": Spin(easy=0)},
        "coupling": lambda self, left, right: ops.dot(left.S, right.S),
        "total": sd.observable()(lambda self, state: state.S_a.sum(axis=1) + state.S_b.sum(axis=1)),
    })()  # fmt: skip
    assert free.prove("sum(S_a) + sum(S_b)", along="drift").holds
    assert "compared with sum(S_a) + sum(S_b)" in str(free.prove("total", along="drift"))
    assert free.prove("sum(S_a)", along="drift").holds is False
    run = free.simulate(t_end=1, dt=1 / 8, driver=0, method="implicit-midpoint", state={"S_b": (0.0, 1.0, 0.0)})
    assert np.ptp(run["total"], axis=1).max() < 1e-12  # 2e-15
    with pytest.raises(InputError, match=r"one kind of site, of a, b.*sum\(…\) \+ sum"):
        free.prove("dot(S_a, S_b)")


class Coupled(Lattice):
    """Points on a line and tops, both by a Lagrangian, with parameters of edges and of sites, in time."""

    sites, edges, per_edge, kinds = 5, "line", ("stiffness",), ("point", "top", "point", "point", "top")
    stiffness: sd.Parameter = sd.parameter((0.5, 0.6, 0.7, 0.8), symbol="c", shape=(None,))

    def site(self):
        return {"point": Point(), "top": Top(inertia=sd.PerPath([INERTIA, (1.0, 1.0, 1.2)]))}

    def coupling(self, left, right, t, kinds):
        x, y = (end.q[0] if kind == "point" else end.Gamma[2] for end, kind in zip((left, right), kinds, strict=True))
        return self.stiffness * (x - y) ** 2 / 2 * (1 + ops.sin(t) / 3)


class Pushed(Point):
    """A point with one noise."""

    def independent_force(self):
        return [[0.3]]


class PushedTop(Top):
    """A top with two."""

    def constraint(self):
        return sd.Unconstrained()

    def independent_force(self):
        return [(0.1, 0.0, 0.0), (0.0, 0.2, 0.0)]


@pytest.mark.parametrize("common", [False, True])
def test_kinds_by_lagrangians_and_common_noise_are_written_out(common):
    stated = {"common_noise": True, "site": lambda self: {"point": Pushed(), "top": PushedTop()}} if common else {}
    lattice = type("Coupled", (Coupled,), stated)()
    run, one = lattice.simulate(**HOW, method="heun"), lattice.written_out().simulate(**HOW, method="heun")
    for name in ("p_v_point2", "v_point3", "q_point3_1", "M_top2_2", "Omega_top1_1", "energy"):
        assert np.abs(run[name] - one[name]).max() < 1e-14, name  # 9e-16
        assert np.ptp(run[name]) > 0.01
    assert lattice.workings.model().wieners == (2 if common else 8)


def test_values_of_kinds_in_runs_data_sets_and_pages():
    lattice = pickle.loads(pickle.dumps(Mixed(pattern="spin top spin spin", sites=4)))
    run = lattice.simulate(t_end=0.125, dt=1 / 16, paths=2, seed=1)
    assert run["S_spin"].shape == (2, 3, 3, 3)
    assert run["M_top"].shape == (2, 3, 1, 3)
    assert np.array_equal(run["S_spin2_3"], run["S_spin"][:, :, 1, 2])
    assert run.to_xarray()["S_spin"].dims == ("path", "time", "site_spin", "component")
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(again["S_spin"], run["S_spin"])
    assert np.abs(run["Omega_top"][:, 0] - Top.initial["Omega"]).max() < 1e-15  # with the velocities that edges add
    page = str(lattice.equations())
    for words in (
        "4 sites (1 top, 3 spin)",
        "V_ij of spin and spin = (S_i·S_j), added to h, 2 edges",
        "F_Γ of site i of kind top",
    ):
        assert words in page
    assert (
        sd.laws.check(Mixed).holds if hasattr(sd.laws.check(Mixed), "holds") else "3 sites" in str(sd.laws.check(Mixed))
    )


class Wheel(Top):
    """A top that does not spin."""

    def constraint(self):
        return sd.DistributionConstraint(lambda: np.eye(3)[:, :2], {"u": 2})


@pytest.mark.parametrize(
    ("stated", "error", "words"),
    [
        ({"kinds": ()}, DefinitionError, "a name for each of 3 sites, or a pattern"),
        ({"kinds": "spin"}, DefinitionError, "a name for each of 3 sites"),
        ({"kinds": ("spin", "body", "spin")}, DefinitionError, "got 'body'"),
        ({"kinds": ("spin", "top")}, DefinitionError, "without a rest.*got 2 names"),
        ({"kinds": ("spin",)}, DefinitionError, "sites of the kind 'top'"),
        ({"site": lambda self: Spin()}, DefinitionError, "kinds: expected none"),
        ({"site": lambda self: {"a_b": Spin()}}, DefinitionError, "letters and digits"),
        ({"site": lambda self: {"b": Spin(), "b2": Spin()}}, DefinitionError, "a letter at both ends"),
        ({"site": lambda self: {"top": 5, "spin": Spin()}}, DefinitionError, "kind 'top': expected a system"),
        ({"site": lambda self: {"top": Wheel(), "spin": Spin()}, "coupling": lambda self: 0}, DefinitionError,
         "kind 'top'.*got a constraint"),
        ({"site": lambda self: {"top": Top(), "spin": Spin(easy=sd.PerPath([1.0, 2.0, 3.0]))}}, DefinitionError,
         "parameters of 2 sites"),
        ({"coupling": lambda self, left, right, kinds: None}, DefinitionError, "coupling of top and spin: expected a number"),
        ({"coupling": lambda self, left, right: left.M[0]}, UnknownNameError, "'M'.*Known: S"),
        ({"coupling": lambda self, left, right, kinds: left.Omega[0] if kinds[0] == "top" else 0}, DefinitionError,
         "and a site with a Hamiltonian"),
        ({"common_noise": True}, DefinitionError, "stated in the same way"),
    ],
)  # fmt: skip
def test_what_is_stated_wrongly_is_told(stated, error, words):
    with pytest.raises(error, match=words):
        type("Wrong", (Mixed,), stated)()


def test_starts_of_kinds_are_checked():
    how = {"t_end": 0.1, "dt": 0.1, "seed": 1}
    with pytest.raises(UnknownNameError, match="Known: M_top, S_spin, Gamma_top"):
        Mixed().simulate(**how, state={"S": (0, 0, 1)})
    with pytest.raises(InputError, match=r"shape \(2, 3\)"):
        Mixed().simulate(**how, state={"S_spin": np.ones((3, 3))})
