"""Two workers of Dask, jobs of SLURM that are submitted again if they end: ``python dask_slurm.py run.zarr`` where sbatch is."""

import sys

from dask_jobqueue import SLURMCluster
from distributed import Client
from million import simulate

if __name__ == "__main__":
    with SLURMCluster(cores=1, memory="2GB", walltime="00:30:00") as cluster, Client(cluster) as client:
        print(cluster.job_script())
        cluster.adapt(minimum_jobs=2, maximum_jobs=2)
        simulate(sys.argv[1], executor=client.get_executor())
