#!/usr/bin/env bash
# Fails if the program calls an instruction as a function: some kernel is then compiled without the features of its
# instruction set, and many times slower than it should be. See `Kernel` in crates/machine.
set -euo pipefail
program=${1:-target/release/upstar}
if [ "$(uname -m)" != x86_64 ] || ! command -v nm >/dev/null; then
    echo "kernels: not checked here (needs x86-64 and nm)"
    exit 0
fi
# Those of the standard library's own vectors are named by their instruction set.
called=$(nm -C "$program" | grep -E 'core_arch::x86(_64)?::[a-z0-9]+::_mm' | sed 's/.*:://' | sort -u || true)
if [ -n "$called" ]; then
    echo "kernels: these instructions are called as functions:"
    echo "$called"
    exit 1
fi
echo "kernels: every instruction is inlined"
