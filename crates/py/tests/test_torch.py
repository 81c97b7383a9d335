"""Networks of ours in PyTorch and back: the same numbers. Runs where PyTorch is installed."""

from pathlib import Path

import numpy as np
import pytest

import upstar as up

DESIGNS = [
    {"game": "clobber", "model": "resnet", "planes": "free", "width": 16, "depth": 2},
    {"game": "clobber", "board": "5x6", "model": "resnet", "planes": "jans2021-second", "width": 8, "depth": 1},
    {"game": "clobber", "board": "4x4", "model": "conv2d", "planes": "jans2021-second", "width": 8, "depth": 2},
    {"game": "clobber", "board": "4x4", "model": "mlp", "planes": "jans2021-second", "width": 16, "depth": 2},
    {"game": "othello", "board": "6x6", "model": "resnet", "planes": "jans2021-second", "width": 8, "depth": 1},
]


def states(game: up.Game) -> list[up.State]:
    found = [game.start()]
    while not found[-1].is_terminal():
        found.append(found[-1].child(found[-1].legal_actions()[0]))
    return found[:-1]


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: f"{design['game']}-{design['model']}")
def test_torch_says_the_same(design: dict[str, object], tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from upstar.torch import to_torch, to_upstar

    network = up.Network.random(design, seed=3)
    module = to_torch(network)
    positions = states(up.Game(str(design["game"]), str(design.get("board", "6x6"))))
    planes, _ = up.encode(positions, design["planes"])  # type: ignore[arg-type]
    with torch.inference_mode():
        logits, values = module(torch.from_numpy(planes))
    ours, expected = network.evaluate(positions)
    assert np.allclose(logits.numpy(), ours, rtol=1e-5, atol=1e-5)
    assert np.allclose(values.numpy(), expected, rtol=1e-5, atol=1e-5)
    to_upstar(module).save(tmp_path / "again.safetensors")
    network.save(tmp_path / "first.safetensors")
    files = [(tmp_path / f"{name}.safetensors").read_bytes() for name in ("first", "again")]
    assert files[0] == files[1]


def test_networks_of_files_and_tensors(tmp_path: Path) -> None:
    network = up.Network.default("clobber")
    position = up.Game("clobber", "4x5").start()
    logits, values = network.evaluate([position, position.child("a1b1")])
    again = up.Network.of_tensors(network.design, network.tensors())
    assert np.array_equal(again.evaluate([position])[0][0], logits[0]) and abs(values[0]) <= 1
    again.save(tmp_path / "copy.safetensors")
    file = tmp_path / "copy.safetensors"
    assert up.Network.load(file).parameters == network.parameters
    assert up.Agent(f"az:{file},sims=20").choose(position).move in position.legal_moves()
    with pytest.raises(up.UpstarError, match="missing|tensors"):
        up.Network.of_tensors(network.design, {})
    with pytest.raises(up.UpstarError, match="for clobber"):
        network.evaluate([up.Game("othello", "8x8").start()])
