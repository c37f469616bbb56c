// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Static shared memory: an array that one block of threads has in common.
//!
//! Maps from: `static mut NAME: SharedArray<T, N> = SharedArray::UNINIT;`. To: N elements in the block's shared memory, uninitialised
//! when a block starts. Invariant: the type gives no safe way to a value; every access names the `static mut`, which takes `unsafe`.

use core::cell::UnsafeCell;
use core::marker::PhantomPinned;
use core::mem::{MaybeUninit, needs_drop};
use core::ops::{Index, IndexMut};

mod sealed {
    pub trait Sealed {}
}

/// Chooses the alignment of a [`SharedArray`]: `Align<128>` for 128 bytes, `Align<0>` for the elements' own.
pub struct Align<const BYTES: usize>;

/// The alignments that exist: 0 (the elements' own) and the powers of two from 1 to 1024.
pub trait Alignment: sealed::Sealed {
    #[doc(hidden)]
    type Marker: Copy;
}

macro_rules! alignments {
    ($($name:ident $bytes:literal)*) => { $(
        #[doc(hidden)]
        #[derive(Clone, Copy)]
        #[repr(align($bytes))]
        pub struct $name;
        impl sealed::Sealed for Align<$bytes> {}
        impl Alignment for Align<$bytes> {
            type Marker = $name;
        }
    )* };
}
alignments! { A1 1 A2 2 A4 4 A8 8 A16 16 A32 32 A64 64 A128 128 A256 256 A512 512 A1024 1024 }

impl sealed::Sealed for Align<0> {}
impl Alignment for Align<0> {
    type Marker = ();
}

/// `N` elements that the threads of one block share.
///
/// ```no_run
/// use mirgpu_device::prelude::*;
///
/// #[kernel]
/// pub fn reverse_each_block(x: &[f32], mut y: DisjointSlice<f32>) {
///     static mut TILE: SharedArray<f32, 256> = SharedArray::UNINIT;
///     let (i, own) = (thread::index_1d(), thread::thread_idx_x() as usize);
///     // SAFETY: each thread writes its own element.
///     unsafe { TILE[own] = x[i.get()] };
///     thread::sync_threads();
///     if let Some(yi) = y.get_mut(i) {
///         // SAFETY: written before the barrier, and nobody writes after it.
///         *yi = unsafe { TILE[255 - own] };
///     }
/// }
/// ```
///
/// # It is a `static mut`, and only that
/// Each block of a launch has its own array; it holds nothing when the block starts and nothing of it is left when the block ends.
/// The type is not `Sync`, so a plain `static` is refused:
/// ```compile_fail,E0277
/// # use mirgpu_device::prelude::*;
/// static TILE: SharedArray<f32, 256> = SharedArray::UNINIT;
/// ```
/// Elements are never dropped, so a type that needs it is refused too:
/// ```compile_fail,E0080
/// # use mirgpu_device::prelude::*;
/// struct Noisy;
/// impl Drop for Noisy { fn drop(&mut self) {} }
/// static mut TILE: SharedArray<Noisy, 4> = SharedArray::UNINIT;
/// ```
/// A `SharedArray` in a local variable is not shared memory; do not make one.
///
/// # What `unsafe` stands for
/// Whoever names the `static mut` promises that
/// - an element is written before it is read, and
/// - between two barriers an element that one thread writes is touched by no other thread, unless by [atomics](crate::atomic).
///
/// An index is checked, as for a slice: the launch reports the panic and its line. All threads may index at the same time: the array
/// is an `UnsafeCell` and not `Unpin`, so that a reference to the whole of it promises nothing about its elements.
///
/// # Alignment
/// `SharedArray<T, N, 128>` starts at a multiple of 128 bytes; the default, 0, is the alignment of `T`.
#[cfg_attr(mirgpu, mirgpu_tool::lang("shared_array"))]
#[repr(C)]
pub struct SharedArray<T, const N: usize, const ALIGN: usize = 0>
where
    Align<ALIGN>: Alignment,
{
    cells: UnsafeCell<MaybeUninit<[T; N]>>,
    align: [<Align<ALIGN> as Alignment>::Marker; 0],
    pinned: PhantomPinned,
}

