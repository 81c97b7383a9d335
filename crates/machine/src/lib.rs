#![doc = include_str!("../README.md")]
//!
//! A seed gives the same result on every machine: arithmetic is on integers, or on numbers in a fixed
//! order, and where [`Machine::mul_add`] rounds differently its caller sees to it that nothing depends
//! on that.

mod isa;
mod machine;
#[macro_use]
mod floats;
mod portable;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
#[expect(
    unsafe_code,
    reason = "intrinsics of instruction sets that were detected"
)]
mod x86;

pub use isa::{Isa, NotAvailable};
pub use machine::{Four, Kernel, Machine, Quad};
pub use portable::Portable;
