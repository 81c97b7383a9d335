"""The program `upstar`: `python -m upstar solve clobber 4x5`."""

import signal
import sys

from upstar._upstar import program


def main() -> None:
    """Does what the command line says."""
    # The program has its own way to end on Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(program(*sys.argv[1:]))


if __name__ == "__main__":
    main()
