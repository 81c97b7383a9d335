"""Runs, their jobs, and the same bits on one process and many."""

import hashlib
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import upstar as up

ALPHAZERO = """
game = "clobber"
boards = ["3x4"]
seed = 5

[alphazero]
max_steps = 3
max_simulations = 10
nn_width = 8
nn_depth = 1
planes = "free"
train_batch_size = 32
replay_buffer_size = 256
replay_buffer_reuse = 2
eval_levels = 1
test_positions = 4
"""

CUP = """
game = "clobber"
position = "4x4"
games = 12
seed = 3
players = [{ agent = "mc:10" }, { agent = "mcts:50" }, { agent = "random" }]
"""


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def config(folder: Path, text: str) -> Path:
    file = folder / "config-of-run.toml"
    file.write_text(text)
    return file


def perform(context: bytes, jobs: list[str]) -> list[str]:
    worker = up.Worker(context)
    return [worker.perform(job) for job in jobs]


def test_a_training_in_steps_is_that_of_the_program(tmp_path: Path) -> None:
    file = config(tmp_path, ALPHAZERO)
    assert up.command("train", str(file), "--out", str(tmp_path / "program")) == 0
    with up.Run.create(tmp_path / "steps", config=file) as run:
        lines = list(run.steps())
    assert [line["step"] for line in lines] == [1, 2, 3]
    name = "network.safetensors"
    assert sha(tmp_path / "steps" / name) == sha(tmp_path / "program" / name)
    with up.Run.open(tmp_path / "steps") as run:
        assert list(run.steps()) == [] and run.plan() is None and run.kind == "alphazero"
        assert [line["step"] for line in run.log("learner.jsonl")] == [1, 2, 3]
        assert run.report(tmp_path / "page.html").read_text().startswith("<!DOCTYPE html>")


def test_jobs_in_any_order_and_twice_on_processes_without_shared_memory(tmp_path: Path) -> None:
    file = config(tmp_path, ALPHAZERO)
    with up.Run.create(tmp_path / "alone", config=file) as run:
        list(run.steps())
    with (
        up.Run.create(tmp_path / "many", config=file) as run,
        multiprocessing.get_context("spawn").Pool(2) as pool,
    ):
        while (plan := run.plan(bundle=3)) is not None:
            shares = [plan.jobs[1::2], plan.jobs[::2]]
            done = pool.starmap(perform, [(plan.context, jobs) for jobs in shares])
            lines = [line for share in reversed(done) for line in share]
            assert run.accept(lines) == len(plan.jobs)
            assert run.accept(lines[:2]) == 0
            run.advance()
    name = "network.safetensors"
    assert sha(tmp_path / "many" / name) == sha(tmp_path / "alone" / name)


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    file = config(tmp_path, ALPHAZERO)
    with up.Run.create(tmp_path / "whole", config=file) as run:
        list(run.steps())
    with up.Run.create(tmp_path / "cut", config=file) as run:
        for _ in run.steps():
            run.stop()
    with up.Run.open(tmp_path / "cut") as run:
        assert [line["step"] for line in run.steps()] == [2, 3]
    name = "network.safetensors"
    assert sha(tmp_path / "whole" / name) == sha(tmp_path / "cut" / name)


def test_stop_ends_a_long_step_at_once(tmp_path: Path) -> None:
    long = ALPHAZERO.replace("max_simulations = 10", "max_simulations = 20000").replace("3x4", "8x8")
    long += "games_at_once = 2\n"
    with up.Run.create(tmp_path / "long", config=config(tmp_path, long)) as run:
        threading.Timer(0.5, run.stop).start()
        begun = time.monotonic()
        assert list(run.steps()) == []
        assert time.monotonic() - begun < 20


