// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! One step of k-means clustering in the plane: each point is given to the nearest centre, then each centre moves to the mean of its
//! points. Sums are taken in a fixed order, so that the result is the same on every device.
#![no_std]

use mirgpu_device::prelude::*;

/// Threads in a block of `kmeans_update`.
const THREADS: usize = 128;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Point {
    pub x: f32,
    pub y: f32,
}

/// Points added up.
#[derive(Clone, Copy)]
struct Sum {
    x: f32,
    y: f32,
    count: u32,
}

#[gpu_module]
mod kernels {
    use super::*;

    /// `labels[i]` is the index of the centre nearest to `points[i]`, the first of several.
    #[kernel]
    pub fn kmeans_assign(points: &[Point], centres: &[Point], mut labels: DisjointSlice<u32>) {
        if let Some((label, i)) = labels.get_mut_indexed() {
            *label = nearest(points[i.get()], centres);
        }
    }

    /// Moves each centre to the mean of the points with its label; one without points stays. A block of 128 threads a centre.
    #[kernel]
    #[launch_bounds(128)]
    pub fn kmeans_update(points: &[Point], labels: &[u32], mut centres: DisjointSlice<Point>) {
        static mut SUMS: SharedArray<Sum, THREADS> = SharedArray::UNINIT;

        let (own, centre) = (thread::thread_idx_x() as usize, thread::block_idx_x());
        let mut sum = Sum { x: 0.0, y: 0.0, count: 0 };
        for i in (own..points.len()).step_by(THREADS) {
            if labels[i] == centre {
                sum.x += points[i].x;
                sum.y += points[i].y;
                sum.count += 1;
            }
        }
        // SAFETY: each thread writes its own element.
        unsafe { SUMS[own] = sum };
        let mut distance = THREADS / 2;
        while distance > 0 {
            thread::sync_threads();
            if own < distance {
                // SAFETY: between two barriers, `own` is this thread's alone, and nobody writes `own + distance`.
                unsafe {
                    let other = SUMS[own + distance];
                    let mine = &mut SUMS[own];
                    mine.x += other.x;
                    mine.y += other.y;
                    mine.count += other.count;
                }
            }
            distance /= 2;
        }
        if own == 0 && (centre as usize) < centres.len() {
            // SAFETY: this thread wrote the first sum; the centre is in bounds and this block's alone.
            unsafe {
                let Sum { x, y, count } = SUMS[0];
                if count > 0 {
                    *centres.get_unchecked_mut(centre as usize) = Point { x: x / count as f32, y: y / count as f32 };
                }
            }
        }
    }
}

/// The index of the first centre with the least distance.
fn nearest(point: Point, centres: &[Point]) -> u32 {
    let (mut best, mut least) = (0, f32::INFINITY);
    for (k, centre) in centres.iter().enumerate() {
        let (dx, dy) = (point.x - centre.x, point.y - centre.y);
        let square = dx * dx + dy * dy;
        if square < least {
            (best, least) = (k as u32, square);
        }
    }
    best
}
