// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The atomic types.

use super::value::Bits;
use super::{AtomicAdd, AtomicInteger, AtomicValue, Scope, scope};
use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::sync::atomic::Ordering;

/// A value that threads of the scope `S` may change at the same time. It is laid out as the value itself.
///
/// The methods are those of core's atomics, and mean the same among the threads of the scope. They run in kernels alone; `new`,
/// `get_mut`, `into_inner` and the conversions from and to pointers work on the host too.
///
/// # Which scope
/// Every thread that touches the value while others change it has to be within the scope of both. The host does not touch buffers
/// during a launch, so `Device` is right for what a launch gets as a parameter; `System` is for memory that a running host thread or
/// another device touches. A block-scoped atomic is right in shared memory. Nothing can tell whose reference it is, so it is not
/// `Sync`: whoever brings one to another thread writes `unsafe`, and promises that it is a thread of the same block.
/// ```compile_fail,E0277
/// # use mirgpu_device::atomic::BlockAtomicU32;
/// static COUNT: BlockAtomicU32 = BlockAtomicU32::new(0);
/// ```
///
/// # Floating point
/// Values are compared and exchanged by their bits: `-0.0` is not `0.0`, and a NaN equals itself. Sums depend on the order in which
/// the threads come. On NVIDIA, adding to an `f32` in global memory flushes subnormal numbers to zero.
#[repr(transparent)]
pub struct Atomic<T, S> {
    value: UnsafeCell<T>,
    scope: PhantomData<S>,
}

/// A `u32` that is atomic for the threads of a block.
pub type BlockAtomicU32 = Atomic<u32, scope::Block>;
/// An `i32` that is atomic for the threads of a block.
pub type BlockAtomicI32 = Atomic<i32, scope::Block>;
/// A `u64` that is atomic for the threads of a block.
pub type BlockAtomicU64 = Atomic<u64, scope::Block>;
/// An `i64` that is atomic for the threads of a block.
pub type BlockAtomicI64 = Atomic<i64, scope::Block>;
/// An `f32` that is atomic for the threads of a block.
pub type BlockAtomicF32 = Atomic<f32, scope::Block>;
/// An `f64` that is atomic for the threads of a block.
pub type BlockAtomicF64 = Atomic<f64, scope::Block>;
/// A `u32` that is atomic for all threads of the device.
pub type DeviceAtomicU32 = Atomic<u32, scope::Device>;
/// An `i32` that is atomic for all threads of the device.
pub type DeviceAtomicI32 = Atomic<i32, scope::Device>;
/// A `u64` that is atomic for all threads of the device.
pub type DeviceAtomicU64 = Atomic<u64, scope::Device>;
/// An `i64` that is atomic for all threads of the device.
pub type DeviceAtomicI64 = Atomic<i64, scope::Device>;
/// An `f32` that is atomic for all threads of the device.
pub type DeviceAtomicF32 = Atomic<f32, scope::Device>;
/// An `f64` that is atomic for all threads of the device.
pub type DeviceAtomicF64 = Atomic<f64, scope::Device>;
/// A `u32` that is atomic for all devices and the host.
pub type SystemAtomicU32 = Atomic<u32, scope::System>;
/// An `i32` that is atomic for all devices and the host.
pub type SystemAtomicI32 = Atomic<i32, scope::System>;
/// A `u64` that is atomic for all devices and the host.
pub type SystemAtomicU64 = Atomic<u64, scope::System>;
/// An `i64` that is atomic for all devices and the host.
pub type SystemAtomicI64 = Atomic<i64, scope::System>;
/// An `f32` that is atomic for all devices and the host.
pub type SystemAtomicF32 = Atomic<f32, scope::System>;
/// An `f64` that is atomic for all devices and the host.
pub type SystemAtomicF64 = Atomic<f64, scope::System>;

// SAFETY: all accesses through a shared reference are atomic for every thread that can hold one.
unsafe impl<T: AtomicValue + Send> Sync for Atomic<T, scope::Device> {}
// SAFETY: as above.
unsafe impl<T: AtomicValue + Send> Sync for Atomic<T, scope::System> {}

