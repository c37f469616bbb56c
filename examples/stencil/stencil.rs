// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A 3×3 stencil over an image: each pixel becomes the weighted sum of its neighbourhood. Beyond an edge lies the edge's own pixel.
#![no_std]

use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    /// One thread a pixel. `image` has rows of `width` pixels; `weights` are those of the rows above, of and below the pixel.
    #[kernel]
    pub fn stencil(image: &[f32], width: u32, weights: &[[f32; 3]; 3], mut out: DisjointSlice<f32>) {
        let i = thread::index_1d();
        let Some(pixel) = out.get_mut(i) else {
            return;
        };
        let width = width as usize;
        let height = image.len() / width;
        let (row, column) = (i.get() / width, i.get() % width);
        let mut sum = 0.0;
        for (dy, weights) in weights.iter().enumerate() {
            let y = neighbour(row, dy, height);
            for (dx, weight) in weights.iter().enumerate() {
                sum += weight * image[y * width + neighbour(column, dx, width)];
            }
        }
        *pixel = sum;
    }
}

/// The coordinate one below, at or one above `at` (for a `step` of 0, 1, 2), kept below `size`.
fn neighbour(at: usize, step: usize, size: usize) -> usize {
    (at + step).saturating_sub(1).min(size - 1)
}
