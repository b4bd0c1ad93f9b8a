"""Compiled steps of lattices have the bits of array code, of runs of few kernels: they do not depend on the number of sites."""

import numpy as np
import pytest

import semidirect as sd
from semidirect import ops
from semidirect.compile import lattice_variant
from semidirect.compile.lattice_variant import LatticeVariant
from semidirect.errors import MethodError
from semidirect.lattices import Lattice
from semidirect.model import NumericalSDE

NOISE = ((0.3, 0.1, 0.1), (0.0, 0.2, 0.0))


class Spin(sd.System):
    """A spin in a field, h = S₃/5 + D S₃²."""

    group = sd.SO3()
    momentum_names = {"Omega": "S"}
    initial = {"S": (0.6, 0.0, 0.8)}
    easy: sd.Parameter = sd.parameter(0.2, symbol="D")
    noise: sd.Parameter = sd.parameter(NOISE, symbol="b", shape=(None, 3))

    def hamiltonian(self, p):
        return p.Omega[2] / 5 + self.easy * p.Omega[2] ** 2

    def noise_hamiltonian(self, p):
        return [ops.dot(ops.array(row), p.Omega) for row in self.noise]


class Alike(Lattice):
    """Spins with exchange, whose edges are all alike."""

    sites: sd.Option[int] = sd.option(5)
    links: sd.Option[str] = sd.option("ring")
    easy: sd.Parameter = sd.parameter(0.2, symbol="D")

    @property
    def edges(self):
        return self.links

    def site(self):
        return Spin(easy=self.easy)

    def coupling(self, left, right):
        return ops.dot(left.S, right.S)


class Different(Lattice):
    """Edges twice and in both directions, with parameters, in time; sites that differ."""

    sites, edges, per_edge = 5, ((0, 2), (3, 1), (0, 2), (2, 0), (4, 2)), ("exchange",)
    exchange: sd.Parameter = sd.parameter((1.0,), symbol="J", shape=(None,))

    def site(self):
        return Spin(easy=sd.PerPath(np.linspace(0, 1, 5)))

    def coupling(self, left, right, t):
        """The right end has no force along the first axis."""
        return self.exchange * ops.cos(3 * t) * (left.S[0] * right.S[1] + left.S[2] * ops.exp(-(right.S[2] ** 2)))


def starts(*shape):
    return {"S": np.random.default_rng(7).standard_normal((*shape, 3))}


def both(lattice, **how):
    """The run by array code and by a kernel, which are the same."""
    runs = [lattice.simulate(execution=sd.Execution(engine=e, threads=2), **how) for e in ("numpy", "compiled")]
    for name in runs[0].data:
        assert np.array_equal(*(run[name] for run in runs), equal_nan=True), name
    assert np.array_equal(*(run.data.status for run in runs))
    return runs[1]


STEPS = {"t_end": 7 / 16, "dt": 1 / 16, "seed": 3}


@pytest.mark.parametrize(
    ("sites", "edges", "paths"), [(1, "line", 9), (9, "all", 21), (70, "ring", 8), (33, "line", 9)]
)
def test_kernels_have_the_bits_of_array_code(sites, edges, paths):
    lattice = Alike(sites=sites, links=edges)
    run = both(lattice, paths=paths, state=starts(sites), method="lie-heun", **STEPS)
    assert np.ptp(run["S"][:, -1], axis=0).min() > 0


def test_many_sites_take_vectors_of_few_paths_which_have_the_same_bits(monkeypatch):
    def vector(sites):
        model = NumericalSDE.of(Alike(sites=sites))
        return LatticeVariant.of(model, None, 0.1, 100).paths

    assert [vector(n) for n in (499, 500, 4999, 5000)] == [8, 4, 4, 2]
    monkeypatch.setattr(lattice_variant, "VECTORS_OF_MANY", ((0, 2),))
    assert vector(33) == 2
    both(Alike(sites=33, links="ring"), paths=9, state=starts(33), method="lie-heun", **STEPS)


def test_kernels_of_implicit_methods():
    common = type("Common", (Alike,), {"common_noise": True})(sites=11)
    both(common, paths=9, state=starts(11), method="coadjoint-midpoint", **STEPS)


def test_edges_may_differ_and_depend_on_time():
    """Parameters that differ from edge to edge, from path to path, from site to site."""
    lattice = Different(exchange=sd.PerPath(np.random.default_rng(1).standard_normal((9, 5))))
    both(lattice, state=starts(9, 5), method="heun", driver=sd.Wiener(increment_law="three-point"), **STEPS)


def test_a_path_that_fails_is_reported_as_by_array_code():
    lattice = Alike(easy=3.0)
    state = {"S": starts(9, 5)["S"] * np.array([0.1] * 8 + [3.0])[:, None, None]}
    how = {"t_end": 0.25, "dt": 1 / 16, "seed": 3, "checks": sd.Checks(on_failure="mask")}
    with pytest.warns(sd.errors.FailedPathsWarning):
        run = both(lattice, state=state, method="implicit-midpoint", **how)
    assert (run.data.status != 0).tolist() == [False] * 8 + [True]


def test_bits_do_not_depend_on_how_paths_are_taken_together():
    lattice = Alike(sites=20)
    compiled = sd.Execution(engine="compiled")
    how = {"state": starts(20), "method": "lie-heun", "execution": compiled, **STEPS}
    together = lattice.simulate(paths=21, **how)
    alone = lattice.simulate(paths=3, **how)
    assert np.array_equal(together["S"][:3], alone["S"])
    half = lattice.simulate(paths=21, **{**how, "t_end": 3 / 16})
    assert np.array_equal(sd.extend(half, t_end=7 / 16)["S"], together["S"])
    stepper = lattice.ensemble(paths=21, **{k: v for k, v in how.items() if k != "t_end"})
    stepper.advance(steps=3)
    stepper.advance(steps=4)
    assert np.array_equal(stepper["S"], together.data["S"][:, -1])


def test_what_is_not_compiled_is_told():
    class Told(Spin):
        profile: sd.Parameter = sd.table((0.0, 1.0))

    class Tables(Alike):
        def site(self):
            return Told()

    how = {"t_end": 0.1, "dt": 0.05, "execution": sd.Execution(engine="compiled")}
    with pytest.raises(MethodError, match="table"):
        Tables().simulate(**how)
    with pytest.raises(MethodError, match="areas"):
        Alike().simulate(**how, method="lie-milstein")


@pytest.mark.parametrize("method", ["lie-milstein", "euler-heun"])
def test_methods_with_derivatives_and_areas_have_the_bits_of_array_code_or_are_left_to_it(method):
    class Shaken(Alike):
        common_noise = True

    how = {"t_end": 0.1, "dt": 0.05, "paths": 3, "seed": 1, "method": method}
    runs = [
        Shaken().simulate(**how, execution=sd.Execution(engine=engine)).data["S"] for engine in ("numpy", "compiled")
    ]
    assert np.array_equal(*runs)
    assert Alike().simulate(**how).good.all()
