// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Dynamic shared memory: bytes that the threads of a block have in common and whose number the launch gives.
//!
//! Maps from: [`DynamicSharedArray`], a type without values. To: the launch's bytes behind the block's static shared memory,
//! uninitialised when a block starts. Invariant: all of it is one piece of memory, which `offset` and `slice` carve by bytes; no carving
//! reaches beyond the launch's bytes.

use core::cell::UnsafeCell;
use core::marker::PhantomData;
use core::mem::needs_drop;
use core::ops::{Index, IndexMut};
use core::ptr::slice_from_raw_parts_mut;

use crate::shared::{Align, Alignment};

mod stubs {
    crate::stub::stubs! { safe
        /// First byte of the launch's dynamic shared memory, at a multiple of `align` bytes (a constant power of two up to 1024).
        fn base(align: u32) -> *mut u8 = "dynamic_shared::base";
        /// Bytes of it.
        fn size() -> u32 = "dynamic_shared::size";
    }
}

/// The launch's dynamic shared memory as elements of `T`.
///
/// How many bytes there are says the launch: `--shared BYTES` of `mirgpu run`, `cover(n).block(256).shared(bytes)` in C++. One kernel
/// so serves tiles of every size.
///
/// ```no_run
/// use mirgpu_device::prelude::*;
///
/// #[kernel]
/// pub fn reverse_each_block(x: &[f32], mut y: DisjointSlice<f32>) {
///     let (i, own) = (thread::index_1d(), thread::thread_idx_x() as usize);
///     let threads = thread::block_dim_x() as usize;
///     // SAFETY: each thread writes its own element, and reads others behind the barrier.
///     let mut tile = unsafe { DynamicSharedArray::<f32>::slice(0, threads) };
///     tile[own] = x[i.get()];
///     thread::sync_threads();
///     if let Some(yi) = y.get_mut(i) {
///         *yi = tile[threads - 1 - own];
///     }
/// }
/// ```
///
/// # Several arrays
/// There is one piece of memory, whatever the type asks for. Carve it by byte offsets:
/// ```no_run
/// # use mirgpu_device::prelude::*;
/// # let n = 256;
/// # unsafe {
/// let keys = DynamicSharedArray::<u64>::slice(0, n);
/// let counts = DynamicSharedArray::<u32>::slice(n * size_of::<u64>(), n);
/// # }
/// ```
///
/// # Alignment
/// The memory starts at a multiple of `ALIGN` bytes (16 unless asked for more) and of `T`'s own alignment, up to 1024.
///
/// # What is refused
/// Elements that need to be dropped, or have no size:
/// ```compile_fail,E0080
/// # use mirgpu_device::prelude::*;
/// let p = DynamicSharedArray::<Box<u32>>::get();
/// ```
/// ```compile_fail,E0080
/// # use mirgpu_device::prelude::*;
/// let p = DynamicSharedArray::<()>::get();
/// ```
pub struct DynamicSharedArray<T, const ALIGN: usize = 16>(PhantomData<UnsafeCell<T>>)
where
    Align<ALIGN>: Alignment;

