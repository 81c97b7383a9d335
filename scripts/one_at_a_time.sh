# For scripts that install something, so that `--tools` can run beside other work: `source one_at_a_time.sh NAME "$@"` waits
# until no other one installs the same, and `installed` lets the next one go on. Where the system has no locks, `--tools`
# leaves it to the later call.
if command -v flock >/dev/null 2>&1; then
    root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
    mkdir -p "$root/target"
    exec 9>"$root/target/$1.lock"
    flock 9
elif [ "${2:-}" = --tools ]; then
    exit 0
fi

# Whatever is started later must not keep the lock.
installed() { exec 9>&-; }
