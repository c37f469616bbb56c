// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Coroutines as state machines: coroutines that yield and take values, `gen` blocks, async functions polled by hand, one within another.
// REFERENCE: compute input=[3000000007,4000000001,12345,77,9] out=9
// REQUIRES: exporter
// RUN: env RUSTC_BOOTSTRAP=1 %mirgpu export %s -o %t.mir.json
// RUN: %mirgpu run %t.mir.json --kernel work --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,77,9] --arg out=u32[9]:zeros --print out | %FileCheck %s
// RUN: %mirgpu run %t.mir.json --kernel work -O0 --grid 1 --block 1 --arg input=u32:[3000000007,4000000001,12345,77,9] --arg out=u32[9]:zeros --print out | %FileCheck %s
// RUN: %not 1 %mirgpu run %t.mir.json --kernel finished --grid 1 --block 1 --arg out=u32[1]:zeros 2>&1 | %FileCheck %s --check-prefix=FINISHED
// RUN: %mirgpu compile %t.mir.json --target=sm_75,sm_90,gfx90a,gfx1100 -o %t
// RUN: %mirgpu compile %t.mir.json --target=sm_90,gfx1100 -O0 -o %t
// FINISHED: panicked at coroutines.rs:{{[0-9:]+}}: coroutine resumed after completion
// CHECK: out = [719145699, 13, 2574630753, 5241, 11, 5, 0, 4, 2]
#![no_std]
#![feature(coroutines, coroutine_trait, stmt_expr_attributes, gen_blocks)]
use core::future::Future;
use core::ops::{Coroutine, CoroutineState};
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};
use mirgpu_device::prelude::*;

/// Keeps a borrow, an array and a drop flag over its yields.
fn rounds(x: &[u32]) -> (u32, usize) {
    let mut machine = pin!(#[coroutine] move |first: u32| {
        let mut seen = [first; 4];
        let mut i = 0;
        for v in x {
            let more: u32 = yield seen[i % 4] ^ v;
            seen[i % 4] = seen[i % 4].rotate_left(more % 32) ^ more;
            i += 1;
        }
        seen.len() + seen[3] as usize % 100
    });
    let (mut all, mut give) = (1u32, 3u32);
    loop {
        match machine.as_mut().resume(give) {
            CoroutineState::Yielded(v) => {
                all = all.wrapping_mul(31) ^ v;
                give = give.wrapping_add(v);
            }
            CoroutineState::Complete(n) => return (all, n),
        }
    }
}

fn generated(x: &[u32]) -> u32 {
    let squares = gen {
        for &v in x {
            if v % 2 == 1 {
                yield v.wrapping_mul(v);
            }
            yield v;
        }
    };
    squares.into_iter().fold(7, |h, v| h * 5 ^ v)
}

/// Ready at the third poll.
struct Third(u32, u32);
impl Future for Third {
    type Output = u32;
    fn poll(mut self: Pin<&mut Self>, _: &mut Context) -> Poll<u32> {
        self.0 += 1;
        if self.0 == 3 { Poll::Ready(self.1) } else { Poll::Pending }
    }
}

struct Counts<'a>(&'a mut u32);
impl Drop for Counts<'_> {
    fn drop(&mut self) {
        *self.0 += 1;
    }
}

async fn inner(v: u32, dropped: &mut u32) -> u32 {
    let guard = Counts(dropped);
    let got = Third(0, v).await;
    drop(guard);
    got ^ 5
}

async fn outer(x: &[u32], dropped: &mut u32) -> u32 {
    let mut sum = 0u32;
    for &v in x {
        sum = sum.wrapping_add(inner(v, dropped).await);
        if let Some(half) = (async || v.checked_sub(1000))().await {
            sum ^= half;
        }
    }
    sum
}

fn polled(x: &[u32], limit: u32) -> (u32, u32, u32) {
    let (mut polls, mut dropped) = (0, 0);
    let mut context = Context::from_waker(Waker::noop());
    let value = {
        let mut future = pin!(outer(x, &mut dropped));
        loop {
            if polls == limit {
                break 0; // dropped in the middle
            }
            polls += 1;
            if let Poll::Ready(v) = future.as_mut().poll(&mut context) {
                break v;
            }
        }
    };
    (value, polls, dropped)
}

pub fn compute(x: &[u32], out: &mut [u32]) {
    let (all, n) = rounds(x);
    (out[0], out[1]) = (all, n as u32);
    out[2] = generated(x);
    (out[3], out[4], out[5]) = polled(x, 1000);
    (out[6], out[7], out[8]) = polled(x, 4);
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn work(input: &[u32], mut out: DisjointSlice<u32>) {
        let n = out.len();
        if thread::index_1d().get() == 0 {
            // SAFETY: one thread has all of it.
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), n) });
        }
    }
    #[kernel]
    pub fn finished(mut out: DisjointSlice<u32>) {
        let mut machine = pin!(#[coroutine] || {
            yield 1u32;
        });
        for _ in 0..4 {
            if let CoroutineState::Yielded(v) = machine.as_mut().resume(()) {
                // SAFETY: one thread has all of it.
                unsafe { *out.as_mut_ptr() = v };
            }
        }
    }
}
