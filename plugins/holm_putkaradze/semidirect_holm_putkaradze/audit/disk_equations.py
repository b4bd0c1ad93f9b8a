"""Section 3 of the paper: the vertical disk."""

from __future__ import annotations

from semidirect_holm_putkaradze.audit.claim import Claim, Equation
from semidirect_holm_putkaradze.audit.disk_settings import ACTION, DISK

_BY_PARTS = "d(p1*var_x + p2*var_y + pi1*var_theta + pi2*var_phi)"

EQUATIONS = (
    Equation("drift_theta_phi", "the noise in spin and turn", (
        Claim("d(theta) = omega*dt + xi1*dW1", DISK), Claim("d(phi) = nu*dt + xi2*dW2", DISK),
    )),
    Equation("constraints_disk", "the disk rolls along its edge, without the noise of its spin", (
        Claim("d(x) = R*omega*cos(phi)*dt", DISK), Claim("d(y) = R*omega*sin(phi)*dt", DISK),
    )),
    Equation("rolling_disk_action", "the constraints of the action vanish along the motion", (
        Claim("d(x) - u*dt = 0", DISK), Claim("d(y) - v*dt = 0", DISK),
        Claim("u - R*omega*cos(phi) = 0", DISK), Claim("v - R*omega*sin(phi) = 0", DISK),
        Claim("d(theta) - omega*dt - xi1*dW1 = 0", DISK), Claim("d(phi) - nu*dt - xi2*dW2 = 0", DISK),
    )),
    Equation("rolling_disk_var", "the free variations of the action", (
        Claim("delta(S) = -d(p1)*var_x - d(p2)*var_y + (m*u + mu1 - p1)*delta(u)*dt + (m*v + mu2 - p2)*delta(v)*dt"
              " - d(pi1)*var_theta + (R*omega*(mu1*sin(phi) - mu2*cos(phi))*dt - d(pi2))*var_phi"
              " + (I*omega - mu1*R*cos(phi) - mu2*R*sin(phi) - pi1)*delta(omega)*dt + (J*nu - pi2)*delta(nu)*dt"
              f" + {_BY_PARTS}", ACTION),
    )),
    Equation("rolling_disk_mu1+mu2", "the multipliers of the rolling constraint, where p = 0", (
        Claim("mu1 = -m*u = -m*R*omega*cos(phi)", DISK), Claim("mu2 = -m*v = -m*R*omega*sin(phi)", DISK),
    )),
    Equation("rolling_disk_eqns1", "spin and turn are constant", (
        Claim("(I + m*r**2)*d(omega) = 0", DISK), Claim("J*d(nu) = 0", DISK),
        Claim("omega_t = omega_0", DISK), Claim("nu_t = nu_0", DISK),
    )),
    Equation("rolling_disk_theta+phi", "the angles at time t", (
        Claim("d(theta) - omega*dt - xi1*dW1 = 0", DISK), Claim("theta_t = theta_0 + omega_0*t + xi1*W1", DISK),
        Claim("d(phi) - nu*dt - xi2*dW2 = 0", DISK),
        Claim("phi_t = phi_t + nu_0*t + xi2*W2", DISK, "phi_t = phi_0 + nu_0*t + xi2*W2"),
    )),
)  # fmt: skip
