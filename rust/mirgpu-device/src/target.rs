// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which target a kernel is compiled for.
//!
//! Maps from: a `bool` for each back end. To: statics that the compiler answers for each target while it lowers, so that of a branch
//! on one only the target's own side is compiled. Invariant: exactly one of the three is true, in a kernel and on the host.
//!
//! One source, and one export of it, serves all targets. What only one of them has stands behind its `bool`:
//!
//! ```no_run
//! use core::arch::asm;
//! use mirgpu_device::target;
//!
//! /// The upper half of the product.
//! #[allow(asm_sub_register)]
//! pub fn mul_hi(a: u32, b: u32) -> u32 {
//!     if target::IS_NVPTX {
//!         let high: u32;
//!         // SAFETY: the instruction touches its operands alone.
//!         unsafe { asm!("mul.hi.u32 {}, {}, {};", lateout(reg) high, in(reg) a, in(reg) b, options(pure, nomem)) };
//!         return high;
//!     }
//!     ((a as u64 * b as u64) >> 32) as u32
//! }
//! # mul_hi(1, 2);
//! ```
//!
//! # Inline assembly
//! The text is the target's own: PTX, GCN, or what the CPU has. rustc checks `asm!` against the host, so the register classes are the
//! host's: on GPUs the type of the operand decides alone (`reg` for integers and pointers, the vector class, `xmm_reg` or `vreg`, for
//! floats), and modifiers such as `{0:e}` say nothing. Explicit registers, `sym` and `label` are the CPU's alone.

/// Declares the `bool`s; on the host, where nothing asks the compiler of kernels, they are constants.
macro_rules! targets {
    ($($(#[$meta:meta])* $name:ident = $target:tt, $on_host:expr;)*) => {
        #[cfg(mirgpu)]
        unsafe extern "C" {
            $($(#[$meta])* #[mirgpu_tool::target($target)] pub safe static $name: bool;)*
        }
        $($(#[$meta])* #[cfg(not(mirgpu))] pub const $name: bool = $on_host;)*
    };
}

targets! {
    /// Whether this is code for an NVIDIA GPU.
    IS_NVPTX = "nvptx", false;
    /// Whether this is code for an AMD GPU.
    IS_AMDGPU = "amdgpu", false;
    /// Whether this is code for the CPU: in a kernel on the CPU device, and in the host program itself.
    IS_HOST = "host", true;
}
