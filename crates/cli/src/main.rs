//! The program `upstar`.

use std::process::ExitCode;

fn main() -> ExitCode {
    upstar::run(std::env::args_os())
}
