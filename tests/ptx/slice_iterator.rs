// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slice iterator is a counted loop, also where the slice is known not to be empty: no select on the way from one element to the next,
// four elements a turn.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - | %FileCheck %s
// CHECK-LABEL: .entry pull(
// CHECK-NOT: selp.b64
// CHECK-COUNT-4: div.rn.f32
// CHECK-NOT: selp.b64
#![no_std]
use mirgpu_device::prelude::*;

#[derive(Clone, Copy)]
pub struct Body {
    place: [f32; 3],
    mass: f32,
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn pull(bodies: &[Body], mut pulls: DisjointSlice<[f32; 3]>) {
        let i = thread::index_1d();
        let Some(pull) = pulls.get_mut(i) else { return };
        let own = bodies[i.get()];
        let mut sum = [0.0f32; 3];
        for other in bodies {
            let away = [
                other.place[0] - own.place[0],
                other.place[1] - own.place[1],
                other.place[2] - own.place[2],
            ];
            let square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + 0.01;
            let strength = other.mass / (square * square);
            for j in 0..3 {
                sum[j] += away[j] * strength;
            }
        }
        *pull = sum;
    }
}