impl<T, const ALIGN: usize> DynamicSharedArray<T, ALIGN>
where
    Align<ALIGN>: Alignment,
{
    const ALIGNMENT: usize = {
        assert!(!needs_drop::<T>(), "elements in shared memory are never dropped, so their type must not need it");
        assert!(size_of::<T>() != 0, "elements in shared memory have a size");
        let align = if ALIGN > align_of::<T>() { ALIGN } else { align_of::<T>() };
        let align = if align > 16 { align } else { 16 };
        assert!(align <= 1024, "shared memory is aligned to 1024 bytes at most");
        align
    };

    /// The alignment of the first byte.
    #[inline(always)]
    #[must_use]
    pub const fn alignment() -> usize {
        Self::ALIGNMENT
    }

    /// Bytes that the launch gave.
    #[inline(always)]
    #[must_use]
    pub fn size_in_bytes() -> usize {
        stubs::size() as usize
    }

    /// Elements of `T` that they hold.
    #[inline(always)]
    #[must_use]
    pub fn len() -> usize {
        Self::size_in_bytes() / size_of::<T>()
    }

    /// Whether not one element fits.
    #[inline(always)]
    #[must_use]
    pub fn is_empty() -> bool {
        Self::len() == 0
    }

    /// Pointer to the first element. Nothing is checked: [`len`](Self::len) elements lie there.
    #[inline(always)]
    #[must_use]
    pub fn get() -> *mut T {
        Self::get_raw().cast()
    }

    /// Pointer to the first byte.
    #[inline(always)]
    #[must_use]
    pub fn get_raw() -> *mut u8 {
        stubs::base(const { Self::ALIGNMENT as u32 })
    }

    /// Pointer to the element that starts `byte_offset` bytes from the beginning.
    ///
    /// # Panics
    /// If the offset lies beyond the launch's bytes or does not suit the alignment of `T`. What is reached from the pointer is not
    /// checked; [`slice`](Self::slice) checks it.
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn offset(byte_offset: usize) -> *mut T {
        assert!(byte_offset <= Self::size_in_bytes(), "offset beyond the launch's dynamic shared memory");
        assert!(
            byte_offset.is_multiple_of(align_of::<T>()),
            "offset into dynamic shared memory that does not suit the element's alignment"
        );
        Self::get_raw().wrapping_add(byte_offset).cast()
    }

    /// The `len` elements that start `byte_offset` bytes from the beginning. Every index into them is checked.
    ///
    /// # Panics
    /// If they reach beyond the launch's bytes, or the offset does not suit the alignment of `T`.
    ///
    /// # Safety
    /// For as long as any thread of the block uses the elements, here or through another slice or pointer over the same bytes:
    /// - an element is written, as a `T`, before it is read, and
    /// - between two barriers an element that one thread writes is touched by no other thread, unless by [atomics](crate::atomic).
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub unsafe fn slice(byte_offset: usize, len: usize) -> SharedSlice<T> {
        let first = Self::offset(byte_offset);
        let room = (Self::size_in_bytes() - byte_offset) / size_of::<T>();
        assert!(len <= room, "slice beyond the launch's dynamic shared memory");
        SharedSlice { first, len }
    }
}

/// Elements in the block's shared memory: what [`DynamicSharedArray::slice`] gives. A copy leads to the same elements.
///
/// It cannot be handed to another thread:
/// ```compile_fail,E0277
/// fn sendable<T: Send>() {}
/// sendable::<mirgpu_device::SharedSlice<u32>>();
/// ```
pub struct SharedSlice<T> {
    first: *mut T,
    len: usize,
}

impl<T> SharedSlice<T> {
    /// Number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Pointer to the first element.
    #[inline(always)]
    #[must_use]
    pub const fn as_mut_ptr(&self) -> *mut T {
        self.first
    }
}

impl<T> Copy for SharedSlice<T> {}

impl<T> Clone for SharedSlice<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Index<usize> for SharedSlice<T> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, index: usize) -> &T {
        // SAFETY: the elements lie in the launch's bytes; who made the slice has promised that this one is written and not being
        // written.
        unsafe { &(*slice_from_raw_parts_mut(self.first, self.len))[index] }
    }
}

impl<T> IndexMut<usize> for SharedSlice<T> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: usize) -> &mut T {
        // SAFETY: as above; who made the slice has promised that no other thread touches the element.
        unsafe { &mut (*slice_from_raw_parts_mut(self.first, self.len))[index] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[repr(align(64))]
    struct Wide(#[allow(dead_code, reason = "gives the type a size")] u32);

    #[test]
    fn the_alignment_is_the_stricter_one() {
        assert_eq!(DynamicSharedArray::<u8>::alignment(), 16);
        assert_eq!(DynamicSharedArray::<u8, 0>::alignment(), 16);
        assert_eq!(DynamicSharedArray::<f32, 128>::alignment(), 128);
        assert_eq!(DynamicSharedArray::<Wide>::alignment(), 64);
    }

    #[test]
    #[should_panic(expected = "`dynamic_shared::base` only runs in a kernel")]
    fn the_host_has_no_shared_memory() {
        let _ = DynamicSharedArray::<u32>::get();
    }

    #[test]
    fn indices_are_checked() {
        let mut memory = [1u32, 2, 3];
        let mut slice = SharedSlice { first: memory.as_mut_ptr(), len: 3 };
        slice[2] = 7;
        assert_eq!((slice[0], slice[2], slice.len(), slice.is_empty()), (1, 7, 3, false));
        let copy = slice;
        assert_eq!(copy.as_mut_ptr(), slice.as_mut_ptr());
        assert!(std::panic::catch_unwind(|| { SharedSlice { first: copy.as_mut_ptr(), len: 3 }[3] }).is_err());
    }
}
