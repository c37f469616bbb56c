// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two closures of one function make two kernels that host code cannot tell apart.
// rustc-args: --crate-type=bin
// error: two kernels have the key `bad_key::apply<bad_key::main::{{closure}}>`
// error: closures of one function need `closure!`
#[mirgpu_tool::launch]
#[inline(never)]
fn kernel_key<K>() -> &'static str {
    core::any::type_name::<K>()
}

#[mirgpu_tool::kernel]
fn apply<F: Fn(u32) -> u32 + Copy>(f: F, x: &mut u32) {
    *x = f(*x);
}

fn launch<F: Fn(u32) -> u32 + Copy>(_: F) {
    println!("{}", kernel_key::<fn(F)>().len());
    named(apply::<F>);
}

fn named<K>(_: K) {
    println!("{}", kernel_key::<K>());
}

fn main() {
    launch(|x| x + 1);
    launch(|x| x + 2);
}