/// The weakest order that is as strong as both, one of an exchange that succeeds and one of an exchange that fails.
#[inline(always)]
#[track_caller]
fn join(success: Ordering, failure: Ordering) -> Ordering {
    match (success, failure) {
        (_, Ordering::Release | Ordering::AcqRel) => panic!("there is no such thing as a release failure ordering"),
        (Ordering::SeqCst, _) | (_, Ordering::SeqCst) => Ordering::SeqCst,
        (Ordering::Release, Ordering::Acquire) => Ordering::AcqRel,
        (Ordering::Relaxed, Ordering::Acquire) => Ordering::Acquire,
        _ => success,
    }
}

impl<T: AtomicValue, S: Scope> Atomic<T, S> {
    /// An atomic that holds `value`.
    #[inline(always)]
    #[must_use]
    pub const fn new(value: T) -> Self {
        Atomic { value: UnsafeCell::new(value), scope: PhantomData }
    }

    /// The atomic at `ptr`.
    ///
    /// # Safety
    /// `ptr` is aligned and valid for reads and writes for `'a`. During `'a` the value is touched by atomics alone, and each of them
    /// has a scope that reaches the threads of the others.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_ptr<'a>(ptr: *mut T) -> &'a Self {
        // SAFETY: the same layout, and the rest is the caller's.
        unsafe { &*ptr.cast() }
    }

    /// Pointer to the value.
    #[inline(always)]
    #[must_use]
    pub const fn as_ptr(&self) -> *mut T {
        self.value.get()
    }

    /// The value, which no other thread can touch.
    #[inline(always)]
    pub const fn get_mut(&mut self) -> &mut T {
        self.value.get_mut()
    }

    /// The value at the end.
    #[inline(always)]
    #[must_use]
    pub fn into_inner(self) -> T {
        self.value.into_inner()
    }

    #[inline(always)]
    const fn bits(&self) -> *mut T::Bits {
        self.value.get().cast()
    }

    /// Reads the value.
    ///
    /// # Panics
    /// If `order` is `Release` or `AcqRel`.
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn load(&self, order: Ordering) -> T {
        // SAFETY: a reference is valid, and all others access the value atomically.
        T::of(unsafe { T::Bits::load_at::<S>(self.bits(), order) })
    }

    /// Writes the value.
    ///
    /// # Panics
    /// If `order` is `Acquire` or `AcqRel`.
    #[inline(always)]
    #[track_caller]
    pub fn store(&self, value: T, order: Ordering) {
        // SAFETY: as for `load`.
        unsafe { T::Bits::store_at::<S>(self.bits(), value.bits(), order) };
    }

    /// Writes the value and returns the old one.
    #[inline(always)]
    pub fn swap(&self, value: T, order: Ordering) -> T {
        // SAFETY: as for `load`.
        T::of(unsafe { T::Bits::swap_at::<S>(self.bits(), value.bits(), order) })
    }

    /// Writes `new` if the value is `current`; returns what was there, as `Ok` if it was written. The order is the stronger of both.
    ///
    /// # Errors
    /// What was there instead of `current`.
    ///
    /// # Panics
    /// If `failure` is `Release` or `AcqRel`.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange(&self, current: T, new: T, success: Ordering, failure: Ordering) -> Result<T, T> {
        let order = join(success, failure);
        // SAFETY: as for `load`.
        let seen = unsafe { T::Bits::compare_exchange_at::<S>(self.bits(), current.bits(), new.bits(), order) };
        if seen == current.bits() { Ok(T::of(seen)) } else { Err(T::of(seen)) }
    }

    /// [`compare_exchange`](Self::compare_exchange) that may fail although `current` was there; here it does not.
    ///
    /// # Errors
    /// What was there.
    ///
    /// # Panics
    /// If `failure` is `Release` or `AcqRel`.
    #[inline(always)]
    #[track_caller]
    pub fn compare_exchange_weak(&self, current: T, new: T, success: Ordering, failure: Ordering) -> Result<T, T> {
        self.compare_exchange(current, new, success, failure)
    }

    /// Replaces the value by what `update` makes of it, until no other thread came between; returns the old one.
    ///
    /// # Errors
    /// The value for which `update` gave `None`.
    ///
    /// # Panics
    /// If `fetch_order` is `Release` or `AcqRel`.
    #[inline(always)]
    #[track_caller]
    pub fn fetch_update(&self, set_order: Ordering, fetch_order: Ordering, mut update: impl FnMut(T) -> Option<T>) -> Result<T, T> {
        let mut old = self.load(fetch_order);
        while let Some(new) = update(old) {
            match self.compare_exchange(old, new, set_order, fetch_order) {
                Ok(old) => return Ok(old),
                Err(seen) => old = seen,
            }
        }
        Err(old)
    }
}

