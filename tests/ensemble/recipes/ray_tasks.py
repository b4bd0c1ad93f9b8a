"""Tasks of Ray: ``python ray_tasks.py run.zarr``; within a cluster, ``ray.init("auto")``."""

import sys
from concurrent.futures import Executor

import ray
from million import simulate


@ray.remote
def call(function, given):
    return function(*given)


class RayExecutor(Executor):
    """Each call is a task, which Ray repeats if its worker dies."""

    def submit(self, function, /, *given):
        return call.remote(function, given).future()


if __name__ == "__main__":
    ray.init(num_cpus=2, include_dashboard=False)
    simulate(sys.argv[1], executor=RayExecutor())
