"""A line that tells how far long work is."""

import sys
import time
from collections.abc import Callable
from typing import TypeAlias, TypedDict


class Progress(TypedDict):
    """What long work tells of itself."""

    nodes: int
    progress: float


Tell: TypeAlias = Callable[[Progress], None] | bool | None
"""The argument `progress` of long calls: a function, or True for a line on standard error."""


def progress(every: float = 0.5) -> Callable[[Progress], None]:
    """A function for the argument `progress` of long calls: it writes one line on standard error, again and again.

    `progress=True` is the same.

    >>> import upstar as up
    >>> answer = up.Game("clobber", "3x4").start().solve(progress=up.progress())
    """
    begun = time.monotonic()
    last = -every

    def tell(told: Progress) -> None:
        nonlocal last
        spent = time.monotonic() - begun
        if spent - last < every:
            return
        last = spent
        parts = [f"{spent:.0f} s"]
        if told["progress"] > 0:
            parts.append(f"{100 * told['progress']:.0f} %")
        if told["nodes"] > 0:
            parts.append(f"{told['nodes']:,} positions")
        sys.stderr.write("\r" + ", ".join(parts) + "   ")
        sys.stderr.flush()

    return tell
