"""Runs: trainings of AlphaZero, tournaments, searches for parameters."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from upstar._command import command
from upstar._progress import Tell
from upstar._upstar import UpstarError, Worker, _Run

_BUNDLE = 32


@dataclass(frozen=True)
class Plan:
    """What a run needs before it can go on."""

    context: bytes
    """What workers need: `Worker(context)`."""
    jobs: list[str]
    """Lines for `Worker.perform`."""


class Run:
    """A run in its folder. What it does, and whether it is interrupted, changes no bit of what comes of it.

    >>> import tempfile, pathlib, upstar as up
    >>> home = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (home / "cup.toml").write_text('''game = "clobber"
    ... position = "3x4"
    ... games = 10
    ... players = [{ agent = "mc:20" }, { agent = "random" }]
    ... ''')
    >>> run = up.Run.create(home / "cup", config=home / "cup.toml")
    >>> for line in run.steps():
    ...     line["games"]
    10
    """

    def __init__(self, run: _Run) -> None:
        self._run = run
        self._stopped = False
        self._workers: list[Worker] = []

    @classmethod
    def create(cls, folder: str | os.PathLike[str], *, config: str | os.PathLike[str]) -> "Run":
        """Begins the run that a file describes, as for `upstar train`, `tournament` or `tune`, in a new folder."""
        return cls(_Run._create(folder, config))

    @classmethod
    def open(cls, folder: str | os.PathLike[str]) -> "Run":
        """Goes on with the run in a folder."""
        return cls(_Run._open(folder))

    @property
    def folder(self) -> Path:
        """The folder."""
        return Path(self._run.folder)

    @property
    def kind(self) -> str:
        """'alphazero', 'tournament' or 'tune'."""
        return self._run.kind

    def plan(self, bundle: int = _BUNDLE) -> Plan | None:
        """The jobs that are missing, none if only `advance` is, with what workers need for them; None if the run is
        finished. Games of self-play come in bundles, which share the network's batches."""
        if self._run.is_finished:
            return None
        return Plan(self._run.context(), self._run.jobs(bundle))

    def accept(self, lines: list[str]) -> int:
        """Takes what workers have done, in any order; says how many results were new."""
        return self._run.accept(lines)

    def advance(
        self, *, progress: Tell = None
    ) -> tuple[Literal["missing", "on", "finished", "stopped"], dict[str, Any] | None]:
        """Goes on when all jobs are in: learns and evaluates, or writes the table. Tells how it stands, and the
        line of the step if there is one."""
        state, told = self._run.advance(progress=progress)
        return state, told if isinstance(told, dict) else None

    def steps(
        self, *, workers: int = 1, progress: Tell = None
    ) -> Iterator[dict[str, Any]]:
        """Goes on with the run on this machine until it is finished or stopped; yields a line for each step, with
        the keys of the run's log."""
        while not self.is_stopped and (plan := self.plan()) is not None:
            worker = Worker(plan.context)
            self._workers = [worker]
            pool = ThreadPoolExecutor(workers)
            try:
                for done in pool.map(worker.perform, plan.jobs):
                    self.accept([done])
            except UpstarError:
                if not self.is_stopped:
                    raise
            finally:
                worker.stop()
                pool.shutdown(cancel_futures=True)
            if self.is_stopped:
                return
            state, line = self.advance(progress=progress)
            if line is not None:
                yield line
            if state in ("finished", "stopped"):
                return

    @property
    def is_stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped

    def stop(self) -> None:
        """Ends what is under way, from another thread or inside a loop over `steps`. The run can be opened again."""
        self._stopped = True
        for worker in self._workers:
            worker.stop()
        self._run.stop()

    def close(self) -> None:
        """Lets go of the folder, so that another process may go on."""
        self._run.close()

    def log(self, name: str) -> list[dict[str, Any]]:
        """The lines of one of the run's logs: `learner.jsonl`, `games.jsonl`, `trials.jsonl`, …."""
        return self._run.log(name)

    def report(self, out: str | os.PathLike[str]) -> Path:
        """Writes the report page, one self-contained file."""
        status = command("report", str(self.folder), "--out", os.fspath(out))
        if status != 0:
            raise UpstarError(f"no report of {self.folder} could be written")
        return Path(out)

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Run: {self.kind} in {self.folder}>"
