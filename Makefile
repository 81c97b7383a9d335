# The one test command: format, lints, all tests (the README's commands are among them), documentation.
# The feature learn adds the training of large networks; without it the program is only checked.
.PHONY: test
test:
	cargo fmt --all --check
	cargo check --locked
	cargo clippy --workspace --features upstar/learn --all-targets --locked -- --deny warnings
	cargo test --workspace --features upstar/learn --locked
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --features upstar/learn --no-deps --locked
