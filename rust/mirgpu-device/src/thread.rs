// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Which thread this is, and the barrier of its block.
//!
//! The `…_x`, `_y`, `_z` functions read the coordinates of the calling thread and the shape of the launch. [`index_1d`] and
//! [`index_2d`] make a [`ThreadIndex`] of them, with which a thread reaches its own element of a
//! [`DisjointSlice`](crate::DisjointSlice). Each name also exists in CUDA's spelling (`threadIdx_x`, …).
//!
//! ```no_run
//! use mirgpu_device::prelude::*;
//!
//! #[kernel]
//! pub fn coordinates(mut out: DisjointSlice<u32>) {
//!     let lane = thread::thread_idx_x();
//!     if let Some(cell) = out.get_mut(thread::index_1d()) {
//!         *cell = lane;
//!     }
//! }
//! ```

use core::fmt;
use core::marker::PhantomData;

mod stubs {
    crate::stub::stubs! { safe
        /// Index of the calling thread in its block, first dimension.
        fn thread_idx_x() -> u32 = "thread::thread_idx_x";
        /// Index of the calling thread in its block, second dimension.
        fn thread_idx_y() -> u32 = "thread::thread_idx_y";
        /// Index of the calling thread in its block, third dimension.
        fn thread_idx_z() -> u32 = "thread::thread_idx_z";
        /// Index of the calling thread's block in the grid, first dimension.
        fn block_idx_x() -> u32 = "thread::block_idx_x";
        /// Index of the calling thread's block in the grid, second dimension.
        fn block_idx_y() -> u32 = "thread::block_idx_y";
        /// Index of the calling thread's block in the grid, third dimension.
        fn block_idx_z() -> u32 = "thread::block_idx_z";
        /// Number of threads in a block, first dimension.
        fn block_dim_x() -> u32 = "thread::block_dim_x";
        /// Number of threads in a block, second dimension.
        fn block_dim_y() -> u32 = "thread::block_dim_y";
        /// Number of threads in a block, third dimension.
        fn block_dim_z() -> u32 = "thread::block_dim_z";
        /// Number of blocks in the grid, first dimension.
        fn grid_dim_x() -> u32 = "thread::grid_dim_x";
        /// Number of blocks in the grid, second dimension.
        fn grid_dim_y() -> u32 = "thread::grid_dim_y";
        /// Number of blocks in the grid, third dimension.
        fn grid_dim_z() -> u32 = "thread::grid_dim_z";
        /// Waits until every thread of the block has arrived, and orders memory: what any of them wrote before the barrier, each of
        /// them reads after it.
        ///
        /// Every thread of the block that has not ended has to arrive. A barrier that some threads pass by (`if` on the thread
        /// index, an early `return` before a later barrier in a helper) is a fault of the program: the CPU device reports it with the
        /// lines where the threads wait, a GPU may hang. It is never undefined behaviour in Rust's sense, which is why this is safe.
        fn sync_threads() = "thread::sync_threads";
    }
}

pub use stubs::{block_dim_x, block_dim_y, block_dim_z, block_idx_x, block_idx_y, block_idx_z};
pub use stubs::{grid_dim_x, grid_dim_y, grid_dim_z, sync_threads, thread_idx_x, thread_idx_y, thread_idx_z};

// CUDA's spelling, as cuda-oxide's device code has it.
#[doc(hidden)]
pub use stubs::{block_dim_x as blockDim_x, block_dim_y as blockDim_y, block_dim_z as blockDim_z};
#[doc(hidden)]
pub use stubs::{block_idx_x as blockIdx_x, block_idx_y as blockIdx_y, block_idx_z as blockIdx_z};
#[doc(hidden)]
pub use stubs::{grid_dim_x as gridDim_x, grid_dim_y as gridDim_y, grid_dim_z as gridDim_z};
#[doc(hidden)]
pub use stubs::{thread_idx_x as threadIdx_x, thread_idx_y as threadIdx_y, thread_idx_z as threadIdx_z};

mod sealed {
    pub trait Sealed {}
}

/// How a [`ThreadIndex`] was computed. A slice and the indices that reach into it have the same one, so that indices which could
/// collide do not mix. Implemented by [`Index1D`] and [`Index2D`] alone.
pub trait IndexSpace: sealed::Sealed + Sized {}

/// An [`IndexSpace`] whose index follows from the thread's coordinates alone.
pub trait IndexFormula: IndexSpace {
    /// The calling thread's index; `None` if it has no element in this space.
    #[doc(hidden)]
    fn of_this_thread<'kernel>() -> Option<ThreadIndex<'kernel, Self>>;
}