def test_tournaments_are_the_same_games(tmp_path: Path) -> None:
    file = config(tmp_path, CUP)
    assert up.command("tournament", str(file), "--out", str(tmp_path / "program")) == 0
    with up.Run.create(tmp_path / "jobs", config=file) as run:
        table = list(run.steps(workers=2))[-1]

    def games(folder: Path) -> list[tuple[int, list[str]]]:
        lines = (folder / "games.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines]
        return [(record["index"], record["moves"]) for record in records]

    assert games(tmp_path / "jobs") == games(tmp_path / "program")
    assert table["games"] == 36


def test_wrong_results_and_foreign_numbers_are_refused(tmp_path: Path) -> None:
    with up.Run.create(tmp_path / "cup", config=config(tmp_path, CUP)) as run:
        plan = run.plan()
        assert plan is not None
        with pytest.raises(up.UpstarError, match="not a result"):
            run.accept(["{}"])
        done = json.loads(up.Worker(plan.context).perform(plan.jobs[0]))
        done["done"]["result"]["moves"] = []
        with pytest.raises(up.UpstarError):
            run.accept([json.dumps(done)])
        head, _, rest = plan.context.partition(b"\n")
        foreign = json.loads(head) | {"fingerprint": "another"}
        with pytest.raises(up.UpstarError, match="last bits"):
            up.Worker(json.dumps(foreign).encode() + b"\n" + rest)
        with pytest.raises(up.UpstarError, match="not whole"):
            up.Worker(plan.context + b"x")


def test_the_same_jobs_as_commands_over_a_shared_folder(tmp_path: Path) -> None:
    """What Slurm's arrays or Kubernetes' indexed jobs do, imitated by processes; one is killed."""
    file = config(tmp_path, ALPHAZERO)
    run, jobs, alone = (str(tmp_path / name) for name in ("run", "jobs", "alone"))

    def upstar(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-m", "upstar", *words], stdout=subprocess.DEVNULL)

    assert upstar("train", str(file), "--out", alone).wait() == 0
    assert upstar("job", "begin", str(file), "--out", run).wait() == 0
    for step in range(3):
        assert upstar("job", "plan", run, jobs, "--bundle", "2").wait() == 0
        workers = [upstar("job", "work", jobs, "--shard", f"{index}/3") for index in (1, 2, 3)]
        if step == 1:
            os.kill(workers[2].pid, signal.SIGKILL)
            workers[2].wait()
            workers.append(upstar("job", "work", jobs, "--shard", "3/3"))
        for worker in workers:
            worker.wait()
        assert upstar("job", "accept", run, jobs).wait() == 0
    name = "network.safetensors"
    assert sha(Path(run) / name) == sha(Path(alone) / name)
    # The loop of the documentation: nothing is there before the first plan.
    cup = tmp_path / "cup.toml"
    cup.write_text(CUP)
    run, jobs = str(tmp_path / "cup"), str(tmp_path / "cup-jobs")
    assert upstar("job", "begin", str(cup), "--out", run).wait() == 0
    assert upstar("job", "accept", run, jobs).wait() == 0
    assert upstar("job", "plan", run, jobs).wait() == 0
    assert upstar("job", "work", jobs).wait() == 0
    assert upstar("job", "plan", run, jobs).wait() == 0
    assert upstar("job", "accept", run, jobs).wait() == 0
    assert (tmp_path / "cup" / "table.json").exists()


def test_workers_without_shared_memory_solve_a_position(tmp_path: Path) -> None:
    from upstar._upstar import _SharedSolve

    state = up.Game("clobber", "4x6").start()
    alone = state.solve(memory="64M")
    proof = tmp_path / "4x6.proof"
    run = _SharedSolve(tmp_path / "run", state, memory="64M", proof=proof)
    workers = [up.SolveWorker(run.problem()) for _ in range(2)]
    rounds = 0
    while not run.is_solved:
        rounds += 1
        if rounds == 3:
            # One of them has died.
            workers[1] = up.SolveWorker(run.problem())
            run.begins_anew(1)
        slices = [run.slice(index, 500) for index in range(2)]
        for index, slice in enumerate(slices):
            run.accept(index, workers[index].perform(slice))
    assert rounds > 3
    answer = run.finish()
    assert (answer.winner, answer.proved) == (alone.winner, True)
    assert up.check(proof)["winner"] == alone.winner
    with pytest.raises(up.UpstarError, match="not a slice"):
        run.accept(0, "{}")
    with pytest.raises(up.UpstarError, match="Clobber"):
        _SharedSolve(tmp_path / "other", up.Game("othello", "4x4").start())


SBATCH = """#!/bin/bash
# Imitates 'sbatch --wait FILE': every task of the array as a process, two at a time.
range=$(sed -n 's/^#SBATCH --array=//p' "$2")
seq "${range%-*}" "${range#*-}" | xargs -P 2 -I % env SLURM_ARRAY_TASK_ID=% bash "$2"
"""


@pytest.mark.parametrize("scheduler", ["slurm", "kubernetes"])
def test_the_documented_schedulers(tmp_path: Path, scheduler: str) -> None:
    """The very text of docs/cluster.md, with an imitation of the scheduler."""
    page = (Path(__file__).parents[3] / "docs" / "cluster.md").read_text()
    blocks = [block.partition("\n")[2] for block in page.split("```")[1::2]]
    script, loop, manifest = (
        next(block for block in blocks if word in block)
        for word in ("#SBATCH", "while upstar", "completionMode: Indexed")
    )
    (tmp_path / "clobber-8x8.toml").write_text(ALPHAZERO.replace("max_steps = 3", "max_steps = 2"))
    bin = tmp_path / "bin"
    bin.mkdir()
    programs = {
        "upstar": f'#!/bin/sh\nexec "{sys.executable}" -m upstar "$@"\n',
        "sbatch": SBATCH,
        # Imitates an indexed job: its command once for each index.
        "kubectl": "#!/bin/sh\nseq 0 15 | xargs -P 2 -I % env JOB_COMPLETION_INDEX=% sh -c \"$COMMAND\"\n",
    }
    for name, text in programs.items():
        (bin / name).write_text(text)
        (bin / name).chmod(0o755)
    (tmp_path / "work.sh").write_text(script)
    environment = os.environ | {"SHARED": str(tmp_path), "PATH": f"{bin}:{os.environ['PATH']}"}
    if scheduler == "kubernetes":
        command = next(line for line in manifest.splitlines() if "command:" in line)
        assert "completions: 16" in manifest and "mountPath: /shared" in manifest
        environment["COMMAND"] = json.loads(command.partition(":")[2])[2].replace("/shared", str(tmp_path))
        loop = loop.replace("sbatch --wait work.sh", "kubectl")

    def shell(text: str) -> None:
        subprocess.run(["bash", "-ec", text], cwd=tmp_path, env=environment, check=True, stdout=subprocess.DEVNULL)

    shell("upstar job begin clobber-8x8.toml --out RUN")
    shell(loop)
    with up.Run.create(tmp_path / "alone", config=tmp_path / "clobber-8x8.toml") as run:
        list(run.steps())
    name = "network.safetensors"
    assert sha(tmp_path / "RUN" / name) == sha(tmp_path / "alone" / name)


def test_another_system_library_is_noticed(tmp_path: Path) -> None:
    """The library's functions for processors without fused multiplication may round in another way."""
    with up.Run.create(tmp_path / "cup", config=config(tmp_path, CUP)) as run:
        plan = run.plan()
        assert plan is not None
        (tmp_path / "context").write_bytes(plan.context)
    program = (
        "import sys, upstar as up\nprint(up.fingerprint())\n"
        "try: up.Worker(open(sys.argv[1], 'rb').read())\nexcept up.UpstarError as error: print(error)"
    )
    masked = os.environ | {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX512F"}
    words = [sys.executable, "-c", program, str(tmp_path / "context")]
    told = subprocess.run(words, env=masked, capture_output=True, text=True, check=True).stdout.splitlines()
    assert (told[0] == up.fingerprint()) == (len(told) == 1)
    assert len(told) == 1 or "use machines with the same kind of processor and system library" in told[1]


def test_results_are_a_table_for_pandas(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    words = ["reproduce", "leiden2018/5.4", "--scale", "0.0001", "--out", str(tmp_path / "out")]
    assert up.command(*words) == 0
    table = pandas.DataFrame(up.results(tmp_path / "out"))
    assert len(table) == 24 and table["paper"].max() == 97955
    assert {"cell", "ours", "low", "high", "verdict"} <= set(table.columns)
