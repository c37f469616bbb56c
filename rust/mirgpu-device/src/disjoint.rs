// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The slice that all threads of a launch write, each its own element.
//!
//! Maps from: a kernel parameter (pointer, length). To: one `&mut T` per thread. Invariant: safe code reaches an element only with a
//! `ThreadIndex` of the slice's own index space, which one thread of the launch holds.

use core::marker::PhantomData;
use core::ptr::NonNull;

use crate::thread::{Index1D, IndexFormula, IndexSpace, Invariant, ThreadIndex};

/// A slice that every thread of a launch holds and of which each thread may write the element of its own index.
///
/// `&mut [T]` cannot be a parameter of a safe kernel, since all threads would hold it at once. A `DisjointSlice` can: each thread has a
/// copy of pointer and length, and [`get_mut`](Self::get_mut) asks for a [`ThreadIndex`], of which no two threads have the same.
///
/// ```no_run
/// use mirgpu_device::prelude::*;
///
/// #[kernel]
/// pub fn saxpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
///     let i = thread::index_1d();
///     if let Some(yi) = y.get_mut(i) {
///         *yi += a * x[i.get()];
///     }
/// }
/// ```
///
/// An element that is not the thread's own (one result for each block, a histogram) is reached with
/// [`get_unchecked_mut`](Self::get_unchecked_mut) or [`as_mut_ptr`](Self::as_mut_ptr), both of which leave the proof to you.
///
/// # What a launch promises
/// The value is made by a launch, so a launch vouches for what [`from_raw_parts`](Self::from_raw_parts) asks for, above all:
/// - its shape fits the index space: one dimension for [`Index1D`], at most two for [`Index2D`](crate::thread::Index2D);
/// - the elements are plain data that any thread may take over (no `ThreadIndex`, no `Cell` shared elsewhere);
/// - no `&[T]` of the same launch overlaps it. Two `DisjointSlice` may overlap only in a kernel that never holds an element of both
///   at once.
#[cfg_attr(mirgpu, mirgpu_tool::lang("disjoint_slice"))]
#[repr(C)]
pub struct DisjointSlice<'a, T, Space: IndexSpace = Index1D> {
    // Never null, also if empty: the caller of `get_mut` is spared a test.
    ptr: NonNull<T>,
    len: usize,
    marker: PhantomData<(&'a mut [T], Invariant<Space>)>,
}

// The launch passes pointer and length, nothing else.
const _: () = assert!(size_of::<DisjointSlice<'static, u8>>() == 16 && align_of::<DisjointSlice<'static, u8>>() == 8);

