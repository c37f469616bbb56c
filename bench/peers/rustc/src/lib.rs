// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Kernels for rustc's own nvptx64-nvidia-cuda target, with bounds checks: the bodies of the examples and of `../loops.rs`, with slices
//! made from pointer and length, since that target passes a slice as one aggregate. A panic is a trap. Names are `EXAMPLE_KERNEL`.
#![no_std]
#![feature(abi_ptx, stdarch_nvptx)]
#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

use core::arch::nvptx::{_block_dim_x, _block_idx_x, _grid_dim_x, _thread_idx_x};
use core::slice::from_raw_parts;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: ends the thread.
    unsafe { core::arch::nvptx::trap() }
}

fn index() -> usize {
    // SAFETY: special registers.
    unsafe { _block_idx_x() as usize * _block_dim_x() as usize + _thread_idx_x() as usize }
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Body {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub m: f32,
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn vecadd_vecadd(a: *const f32, al: usize, b: *const f32, bl: usize, c: *mut f32, cl: usize) {
    let (a, b) = unsafe { (from_raw_parts(a, al), from_raw_parts(b, bl)) };
    let i = index();
    if i < cl {
        unsafe { *c.add(i) = a[i] + b[i] };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn saxpy_saxpy(a: f32, x: *const f32, xl: usize, y: *mut f32, yl: usize) {
    let x = unsafe { from_raw_parts(x, xl) };
    let i = index();
    if i < yl {
        unsafe { *y.add(i) += a * x[i] };
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_dot_rows(
    a: *const f32,
    al: usize,
    x: *const f32,
    xl: usize,
    n: usize,
    y: *mut f32,
    yl: usize,
) {
    let (a, x) = unsafe { (from_raw_parts(a, al), from_raw_parts(x, xl)) };
    let i = index();
    if i >= yl {
        return;
    }
    let mut s = 0.0;
    for k in 0..n {
        s += a[i * n + k] * x[k];
    }
    unsafe { *y.add(i) = s };
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_matmul(
    a: *const f32,
    al: usize,
    b: *const f32,
    bl: usize,
    n: usize,
    c: *mut f32,
    cl: usize,
) {
    let (a, b) = unsafe { (from_raw_parts(a, al), from_raw_parts(b, bl)) };
    let i = index();
    if i >= cl {
        return;
    }
    let (row, col) = (i / n, i % n);
    let mut s = 0.0;
    for k in 0..n {
        s += a[row * n + k] * b[k * n + col];
    }
    unsafe { *c.add(i) = s };
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_nbody(bodies: *const Body, bl: usize, acc: *mut [f32; 3], al: usize) {
    let bodies = unsafe { from_raw_parts(bodies, bl) };
    let i = index();
    if i >= al {
        return;
    }
    let me = bodies[i];
    let mut a = [0.0f32; 3];
    for other in bodies {
        let d = [other.x - me.x, other.y - me.y, other.z - me.z];
        let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
        let inv = other.m / (r2 * r2);
        for j in 0..3 {
            a[j] += d[j] * inv;
        }
    }
    unsafe { *acc.add(i) = a };
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_mandel(w: u32, limit: u32, out: *mut u32, len: usize) {
    let i = index();
    if i >= len {
        return;
    }
    let (px, py) = (i as u32 % w, i as u32 / w);
    let (cx, cy) = (px as f32 * 0.001 - 2.0, py as f32 * 0.001 - 1.0);
    let (mut x, mut y, mut n) = (0.0f32, 0.0f32, 0);
    while n < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        n += 1;
    }
    unsafe { *out.add(i) = n };
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_kmeans(
    points: *const [f32; 2],
    pl: usize,
    centers: *const [f32; 2],
    cl: usize,
    label: *mut u32,
    ll: usize,
) {
    let (points, centers) = unsafe { (from_raw_parts(points, pl), from_raw_parts(centers, cl)) };
    let i = index();
    if i >= ll {
        return;
    }
    let p = points[i];
    let (mut best, mut at) = (f32::MAX, 0);
    for (k, c) in centers.iter().enumerate() {
        let (dx, dy) = (p[0] - c[0], p[1] - c[1]);
        let d = dx * dx + dy * dy;
        if d < best {
            best = d;
            at = k as u32;
        }
    }
    unsafe { *label.add(i) = at };
}

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn loops_gridstride(x: *const f32, xl: usize, sums: *mut f32, sl: usize) {
    let x = unsafe { from_raw_parts(x, xl) };
    let mut s = 0.0;
    let mut i = index();
    let stride = unsafe { _block_dim_x() as usize * _grid_dim_x() as usize };
    while i < x.len() {
        s += x[i];
        i += stride;
    }
    if index() < sl {
        unsafe { *sums.add(index()) = s };
    }
}
