// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Atomic operations for one block of threads, the whole device, or all devices and the host.
//!
//! `core::sync::atomic` works in kernels as everywhere: its operations hold for all of the system. Where only the threads of one block
//! or of one device meet, the types here are faster: [`DeviceAtomicU32`] and its relatives have the methods of core's atomics, take
//! core's [`Ordering`], and name their [`Scope`]; floating-point numbers can be added to. [`block_add`] and [`device_add`] do the
//! commonest operation on a pointer.
//!
//! ```no_run
//! use core::sync::atomic::Ordering::Relaxed;
//! use mirgpu_device::atomic::DeviceAtomicU32;
//! use mirgpu_device::prelude::*;
//!
//! #[kernel]
//! pub fn count_positive(x: &[f32], count: &DeviceAtomicU32) {
//!     let i = thread::index_1d().get();
//!     if i < x.len() && x[i] > 0.0 {
//!         count.fetch_add(1, Relaxed);
//!     }
//! }
//! ```

mod add;
mod cell;
mod value;

use core::sync::atomic::Ordering;

pub use add::{block_add, device_add};
pub use cell::*;
pub use value::{AtomicAdd, AtomicInteger, AtomicValue};

/// One line for each row of the compiler's table. `scope` and `order` are constants at each call: [`Scope::ID`], and the number below.
mod stubs {
    crate::stub::stubs! { unsafe
        /// The value at the address.
        fn load_u32(ptr: *const u32, scope: u32, order: u32) -> u32 = "atomic::load_u32";
        /// Stores a value.
        fn store_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) = "atomic::store_u32";
        /// Stores a value; gives the old one.
        fn swap_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::swap_u32";
        /// Stores `new` if `old` is there; gives what was there.
        fn compare_exchange_u32(ptr: *mut u32, old: u32, new: u32, scope: u32, order: u32) -> u32 = "atomic::compare_exchange_u32";
        /// Adds; gives the old value.
        fn fetch_add_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_add_u32";
        /// Subtracts; gives the old value.
        fn fetch_sub_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_sub_u32";
        /// Bitwise and; gives the old value.
        fn fetch_and_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_and_u32";
        /// Bitwise or; gives the old value.
        fn fetch_or_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_or_u32";
        /// Bitwise exclusive or; gives the old value.
        fn fetch_xor_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_xor_u32";
        /// Bitwise and, inverted; gives the old value.
        fn fetch_nand_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_nand_u32";
        /// The value at the address.
        fn load_u64(ptr: *const u64, scope: u32, order: u32) -> u64 = "atomic::load_u64";
        /// Stores a value.
        fn store_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) = "atomic::store_u64";
        /// Stores a value; gives the old one.
        fn swap_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::swap_u64";
        /// Stores `new` if `old` is there; gives what was there.
        fn compare_exchange_u64(ptr: *mut u64, old: u64, new: u64, scope: u32, order: u32) -> u64 = "atomic::compare_exchange_u64";
        /// Adds; gives the old value.
        fn fetch_add_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_add_u64";
        /// Subtracts; gives the old value.
        fn fetch_sub_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_sub_u64";
        /// Bitwise and; gives the old value.
        fn fetch_and_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_and_u64";
        /// Bitwise or; gives the old value.
        fn fetch_or_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_or_u64";
        /// Bitwise exclusive or; gives the old value.
        fn fetch_xor_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_xor_u64";
        /// Bitwise and, inverted; gives the old value.
        fn fetch_nand_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_nand_u64";
        /// The greater of both; gives the old value.
        fn fetch_max_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_max_u32";
        /// The lesser of both; gives the old value.
        fn fetch_min_u32(ptr: *mut u32, value: u32, scope: u32, order: u32) -> u32 = "atomic::fetch_min_u32";
        /// The greater of both; gives the old value.
        fn fetch_max_i32(ptr: *mut i32, value: i32, scope: u32, order: u32) -> i32 = "atomic::fetch_max_i32";
        /// The lesser of both; gives the old value.
        fn fetch_min_i32(ptr: *mut i32, value: i32, scope: u32, order: u32) -> i32 = "atomic::fetch_min_i32";
        /// The greater of both; gives the old value.
        fn fetch_max_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_max_u64";
        /// The lesser of both; gives the old value.
        fn fetch_min_u64(ptr: *mut u64, value: u64, scope: u32, order: u32) -> u64 = "atomic::fetch_min_u64";
        /// The greater of both; gives the old value.
        fn fetch_max_i64(ptr: *mut i64, value: i64, scope: u32, order: u32) -> i64 = "atomic::fetch_max_i64";
        /// The lesser of both; gives the old value.
        fn fetch_min_i64(ptr: *mut i64, value: i64, scope: u32, order: u32) -> i64 = "atomic::fetch_min_i64";
        /// Adds; gives the old value.
        fn fetch_add_f32(ptr: *mut f32, value: f32, scope: u32, order: u32) -> f32 = "atomic::fetch_add_f32";
        /// Adds; gives the old value.
        fn fetch_add_f64(ptr: *mut f64, value: f64, scope: u32, order: u32) -> f64 = "atomic::fetch_add_f64";
    }
    crate::stub::stubs! { safe
        /// Orders the thread's accesses before and after it.
        fn fence(scope: u32, order: u32) = "atomic::fence";
    }
}

/// core's orders as the stubs take them.
mod number {
    pub const RELAXED: u32 = 0;
    pub const RELEASE: u32 = 1;
    pub const ACQUIRE: u32 = 2;
    pub const ACQ_REL: u32 = 3;
    pub const SEQ_CST: u32 = 4;
}

mod sealed {
    pub trait Sealed {}
}

/// Which threads an atomic operation is indivisible for, and which see what it orders.
pub trait Scope: sealed::Sealed + 'static {
    #[doc(hidden)]
    const ID: u32;
}

/// The scopes that exist.
pub mod scope {
    /// The threads of the calling thread's block.
    pub enum Block {}
    /// All threads of the device.
    pub enum Device {}
    /// The threads of all devices and of the host, as with `core::sync::atomic`.
    pub enum System {}

    macro_rules! scopes {
        ($($name:ident $id:literal)*) => { $(
            impl super::sealed::Sealed for $name {}
            impl super::Scope for $name {
                const ID: u32 = $id;
            }
        )* };
    }
    scopes! { Block 0 Device 1 System 2 }
}

/// Orders the calling thread's accesses for the threads of the scope `S`, as `core::sync::atomic::fence` does for the whole system.
///
/// ```no_run
/// # use mirgpu_device::atomic::{self, scope};
/// # use core::sync::atomic::Ordering;
/// atomic::fence::<scope::Device>(Ordering::Release);
/// ```
///
/// # Panics
/// If `order` is `Relaxed`.
#[inline(always)]
#[track_caller]
pub fn fence<S: Scope>(order: Ordering) {
    match order {
        Ordering::Release => stubs::fence(S::ID, number::RELEASE),
        Ordering::Acquire => stubs::fence(S::ID, number::ACQUIRE),
        Ordering::AcqRel => stubs::fence(S::ID, number::ACQ_REL),
        Ordering::SeqCst => stubs::fence(S::ID, number::SEQ_CST),
        _ => panic!("there is no such thing as a relaxed fence"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "`atomic::fence` only runs in a kernel")]
    fn a_fence_needs_a_kernel() {
        fence::<scope::Block>(Ordering::AcqRel);
    }

    #[test]
    #[should_panic(expected = "relaxed fence")]
    fn a_relaxed_fence_is_none() {
        fence::<scope::Device>(Ordering::Relaxed);
    }
}
