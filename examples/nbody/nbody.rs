// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Gravity among n bodies, each with each: once straight from memory, once by tiles that a block's threads share.
//!
//! Both kernels add up the bodies in their order, so their results are the same, bit for bit.

use mirgpu_device::prelude::*;

/// Threads in a block of `nbody_tiled`, and bodies in a tile.
const TILE: usize = 128;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Body {
    pub position: [f32; 3],
    pub mass: f32,
}

/// A body far away that pulls at nothing.
const NOTHING: Body = Body { position: [0.0; 3], mass: 0.0 };

#[gpu_module]
mod kernels {
    use super::*;

    /// `accelerations[i]` is what all bodies do to body `i`. `softening` is the square of a length that keeps close pairs finite.
    #[kernel]
    pub fn nbody(bodies: &[Body], softening: f32, mut accelerations: DisjointSlice<[f32; 3]>) {
        if let Some((acceleration, i)) = accelerations.get_mut_indexed() {
            let own = bodies[i.get()].position;
            let mut sum = [0.0; 3];
            for body in bodies {
                pull(&mut sum, own, body, softening);
            }
            *acceleration = sum;
        }
    }

    /// The same in blocks of 128 threads, which read each body from memory once a block.
    #[kernel]
    #[launch_bounds(128)]
    pub fn nbody_tiled(bodies: &[Body], softening: f32, mut accelerations: DisjointSlice<[f32; 3]>) {
        static mut BODIES: SharedArray<Body, TILE> = SharedArray::UNINIT;

        let (i, own) = (thread::index_1d(), thread::thread_idx_x() as usize);
        // Threads beyond the last body load tiles like all others.
        let position = bodies.get(i.get()).map_or([0.0; 3], |body| body.position);
        let mut sum = [0.0; 3];
        let mut first = 0;
        while first < bodies.len() {
            // SAFETY: each thread writes its own element, and the barrier below has ended all reads of the last tile.
            unsafe { BODIES[own] = bodies.get(first + own).copied().unwrap_or(NOTHING) };
            thread::sync_threads();
            let in_tile = TILE.min(bodies.len() - first);
            for k in 0..in_tile {
                // SAFETY: written before the barrier, and nobody writes before the next.
                pull(&mut sum, position, unsafe { &BODIES[k] }, softening);
            }
            thread::sync_threads();
            first += TILE;
        }
        if let Some(acceleration) = accelerations.get_mut(i) {
            *acceleration = sum;
        }
    }
}

/// Adds to `sum` what `body` does to one at `position`.
fn pull(sum: &mut [f32; 3], position: [f32; 3], body: &Body, softening: f32) {
    let [x, y, z] = [body.position[0] - position[0], body.position[1] - position[1], body.position[2] - position[2]];
    let square = x * x + y * y + z * z + softening;
    let factor = body.mass / (square * square.sqrt());
    sum[0] += x * factor;
    sum[1] += y * factor;
    sum[2] += z * factor;
}
