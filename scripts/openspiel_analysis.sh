#!/bin/sh
# Draws OpenSpiel's own analysis of a run of AlphaZero into a file: openspiel_analysis.sh RUN PICTURE.png
# It needs Python, and installs OpenSpiel and what its analysis uses into a folder of its own.
set -eu
run=$1 picture=$2
home=${UPSTAR_OPENSPIEL:-$(dirname "$0")/.openspiel}
test -x "$home/bin/python" || python3 -m venv "$home"
"$home/bin/pip" install --quiet open_spiel absl-py pandas matplotlib
MPLBACKEND=Agg "$home/bin/python" - "$run" "$picture" <<'PYTHON'
import sys

run, picture = sys.argv[1:]
import matplotlib.pyplot as plt

plt.show = lambda *_, **__: plt.savefig(picture)
from absl import app
from open_spiel.python.algorithms.alpha_zero import analysis

sys.argv = ["analysis", "--path", run]
app.run(analysis.main)
PYTHON