impl<T: AtomicAdd, S: Scope> Atomic<T, S> {
    /// Adds `value` and returns the old value. Integers wrap.
    #[inline(always)]
    pub fn fetch_add(&self, value: T, order: Ordering) -> T {
        // SAFETY: as for `load`.
        unsafe { T::fetch_add_at::<S>(self.as_ptr(), value, order) }
    }

    /// Subtracts `value` and returns the old value. Integers wrap.
    #[inline(always)]
    pub fn fetch_sub(&self, value: T, order: Ordering) -> T {
        // SAFETY: as for `load`.
        unsafe { T::fetch_sub_at::<S>(self.as_ptr(), value, order) }
    }
}

macro_rules! bitwise {
    ($($name:ident $at:ident $what:literal)*) => { $(
        #[doc = concat!($what, " with `value`; returns the old value.")]
        #[inline(always)]
        pub fn $name(&self, value: T, order: Ordering) -> T {
            // SAFETY: as for `load`.
            T::of(unsafe { T::Bits::$at::<S>(self.bits(), value.bits(), order) })
        }
    )* };
}

impl<T: AtomicInteger, S: Scope> Atomic<T, S> {
    bitwise! {
        fetch_and and_at "Bitwise and"
        fetch_nand nand_at "Bitwise and, then not,"
        fetch_or or_at "Bitwise or"
        fetch_xor xor_at "Bitwise exclusive or"
    }

    /// Keeps the greater of the value and `value`; returns the old value.
    #[inline(always)]
    pub fn fetch_max(&self, value: T, order: Ordering) -> T {
        // SAFETY: as for `load`.
        unsafe { T::fetch_max_at::<S>(self.as_ptr(), value, order) }
    }

    /// Keeps the lesser of the value and `value`; returns the old value.
    #[inline(always)]
    pub fn fetch_min(&self, value: T, order: Ordering) -> T {
        // SAFETY: as for `load`.
        unsafe { T::fetch_min_at::<S>(self.as_ptr(), value, order) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::Ordering::*;

    #[test]
    fn the_layout_is_the_values() {
        assert_eq!((size_of::<BlockAtomicU32>(), align_of::<BlockAtomicU32>()), (4, 4));
        assert_eq!((size_of::<DeviceAtomicF64>(), align_of::<DeviceAtomicF64>()), (8, 8));
        let mut a = SystemAtomicI64::new(-3);
        *a.get_mut() += 1;
        assert_eq!(a.into_inner(), -2);
    }

    #[test]
    fn an_exchange_has_the_stronger_order() {
        assert_eq!(join(Release, Acquire), AcqRel);
        assert_eq!(join(Relaxed, Acquire), Acquire);
        assert_eq!(join(Relaxed, SeqCst), SeqCst);
        assert_eq!(join(AcqRel, Acquire), AcqRel);
        assert_eq!(join(Release, Relaxed), Release);
    }

    #[test]
    #[should_panic(expected = "release load")]
    fn a_load_does_not_release() {
        let _ = DeviceAtomicU32::new(0).load(Release);
    }

    #[test]
    #[should_panic(expected = "acquire store")]
    fn a_store_does_not_acquire() {
        DeviceAtomicU32::new(0).store(1, AcqRel);
    }

    #[test]
    #[should_panic(expected = "`atomic::fetch_max_i64` only runs in a kernel")]
    fn an_operation_needs_a_kernel() {
        let _ = DeviceAtomicI64::new(0).fetch_max(1, Relaxed);
    }
}
