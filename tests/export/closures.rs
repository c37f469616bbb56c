// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closures by value and by reference, FnOnce shims, generic functions, iterators, const generics, array and slice patterns.
// has: "shim":"closure_once"
// has: closures::sum<5>
// has: "name":"atomic_xadd"
// has: {"const":"3"
// has: "subslice"
#![no_std]

#[inline(never)]
fn twice<F: Fn(u32) -> u32>(f: F, x: u32) -> u32 {
    f(f(x))
}

#[inline(never)]
fn once(f: impl FnOnce() -> u32) -> u32 {
    f()
}

#[inline(never)]
fn sum<const N: usize>(values: [u32; N]) -> u32 {
    values.iter().map(|v| v * 2).filter(|v| v % 3 != 0).sum()
}

#[inline(never)]
fn middle(values: &[u32]) -> u32 {
    match values {
        [first, rest @ .., last] => first ^ last ^ rest.len() as u32,
        [one] => *one,
        [] => 0,
    }
}

#[mirgpu_tool::kernel]
pub fn closures(a: u32, out: &mut u32) {
    let add = |x| x + a;
    let f: &dyn Fn(u32) -> u32 = &add;
    *out = twice(add, 1) + twice(f, 2) + once(move || a) + sum([a; 5]) + middle(&[a, 1, 2]);
    let counter = core::sync::atomic::AtomicU32::new(0);
    counter.fetch_add(a, core::sync::atomic::Ordering::AcqRel);
    *out += counter.into_inner();
}