/// The index space of [`index_1d`].
pub enum Index1D {}

/// The index space of [`index_2d`]: rows of `ROW_STRIDE` elements.
pub enum Index2D<const ROW_STRIDE: usize> {}

impl sealed::Sealed for Index1D {}
impl IndexSpace for Index1D {}
impl IndexFormula for Index1D {
    #[inline(always)]
    fn of_this_thread<'kernel>() -> Option<ThreadIndex<'kernel, Self>> {
        Some(index_1d())
    }
}

impl<const ROW_STRIDE: usize> sealed::Sealed for Index2D<ROW_STRIDE> {}
impl<const ROW_STRIDE: usize> IndexSpace for Index2D<ROW_STRIDE> {}
impl<const ROW_STRIDE: usize> IndexFormula for Index2D<ROW_STRIDE> {
    #[inline(always)]
    fn of_this_thread<'kernel>() -> Option<ThreadIndex<'kernel, Self>> {
        index_2d::<ROW_STRIDE>()
    }
}

/// An index that no other thread of the launch holds: the right to one element of a [`DisjointSlice`](crate::DisjointSlice).
///
/// # Why it can be trusted
/// - It cannot be made from a number: only [`index_1d`] and [`index_2d`] make one, from coordinates that no code can change.
/// - It cannot reach another thread: it is neither `Send` nor `Sync`, so it cannot be stored where another thread finds it (a
///   `static mut`, a `SharedArray` or a raw pointer takes `unsafe`).
/// - It may be copied: a copy stays in the same thread, and a slice lends only one element at a time.
///
/// Two threads have the same index only if the launch does not fit the index space; see [`index_1d`].
///
/// ```compile_fail,E0423
/// let forged: mirgpu_device::ThreadIndex = mirgpu_device::ThreadIndex(3);
/// ```
/// ```compile_fail,E0277
/// fn sendable<T: Send>() {}
/// sendable::<mirgpu_device::ThreadIndex>();
/// ```
/// ```compile_fail,E0277
/// fn shareable<T: Sync>() {}
/// shareable::<mirgpu_device::ThreadIndex>();
/// ```
#[repr(transparent)]
pub struct ThreadIndex<'kernel, Space = Index1D> {
    raw: usize,
    marker: PhantomData<(NotSendNorSync, Invariant<&'kernel ()>, Invariant<Space>)>,
}

type NotSendNorSync = *mut ();
pub(crate) type Invariant<T> = fn(T) -> T;

impl<Space> ThreadIndex<'_, Space> {
    /// Invariant of every caller: no other thread of the launch gets `raw` in this `Space`.
    #[inline(always)]
    pub(crate) const fn new(raw: usize) -> Self {
        ThreadIndex { raw, marker: PhantomData }
    }

    /// The index as a number, to read other slices with.
    #[inline(always)]
    #[must_use]
    pub const fn get(&self) -> usize {
        self.raw
    }

    /// Whether the index lies in a slice of `len` elements.
    #[inline(always)]
    #[must_use]
    pub const fn in_bounds(&self, len: usize) -> bool {
        self.raw < len
    }
}

impl<Space> Copy for ThreadIndex<'_, Space> {}

impl<Space> Clone for ThreadIndex<'_, Space> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<Space> fmt::Debug for ThreadIndex<'_, Space> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ThreadIndex").field(&self.raw).finish()
    }
}

/// `block * dim + thread`, which fits: the largest value is (2^32 - 1)^2 + 2^32 - 1 < 2^64.
#[inline(always)]
const fn global(block: u32, dim: u32, thread: u32) -> usize {
    (block as usize).wrapping_mul(dim as usize).wrapping_add(thread as usize)
}

/// `row * stride + col` if the thread has a column of the row and the number fits, else `None`. One to one: from the result, `row` and
/// `col` follow by division, since `col < stride` and nothing wraps.
#[inline(always)]
const fn flatten(row: usize, col: usize, stride: usize) -> Option<usize> {
    // `stride` is a constant at every caller, and with it the last row whose elements have a number.
    let rows = match usize::MAX.checked_div(stride) {
        Some(rows) => rows,
        None => 0,
    };
    if col < stride && row < rows { Some(row.wrapping_mul(stride).wrapping_add(col)) } else { None }
}

