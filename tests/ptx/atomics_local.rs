// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX has no atomics on local memory: there an access is plain, behind a test of the address where nothing tells where it leads.
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel direct | %FileCheck %s --check-prefix=DIRECT --implicit-check-not=atom. --implicit-check-not=isspacep --implicit-check-not=relaxed --implicit-check-not=acquire --implicit-check-not=release
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel only_local | %FileCheck %s --check-prefix=ONLY --implicit-check-not=atom. --implicit-check-not=isspacep --implicit-check-not=relaxed --implicit-check-not=acquire --implicit-check-not=release
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel both | %FileCheck %s --check-prefix=BOTH
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -O0 -o - --kernel both | %FileCheck %s --check-prefix=BOTH
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel both_narrow | %FileCheck %s --check-prefix=NARROW
// RUN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o - --kernel known | %FileCheck %s --check-prefix=KNOWN --implicit-check-not=isspacep
//
// DIRECT: .entry direct(
// DIRECT-NOT: .local
// DIRECT: st.global.b32 {{.*}}, 3;
// ONLY: .func {{.*}}claim(
// ONLY: ld.b64
// ONLY: st.b64
//
// BOTH: .func {{.*}}bump(
// BOTH: isspacep.local [[LOCAL:%p[0-9]+]]
// BOTH: ld.local.b32
// BOTH-NEXT: add.s32
// BOTH-NEXT: st.local.b32
// BOTH: atom.relaxed.sys.add.u32
// NARROW: isspacep.local
// NARROW: st.local.b8
// NARROW: st.release.sys.b8
// NARROW: ld.acquire.sys.b8
//
// KNOWN: atom.relaxed.sys.global.add.u32
// KNOWN: atom.relaxed.sys.global.add.u64
// KNOWN: atom.relaxed.sys.shared.add.u32
#![no_std]
use core::sync::atomic::{AtomicU32, AtomicU64, AtomicU8, Ordering::*};
use mirgpu_device::prelude::*;

#[inline(never)]
fn bump(a: &AtomicU32) -> u32 {
    a.fetch_add(2, Relaxed)
}

#[inline(never)]
fn claim(a: &AtomicU64) -> bool {
    a.compare_exchange(1, 2, AcqRel, Acquire).is_ok()
}

#[inline(never)]
fn publish(a: &AtomicU8) -> u8 {
    a.store(1, Release);
    a.load(Acquire)
}

#[gpu_module]
mod kernels {
    use super::*;
    /// No trace of the variable is left.
    #[kernel]
    pub fn direct(mut out: DisjointSlice<u32>) {
        let a = AtomicU32::new(1);
        a.fetch_add(2, SeqCst);
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = a.load(Relaxed);
        }
    }
    /// All callers of `claim` pass a variable.
    #[kernel]
    pub fn only_local(x: u64, mut out: DisjointSlice<u32>) {
        let a = AtomicU64::new(x);
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = claim(&a) as u32;
        }
    }
    /// One function for both kinds of memory.
    #[kernel]
    pub fn both(a: &AtomicU32, mut out: DisjointSlice<u32>) {
        let mine = AtomicU32::new(1);
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = bump(&mine) + bump(a);
        }
    }
    #[kernel]
    pub fn both_narrow(a: &AtomicU8, mut out: DisjointSlice<u8>) {
        let mine = AtomicU8::new(3);
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = publish(&mine) + publish(a);
        }
    }
    /// A parameter is global memory, a static of the block shared: nothing is tested.
    #[kernel]
    pub fn known(a: &AtomicU32, b: &[AtomicU64], i: u32) {
        a.fetch_add(1, Relaxed);
        b[i as usize].fetch_add(1, Relaxed);
        // SAFETY: all threads reach it by atomics alone.
        unsafe { &*(&raw const TILE).cast::<AtomicU32>() }.fetch_add(1, Relaxed);
    }
}

static mut TILE: SharedArray<u32, 1> = SharedArray::UNINIT;
