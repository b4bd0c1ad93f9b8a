"""A matrix system that is written out in scalars: the same equations, and what reads them."""

import operator
import pickle
from functools import cache

import numpy as np
import pytest
from semidirect_matrix_systems import Manakov, Zeitlin

import semidirect as sd
from semidirect import ops
from semidirect.errors import DefinitionError, InputError, MethodError
from semidirect.matrices.entry import Entries
from semidirect.matrices.free_entries import FreeEntries

HOW = {"t_end": 0.5, "dt": 1 / 32, "seed": 1, "method": "heun"}
DT = 1 / 64


class Any(sd.MatrixLiePoisson):
    """A velocity that is not linear, with a field that reads W and t."""

    algebra, size = "u", 2
    strength: sd.Parameter = sd.parameter(0.7, symbol="c")

    @property
    def initial(self):
        return {"W": sd.matrices.algebra(self.algebra, 2).draw(np.random.default_rng(5), 1)[0]}

    def velocity(self, W, t):
        return self.lie_algebra().project(
            self.strength * W / (1 + np.cos(t)) + sd.matrices.matmul(W, sd.matrices.matmul(W, W))
        )

    def fields(self):
        constant = self.lie_algebra().draw(np.random.default_rng(6), 1)[0]
        return [self.strength * constant, lambda W: 0.1 * W * sd.matrices.trace(W * np.conj(W)).real[..., None, None]]

    @sd.observable()
    def real(self, state):
        return np.sqrt(np.sum(np.abs(state.W) ** 2, axis=(-2, -1)))

    @sd.observable()
    def largest(self, state):
        return np.abs(np.linalg.eigvals(state.W)).max(axis=-1)


@cache
def body():
    """The body of three dimensions, of which all below is asked, and itself written out."""
    system = Manakov(moments=(1.0, 1.5, 2.2), noise=(0.2,))
    return system, system.written_out()


@pytest.mark.parametrize(
    "system",
    [
        *(type("Any", (Any,), {"algebra": name})() for name in ("so", "su", "u", "gl", "sl")),
        Zeitlin(modes=3, noise=(0.1, 0.2, 0.1, 0.3)),
        Manakov(),
    ],
    ids=lambda one: f"{type(one).__name__} {one.algebra}",
)
def test_paths_are_those_of_the_arrays(system):
    """Measured are 4e-16."""
    out = system.written_out()
    arrays, scalars = (one.simulate(**HOW, paths=2) for one in (system, out))
    assert len(out.sde().state) == system.lie_algebra().dimension
    for row, name in enumerate(system.lie_algebra().flat.component_names("W")):
        np.testing.assert_allclose(scalars[name], arrays.data["W"][..., row], rtol=0, atol=1e-13)
    np.testing.assert_allclose(scalars["W"], arrays.data["W"], rtol=0, atol=1e-13)
    for name in system.observables().keys() - {"largest"}:  # which has no expression, and stays with the arrays
        np.testing.assert_allclose(scalars[name], arrays[name], rtol=0, atol=1e-13)
    assert "largest" not in out.observables()


def test_methods_that_read_derivatives_are_those_of_the_bracket():
    """A step of Itô's formula by hand: ½[[W, X], X] is the correction."""
    system = body()[0].replace(noise=(0.3,))
    X = system.fields()[0]
    W = np.array(system.initial["W"])
    bracket, dW = sd.matrices.bracket, sd.noise.WienerNoise(1, 1, DT).block(range(1), 0, 1, DT)[0, 0, 0]
    drift, twice = bracket(W, system.velocity(W)), bracket(bracket(W, X), X)
    for method, expected in (
        ("euler-maruyama", W + (drift + twice / 2) * DT + bracket(W, X) * dW),
        ("milstein", W + drift * DT + bracket(W, X) * dW + twice * dW**2 / 2),
    ):
        run = system.simulate(t_end=DT, dt=DT, method=method, seed=1)
        np.testing.assert_allclose(run["W"][0, -1], expected, rtol=0, atol=1e-15)


def test_parameters_of_each_path_reach_the_derivatives():
    values = [(1.0, 2.0, 3.0), (1.0, 2.5, 3.0), (1.5, 1.0, 2.0)]
    call = {**HOW, "method": "milstein", "driver": sd.Wiener(path=0)}
    together = Manakov(moments=sd.PerPath(values), noise=(0.2,)).simulate(**call)
    for path, one in enumerate(values):
        alone = Manakov(moments=one, noise=(0.2,)).simulate(**call)
        assert np.array_equal(together["W"][path], alone["W"][0])


class Rigid(sd.System):
    """The same body on SO(3), stated by hand: I_1 = J_2 + J_3."""

    moments: sd.Parameter = sd.parameter((1.0, 1.5, 2.2), symbol="J", shape=(3,))
    group = sd.SO3()
    momentum_names = {"Omega": "M"}

    def lagrangian(self, xi):
        J = self.moments
        return ops.dot(xi.Omega, ops.array([J[1] + J[2], J[0] + J[2], J[0] + J[1]]) * xi.Omega) / 2

    def constraint(self):
        return sd.Unconstrained(noise=[(0.0, 0.0, 0.2)])