impl<T, const N: usize, const ALIGN: usize> SharedArray<T, N, ALIGN>
where
    Align<ALIGN>: Alignment,
{
    /// The initial value of a `static mut`: memory that holds nothing yet.
    #[allow(clippy::declare_interior_mutable_const, reason = "it is there to be copied into a static")]
    pub const UNINIT: Self = {
        assert!(!needs_drop::<T>(), "elements of a SharedArray are never dropped, so their type must not need it");
        SharedArray { cells: UnsafeCell::new(MaybeUninit::uninit()), align: [], pinned: PhantomPinned }
    };

    /// Number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len() -> usize {
        N
    }

    /// Whether there are no elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty() -> bool {
        N == 0
    }

    /// The alignment asked for, in bytes; 0: that of `T`.
    #[inline(always)]
    #[must_use]
    pub const fn alignment() -> usize {
        ALIGN
    }

    /// Pointer to the first element.
    #[inline(always)]
    #[must_use]
    pub const fn as_ptr(&self) -> *const T {
        self.cells.get().cast()
    }

    /// Pointer to the first element, for writing. A shared reference is enough, since the elements lie in an `UnsafeCell`.
    #[inline(always)]
    #[must_use]
    pub const fn as_mut_ptr(&self) -> *mut T {
        self.cells.get().cast()
    }

    /// Pointer to the first element of `*shared`, without a reference to the whole array.
    ///
    /// ```no_run
    /// # use mirgpu_device::prelude::*;
    /// static mut TILE: SharedArray<f32, 256> = SharedArray::UNINIT;
    /// // SAFETY: a `static mut` of this program.
    /// let tile: *mut f32 = unsafe { SharedArray::as_raw_mut_ptr(&raw mut TILE) };
    /// ```
    ///
    /// # Safety
    /// `shared` points to a `static mut` of this program.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn as_raw_mut_ptr(shared: *mut Self) -> *mut T {
        shared.cast()
    }
}

/// Shared memory exists in kernels alone; elsewhere this panics.
#[inline(always)]
#[track_caller]
fn must_be_in_a_kernel() {
    if cfg!(not(mirgpu)) {
        crate::stub::only_in_a_kernel("SharedArray");
    }
}

impl<T, const N: usize, const ALIGN: usize> Index<usize> for SharedArray<T, N, ALIGN>
where
    Align<ALIGN>: Alignment,
{
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        must_be_in_a_kernel();
        // SAFETY: reached through a `static mut`, whose user has promised that the element is written and not being written.
        unsafe { &(*self.as_mut_ptr().cast::<[T; N]>())[index] }
    }
}

impl<T, const N: usize, const ALIGN: usize> IndexMut<usize> for SharedArray<T, N, ALIGN>
where
    Align<ALIGN>: Alignment,
{
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        must_be_in_a_kernel();
        // SAFETY: reached through a `static mut`, whose user has promised that no other thread touches the element.
        unsafe { &mut (*self.as_mut_ptr().cast::<[T; N]>())[index] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static mut TILE: SharedArray<u32, 4> = SharedArray::UNINIT;
    static mut WIDE: SharedArray<u8, 3, 128> = SharedArray::UNINIT;

    #[test]
    fn the_layout_is_that_of_the_elements() {
        assert_eq!((size_of::<SharedArray<u32, 4>>(), align_of::<SharedArray<u32, 4>>()), (16, 4));
        assert_eq!((size_of::<SharedArray<u8, 3, 128>>(), align_of::<SharedArray<u8, 3, 128>>()), (128, 128));
        assert_eq!((SharedArray::<u32, 4>::len(), SharedArray::<u32, 4>::is_empty()), (4, false));
        assert_eq!((SharedArray::<u8, 3, 128>::alignment(), SharedArray::<u8, 0>::is_empty()), (128, true));
    }

    #[test]
    fn pointers_lead_to_the_first_element() {
        // SAFETY: this test alone touches WIDE.
        unsafe {
            let wide = SharedArray::as_raw_mut_ptr(&raw mut WIDE);
            assert_eq!(wide.addr() % 128, 0);
            let array = &raw const WIDE;
            assert_eq!(wide.cast_const(), (*array).as_ptr());
            assert_eq!(wide, (*array).as_mut_ptr());
        }
    }

    #[test]
    #[should_panic(expected = "`SharedArray` only runs in a kernel")]
    fn the_host_has_no_shared_memory() {
        // SAFETY: does not get as far as an element.
        unsafe { TILE[0] = 1 };
    }
}
