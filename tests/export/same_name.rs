// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels of one name in two modules: the entry is the shortest path that tells them apart.
// has: "key":"same_name::a::run","entry":"a::run"
// has: "key":"same_name::b::run","entry":"b::run"
// has: "key":"same_name::other","entry":"other"
#![no_std]
pub mod a {
    #[mirgpu_tool::kernel]
    pub fn run(x: &mut u32) {
        *x += 1;
    }
}
pub mod b {
    #[mirgpu_tool::kernel]
    pub fn run(x: &mut u32) {
        *x += 2;
    }
}
#[mirgpu_tool::kernel]
pub fn other(x: &mut u32) {
    *x += 3;
}
