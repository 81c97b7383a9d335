"""Runs on many machines with Ray.

>>> import upstar.cluster as cluster
>>> cluster.simulate([1.0] * 64, learn=2.0, workers=[1, 64])
[(1, 66.0, 1.0), (64, 3.0, 0.34375)]

A worker, the driver or a whole machine may be killed at any moment: that costs time and nothing else. Jobs are pure,
so retries, duplicates and stragglers are harmless, and the network that comes out is, bit for bit, the one that
`upstar train` makes on one machine.
"""

import argparse
import heapq
import json
import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from upstar._command import command
from upstar._remote import Solver, perform, train
from upstar._run import Run
from upstar._upstar import Answer, State, UpstarError, _SharedSolve

_WAIT = 0.2
_FAILURES = 5


def _ray(address: str | None) -> Any:
    """Ray, connected to a cluster."""
    import ray

    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)
    return ray


def _told(error: UpstarError) -> UpstarError:
    """What a task raised, without the lines that Ray adds."""
    return UpstarError(str(getattr(error, "cause", error)))


def steps(
    run: Run, *, bundle: int = 32, ahead: int = 2, address: str | None = None
) -> Iterator[dict[str, Any]]:
    """`Run.steps` on the machines of a Ray cluster: yields the line of each step.

    `bundle` games of self-play are one task, `ahead` tasks for each processor are handed out at a time. When nothing
    is left to hand out, what is still under way is done a second time by those who are idle.
    """
    ray = _ray(address)
    task = ray.remote(num_cpus=1, max_retries=-1)(perform)
    step = 0
    while not run.is_stopped and (plan := run.plan(bundle)) is not None:
        step += 1
        named = task.options(name=f"upstar {run.kind} {step}")
        context = ray.put(plan.context)
        waiting = list(reversed(plan.jobs))
        missing = set(plan.jobs)
        failures: dict[str, int] = {}
        doubled: set[str] = set()
        under_way: dict[Any, str] = {}
        try:
            while missing and not run.is_stopped:
                room = ahead * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while waiting and len(under_way) < room:
                    job = waiting.pop()
                    under_way[named.remote(context, job)] = job
                if not waiting:
                    for job in list(under_way.values()):
                        if len(under_way) < room and job in missing and job not in doubled:
                            doubled.add(job)
                            under_way[named.remote(context, job)] = job
                ready, _ = ray.wait(list(under_way), timeout=_WAIT)
                for reference in ready:
                    job = under_way.pop(reference)
                    if job not in missing:
                        continue
                    try:
                        run.accept([ray.get(reference)])
                        missing.discard(job)
                    except UpstarError as error:
                        # A machine that cannot do it; another one may.
                        failures[job] = failures.get(job, 0) + 1
                        if failures[job] > _FAILURES:
                            raise _told(error) from None
                        waiting.append(job)
        finally:
            for reference in under_way:
                ray.cancel(reference, force=False)
        if run.is_stopped:
            return
        state, line = run.advance()
        if line is not None:
            yield line
        if state in ("finished", "stopped"):
            return


def solve(
    state: State,
    folder: str | os.PathLike[str],
    *,
    proof: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    memory: str = "1G",
    slice_nodes: int = 500_000,
    address: str | None = None,
    told: Callable[[int], None] | None = None,
) -> Answer:
    """Solves a position of Clobber on the machines of a Ray cluster that share no memory.

    Every worker searches the whole problem with a table of `memory`, `slice_nodes` positions at a time; between two
    slices it hears what the others have proved and where they are at work. The answer is found again here from what
    was proved, with a proof that is checked by the rules alone. `told` hears how many positions were searched.
    """
    ray = _ray(address)
    run = _SharedSolve(folder, state, memory=memory, proof=proof)
    try:
        count = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        actor: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=0)(Solver)
        solvers: list[Any] = [actor.remote(run.problem()) for _ in range(count)]
        under_way = {
            solver.perform.remote(run.slice(index, slice_nodes)): index
            for index, solver in enumerate(solvers)
        }
        while not run.is_solved:
            ready, _ = ray.wait(list(under_way), timeout=_WAIT)
            for reference in ready:
                index = under_way.pop(reference)
                try:
                    run.accept(index, ray.get(reference))
                except (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError):
                    # It is started again, and told everything.
                    run.begins_anew(index)
                if not run.is_solved:
                    again = solvers[index].perform.remote(run.slice(index, slice_nodes))
                    under_way[again] = index
            if ready and told is not None:
                told(run.nodes)
        for solver in solvers:
            ray.kill(solver)
        return run.finish()
    finally:
        run.close()


