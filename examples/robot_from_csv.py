"""
From a CSV of positions to parameters
=====================================

A camera films a rolling robot at 30 Hz: stamps with jitter on a clock of 2026, positions in millimetres, gaps and outliers. The
radius of its wheel and the noise of its spin and turn are fitted to the first four seconds, without times at which a filter finds
a value further than four standard deviations from its prediction. Innovations check the model, and the rest of the file is
predicted (orange).
"""

from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd

import semidirect as sd

folder = Path(__file__).parent if "__file__" in globals() else Path()
robot = sd.load("rolling-disk", radius=0.075, noise=(0.3, 0.5), variant="rolling-noise")
camera = sd.Observation(["x", "y"], noise=3, unit="mm")
start = {"state": {"omega": 5.0, "nu": 0.5}, "update": sd.ExtendedKalman({"configuration": [0.3, 0.01, 0.01, 0.0]})}

table = pd.read_csv(folder / "robot.csv")
first, later = table[:130], table[130:]
fit = sd.fit(robot, camera, first, ["radius", "noise"], dt=0.04, bounds={"noise": (0.01, 3)}, reject=4, **start)
print(fit, fit.filtered.innovations, sep="\n\n")

predicted = fit.filtered.predict(pd.to_datetime(later["timestamp"]), ["x", "y"])
for name, ax in zip("xy", fit.plot(["x", "y"])[-2:], strict=True):
    ax.fill_between(
        predicted["time"], *predicted[f"{name}_quantile"].values[:, [0, 2]].T, color="C1", alpha=0.3, linewidth=0
    )
    ax.plot(predicted["time"], later[f"{name} [mm]"] / 1000, ".", color="C1", markersize=3)
plt.show()