def test_an_extended_kalman_filter_is_that_of_the_body_on_its_group():
    """Velocities there and momenta here are linear in each other; measured is 4e-13."""
    W = np.array(body()[0].initial["W"])
    starts = {"W": W}, {"M": (W[2, 1], W[0, 2], W[1, 0])}
    systems, names = (body()[0], Rigid()), ("W21", "M3")
    sight = [sd.Observation(name, noise=0.05) for name in names]
    data = sight[0].of(systems[0].simulate(**HOW, save="every:4"), seed=3).isel(time=slice(1, None))
    how = {"dt": 1 / 32, "method": "heun", "update": "extended-kalman", "execution": sd.Execution(engine="numpy")}
    a, b = (
        sd.filter(system, one, data.assign_coords({d: [name] for d in data.dims if d not in ("time",) and d in data.coords}),
                  state=start, **how)
        for system, name, one, start in zip(systems, names, sight, starts, strict=True)
    )  # fmt: skip
    np.testing.assert_allclose(a.log_likelihood, b.log_likelihood, rtol=0, atol=1e-11)


def test_sensitivities_are_differences():
    system = Zeitlin(modes=2)
    out = system.written_out()
    run = out.simulate(**HOW, formulation=sd.Formulation(sensitivity=["noise2", "W31"]))
    eps, start = 1e-4, np.array(system.initial["W"])
    unit = np.array([[1j, 0], [0, -1j]])

    def at(x, by):
        changed = system.replace(noise=(0.05, 0.05 + x, 0.05)) if by == "noise2" else system
        return changed.simulate(**HOW, state={"W": start + (x * unit if by == "W31" else 0)}).data["W"][0, -1]

    for by in ("noise2", "W31"):
        slope = (at(eps, by) - at(-eps, by)) / (2 * eps)
        for name, row in (("W21", 2), ("W31", 4), ("W42", 7)):
            np.testing.assert_allclose(run.sensitivity(name, by).values[0, -1], slope[row], rtol=0, atol=1e-7)


class Linear(sd.MatrixLiePoisson):
    """dW = [W, A], whose exponents are the differences of the entries of A."""

    algebra, size, initial = "gl", 2, {"W": np.eye(2)}

    def velocity(self, W):
        return np.diag((0.5, -0.25)) + 0 * W


def test_exponents_are_of_the_algebra():
    found = sd.analysis.lyapunov(Linear(), t_end=40, dt=1 / 16, paths=2, seed=2, method="rk4")
    np.testing.assert_allclose(found.exponents, (0.75, 0, 0, -0.75), rtol=0, atol=1e-6)  # measured are 3e-8


def test_searches_and_densities_know_the_body():
    system = Manakov(noise=(0.2,))
    found = system.invariants(2)
    assert found.dimension == 4  # Manakov's integrals, the energy among them
    assert system.invariants(2, along="both").dimension >= 2  # the Casimirs, of which one is Pfaff's
    assert system.prove("energy", along="drift", on={"square": 1}).holds
    assert sd.invariants.find_measure(system).divergence_free[0]
    for moments, noise, stationary in (
        ((1, 1, 1), (0.2, 0.1), True),
        ((1, 1, 2), (0.2,), True),
        ((1, 2, 3), (0.2,), False),
    ):
        density = sd.invariants.gibbs_density(Manakov(moments=moments, noise=noise), beta=1)
        assert density.stationary is stationary  # rotations that keep the energy do
    assert sd.invariants.lie_rank(body()[0]).rank == 2  # spheres


def test_an_export_steps_as_the_run():
    system = Zeitlin(modes=2)
    module = system.export("numpy", method="heun").load()
    y, run = module.start(), system.simulate(**HOW, save="final")
    noise = sd.noise.WienerNoise(1, 3, 1 / 32).block(range(1), 0, 16, 1 / 32)
    for n, w in enumerate(noise[:, :, 0]):
        y = module.step(n / 32, y, module.defaults(), 1 / 32, w)
    free = list(FreeEntries.of(system.lie_algebra()).at)
    np.testing.assert_allclose(np.ravel(y)[: len(free)], run.data["W"][0, -1, free], rtol=0, atol=1e-14)


def test_it_is_pickled_and_starts_where_the_matrix_does():
    system, out = body()
    again = pickle.loads(pickle.dumps(out))
    assert np.array_equal(again.simulate(**HOW)["W21"], out.simulate(**HOW)["W21"])
    assert out.initial["W21"] == system.initial["W"][1, 0]
    with pytest.raises(InputError, match="not in so"):
        system.evaluate({"W": np.ones((3, 3))})


