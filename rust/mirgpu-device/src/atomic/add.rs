// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Relaxed additions through a pointer.

use super::{AtomicAdd, scope};
use core::sync::atomic::Ordering;

/// Adds `value` to `*ptr` and returns the old value; indivisible for the threads of the calling thread's block. Orders no other memory.
///
/// ```no_run
/// # use mirgpu_device::prelude::*;
/// static mut SUM: SharedArray<u32, 1> = SharedArray::UNINIT;
/// // SAFETY: initialised, and between two barriers reached by atomics alone.
/// unsafe { atomic::block_add(SharedArray::as_raw_mut_ptr(&raw mut SUM), 1) };
/// ```
///
/// # Safety
/// `ptr` is aligned and valid for reads and writes. Until the next synchronisation, threads of the same block reach `*ptr` by atomics
/// alone, and threads of other blocks not at all.
#[inline(always)]
pub unsafe fn block_add<T: AtomicAdd>(ptr: *mut T, value: T) -> T {
    // SAFETY: the caller's.
    unsafe { T::fetch_add_at::<scope::Block>(ptr, value, Ordering::Relaxed) }
}

/// Adds `value` to `*ptr` and returns the old value; indivisible for all threads of the device. Orders no other memory.
///
/// # Safety
/// `ptr` is aligned and valid for reads and writes. Until the next synchronisation, all threads of the device reach `*ptr` by atomics
/// of the device alone.
#[inline(always)]
pub unsafe fn device_add<T: AtomicAdd>(ptr: *mut T, value: T) -> T {
    // SAFETY: the caller's.
    unsafe { T::fetch_add_at::<scope::Device>(ptr, value, Ordering::Relaxed) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "`atomic::fetch_add_f64` only runs in a kernel")]
    fn an_atomic_needs_a_kernel() {
        let mut x = 0.0f64;
        // SAFETY: valid, and no other thread.
        let _ = unsafe { device_add(&raw mut x, 1.0) };
    }
}
