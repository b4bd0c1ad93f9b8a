"""Workers of Dask on this machine: ``python dask_local.py run.zarr``."""

import sys

from distributed import Client, LocalCluster
from million import simulate

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        simulate(sys.argv[1], executor=client.get_executor())
