"""What Ray's workers run; a module of its own, so that every process finds it by name."""

import functools

from upstar._upstar import SolveWorker, Worker


@functools.lru_cache(maxsize=1)
def _worker(context: bytes) -> Worker:
    """The worker of this process; a new one when the run has gone on."""
    return Worker(context)


def perform(context: bytes, job: str) -> str:
    """Does a job of a run."""
    return _worker(context).perform(job)


class Solver:
    """A worker of `upstar.cluster.solve`, with a table of its own."""

    def __init__(self, problem: str) -> None:
        self._worker = SolveWorker(problem)

    def perform(self, slice: str) -> str:
        """Searches a slice."""
        return self._worker.perform(slice)
