// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Transposes a matrix by tiles in shared memory, so that rows are read and written as wholes.
#![no_std]

use mirgpu_device::prelude::*;

/// Rows and columns of a tile.
const TILE: usize = 32;
/// Rows that a block has threads for; each thread moves TILE / ROWS elements of its column.
const ROWS: usize = 8;
/// Elements between two rows of the tile: one more than it has columns, so that the elements of a column lie in different banks.
const STRIDE: usize = TILE + 1;

#[gpu_module]
mod kernels {
    use super::*;

    /// `out` is `input`, of `rows` times `columns`, with rows and columns exchanged. Blocks of 32×8 threads, one for each (started)
    /// 32×32 tile.
    #[kernel]
    #[launch_bounds(256)]
    pub fn transpose(input: &[f32], rows: u32, columns: u32, mut out: DisjointSlice<f32>) {
        static mut CELLS: SharedArray<f32, { TILE * STRIDE }> = SharedArray::UNINIT;

        let (rows, columns) = (rows as usize, columns as usize);
        let (x, y) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
        let (left, top) = (thread::block_idx_x() as usize * TILE, thread::block_idx_y() as usize * TILE);

        for j in (y..TILE).step_by(ROWS) {
            if top + j < rows && left + x < columns {
                // SAFETY: no other thread of the block has this column and row of the tile.
                unsafe { CELLS[j * STRIDE + x] = input[(top + j) * columns + left + x] };
            }
        }
        thread::sync_threads();
        for j in (y..TILE).step_by(ROWS) {
            let (row, column) = (left + j, top + x);
            let to = row * rows + column;
            if row < columns && column < rows && to < out.len() {
                // SAFETY: in bounds; the pair of row and column is this thread's alone, and its cell was written before the barrier,
                // under the same condition.
                unsafe { *out.get_unchecked_mut(to) = CELLS[x * STRIDE + j] };
            }
        }
    }
}