impl<'a, T, Space: IndexSpace> DisjointSlice<'a, T, Space> {
    /// A slice over `len` elements at `ptr`.
    ///
    /// # Safety
    /// For all of `'a`:
    /// - `ptr` is not null (also if `len` is 0), aligned, and valid for reads and writes of `len` initialised elements, together at
    ///   most `isize::MAX` bytes;
    /// - nothing else reads or writes them, except through slices made for the other threads of the same launch;
    /// - the threads that use such slices have different indices in `Space`, and may take over values of `T` from one another.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_raw_parts(ptr: *mut T, len: usize) -> Self {
        // SAFETY: the caller's.
        DisjointSlice { ptr: unsafe { NonNull::new_unchecked(ptr) }, len, marker: PhantomData }
    }

    /// A slice over the elements of `slice`.
    ///
    /// # Safety
    /// As for [`from_raw_parts`](Self::from_raw_parts): the threads that use such slices have different indices in `Space`.
    #[inline(always)]
    #[must_use]
    pub const unsafe fn from_mut_slice(slice: &'a mut [T]) -> Self {
        // SAFETY: `slice` is valid and exclusive for 'a; the rest is the caller's.
        unsafe { Self::from_raw_parts(slice.as_mut_ptr(), slice.len()) }
    }

    /// Number of elements.
    #[inline(always)]
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The element of the calling thread; `None` if `index` lies beyond the end.
    #[inline(always)]
    pub const fn get_mut(&mut self, index: ThreadIndex<'_, Space>) -> Option<&mut T> {
        let i = index.get();
        if i < self.len {
            // SAFETY: in bounds; no other thread has this index (invariant of ThreadIndex, kept by the launch), and in this thread
            // the element is borrowed from `self`.
            Some(unsafe { self.ptr.add(i).as_mut() })
        } else {
            None
        }
    }

    /// The element at `index`, whoever's it is.
    ///
    /// # Safety
    /// `index < self.len()`, and while the reference lives no other thread reads or writes the element.
    ///
    /// ```no_run
    /// # use mirgpu_device::prelude::*;
    /// # fn block_sum(mut sums: DisjointSlice<f32>, sum: f32) {
    /// let block = thread::block_idx_x() as usize;
    /// if thread::thread_idx_x() == 0 && block < sums.len() {
    ///     // SAFETY: in bounds, and one thread of each block comes here.
    ///     unsafe { *sums.get_unchecked_mut(block) = sum };
    /// }
    /// # }
    /// ```
    #[inline(always)]
    pub const unsafe fn get_unchecked_mut(&mut self, index: usize) -> &mut T {
        debug_assert!(index < self.len, "index of a DisjointSlice out of bounds");
        // SAFETY: the caller's.
        unsafe { self.ptr.add(index).as_mut() }
    }

    /// Pointer to the first element, for atomics and for accesses that other threads make too.
    #[inline(always)]
    #[must_use]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.ptr.as_ptr()
    }
}

impl<T, Space: IndexFormula> DisjointSlice<'_, T, Space> {
    /// The element of the calling thread together with its index; `None` if the thread has none.
    ///
    /// ```no_run
    /// # use mirgpu_device::prelude::*;
    /// #[kernel]
    /// pub fn add(a: &[f32], b: &[f32], mut c: DisjointSlice<f32>) {
    ///     if let Some((ci, i)) = c.get_mut_indexed() {
    ///         *ci = a[i.get()] + b[i.get()];
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn get_mut_indexed<'kernel>(&mut self) -> Option<(&mut T, ThreadIndex<'kernel, Space>)> {
        let index = Space::of_this_thread()?;
        Some((self.get_mut(index)?, index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thread::Index2D;

    #[test]
    fn an_element_is_found_by_index() {
        let mut data = [1, 2, 3];
        // SAFETY: one thread, so its indices are its own.
        let mut slice: DisjointSlice<'_, i32> = unsafe { DisjointSlice::from_mut_slice(&mut data) };
        assert_eq!((slice.len(), slice.is_empty()), (3, false));
        *slice.get_mut(ThreadIndex::new(2)).unwrap() += 40;
        assert!(slice.get_mut(ThreadIndex::new(3)).is_none());
        assert!(slice.get_mut(ThreadIndex::new(usize::MAX)).is_none());
        // SAFETY: in bounds.
        unsafe { *slice.get_unchecked_mut(0) = 10 };
        // SAFETY: in bounds.
        unsafe { *slice.as_mut_ptr().add(1) = 20 };
        assert_eq!(data, [10, 20, 43]);
    }

    #[test]
    fn zero_sized_elements_and_other_spaces() {
        // SAFETY: no memory is behind a `()`.
        let mut slice: DisjointSlice<'_, (), Index2D<4>> = unsafe { DisjointSlice::from_raw_parts(core::ptr::dangling_mut(), 2) };
        assert!(slice.get_mut(ThreadIndex::new(1)).is_some() && slice.get_mut(ThreadIndex::new(2)).is_none());
    }

    #[test]
    #[should_panic(expected = "only runs in a kernel")]
    fn the_index_of_this_thread_needs_a_kernel() {
        let mut data = [0u8; 4];
        // SAFETY: one thread.
        let mut slice: DisjointSlice<'_, u8> = unsafe { DisjointSlice::from_mut_slice(&mut data) };
        let _ = slice.get_mut_indexed();
    }
}
