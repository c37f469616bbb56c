// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The Mandelbrot set: how many steps of `z = z² + c` stay within distance 2 of the origin, for each point of a grid.
#![no_std]

use mirgpu_device::prelude::*;

/// The part of the plane that is drawn.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Area {
    /// The lower left corner.
    pub left: f32,
    pub bottom: f32,
    /// The distance between points.
    pub step: f32,
    /// Points in a row.
    pub width: u32,
}

#[gpu_module]
mod kernels {
    use super::*;

    /// One thread a point: `steps[i]` is the number of steps, at most `limit`.
    #[kernel]
    pub fn mandelbrot(area: Area, limit: u32, mut steps: DisjointSlice<u32>) {
        if let Some((steps, i)) = steps.get_mut_indexed() {
            let (row, column) = (i.get() as u32 / area.width, i.get() as u32 % area.width);
            let re = area.left + column as f32 * area.step;
            let im = area.bottom + row as f32 * area.step;
            *steps = escape_steps(re, im, limit);
        }
    }
}

/// Steps until the point leaves the circle of radius 2, or `limit`.
fn escape_steps(re: f32, im: f32, limit: u32) -> u32 {
    let (mut x, mut y) = (0.0f32, 0.0f32);
    let mut steps = 0;
    while steps < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        steps += 1;
    }
    steps
}
