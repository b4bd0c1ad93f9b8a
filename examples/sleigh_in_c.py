r"""
A program in C with the noise of the library
============================================

The Chaplygin sleigh is exported as one file in C99, and a program of a few lines runs a thousand paths of it: no
Python, no package. Same seed, same paths: what the program prints has the bits of the library. It needs a C compiler.
"""

import subprocess
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import semidirect as sd

PROGRAM = """
#include <stdio.h>
#include "sleigh.h"

int main(void) {
  for (int path = 0; path < 1000; path++) {
    double y[SLEIGH_STATE], s[SLEIGH_CONFIGURATION], q[SLEIGH_PARAMETERS], out[SLEIGH_OUT];
    sleigh_defaults(q);
    sleigh_start(y, s);
    if (sleigh_run(y, s, q, 7, path, 0, 400, 0.01) < 400) return 1;
    sleigh_observe(y, s, q, 4.0, out);
    printf("%.17g %.17g\\n", out[0], out[1]);
  }
  return 0;
}
"""

system = sd.load("chaplygin-sleigh")
exported = system.export("c", method="lie-midpoint", quantities=["x", "y"], name="sleigh")
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    exported.save_all(folder)
    (folder / "main.c").write_text(PROGRAM)
    options = ["-std=c99", "-O2", "-ffp-contract=off"]
    subprocess.run(["cc", *options, "-o", "paths", "main.c", "sleigh.c", "-lm"], cwd=folder, check=True)
    printed = subprocess.run([folder / "paths"], capture_output=True, text=True, check=True).stdout
ends = np.array(printed.split(), dtype=float).reshape(1000, 2)

# %%
# The same paths here.

run = system.simulate(
    t_end=4, dt=0.01, paths=1000, seed=7, method="lie-midpoint", save=sd.Save("final", names=["x", "y"])
)
mine = np.stack([run["x"][:, -1], run["y"][:, -1]], axis=1)

ax = plt.figure(figsize=(5.4, 4), layout="constrained").subplots()
ax.plot(*mine.T, "o", color="tab:red", markersize=3.5, markerfacecolor="none", markeredgewidth=0.5, label="library")
ax.plot(*ends.T, ".", color="0.2", markersize=1.5, label="program in C")
ax.set(aspect="equal", xlabel="$x$ [m]", ylabel="$y$ [m]", title="1000 sleighs after 4 s")
ax.legend(frameon=False)
plt.show()
print(f"{len(ends)} paths, {np.sum(ends == mine)} of {mine.size} numbers with the same bits")
