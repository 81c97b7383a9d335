"""What Ray's workers run; a module of its own, so that every process finds it by name."""

import functools
import subprocess
import sys
import tempfile
from pathlib import Path

from upstar._upstar import SolveWorker, UpstarError, Worker


@functools.lru_cache(maxsize=1)
def _worker(context: bytes) -> Worker:
    """The worker of this process; a new one when the run has gone on."""
    return Worker(context)


def perform(context: bytes, job: str) -> str:
    """Does a job of a run."""
    return _worker(context).perform(job)


def train(config: str) -> dict[str, bytes]:
    """A small training from its first game to its last; returns the files of its folder."""
    with tempfile.TemporaryDirectory() as home:
        file, folder = Path(home, "training.toml"), Path(home, "training")
        file.write_text(config)
        words = [sys.executable, "-m", "upstar", "train", str(file), "--out", str(folder), "--json"]
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode != 0:
            raise UpstarError(done.stderr.strip().removeprefix("error: "))
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}


class Solver:
    """A worker of `upstar.cluster.solve`, with a table of its own."""

    def __init__(self, problem: str) -> None:
        self._worker = SolveWorker(problem)

    def perform(self, slice: str) -> str:
        """Searches a slice."""
        return self._worker.perform(slice)
