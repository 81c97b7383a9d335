# The one test command: format, lints, all tests (the README's commands are among them), documentation.
# With the feature burn gradients are compared with those of another library; without it the program is only checked.
.PHONY: test
test:
	cargo fmt --all --check
	cargo check --locked
	cargo clippy --workspace --features upstar/burn --all-targets --locked -- --deny warnings
	cargo test --workspace --features upstar/burn --locked
	RUSTDOCFLAGS="--deny warnings" cargo doc --workspace --features upstar/burn --no-deps --locked
