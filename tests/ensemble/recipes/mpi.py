"""Ranks of MPI: ``mpiexec -n 3 python -m mpi4py.futures mpi.py run.zarr``. The first rank leads, the others compute."""

import sys

from million import simulate
from mpi4py.futures import MPIPoolExecutor

if __name__ == "__main__":
    with MPIPoolExecutor() as ranks:
        simulate(sys.argv[1], executor=ranks)
