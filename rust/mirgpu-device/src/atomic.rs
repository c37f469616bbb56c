// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Atomic addition, for one block of threads or the whole device.
//!
//! Both functions add to the value that a pointer leads to, as one indivisible step, and return what was there before. They order no
//! other memory (relaxed). Integers wrap; floating-point sums depend on the order in which the threads come, which is not fixed.
//!
//! ```no_run
//! use mirgpu_device::prelude::*;
//!
//! #[kernel]
//! pub fn count_positive(x: &[f32], mut count: DisjointSlice<u32>) {
//!     let i = thread::index_1d().get();
//!     if i < x.len() && x[i] > 0.0 && !count.is_empty() {
//!         // SAFETY: the first element exists, and all threads reach it by atomics alone.
//!         unsafe { atomic::device_add(count.as_mut_ptr(), 1) };
//!     }
//! }
//! ```

mod stubs {
    crate::stub::stubs! { unsafe
        /// Adds to a `u32`, atomic among the threads of the block.
        fn block_add_u32(ptr: *mut u32, value: u32) -> u32 = "atomic::block_add_u32";
        /// Adds to an `i32`, atomic among the threads of the block.
        fn block_add_i32(ptr: *mut i32, value: i32) -> i32 = "atomic::block_add_i32";
        /// Adds to a `u64`, atomic among the threads of the block.
        fn block_add_u64(ptr: *mut u64, value: u64) -> u64 = "atomic::block_add_u64";
        /// Adds to an `f32`, atomic among the threads of the block.
        fn block_add_f32(ptr: *mut f32, value: f32) -> f32 = "atomic::block_add_f32";
        /// Adds to an `f64`, atomic among the threads of the block.
        fn block_add_f64(ptr: *mut f64, value: f64) -> f64 = "atomic::block_add_f64";
        /// Adds to a `u32`, atomic among the threads of the device.
        fn device_add_u32(ptr: *mut u32, value: u32) -> u32 = "atomic::device_add_u32";
        /// Adds to an `i32`, atomic among the threads of the device.
        fn device_add_i32(ptr: *mut i32, value: i32) -> i32 = "atomic::device_add_i32";
        /// Adds to a `u64`, atomic among the threads of the device.
        fn device_add_u64(ptr: *mut u64, value: u64) -> u64 = "atomic::device_add_u64";
        /// Adds to an `f32`, atomic among the threads of the device.
        fn device_add_f32(ptr: *mut f32, value: f32) -> f32 = "atomic::device_add_f32";
        /// Adds to an `f64`, atomic among the threads of the device.
        fn device_add_f64(ptr: *mut f64, value: f64) -> f64 = "atomic::device_add_f64";
    }
}

mod sealed {
    pub trait Sealed {}
}

/// The types that can be added to atomically on every target: `u32`, `i32`, `u64`, `f32`, `f64`.
pub trait AtomicAdd: sealed::Sealed + Copy {
    #[doc(hidden)]
    unsafe fn block_add_at(ptr: *mut Self, value: Self) -> Self;
    #[doc(hidden)]
    unsafe fn device_add_at(ptr: *mut Self, value: Self) -> Self;
}

macro_rules! atomic_adds {
    ($($ty:ident $block:ident $device:ident;)*) => { $(
        impl sealed::Sealed for $ty {}
        impl AtomicAdd for $ty {
            #[inline(always)]
            unsafe fn block_add_at(ptr: *mut Self, value: Self) -> Self {
                // SAFETY: the caller's.
                unsafe { stubs::$block(ptr, value) }
            }
            #[inline(always)]
            unsafe fn device_add_at(ptr: *mut Self, value: Self) -> Self {
                // SAFETY: the caller's.
                unsafe { stubs::$device(ptr, value) }
            }
        }
    )* };
}
atomic_adds! {
    u32 block_add_u32 device_add_u32;
    i32 block_add_i32 device_add_i32;
    u64 block_add_u64 device_add_u64;
    f32 block_add_f32 device_add_f32;
    f64 block_add_f64 device_add_f64;
}

/// Adds `value` to `*ptr` and returns the old value; indivisible for the threads of the calling thread's block.
///
/// # Safety
/// `ptr` is aligned and valid for reads and writes. Until the next synchronisation, threads of the same block reach `*ptr` by atomics
/// alone, and threads of other blocks not at all.
#[inline(always)]
pub unsafe fn block_add<T: AtomicAdd>(ptr: *mut T, value: T) -> T {
    // SAFETY: the caller's.
    unsafe { T::block_add_at(ptr, value) }
}

/// Adds `value` to `*ptr` and returns the old value; indivisible for all threads of the device.
///
/// # Safety
/// `ptr` is aligned and valid for reads and writes. Until the next synchronisation, all threads of the device reach `*ptr` by atomics
/// of the device alone.
#[inline(always)]
pub unsafe fn device_add<T: AtomicAdd>(ptr: *mut T, value: T) -> T {
    // SAFETY: the caller's.
    unsafe { T::device_add_at(ptr, value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "`atomic::device_add_f64` only runs in a kernel")]
    fn an_atomic_needs_a_kernel() {
        let mut x = 0.0f64;
        // SAFETY: valid, and no other thread.
        let _ = unsafe { device_add(&raw mut x, 1.0) };
    }
}
