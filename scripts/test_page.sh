#!/usr/bin/env bash
# Tests the page: types by tsc, everything else in a real browser against the release build. Installs Node's packages, and
# Node and Chromium from Debian's packages where they are missing and this can be done; otherwise it says what is skipped.
#
#   scripts/test_page.sh
#   scripts/test_page.sh --tools      only install
set -euo pipefail
cd "$(dirname "$0")/../crates/web"
source ../../scripts/one_at_a_time.sh page "$@"

have() { command -v "$1" >/dev/null 2>&1; }
install() {
    if have apt-get && [ "$(id -u)" = 0 ]; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        return 1
    fi
}

have node && have npm || install nodejs npm || { echo "page: skipped, because neither Node nor a way to install it is here"; exit 0; }
have chromium || install chromium || echo "page: browser tests are skipped, because neither Chromium nor a way to install it is here"
npm ci --silent --no-audit --no-fund || { echo "page: skipped, because npm cannot install the tools"; exit 0; }
[ "${1:-}" != --tools ] || exit 0
installed
npm run --silent check
npm test --silent
