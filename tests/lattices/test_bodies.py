"""A rod of rigid sections against an independent code, and vortices against the system that is written out."""

import numpy as np
from semidirect_point_vortices import PointVortices
from test_lattices import reference

import semidirect as sd
from semidirect import ops
from semidirect.core.solvers import iteration
from semidirect.lattices import Lattice

FRAME = ("E1", "E2", "Gamma")


class Section(sd.System):
    """A rigid cross-section."""

    group = sd.SE3()
    advected = sd.AdvectedFrame()
    mass: sd.Parameter = sd.parameter(1.0, symbol="m")
    inertia: sd.Parameter = sd.inertia((1.0, 1.0, 1.0))

    def lagrangian(self, xi, a):
        return (ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) + self.mass * ops.dot(xi.Y, xi.Y)) / 2


class Rod(Lattice):
    """Sections in a line, the energy of an edge of their relative pose."""

    sites = 3
    mass: sd.Parameter = sd.parameter(1.0, symbol="m")
    inertia: sd.Parameter = sd.inertia((1.0, 1.0, 1.0))
    length: sd.Parameter = sd.parameter(1.0, symbol="l")
    bending: sd.Parameter = sd.parameter((1.0, 1.0, 1.0), symbol="C_u", shape=(3,))
    stretching: sd.Parameter = sd.parameter((1.0, 1.0, 1.0), symbol="C_v", shape=(3,))

    def site(self):
        return Section(mass=self.mass, inertia=self.inertia)

    def coupling(self, left, right):
        Q = sum(ops.outer(left[e], right[e]) for e in FRAME)
        u = ops.array([Q[2][1] - Q[1][2], Q[0][2] - Q[2][0], Q[1][0] - Q[0][1]]) / (2 * self.length)
        steps = [ops.dot(left[e], left.b[:3]) - ops.dot(right[e], right.b[:3]) for e in FRAME]
        v = sum(d * (left[e] + right[e]) for e, d in zip(FRAME, steps, strict=True)) / (2 * self.length)
        v = v - ops.array([0, 0, 1])
        return self.length / 2 * (ops.dot(u, self.bending * u) + ops.dot(v, self.stretching * v))


def test_a_rod_is_that_of_reference():
    case = reference("cosserat_rod")["three_nodes"]
    R, x = np.array(case["R"]), np.array(case["x"])
    rod = Rod(mass=case["m"], inertia=case["I"], length=case["l"], bending=case["C_u"], stretching=case["C_v"])
    b = np.concatenate([-np.einsum("nji,nj->ni", R, x), np.ones((3, 1))], axis=1)
    state = {**{e: R[:, i] for i, e in enumerate(FRAME)}, "b": b, "Omega": case["Omega"], "Y": case["Y"]}
    run = rod.simulate(t_end=1, dt=0.5, state=state, method="dop853")
    assert abs(run["energy"][0, 0] - case["energy"]) < 1e-14
    end = case["end"]
    for name in ("Omega", "Y"):
        assert np.abs(run[name][0, -1] - end[name]).max() < 1e-10, name
    places = -np.stack([np.sum(run[e][0, -1] * run["b"][0, -1, :, :3], axis=-1) for e in FRAME], axis=-1)
    assert np.abs(places - end["x"]).max() < 1e-10
    momentum = [case["m"] * np.sum(run[e][0] * run["Y"][0], axis=(-2, -1)) for e in FRAME]
    assert np.abs(np.array(momentum).T - case["momentum"]).max() < 1e-12
    assert np.ptp(run["energy"]) < 1e-11


class Vortex(sd.System):
    """A vortex, which does not move alone."""

    group = sd.SO3()
    momentum_names = {"Omega": "p"}

    def hamiltonian(self, p):
        return 0


class Vortices(Lattice):
    """Vortices, of which each acts on all others."""

    sites: sd.Option[int] = sd.option(4)
    edges, per_edge = "all", ("product",)
    product: sd.Parameter = sd.parameter((1.0,) * 6, symbol="g", shape=(None,))

    def site(self):
        return Vortex()

    def coupling(self, left, right):
        return self.product * ops.log(1 - ops.dot(left.p, right.p) / self.product) / (4 * np.pi)


def test_vortices_are_those_that_are_written_out():
    strengths = np.array([1.0, 0.8, -0.5, 1.4])
    one = PointVortices(strengths=strengths)
    start = np.array([one.initial[f"p_{x}"] for x in "abcd"])
    ours = Vortices(product=np.outer(strengths, strengths)[np.triu_indices(4, 1)])
    how = {"t_end": 4, "dt": 1 / 16, "method": "rkmk4"}
    run = ours.simulate(**how, state={"p": start})
    theirs = one.simulate(**how, formulation=sd.Formulation(reconstruct=False))
    for i, x in enumerate("abcd"):
        assert np.abs(run["p"][:, :, i] - theirs[f"p_{x}"]).max() < 1e-13
    assert np.abs(run["energy"] - theirs["energy"]).max() < 1e-13
    assert ours.prove("sum(p)", along="drift").holds


class Apart(Vortices):
    """The same with an energy of distances."""

    def coupling(self, left, right):
        apart = left.p - right.p
        return ops.log(ops.dot(apart, apart) / 2) / (4 * np.pi)


def test_an_energy_of_distances_turns_no_vortex_about_its_axis(monkeypatch):
    # the energies are equal on the sphere, near which a midpoint evaluates them
    called, one = [], iteration.fixed_point_of_numbers

    def counted(function, *more):
        return one(lambda x: called.append(x) or function(x), *more)

    monkeypatch.setattr(iteration, "fixed_point_of_numbers", counted)
    turn = 2 * np.pi * np.arange(60) / 60
    start = np.stack([np.cos(turn), np.sin(turn), 0.2 * np.sin(2 * turn)], axis=1)
    start /= np.linalg.norm(start, axis=1)[:, None]
    how = {"t_end": 0.02, "dt": 0.005, "method": "coadjoint-midpoint", "execution": sd.Execution(1, engine="numpy")}
    counts, runs = [], []
    for cls in (Vortices, Apart):
        runs.append(cls(sites=60, product=np.ones(1770)).simulate(**how, state={"p": start}))
        counts.append(len(called))
        called.clear()
        total = runs[-1]["p"][0].sum(axis=1)
        assert np.abs(total - total[0]).max() < 1e-13
        assert np.ptp(np.linalg.norm(runs[-1]["p"], axis=-1)) < 1e-14
    assert counts[1] < counts[0] / 5, counts  # 44 of 378
    drifts = [np.abs(run["energy"] - run["energy"][:, :1]).max() for run in runs]
    assert drifts[1] < drifts[0] / 100, drifts  # 1.5e-5 of 4.5e-3
