//! The instruction sets of this processor: found at run time, chosen once per call.

use std::sync::OnceLock;

use crate::machine::Kernel;
use crate::portable::Portable;
#[cfg(target_arch = "x86_64")]
use crate::x86;

/// An instruction set that this processor has and that kernels are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Isa(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// The instruction set of this process, fixed by the first call of [`Isa::best`] or [`Isa::choose`].
static BEST: OnceLock<Isa> = OnceLock::new();

/// This processor has no instruction set of that name, or another one is in use already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAvailable;

impl Isa {
    /// The fastest one here, or the one that was chosen.
    #[must_use]
    pub fn best() -> Self {
        let fastest = || Self::available().pop();
        *BEST.get_or_init(|| fastest().expect("the portable one is always there"))
    }

    /// Lets this process use the instruction set of this name, to measure it or to compare results. Comes
    /// before the first [`Self::best`]: what was begun with one goes on with it.
    ///
    /// # Errors
    /// If this processor has none of that name, or another one is in use already.
    pub fn choose(name: &str) -> Result<(), NotAvailable> {
        let mut available = Self::available().into_iter();
        let chosen = available.find(|isa| isa.name() == name);
        let chosen = chosen.ok_or(NotAvailable)?;
        match *BEST.get_or_init(|| chosen) == chosen {
            true => Ok(()),
            false => Err(NotAvailable),
        }
    }

    /// All that this processor has, slowest first.
    #[must_use]
    pub fn available() -> Vec<Self> {
        #[cfg_attr(not(target_arch = "x86_64"), allow(unused_mut))]
        let mut levels = vec![Level::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("fma")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            let avx512 = avx2
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512cd")
                && is_x86_feature_detected!("avx512vpopcntdq");
            levels.extend(avx2.then_some(Level::Avx2));
            levels.extend(avx512.then_some(Level::Avx512));
        }
        levels.into_iter().map(Self).collect()
    }

    /// What it is called.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Runs the kernel's version for this instruction set.
    #[inline(always)]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => portable(kernel),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: `available` is the only maker of this level, and saw all its features.
            Level::Avx2 => unsafe { x86::avx2(kernel) },
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: as above.
            Level::Avx512 => unsafe { x86::avx512(kernel) },
        }
    }

    /// Runs the kernel's version for this instruction set without its vectors: where each step waits
    /// for the one before, the compiler's way into vector registers and back costs more than it saves.
    #[inline(always)]
    pub fn run_scalar<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Level::Portable => portable(kernel),
            #[cfg(target_arch = "x86_64")]
            #[expect(unsafe_code, reason = "the features were detected")]
            // SAFETY: `available` is the only maker of these levels, and saw all their features.
            Level::Avx2 | Level::Avx512 => unsafe { x86::bmi2(kernel) },
        }
    }
}

/// Not inlined, like the other versions: its variables must not enlarge the caller's stack frame, because searches call
/// kernels from deep recursions.
#[inline(never)]
fn portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Portable>()
}
