// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! ../loops.rs without bounds checks, to measure.
//!
//! SAFETY of all: the host gives slices that are long enough.
#![no_std]
use mirgpu_device::prelude::*;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Body {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub m: f32,
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn dot_rows(a: &[f32], x: &[f32], n: usize, mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        let Some(o) = y.get_mut(i) else { return };
        let row = i.get() * n;
        let mut s = 0.0;
        for k in 0..n {
            s += unsafe { a.get_unchecked(row + k) * x.get_unchecked(k) };
        }
        *o = s;
    }

    #[kernel]
    pub fn matmul(a: &[f32], b: &[f32], n: usize, mut c: DisjointSlice<f32>) {
        let i = thread::index_1d();
        let Some(o) = c.get_mut(i) else { return };
        let (row, col) = (i.get() / n, i.get() % n);
        let mut s = 0.0;
        for k in 0..n {
            s += unsafe { a.get_unchecked(row * n + k) * b.get_unchecked(k * n + col) };
        }
        *o = s;
    }

    #[kernel]
    pub fn nbody(bodies: &[Body], mut acc: DisjointSlice<[f32; 3]>) {
        let i = thread::index_1d();
        let Some(o) = acc.get_mut(i) else { return };
        let me = unsafe { *bodies.get_unchecked(i.get()) };
        let mut a = [0.0f32; 3];
        for other in bodies {
            let d = [other.x - me.x, other.y - me.y, other.z - me.z];
            let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            let inv = other.m / (r2 * r2);
            for j in 0..3 {
                a[j] += d[j] * inv;
            }
        }
        *o = a;
    }

    #[kernel]
    pub fn mandel(w: u32, limit: u32, mut out: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let Some(o) = out.get_mut(i) else { return };
        let (px, py) = (i.get() as u32 % w, i.get() as u32 / w);
        let (cx, cy) = (px as f32 * 0.001 - 2.0, py as f32 * 0.001 - 1.0);
        let (mut x, mut y, mut n) = (0.0f32, 0.0f32, 0);
        while n < limit && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            n += 1;
        }
        *o = n;
    }

    #[kernel]
    pub fn kmeans(points: &[[f32; 2]], centers: &[[f32; 2]], mut label: DisjointSlice<u32>) {
        let i = thread::index_1d();
        let Some(o) = label.get_mut(i) else { return };
        let p = unsafe { *points.get_unchecked(i.get()) };
        let (mut best, mut at) = (f32::MAX, 0);
        for (k, c) in centers.iter().enumerate() {
            let (dx, dy) = (p[0] - c[0], p[1] - c[1]);
            let d = dx * dx + dy * dy;
            if d < best {
                best = d;
                at = k as u32;
            }
        }
        *o = at;
    }

    #[kernel]
    pub fn gridstride(x: &[f32], mut sums: DisjointSlice<f32>) {
        let mut s = 0.0;
        let mut i = thread::index_1d().get();
        let stride = thread::block_dim_x() as usize * thread::grid_dim_x() as usize;
        while i < x.len() {
            s += unsafe { *x.get_unchecked(i) };
            i += stride;
        }
        if let Some(o) = sums.get_mut(thread::index_1d()) {
            *o = s;
        }
    }

    #[kernel]
    pub fn stencil_rows(x: &[f32], w: usize, h: usize, mut y: DisjointSlice<f32>) {
        let i = thread::index_1d();
        let Some(o) = y.get_mut(i) else { return };
        let (r, c) = (i.get() / w, i.get() % w);
        let mut s = 0.0;
        for dr in 0..3 {
            for dc in 0..3 {
                let (rr, cc) = (r + dr, c + dc);
                if rr >= 1 && rr <= h && cc >= 1 && cc <= w {
                    s += unsafe { *x.get_unchecked((rr - 1) * w + cc - 1) };
                }
            }
        }
        *o = s / 9.0;
    }

    #[kernel]
    pub fn tiled(a: &[f32], b: &[f32], n: usize, mut c: DisjointSlice<f32>) {
        static mut A: SharedArray<f32, 256> = SharedArray::UNINIT;
        static mut B: SharedArray<f32, 256> = SharedArray::UNINIT;
        let (at_a, at_b) = unsafe { (SharedArray::as_raw_mut_ptr(&raw mut A), SharedArray::as_raw_mut_ptr(&raw mut B)) };
        let (tx, ty) = (thread::thread_idx_x() as usize, thread::thread_idx_y() as usize);
        let row = thread::block_idx_y() as usize * 16 + ty;
        let col = thread::block_idx_x() as usize * 16 + tx;
        let mut s = 0.0;
        for t in 0..n / 16 {
            unsafe {
                *at_a.add(ty * 16 + tx) = *a.get_unchecked(row * n + t * 16 + tx);
                *at_b.add(ty * 16 + tx) = *b.get_unchecked((t * 16 + ty) * n + col);
            }
            thread::sync_threads();
            for k in 0..16 {
                s += unsafe { *at_a.add(ty * 16 + k) * *at_b.add(k * 16 + tx) };
            }
            thread::sync_threads();
        }
        let at = row * n + col;
        if at < c.len() {
            unsafe { *c.get_unchecked_mut(at) = s };
        }
    }
}
