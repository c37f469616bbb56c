// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics between blocks, for ThreadSanitizer: what is ordered must be seen as ordered, and each `racy_` twin, in which one order is too weak or
// an atomic is plain, must be reported. tools/devlib/tsan.py runs them.
#![no_std]
extern crate alloc;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::cell::UnsafeCell;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicBool, AtomicI16, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, Ordering, Ordering::*, fence};
use mirgpu_device::prelude::*;

struct Cell(UnsafeCell<[u32; 8]>);
// SAFETY: the tests say who may touch it when, and ThreadSanitizer whether that is so.
unsafe impl Sync for Cell {}

static PAYLOAD: Cell = Cell(UnsafeCell::new([0; 8]));
static FLAG: AtomicU32 = AtomicU32::new(0);
static LOCK: AtomicBool = AtomicBool::new(false);
static BYTES: AtomicU8 = AtomicU8::new(0);
static SHORTS: AtomicI16 = AtomicI16::new(0);
static WORDS: AtomicU32 = AtomicU32::new(0);
static LONGS: AtomicU64 = AtomicU64::new(0);
static HEAD: AtomicPtr<Node> = AtomicPtr::new(core::ptr::null_mut());

struct Node {
    value: u32,
    next: *mut Node,
}

static ARRIVED: AtomicU32 = AtomicU32::new(0);

/// Whether this thread takes part: the first of blocks 1 and 2, of 256 threads each, which the CPU device gives to its workers one by one.
/// Block 0 lasts until those have been woken. The others wait, not for ever, until both run; Relaxed, so that nothing is ordered.
fn meets() -> bool {
    if thread::thread_idx_x() != 0 {
        return false;
    }
    if thread::block_idx_x() == 0 {
        let idle = AtomicU32::new(0);
        while idle.fetch_add(1, Relaxed) < 20_000 {}
        return false;
    }
    ARRIVED.fetch_add(1, Relaxed);
    let mut patience = 1_000_000;
    while ARRIVED.load(Relaxed) < 2 && patience > 0 {
        patience -= 1;
        spin_loop();
    }
    true
}

/// 0 or 1.
fn block() -> u32 {
    thread::block_idx_x() - 1
}

/// Block 0 writes, sets a flag, block 1 waits for it and reads.
#[inline(always)]
fn pass_message(store: Ordering, load: Ordering, out: &mut DisjointSlice<u32>) {
    let payload = PAYLOAD.0.get();
    // SAFETY: see Cell.
    unsafe {
        if block() == 0 {
            (*payload)[3] = 42;
            FLAG.store(1, store);
        } else {
            while FLAG.load(load) == 0 {
                spin_loop();
            }
            *out.as_mut_ptr() = (*payload)[3];
        }
    }
}

/// Each block counts in plain memory under a lock.
#[inline(always)]
fn count_locked(acquire: Ordering, release: Ordering) {
    for _ in 0..200 {
        while LOCK.swap(true, acquire) {
            spin_loop();
        }
        // SAFETY: see Cell.
        unsafe { (*PAYLOAD.0.get())[0] += 1 };
        LOCK.store(false, release);
    }
}

#[gpu_module(heap)]
mod kernels {
    use super::*;

    #[kernel]
    pub fn counters() {
        if !meets() {
            return;
        }
        for i in 0..50 {
            BYTES.fetch_add(1, Relaxed);
            SHORTS.fetch_sub(3, Relaxed);
            WORDS.fetch_xor(i, AcqRel);
            LONGS.fetch_max(u64::from(i) << 40, SeqCst);
            let mut seen = WORDS.load(Relaxed);
            while let Err(now) = WORDS.compare_exchange_weak(seen, seen.wrapping_mul(3) + 1, AcqRel, Relaxed) {
                seen = now;
            }
        }
    }

    #[kernel]
    pub fn racy_counter() {
        if !meets() {
            return;
        }
        for _ in 0..200 {
            // SAFETY: none; that is what is to be found.
            unsafe { (*PAYLOAD.0.get())[1] += 1 };
        }
    }

    #[kernel]
    pub fn message(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        pass_message(Release, Acquire, &mut out);
    }
    #[kernel]
    pub fn racy_message_store(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        pass_message(Relaxed, Acquire, &mut out);
    }
    #[kernel]
    pub fn racy_message_load(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        pass_message(Release, Relaxed, &mut out);
    }

    #[kernel]
    pub fn message_by_fences(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        let payload = PAYLOAD.0.get();
        // The fences order; ThreadSanitizer knows none, so the flag's own orders say it again.
        // SAFETY: see Cell.
        unsafe {
            if block() == 0 {
                (*payload)[5] = 7;
                fence(Release);
                FLAG.fetch_add(1, Release);
            } else {
                while FLAG.fetch_add(0, Acquire) == 0 {
                    spin_loop();
                }
                fence(Acquire);
                *out.as_mut_ptr() = (*payload)[5];
            }
        }
    }

    #[kernel]
    pub fn lock() {
        if !meets() {
            return;
        }
        count_locked(Acquire, Release);
    }
    #[kernel]
    pub fn racy_lock() {
        if !meets() {
            return;
        }
        count_locked(Relaxed, Relaxed);
    }

    /// A stack of nodes that one block pushes and the other takes, all at once.
    #[kernel]
    pub fn stack(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        if block() == 0 {
            for value in 0..100 {
                let node = Box::into_raw(Box::new(Node { value, next: HEAD.load(Relaxed) }));
                // SAFETY: the node is this block's until the exchange succeeds.
                unsafe {
                    while let Err(now) = HEAD.compare_exchange((*node).next, node, Release, Relaxed) {
                        (*node).next = now;
                    }
                }
            }
            FLAG.store(1, Release);
        } else {
            let (mut sum, mut done) = (0, false);
            while !done {
                done = FLAG.load(Acquire) == 1;
                let mut node = HEAD.swap(core::ptr::null_mut(), Acquire);
                while !node.is_null() {
                    // SAFETY: what was taken from the stack is nobody else's.
                    let taken = unsafe { Box::from_raw(node) };
                    sum += taken.value;
                    node = taken.next;
                }
            }
            // SAFETY: this block alone writes it.
            unsafe { *out.as_mut_ptr() = sum };
        }
    }

    /// What one block frees another gets: the heap orders that.
    #[kernel]
    pub fn heap(mut out: DisjointSlice<u32>) {
        if !meets() {
            return;
        }
        let mut kept: Vec<Box<[u32; 5]>> = Vec::new();
        let mut sum = 0u32;
        for i in 0..300u32 {
            kept.push(Box::new([i ^ block(); 5]));
            if i % 3 == 2 {
                sum = sum.wrapping_add(kept.swap_remove(i as usize % kept.len())[4]);
            }
            if i % 50 == 49 {
                kept.clear();
                kept.shrink_to_fit();
            }
        }
        if let Some(o) = out.get_mut(thread::index_1d()) {
            *o = sum;
        }
    }
}
