#!/usr/bin/env python3
"""Measure how a run on a Ray cluster scales, and extrapolate to more workers.

    scripts/cluster_scaling.py CONFIG [--workers 1 2] [--bundle 8] [--steps 1] [--larger 1]

CONFIG is a file for `upstar train` (AlphaZero) or `upstar tournament`. First
the run is made with each number of single-processor workers on this machine,
and timed after a first step or game that warms Ray up. Then each job of one
step is done alone in this process, which gives the lengths of jobs, the time
that each result costs the driver and the time between steps, and
`upstar.cluster.simulate` says what 1 to 1,000 workers would need. With
--larger N the step is taken N times as large: lengths are drawn from those
measured. Needs the package `upstar[ray]`; run it on a machine that does
nothing else.
"""

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

import ray
import upstar as up
from upstar import cluster
from upstar._remote import perform

WORKERS = [1, 8, 32, 64, 128, 256, 1000]
# Of an empty Ray task, to its worker.
OVERHEAD = 0.002


def measured(config: str, workers: int, bundle: int, steps: int) -> float:
    """Seconds of a step after the first, which warms up."""
    ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
    try:
        with tempfile.TemporaryDirectory() as folder:
            with up.Run.create(str(Path(folder) / "run"), config=config) as run:
                told = cluster.steps(run, bundle=bundle)
                next(told)
                begun = time.monotonic()
                done = sum(1 for _ in zip(range(steps), told))
                return (time.monotonic() - begun) / max(1, done)
    finally:
        ray.shutdown()


def costs(config: str, bundle: int) -> tuple[list[float], float, float]:
    """Lengths of the jobs of one step, seconds for each result, seconds between steps."""
    jobs, accepting = [], []
    with tempfile.TemporaryDirectory() as folder:
        with up.Run.create(str(Path(folder) / "run"), config=config) as run:
            plan = run.plan(bundle)
            assert plan is not None, "the run has nothing to do"
            for job in plan.jobs:
                begun = time.monotonic()
                result = perform(plan.context, job)
                jobs.append(time.monotonic() - begun)
                begun = time.monotonic()
                run.accept([result])
                accepting.append(time.monotonic() - begun)
            begun = time.monotonic()
            run.advance()
            return jobs, statistics.mean(accepting), time.monotonic() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure how a run on a Ray cluster scales.")
    parser.add_argument("config")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--bundle", type=int, default=8)
    parser.add_argument("--steps", type=int, default=1, help="steps to time")
    parser.add_argument("--larger", type=int, default=1)
    options = parser.parse_args()

    alone = None
    for workers in options.workers:
        seconds = measured(options.config, workers, options.bundle, options.steps)
        alone = alone or seconds
        print(f"measured: {workers} workers, {seconds:.2f} s a step, {alone / seconds:.2f} times")

    jobs, accept, learn = costs(options.config, options.bundle)
    print(
        f"{len(jobs)} jobs of {statistics.mean(jobs):.3f} s, {1000 * accept:.1f} ms for each result,"
        f" {learn:.2f} s between steps"
    )
    if options.larger > 1:
        drawn = random.Random(1)
        jobs = drawn.choices(jobs, k=options.larger * len(jobs))
        learn *= options.larger
    told = cluster.simulate(jobs, learn=learn, workers=WORKERS, overhead=OVERHEAD, accept=accept)
    first = told[0][1]
    for workers, seconds, used in told:
        print(
            f"simulated: {workers:5} workers, {seconds:8.1f} s, {first / seconds:5.1f} times,"
            f" {100 * used:.0f} % of the processors"
        )


if __name__ == "__main__":
    main()
