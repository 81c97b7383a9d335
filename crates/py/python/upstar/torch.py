"""Upstar's networks as PyTorch modules, and back: train ours with yours, or play yours with ours.

    network = up.Network.default("clobber")
    module = to_torch(network)                  # the same numbers to 1e-5
    ...
    to_upstar(module).save("mine.safetensors")  # upstar play clobber 6x6 --white az:mine.safetensors
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from upstar._upstar import Batch, Network

_FILTERS = 2


class Conv(nn.Module):
    """A convolution without bias, and the norm that follows it."""

    def __init__(self, inputs: int, outputs: int, side: int) -> None:
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, side, padding=side // 2, bias=False)
        self.norm = nn.BatchNorm2d(outputs, eps=1e-5)

    def forward(self, field: Tensor) -> Tensor:
        out: Tensor = self.norm(self.conv(field))
        return out


class Module(nn.Module):
    """A network of Upstar's: planes (n, 3, rows, columns) to logits (n, actions) by OpenSpiel's numbers, and values."""

    def __init__(self, design: dict[str, Any]) -> None:
        super().__init__()
        self.design = design
        model, width, depth = design["model"], design["width"], design["depth"]
        board = design.get("board")
        self.per_cell = 1 if design["game"].startswith("othello") else 4
        cells = int(np.prod([int(side) for side in board.split("x")])) if board else 0
        parts: dict[str, nn.Module] = {}
        if model == "resnet":
            parts["stem"] = Conv(3, width, 3)
            for block in range(depth):
                parts[f"blocks.{block}.first"] = Conv(width, width, 3)
                parts[f"blocks.{block}.second"] = Conv(width, width, 3)
        for layer in range(depth if model != "resnet" else 0):
            inputs = width if layer else (3 if model == "conv2d" else 3 * cells)
            parts[f"layers.{layer}"] = (
                Conv(inputs, width, 3) if model == "conv2d" else nn.Linear(inputs, width)
            )
        if not board:
            parts["policy"], parts["value"] = Conv(width, width, 1), Conv(width, width, 1)
            parts["policy.output"] = nn.Linear(width, self.per_cell)
            parts["value.hidden"] = nn.Linear(2 * width, width)
        elif model == "mlp":
            parts["policy.hidden"] = nn.Linear(width, width)
            parts["policy.output"] = nn.Linear(width, cells * self.per_cell)
            parts["value.hidden"] = nn.Linear(width, width)
        else:
            parts["policy"], parts["value"] = Conv(width, _FILTERS, 1), Conv(width, 1, 1)
            parts["policy.output"] = nn.Linear(_FILTERS * cells, cells * self.per_cell)
            parts["value.hidden"] = nn.Linear(cells, width)
        parts["value.output"] = nn.Linear(width, 1)
        # Names with dots are none for PyTorch.
        self.parts = nn.ModuleDict({name.replace(".", "/"): part for name, part in parts.items()})

    def part(self, name: str) -> nn.Module:
        """A layer by its name in Upstar's files."""
        return self.parts[name.replace(".", "/")]

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        design = self.design
        field = planes
        if design["model"] == "resnet":
            field = self.part("stem")(field).relu()
            for block in range(design["depth"]):
                inner = self.part(f"blocks.{block}.first")(field).relu()
                field = (self.part(f"blocks.{block}.second")(inner) + field).relu()
        else:
            if design["model"] == "mlp":
                field = field.flatten(1)
            for layer in range(design["depth"]):
                field = self.part(f"layers.{layer}")(field).relu()
        return self._policy(field), self._value(field)

    def _policy(self, field: Tensor) -> Tensor:
        if self.design["model"] == "mlp":
            logits = self.part("policy.output")(self.part("policy.hidden")(field).relu())
        else:
            seen = self.part("policy")(field).relu()
            if self.design.get("board"):
                logits = self.part("policy.output")(seen.flatten(1))
            else:
                logits = self.part("policy.output")(seen.permute(0, 2, 3, 1)).flatten(1)
        if self.per_cell == 1:
            # A pass is not judged.
            return torch.cat([logits, torch.zeros_like(logits[:, :1])], dim=1)
        # Up, left, down, right become up, right, down, left.
        turned: Tensor = logits.unflatten(1, (-1, 4))[:, :, [0, 3, 2, 1]].flatten(1)
        return turned

    def _value(self, field: Tensor) -> Tensor:
        if self.design["model"] != "mlp":
            seen = self.part("value")(field).relu().flatten(2)
            if self.design.get("board"):
                field = seen.flatten(1)
            else:
                field = torch.cat([seen.mean(dim=2), seen.amax(dim=2)], dim=1)
        hidden = self.part("value.hidden")(field).relu()
        value: Tensor = self.part("value.output")(hidden).tanh().flatten()
        return value

    def evaluator(self) -> "Evaluate":
        """For `up.Puct(module.evaluator(), planes=module.design["planes"])`."""
        return Evaluate(self)


class Evaluate:
    """A module as the function that `up.Puct` calls."""

    def __init__(self, module: nn.Module) -> None:
        self.module = module

    def __call__(self, batch: Batch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        learning = self.module.training
        device = next(self.module.parameters()).device
        self.module.eval()
        with torch.inference_mode():
            logits, values = self.module(torch.from_numpy(batch.planes).to(device))
        self.module.train(learning)
        return logits.cpu().numpy(), values.cpu().numpy()


def _named(module: Module) -> dict[str, Tensor]:
    """The module's tensors by their names in Upstar's files; weights of layers are turned."""
    tensors = {}
    for key, part in module.parts.items():
        name = key.replace("/", ".")
        if isinstance(part, Conv):
            norm = part.norm
            assert norm.running_mean is not None and norm.running_var is not None
            tensors[f"{name}.conv.weight"] = part.conv.weight
            tensors[f"{name}.norm.weight"] = norm.weight
            tensors[f"{name}.norm.bias"] = norm.bias
            tensors[f"{name}.norm.mean"] = norm.running_mean
            tensors[f"{name}.norm.variance"] = norm.running_var
        elif isinstance(part, nn.Linear):
            tensors[f"{name}.weight"] = part.weight.T
            tensors[f"{name}.bias"] = part.bias
    return tensors


def to_torch(network: Network) -> Module:
    """The network as a module, in evaluation mode."""
    module = Module(network.design)
    named, given = _named(module), network.tensors()
    with torch.no_grad():
        for name, tensor in named.items():
            tensor.copy_(torch.from_numpy(given[name]))
    return module.eval()


def to_upstar(module: Module) -> Network:
    """The module as a network of Upstar's."""
    tensors = {
        name: np.ascontiguousarray(tensor.detach().cpu().numpy(), np.float32)
        for name, tensor in _named(module).items()
    }
    return Network.of_tensors(module.design, tensors)
