"""
Forces of two wheels
====================

A robot with two driven wheels and a caster is under three constraints at once: seven conditions, of which six are
independent, since both wheels forbid the same sideways motion. The forces on the floor are known wheel by wheel, except
for the sideways ones, of which the sum alone is determined. In a curve the load moves to the outer wheel.
"""

import matplotlib.pyplot as plt

import semidirect as sd

robot = sd.load("differential-drive", noise=(), torque=(0.02, 0.06))
run = robot.simulate(t_end=3, dt=0.01, method="rk4", state={"left": 2.0, "right": 4.0}, save="every:1")
try:
    run["left_wheel-contact-force2"]
except sd.errors.InputError as error:
    print(error)
loads = {name: run[f"{name}-normal-force"][0] for name in ("left_wheel", "right_wheel", "caster")}
print(f"the sum of the loads stays {sum(loads.values())[-1]:.2f} N")
noisy = robot.replace(noise=[[1.5, 0.0], [0.0, 1.5]]).simulate(
    t_end=3, dt=0.01, paths=30, seed=1, state={"left": 2.0, "right": 4.0}, save=sd.Save("every:5", names=["x"])
)

left, right = plt.figure(figsize=(8, 3.2), layout="constrained").subplots(1, 2)
left.plot(noisy["x"][..., 0].T, noisy["x"][..., 1].T, color="0.6", linewidth=0.5)
left.plot(*run["x"][0].T[:2], color="tab:red", linewidth=1.5)
left.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]")
for name, load in loads.items():
    right.plot(run.times, load, label=f"load of the {name.replace('_', ' ')}")
right.plot(run.times, run["contact-force"][0, :, 1], "k--", label="sideways, both wheels")
right.set(xlabel="$t$ [s]", ylabel="force [N]")
right.legend(frameon=False, fontsize=8, loc=(0.03, 0.16))
plt.show()
