"""Conventions as mechanics sees them: momentum is constant in space along the reconstructed motion."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from semidirect.groups import SE2, SE3, SO, SO3, DirectProduct, Heisenberg


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "group", [SO3(), SE3(), SO(4), SE2(), Heisenberg(), DirectProduct(SO3(), SE2())], ids=lambda g: g.name
)
def test_spatial_momentum_is_constant_along_the_reconstruction(group, sign):
    rng = np.random.default_rng(4)
    n = group.dimension
    inertia = rng.uniform(1, 3, n)
    start = np.concatenate([rng.standard_normal(n), group.store(group.random(rng))])

    def rate(_, y):
        xi = y[:n] / inertia
        return np.concatenate([sign * group.cobracket(xi, y[:n]), group.flow_entries(y[n:], xi)])

    y = solve_ivp(rate, (0, 2), start, method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    spatial = [group.Ad_star(group.inverse(group.element(z[n:])), z[:n]) for z in (start, y)]
    change = np.max(np.abs(spatial[1] - spatial[0]))
    if sign == 1:
        assert change <= 1e-10  # measured 3e-12
    else:
        assert change >= 0.01  # the wrong sign of ad* does not pass


def test_moves_by_constant_velocity_add_up():
    group = DirectProduct(SE3(), SE2())
    xi = np.random.default_rng(0).standard_normal(group.dimension)
    stored = group.store(group.identity)
    for _ in range(100):
        stored = group.move(stored, 0.02 * xi)
    np.testing.assert_allclose(group.element(stored), group.exp(2 * xi), rtol=0, atol=1e-13)  # measured 1e-14
