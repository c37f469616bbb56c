// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program whose host code names kernel instances: generic kernels are found through it, also in threads and closures.
// rustc-args: --crate-type=bin
// has: "key":"host::axpy<f32>"
// has: "entry":"axpy__
// has: "key":"host::apply<host::main::{{closure}}>"
// has: "key":"host::plain"
// not: axpy<u8>
// not: std::thread
#[mirgpu_tool::launch]
#[inline(never)]
fn kernel_key<K>() -> &'static str {
    core::any::type_name::<K>()
}

fn launch<K>(_kernel: K) {
    println!("{}", kernel_key::<K>());
}

#[mirgpu_tool::kernel]
fn axpy<T: Copy + core::ops::Mul<Output = T>>(a: T, x: &mut [T]) {
    for v in x {
        *v = a * *v;
    }
}

#[mirgpu_tool::kernel]
fn apply<F: Fn(u32) -> u32 + Copy>(f: F, x: &mut u32) {
    *x = f(*x);
}

#[mirgpu_tool::kernel]
fn plain(x: &mut u32) {
    *x += 1;
}

fn named<F: Fn(u32) -> u32 + Copy>(_: F) {
    launch(apply::<F>);
}

fn main() {
    std::thread::spawn(|| launch(axpy::<f32>)).join().unwrap();
    let work: Vec<Box<dyn Fn()>> = vec![Box::new(|| launch(axpy::<f64>))];
    work.iter().for_each(|f| f());
    named(|x| x + 1);
}
