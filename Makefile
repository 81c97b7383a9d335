# The one test command: format, lints, all tests (the README's commands are among them), documentation.
.PHONY: test
test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- --deny warnings
	cargo test --workspace --locked
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --no-deps --locked
