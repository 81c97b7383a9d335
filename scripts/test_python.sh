#!/usr/bin/env bash
# Tests the Python package: builds the wheel, installs it with its test tools into a scratch environment, and runs mypy,
# stubtest and pytest against it. What cannot be installed is said and skipped.
#
#   scripts/test_python.sh            what every change is tested with
#   scripts/test_python.sh --tools    only install the tools
#   scripts/test_python.sh --torch    with PyTorch too (several gigabytes): compares networks, runs its notebook
set -euo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
    || { echo "python: skipped, because there is no Python 3.11 or later"; exit 0; }
home=target/python
source scripts/one_at_a_time.sh python "$@"
[ -x "$home/bin/python" ] || "$python" -m venv "$home" \
    || { echo "python: skipped, because no environment can be made (package python3-venv)"; exit 0; }
install() { "$home/bin/pip" install --quiet --disable-pip-version-check "$@"; }
tools=(maturin numpy pytest mypy nbclient nbformat ipykernel)
extras=(gymnasium pettingzoo open_spiel ray pandas)
# All at once is quicker; one by one tells which is missing.
if ! install "${tools[@]}" "${extras[@]}" 2>/dev/null; then
    install "${tools[@]}" || { echo "python: skipped, because pip cannot install the tools"; exit 0; }
    for extra in "${extras[@]}"; do
        install "$extra" || echo "python: tests with $extra are skipped, because it cannot be installed"
    done
fi
if [ "${1:-}" = --torch ]; then
    install torch || { echo "python: PyTorch cannot be installed"; exit 1; }
fi
[ "${1:-}" != --tools ] || exit 0
installed

rm -rf "$home/wheels"
"$home/bin/maturin" build --release --quiet --out "$home/wheels"
install --force-reinstall --no-deps "$home"/wheels/upstar-*.whl
# Away from the sources, so that what is tested is what is installed.
root=$PWD
cd "$home"
bin/mypy --config-file "$root/pyproject.toml" --package upstar
bin/python -m mypy.stubtest --mypy-config-file "$root/pyproject.toml" upstar._upstar
bin/python -m pytest --quiet --config-file "$root/pyproject.toml" --rootdir "$root" "$root/crates/py/tests"