/// Index of the calling thread in a one-dimensional launch: `block_idx_x * block_dim_x + thread_idx_x`, in 64 bits.
///
/// ```no_run
/// # use mirgpu_device::prelude::*;
/// #[kernel]
/// pub fn double(x: &[f32], mut y: DisjointSlice<f32>) {
///     let i = thread::index_1d();
///     if let Some(yi) = y.get_mut(i) {
///         *yi = 2.0 * x[i.get()];
///     }
/// }
/// ```
///
/// # The launch has to fit
/// Only the first dimension counts, so threads that differ in the others would share an index. A kernel that writes through a
/// one-dimensional `DisjointSlice` is therefore launched with one-dimensional blocks and grids; that is part of what a launch
/// promises (see [`DisjointSlice`](crate::DisjointSlice#what-a-launch-promises)).
#[inline(always)]
#[must_use]
pub fn index_1d<'kernel>() -> ThreadIndex<'kernel, Index1D> {
    ThreadIndex::new(global(block_idx_x(), block_dim_x(), thread_idx_x()))
}

/// Index of the calling thread in a two-dimensional launch over rows of `ROW_STRIDE` elements: `row * ROW_STRIDE + col`, or `None` for
/// a thread whose column lies beyond the row.
///
/// The stride is in the type: an index of one stride does not fit a slice of another.
///
/// ```no_run
/// # use mirgpu_device::prelude::*;
/// #[kernel]
/// pub fn transpose(x: &[f32], mut y: DisjointSlice<f32, Index2D<64>>) {
///     let (row, col) = (thread::index_2d_row(), thread::index_2d_col());
///     if let Some(cell) = thread::index_2d::<64>().and_then(|i| y.get_mut(i)) {
///         *cell = x[col * 64 + row];
///     }
/// }
/// ```
/// ```compile_fail,E0308
/// # use mirgpu_device::prelude::*;
/// fn mixed(mut y: DisjointSlice<f32, Index2D<64>>) {
///     let i = thread::index_2d::<128>().unwrap();
///     y.get_mut(i);
/// }
/// ```
#[inline(always)]
#[must_use]
pub fn index_2d<'kernel, const ROW_STRIDE: usize>() -> Option<ThreadIndex<'kernel, Index2D<ROW_STRIDE>>> {
    flatten(index_2d_row(), index_2d_col(), ROW_STRIDE).map(ThreadIndex::new)
}

/// Row of the calling thread in a two-dimensional launch: `block_idx_y * block_dim_y + thread_idx_y`, in 64 bits.
#[inline(always)]
#[must_use]
pub fn index_2d_row() -> usize {
    global(block_idx_y(), block_dim_y(), thread_idx_y())
}

/// Column of the calling thread in a two-dimensional launch: `block_idx_x * block_dim_x + thread_idx_x`, in 64 bits.
#[inline(always)]
#[must_use]
pub fn index_2d_col() -> usize {
    global(block_idx_x(), block_dim_x(), thread_idx_x())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_coordinates_do_not_wrap() {
        assert_eq!(global(u32::MAX, u32::MAX, u32::MAX), usize::MAX - (u32::MAX as usize));
        assert_eq!(global(16_777_216, 256, 7), (1 << 32) + 7);
    }

    #[test]
    fn flat_indices_are_one_to_one() {
        for stride in [1, 3, 7, 64] {
            let mut seen = std::collections::HashSet::new();
            for (row, col) in (0..8).flat_map(|row| (0..70).map(move |col| (row, col))) {
                match flatten(row, col, stride) {
                    Some(flat) => assert!(col < stride && flat == row * stride + col && seen.insert(flat)),
                    None => assert!(col >= stride),
                }
            }
        }
    }

    #[test]
    fn flat_indices_never_wrap() {
        assert_eq!(flatten(0, 0, 0), None);
        assert_eq!(flatten(0, 0, 1 << 63), Some(0));
        assert_eq!(flatten(2, 0, 1 << 63), None, "2 * 2^63 would wrap to 0, which is another thread's");
        assert_eq!(flatten(usize::MAX, 0, 2), None);
    }

    #[test]
    #[should_panic(expected = "`thread::sync_threads` only runs in a kernel")]
    fn a_stub_says_why_it_fails() {
        sync_threads();
    }

    #[test]
    fn an_index_is_its_number() {
        let index = ThreadIndex::<'_, Index1D>::new(5);
        let copy = index;
        assert_eq!((index.get(), copy.get()), (5, 5));
        assert!(index.in_bounds(6) && !index.in_bounds(5));
        assert_eq!(format!("{index:?}"), "ThreadIndex(5)");
        assert_eq!(size_of::<ThreadIndex>(), size_of::<usize>());
    }
}
