// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Constant memory that the host may set before a launch.
//!
//! Maps from: `#[constant] static NAME: ConstantMemory<T> = ConstantMemory::new(value);`. To: a static in the target's constant memory
//! that the module lists, so that the host finds it by name. Invariant: no thread writes it, and any bytes that the host writes are a
//! value of `T`.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;

/// Types whose every pattern of bits is a value, so that bytes from the host can stand for one.
///
/// # Safety
/// Every sequence of `size_of::<Self>()` initialised bytes is a value of the type, and the type has no interior mutability.
///
/// A struct of such fields may have it too:
/// ```
/// use mirgpu_device::ConstantMemoryValue;
///
/// #[repr(C)]
/// struct Camera {
///     eye: [f32; 3],
///     width: u32,
/// }
/// // SAFETY: fields of such types, and no padding.
/// unsafe impl ConstantMemoryValue for Camera {}
/// ```
pub unsafe trait ConstantMemoryValue {}

macro_rules! values {
    ($($ty:ty)*) => { $(
        // SAFETY: a number.
        unsafe impl ConstantMemoryValue for $ty {}
    )* };
}
values! { u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 usize isize f32 f64 }

// SAFETY: elements of such a type, one after the other.
unsafe impl<T: ConstantMemoryValue, const N: usize> ConstantMemoryValue for [T; N] {}
// SAFETY: a raw pointer promises nothing.
unsafe impl<T> ConstantMemoryValue for *const T {}
// SAFETY: a raw pointer promises nothing.
unsafe impl<T> ConstantMemoryValue for *mut T {}

/// A value in constant memory that the host may set before a launch, as `cudaMemcpyToSymbol` does.
///
/// ```no_run
/// use mirgpu_device::prelude::*;
///
/// #[constant]
/// static COEFFS: ConstantMemory<[f32; 4]> = ConstantMemory::new([1.0, 0.0, 0.0, 0.0]);
///
/// #[kernel]
/// pub fn polynomial(x: &[f32], mut y: DisjointSlice<f32>) {
///     let (i, c) = (thread::index_1d(), COEFFS.get_ref());
///     if let Some(yi) = y.get_mut(i) {
///         let v = x[i.get()];
///         *yi = ((c[3] * v + c[2]) * v + c[1]) * v + c[0];
///     }
/// }
/// ```
/// In C++: `module->global<float>("COEFFS")->write(stream, values)`; on the command line: `mirgpu run --set COEFFS=f32:[1,2,3,4]`. The
/// value stays until the host sets another; a module that is loaded anew starts with the one that stands here.
///
/// Constant memory is cached for reads of *one* address by all lanes of a warp; a table that each lane reads at an index of its own
/// belongs in a slice or a plain `static`. NVIDIA targets have 64 KiB of it for a whole module (MG0202).
///
/// # A plain static in constant memory
/// `#[constant] static TABLE: [f32; 256] = […];` puts a table there that nobody sets: the compiler may then compute with its values.
#[cfg_attr(mirgpu, mirgpu_tool::lang("constant_memory"))]
#[repr(transparent)]
pub struct ConstantMemory<T>(UnsafeCell<T>);

// SAFETY: nobody writes while a kernel runs: the host writes between launches, and there is no way to write from here.
unsafe impl<T: Sync> Sync for ConstantMemory<T> {}

impl<T: ConstantMemoryValue> ConstantMemory<T> {
    /// All bytes zero, for a value that the host sets before the first launch.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied into a static")]
    // SAFETY: zeros are a value, as every pattern of bits is.
    pub const UNINIT: Self = ConstantMemory(UnsafeCell::new(unsafe { MaybeUninit::zeroed().assume_init() }));

    /// A value that holds until the host sets another.
    #[inline(always)]
    #[must_use]
    pub const fn new(value: T) -> Self {
        ConstantMemory(UnsafeCell::new(value))
    }

    /// A copy of the value. For an array of which a thread reads a few elements, [`get_ref`](Self::get_ref) saves the copy.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self) -> T
    where
        T: Copy,
    {
        *self.get_ref()
    }

    /// The value where it lies.
    #[inline(always)]
    #[must_use]
    pub const fn get_ref(&self) -> &T {
        // SAFETY: nobody writes while a kernel runs.
        unsafe { &*self.0.get() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static VALUE: ConstantMemory<[f32; 2]> = ConstantMemory::new([1.0, 2.0]);
    static ZERO: ConstantMemory<[u64; 3]> = ConstantMemory::UNINIT;

    #[test]
    fn the_host_reads_the_initial_value() {
        assert_eq!((VALUE.get(), VALUE.get_ref()[1], ZERO.get()), ([1.0, 2.0], 2.0, [0; 3]));
        assert_eq!(size_of::<ConstantMemory<[u8; 3]>>(), 3);
    }
}
