// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What `./dev bench cpu` measures against bench/cpu_peers.cpp: kernels without barriers, each as one would write it first.
#![no_std]
use mirgpu_device::prelude::*;

#[gpu_module]
mod kernels {
    use super::*;

    #[kernel]
    pub fn vecadd(a: &[f32], b: &[f32], mut c: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(ci) = c.get_mut(i) {
            *ci = a[i.get()] + b[i.get()];
        }
    }

    #[kernel]
    pub fn saxpy(a: f32, x: &[f32], mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        if let Some(yi) = y.get_mut(i) {
            *yi += a * x[i.get()];
        }
    }

    /// The mean of each inner pixel's neighbourhood; a row of blocks for each row of the image.
    #[kernel]
    pub fn stencil(image: &[f32], width: u32, height: u32, mut out: DisjointSlice<f32>) {
        let (x, y) = (thread::block_idx_x() * thread::block_dim_x() + thread::thread_idx_x(), thread::block_idx_y());
        if x == 0 || y == 0 || x + 1 >= width || y + 1 >= height {
            return;
        }
        let (x, y, width) = (x as usize, y as usize, width as usize);
        let mut sum = 0.0;
        for row in y - 1..y + 2 {
            for column in x - 1..x + 2 {
                sum += image[row * width + column];
            }
        }
        let at = y * width + x;
        if at < out.len() {
            // SAFETY: a thread for each pixel, within bounds.
            unsafe { *out.get_unchecked_mut(at) = sum * (1.0 / 9.0) };
        }
    }

    #[kernel]
    pub fn mandelbrot(width: u32, scale: f32, limit: u32, mut steps: DisjointSlice<u32>) {
        let i = thread::index_1d();
        if let Some(out) = steps.get_mut(i) {
            let (row, column) = (i.get() as u32 / width, i.get() as u32 % width);
            let (re, im) = (column as f32 * scale - 2.0, row as f32 * scale - 1.0);
            let (mut x, mut y, mut count) = (0.0f32, 0.0f32, 0);
            while count < limit && x * x + y * y <= 4.0 {
                (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
                count += 1;
            }
            *out = count;
        }
    }

    /// What all bodies (x, y, z, mass) do to each.
    #[kernel]
    pub fn nbody(bodies: &[[f32; 4]], mut forces: DisjointSlice<[f32; 4]>) {
        let i = thread::index_1d();
        if let Some(out) = forces.get_mut(i) {
            let own = bodies[i.get()];
            let mut sum = [0.0f32; 4];
            for body in bodies {
                let (x, y, z) = (body[0] - own[0], body[1] - own[1], body[2] - own[2]);
                let square = x * x + y * y + z * z + 0.01;
                let factor = body[3] / (square * square);
                sum[0] += x * factor;
                sum[1] += y * factor;
                sum[2] += z * factor;
            }
            *out = sum;
        }
    }
}
