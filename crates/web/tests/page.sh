#!/usr/bin/env bash
# Tests of the page: types, model, and the real program in Chromium. What is missing is fetched where that is possible;
# else this says so and is skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped() {
    echo "tests of the page are skipped: $1" >&2
    exit 0
}

command -v node >/dev/null && command -v npm >/dev/null || skipped "there is no Node.js"
npm ci --silent --no-audit --no-fund || skipped "npm cannot fetch the tools in crates/web/package.json"
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
    { apt-get update && apt-get install --yes chromium; } >/dev/null 2>&1 || skipped "Chromium is not there and cannot be installed"
fi
cargo build --release --locked --package upstar
npx tsc --project jsconfig.json
node --test --test-concurrency=1 tests/page/
