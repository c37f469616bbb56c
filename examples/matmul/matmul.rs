// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The product of two matrices by tiles in shared memory.
#![no_std]

use mirgpu_device::prelude::*;

/// Rows and columns of a tile, and of a block of threads.
const TILE: usize = 16;

#[gpu_module]
mod kernels {
    use super::*;

    /// `c = a * b`, all by rows: `a` has rows of `inner` elements, `b` and `c` of `columns`. Blocks of 16×16 threads, one for each
    /// (started) tile of `c`. Products are added up in the order of the inner index.
    #[kernel]
    #[launch_bounds(256)]
    pub fn matmul(a: &[f32], b: &[f32], inner: u32, columns: u32, mut c: DisjointSlice<f32>) {
        static mut A: SharedArray<f32, { TILE * TILE }> = SharedArray::UNINIT;
        static mut B: SharedArray<f32, { TILE * TILE }> = SharedArray::UNINIT;

        let (inner, columns) = (inner as usize, columns as usize);
        let (x, y) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
        let (row, column) = (thread::index_2d_row(), thread::index_2d_col());

        let mut sum = 0.0;
        for first in (0..inner).step_by(TILE) {
            // SAFETY: each thread writes its own element of the tiles, and the barrier below has ended all reads of the last ones.
            unsafe {
                A[y * TILE + x] = element(a, row, first + x, inner);
                B[y * TILE + x] = element(b, first + y, column, columns);
            }
            thread::sync_threads();
            for k in 0..TILE {
                // SAFETY: written before the barrier, and nobody writes before the next.
                sum += unsafe { A[y * TILE + k] * B[k * TILE + x] };
            }
            thread::sync_threads();
        }
        let to = row * columns + column;
        if column < columns && to < c.len() {
            // SAFETY: in bounds, and no other thread has this row and column.
            unsafe { *c.get_unchecked_mut(to) = sum };
        }
    }
}

/// The element of a matrix with rows of `columns` elements; 0, which adds nothing to a sum, outside of it.
fn element(matrix: &[f32], row: usize, column: usize, columns: usize) -> f32 {
    if column < columns { matrix.get(row * columns + column).copied().unwrap_or(0.0) } else { 0.0 }
}
