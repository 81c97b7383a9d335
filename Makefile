.PHONY: test page python oracles recordings

# The one test command: format, lints, all tests (the README's commands, the page in a browser and the Python package are
# among them), documentation.
test:
	cargo fmt --all --check
	# What the last steps need is installed while Rust is built.
	(scripts/test_python.sh --tools; scripts/test_page.sh --tools) >/dev/null 2>&1 &
	cargo clippy --release --workspace --all-targets --locked -- --deny warnings
	cargo test --release --workspace --locked
	scripts/check_kernels.sh
	scripts/test_page.sh
	scripts/test_python.sh
	RUSTDOCFLAGS="--deny warnings" cargo doc --release --workspace --no-deps --locked

# The page alone.
page:
	cargo build --release --locked
	scripts/test_page.sh

# The Python package alone.
python:
	scripts/test_python.sh

# Compares gradients with the library burn and values of games with the crate cgt; takes minutes to build.
oracles:
	cargo test --manifest-path oracles/Cargo.toml --workspace --locked

# Writes what these libraries say about a few examples, with which the ordinary tests compare.
recordings:
	cargo run --manifest-path oracles/Cargo.toml --package upstar-oracle-cgt --locked
	cargo run --manifest-path oracles/Cargo.toml --package upstar-oracle-burn --locked