def sweep(
    configs: Sequence[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    seeds: Sequence[int] | None = None,
    address: str | None = None,
) -> list[Path]:
    """Small trainings, one Ray task for each file that `upstar train` takes, or for each file and seed.

    Returns their folders in `out`, in order, with the files that `upstar train` writes. The same call again trains what is
    missing.
    """
    ray = _ray(address)
    trainings: dict[Path, str] = {}
    as_given: list[int | None] = [None]
    for config in map(Path, configs):
        text = config.read_text()
        for seed in seeds or as_given:
            name = config.stem if seed is None else f"{config.stem}-{seed}"
            trainings[Path(out, name)] = text if seed is None else _with_seed(text, seed)
    if len(trainings) < len(configs) * len(seeds or as_given):
        raise UpstarError("two trainings would have the same folder; give their files different names")
    task = ray.remote(num_cpus=1, max_retries=-1)(train).options(name="upstar sweep")
    under_way = {
        task.remote(text): folder for folder, text in trainings.items() if not folder.exists()
    }
    while under_way:
        ready, _ = ray.wait(list(under_way), timeout=_WAIT)
        for reference in ready:
            try:
                _write(under_way.pop(reference), ray.get(reference))
            except UpstarError as error:
                raise _told(error) from None
    return list(trainings)


def _with_seed(config: str, seed: int) -> str:
    """A configuration with another seed, which stands before the first table."""
    head, bracket, tables = config.partition("\n[")
    head = re.sub(r"(?m)^\s*seed\s*=.*\n?", "", head)
    return f"seed = {seed}\n{head}{bracket}{tables}"


def _write(folder: Path, files: dict[str, bytes]) -> None:
    """All files, or none."""
    draft = folder.with_name(f".{folder.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    for name, content in files.items():
        path = draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    draft.rename(folder)


def reproduce(
    tables: Sequence[str],
    out: str | os.PathLike[str],
    *,
    shards: int = 8,
    seeds: int = 1,
    scale: float = 1.0,
    address: str | None = None,
) -> int:
    """Re-runs tables of the papers in a folder that all machines see, one Ray task for each shard; `scale` multiplies all
    numbers of games.

    Returns how many shards failed; the same call again runs what is missing.
    """
    ray = _ray(address)
    folder = os.path.abspath(out)

    @ray.remote(num_cpus=1, max_retries=-1, name="upstar reproduce")  # type: ignore[untyped-decorator]
    def shard(index: int) -> int:
        words = [*tables, "--seeds", str(seeds), "--scale", str(scale), "--shard", f"{index}/{shards}"]
        return command("reproduce", *words, "--threads", "1", "--out", folder)

    done: list[int] = ray.get([shard.remote(index) for index in range(1, shards + 1)])
    return sum(status != 0 for status in done)


def simulate(
    jobs: Sequence[float],
    *,
    learn: float,
    workers: Sequence[int],
    overhead: float = 0.0,
    accept: float = 0.0,
) -> list[tuple[int, float, float]]:
    """How long a step takes with so many workers: (workers, seconds, share of the processors that is used).

    `jobs` are measured lengths of jobs in seconds, `overhead` is what each costs its worker beside the work. The one place
    takes `accept` seconds for each result, one after the other, and `learn` seconds between two steps.
    """
    told = []
    for count in workers:
        free = [0.0] * count
        ends = []
        for job in jobs:
            ends.append(free[0] + job + overhead)
            heapq.heapreplace(free, ends[-1])
        seconds = 0.0
        for end in sorted(ends):
            seconds = max(seconds, end) + accept
        seconds += learn
        told.append((count, seconds, (sum(jobs) + learn) / (count * seconds)))
    return told


def main(words: Sequence[str] | None = None) -> int:
    """`python -m upstar.cluster run DIR --config FILE`, `… sweep FILE… --out DIR`, `… reproduce TABLE… --out DIR`."""
    parser = argparse.ArgumentParser(
        prog="python -m upstar.cluster", description="Runs of Upstar on a Ray cluster."
    )
    verbs = parser.add_subparsers(dest="verb", required=True)
    runs = verbs.add_parser("run", help="begin a run, or go on with one")
    runs.add_argument("folder", help="the folder of the run, on the driver's machine")
    runs.add_argument("--config", help="the file that describes it, if it is to begin")
    runs.add_argument("--bundle", type=int, default=32, help="games of self-play in a task [32]")
    trainings = verbs.add_parser("sweep", help="small trainings, one task each")
    trainings.add_argument("configs", nargs="+", help="files for upstar train")
    trainings.add_argument("--out", required=True, help="the folder of their folders")
    trainings.add_argument("--seeds", type=int, nargs="+", help="train each file with these seeds")
    papers = verbs.add_parser("reproduce", help="re-run tables of the papers")
    papers.add_argument("tables", nargs="+", help="leiden2018/5.4, jans2021, …")
    papers.add_argument("--out", required=True, help="a folder that all machines see")
    papers.add_argument("--shards", type=int, default=8)
    papers.add_argument("--seeds", type=int, default=1)
    papers.add_argument("--scale", type=float, default=1.0, help="multiply all numbers of games by this")
    for verb in (runs, trainings, papers):
        verb.add_argument("--address", help="the cluster's address [one that runs here, or a new one]")
    given = parser.parse_args(words)
    if given.verb == "reproduce":
        failed = reproduce(
            given.tables,
            given.out,
            shards=given.shards,
            seeds=given.seeds,
            scale=given.scale,
            address=given.address,
        )
        return int(failed > 0)
    if given.verb == "sweep":
        for folder in sweep(given.configs, given.out, seeds=given.seeds, address=given.address):
            print(folder)
        return 0
    exists = os.path.exists(os.path.join(given.folder, "config.toml"))
    if not exists and given.config is None:
        parser.error(f"there is no run in {given.folder}; --config FILE begins one")
    begun = time.monotonic()
    run = Run.open(given.folder) if exists else Run.create(given.folder, config=given.config)
    with run:
        for line in steps(run, bundle=given.bundle, address=given.address):
            print(json.dumps(line), flush=True)
    print(f"{run.kind} in {run.folder}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UpstarError as error:
        sys.exit(f"error: {error}")
