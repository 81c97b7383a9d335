"""The program `upstar` as a process of its own."""

import os
import subprocess
import sys


def command(*words: str | os.PathLike[str]) -> int:
    """Runs `upstar` with these words, and returns its status: 0 if all went well.

    >>> import upstar as up
    >>> up.command("solve", "clobber", "3x4", "--json") == 0
    True
    """
    return subprocess.run([sys.executable, "-m", "upstar", *words], check=False).returncode
