"""Runs on two Ray nodes of this machine, whose workers are killed: what comes out is what one process makes."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from test_runs import ALPHAZERO, CUP, config, sha

import upstar as up

ray = pytest.importorskip("ray", reason="Ray has no wheel here")

from ray.cluster_utils import Cluster  # noqa: E402

import upstar.cluster as cluster  # noqa: E402

pytestmark = pytest.mark.ray

CUP = CUP.replace("4x4", "6x6").replace("mc:10", "mc:100").replace("mcts:50", "mcts:20000")

TRAINING = """
game = "clobber"
board = "4x4"
games = 30000
block = 10000
seed = 4

[network]
encoder = "leiden2018"
hidden = [8]
activation = "relu"

[learning]
rate = 0.01
win = 1.0
loss = -1.0
"""

SEARCH = TRAINING + """
[space]
"learning.rate" = { log_uniform = [0.001, 0.1] }

[tune]
trials = 6
keep = 2
brackets = 1
evaluation = 100
"""


@pytest.fixture(scope="module")
def nodes() -> Iterator[Cluster]:
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False)
    yield nodes
    ray.shutdown()
    nodes.shutdown()


class Kills(threading.Thread):
    """Kills workers of the cluster with `kill -9`, one after the other, while a block runs."""

    def __init__(self, nodes: Cluster, most: int = 2) -> None:
        super().__init__(daemon=True)
        self.nodes, self.most, self.killed = nodes, most, 0
        self.ended = threading.Event()

    def run(self) -> None:
        while self.killed < self.most and not self.ended.wait(0.2):
            raylets = [node.all_processes["raylet"][0].process.pid for node in self.nodes.list_all_nodes()]
            words = ["pgrep", "-P", ",".join(map(str, raylets)), "-f", "^ray::(upstar|Solver)"]
            for process in subprocess.run(words, capture_output=True, text=True).stdout.split()[:1]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
                    self.killed += 1

    def __enter__(self) -> "Kills":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self.join()
        # A quick machine may be done first; the results are compared all the same.
        if kind is None and self.killed == 0:
            warnings.warn("it was over before a worker could be killed", stacklevel=2)


def lines(file: Path) -> list[Any]:
    """The lines of a log in a fixed order, without times."""

    def untimed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        return {key: value for key, value in pairs if key != "seconds"}

    read = file.read_text().splitlines()
    return sorted((json.loads(line, object_pairs_hook=untimed) for line in read), key=json.dumps)


def test_a_tournament(tmp_path: Path, nodes: Cluster) -> None:
    file = config(tmp_path, CUP)
    with up.Run.create(tmp_path / "alone", config=file) as run:
        alone = list(run.steps())
    with up.Run.create(tmp_path / "ray", config=file) as run, Kills(nodes):
        assert list(cluster.steps(run)) == alone
    games = [lines(tmp_path / name / "games.jsonl") for name in ("alone", "ray")]
    assert games[0] == games[1] and len(games[0]) == 36


def test_a_search_for_parameters(tmp_path: Path, nodes: Cluster) -> None:
    file = config(tmp_path, SEARCH)
    assert up.command("tune", str(file), "--out", str(tmp_path / "alone")) == 0
    with up.Run.create(tmp_path / "ray", config=file) as run, Kills(nodes):
        list(cluster.steps(run))
    assert sha(tmp_path / "ray" / "best.toml") == sha(tmp_path / "alone" / "best.toml")
    assert lines(tmp_path / "ray" / "trials.jsonl") == lines(tmp_path / "alone" / "trials.jsonl")


def test_small_trainings(tmp_path: Path, nodes: Cluster) -> None:
    file = config(tmp_path, TRAINING)
    with Kills(nodes):
        folders = cluster.sweep([file], tmp_path / "sweep", seeds=[4, 5])
    assert [folder.name for folder in folders] == ["config-of-run-4", "config-of-run-5"]
    assert up.command("train", file, "--out", tmp_path / "alone") == 0
    networks = [sha(folder / "network.safetensors") for folder in [*folders, tmp_path / "alone"]]
    assert networks[0] == networks[2] != networks[1]
    before = time.monotonic()
    assert cluster.sweep([file], tmp_path / "sweep", seeds=[4, 5]) == folders
    assert time.monotonic() - before < 1
    with pytest.raises(up.UpstarError, match="hidden"):
        cluster.sweep([config(tmp_path, TRAINING.replace("[8]", "8"))], tmp_path / "wrong")


def test_a_table_of_a_paper(tmp_path: Path, nodes: Cluster) -> None:
    words = ["reproduce", "leiden2018/5.4", "--scale", "0.02", "--out", str(tmp_path / "alone")]
    assert up.command(*words) == 0
    with Kills(nodes, 1):
        assert cluster.reproduce(["leiden2018/5.4"], tmp_path / "ray", shards=3, scale=0.02) == 0
    cells = [up.results(tmp_path / name) for name in ("ray", "alone")]
    for cell in cells[0] + cells[1]:
        del cell["seconds"]
    assert cells[0] == cells[1] and len(cells[0]) == 24


def test_a_solve(tmp_path: Path, nodes: Cluster) -> None:
    start, proof = up.Game("clobber", "5x5").start(), tmp_path / "5x5.proof"
    alone = start.solve(memory="64M")
    with Kills(nodes):
        answer = cluster.solve(start, tmp_path / "run", proof=proof, memory="64M", slice_nodes=20_000)
    assert (answer.winner, answer.proved) == (alone.winner, True)
    assert up.check(proof)["winner"] == alone.winner
    # What pages and the program show of the run.
    progress = lines(tmp_path / "run" / "progress.jsonl")
    assert progress[-1]["nodes"] > 0 and progress[-1]["first_moves"] > 0
    told = [sys.executable, "-m", "upstar", "resume", "--json", "--trust", str(tmp_path / "run")]
    kept = json.loads(subprocess.run(told, capture_output=True, text=True, check=True).stdout)
    assert (kept["winner"], kept["move"], kept["proved"]) == (alone.winner, answer.move, True)


def test_a_training_with_a_lost_node(tmp_path: Path, nodes: Cluster) -> None:
    """Last, because the node is lost for good."""
    file = config(tmp_path, ALPHAZERO)
    with up.Run.create(tmp_path / "alone", config=file) as run:
        list(run.steps())
    words = [sys.executable, "-m", "upstar.cluster", "run", str(tmp_path / "command")]
    words += ["--config", str(file), "--address", nodes.address]
    assert subprocess.run(words, stdout=subprocess.DEVNULL).returncode == 0
    with up.Run.create(tmp_path / "ray", config=file) as run, Kills(nodes, 1):
        for line in cluster.steps(run, bundle=2):
            if line["step"] == 2:
                nodes.remove_node(nodes.list_all_nodes()[1], allow_graceful=False)
    name = "network.safetensors"
    for other in ("ray", "command"):
        assert sha(tmp_path / other / name) == sha(tmp_path / "alone" / name)