def test_what_needs_a_configuration_says_that_there_is_none():
    system, out = body()
    for ask in (lambda: sd.invariants.find_casimirs(system), lambda: sd.invariants.integrability(system)):
        with pytest.raises(InputError, match="of matrices"):
            ask()
    assert "no_configuration" not in out.simulate(**HOW).data
    for one in (system, out):
        with pytest.raises(MethodError, match="moves a configuration"):
            one.simulate(**{**HOW, "method": "lie-milstein"})
    with pytest.raises(MethodError, match=r"written out have none\. Run the matrix system itself"):
        out.simulate(**{**HOW, "method": "isospectral-midpoint"})


def test_advice_is_of_methods_that_run():
    found = sd.analysis.recommend(body()[0])
    assert found.method == "implicit-midpoint"
    assert "The default is isospectral-midpoint" in str(found)
    for candidate in found.candidates:
        body()[0].simulate(**{**HOW, "method": candidate.method})


def test_what_is_not_written_out_says_so():
    with pytest.raises(DefinitionError, match=r"at most 256 dimensions, such as so\(23\)"):
        Manakov(moments=np.arange(1.0, 25.0)).written_out()
    with pytest.raises(DefinitionError, match=r"at most 10,000,000 terms, got 54,429,911 of su\(16\)"):
        Zeitlin(modes=16).written_out()
    inverse = {"velocity": lambda self, W: np.linalg.inv(np.eye(3) + W @ W) @ W}
    with pytest.raises(DefinitionError, match=r"velocity cannot be evaluated with expressions.*without np.linalg"):
        type("Inverse", (sd.MatrixLiePoisson,), {"algebra": "so", "size": 3, **inverse})().written_out()
    lost = {"velocity": lambda self, W: 1j * np.eye(2) * np.array(W.tolist()).imag}  # of an array of objects it is 0
    with pytest.raises(DefinitionError, match=r"velocity of expressions.*value that it has at arrays"):
        type("Lost", (sd.MatrixLiePoisson,), {"algebra": "u", "size": 2, **lost})().written_out()


@pytest.mark.parametrize("operation", [operator.add, operator.sub, operator.mul, operator.truediv, operator.matmul])
@pytest.mark.parametrize("swapped", [False, True])
def test_arrays_of_entries_compute_as_numbers(operation, swapped):
    rng = np.random.default_rng(2)
    A, B = rng.standard_normal((2, 3, 3)) + 1j * rng.standard_normal((2, 3, 3)) * np.array([[[0]], [[1]]])
    others = [Entries.of(B), B, *((2.5, 1j, np.float64(2), np.array(1.5)) if operation is not operator.matmul else ())]
    for other in others:
        number = B if other is others[0] else other
        mine = operation(other, Entries.of(A)) if swapped else operation(Entries.of(A), other)
        expected = operation(number, A) if swapped else operation(A, number)
        assert _near(mine, expected)
        assert _near(mine.imag, expected.imag)
        assert _near(np.conj(mine), np.conj(expected))
    assert _near(np.abs(Entries.of(B)) + np.sqrt(abs(Entries.of(B))), np.abs(B) + np.sqrt(np.abs(B)))
    assert _near(np.einsum("ij,kj->ik", Entries.of(A), B).imag, np.einsum("ij,kj->ik", A, B).imag)
    assert _near(Entries.of(B) ** 3, B**3)
    larger = ops.where(Entries.of(2.0)[()] > 1, Entries.of(B)[0, 0], 0)
    assert complex(larger.re, larger.im) == B[0, 0]


def _near(mine, expected):
    numbers = np.array([complex(x.re, x.im) for x in Entries.of(mine).reshape(-1)])
    return np.allclose(numbers, np.ravel(expected), rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("hermitian", [0, -1])
def test_a_solve_of_expressions_is_that_of_arrays(hermitian):
    rng, n = np.random.default_rng(3), 4
    d, e = [3 + rng.random(n - k) for k in range(n)], [rng.random(n - k - 1) for k in range(n)]
    solve = sd.matrices.DiagonalSolve(d, e)
    W = sd.matrices.algebra("u", n).draw(rng, 2)
    assert _near(solve(Entries.of(W), hermitian=hermitian), solve(W, hermitian=hermitian))


@pytest.mark.parametrize(("name", "first"), [("so", "W21"), ("su", "W21"), ("u", "W21"), ("gl", "W11"), ("sl", "W11")])
def test_free_entries_determine_the_matrix(name, first):
    space = sd.matrices.algebra(name, 3)
    free, rows = FreeEntries.of(space), space.flat.flattened(space.draw(np.random.default_rng(4), 3)).T
    assert len(free.at) == space.dimension
    assert space.flat.component_names("W")[free.at[0]] == first
    both = np.stack([np.broadcast_to(x, 3) for x in free.rows(list(rows[list(free.at)]))])
    np.testing.assert_allclose(both, rows, rtol=0, atol=1e-15)
    assert {abs(factor) for terms in free.sums for _, factor in terms} == {1.0}
