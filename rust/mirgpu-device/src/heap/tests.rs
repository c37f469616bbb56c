// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The allocator on the host, by one thread and by many.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::thread;

use super::*;

/// A heap in host memory.
struct Buffer {
    base: *mut u8,
    layout: Layout,
}

// SAFETY: the heap is made for use by many threads.
unsafe impl Sync for Buffer {}

impl Buffer {
    fn new(chunks: usize) -> Buffer {
        let (states, bitmaps) = (size_of::<HeapHeader>(), size_of::<HeapHeader>() + 4 * chunks);
        let first_chunk = (bitmaps + 4 * WORDS * chunks).next_multiple_of(CHUNK);
        let layout = Layout::from_size_align(first_chunk + chunks * CHUNK, CHUNK).unwrap();
        // SAFETY: the size is not 0, and the header fits.
        let base = unsafe {
            let base = alloc_zeroed(layout);
            base.cast::<HeapHeader>().write(HeapHeader {
                chunks: chunks as u64,
                first_chunk: first_chunk as u64,
                states: states as u64,
                bitmaps: bitmaps as u64,
            });
            base
        };
        Buffer { base, layout }
    }

    fn heap(&self) -> Heap {
        // SAFETY: `new` made it.
        unsafe { Heap::new(self.base) }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: `new` allocated it.
        unsafe { dealloc(self.base, self.layout) }
    }
}

/// A small generator of numbers.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*state >> 33) as usize
}

#[test]
fn slots_are_as_large_and_aligned_as_asked() {
    let buffer = Buffer::new(16);
    let heap = buffer.heap();
    for (size, align) in [(1, 1), (16, 8), (17, 1), (24, 16), (100, 64), (8, 2048), (2048, 8)] {
        let pointer = heap.allocate(size, align, 0);
        assert_eq!(pointer.addr() % align, 0, "{size} at {align}");
        // SAFETY: it was allocated.
        unsafe {
            pointer.write_bytes(0xA5, size);
            heap.free(pointer);
        }
    }
    assert_eq!(heap.live(), 0);
}

#[test]
fn a_slab_gives_each_slot_once_and_then_the_next_chunk() {
    let buffer = Buffer::new(2);
    let heap = buffer.heap();
    let mut all: Vec<usize> = (0..512).map(|_| heap.allocate(16, 8, 0).addr()).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 512);
    assert!(!all.contains(&0));
    assert!(heap.allocate(16, 8, 0).is_null());
    assert_eq!(heap.live(), 512);
}

#[test]
fn an_empty_slab_serves_another_size() {
    let buffer = Buffer::new(1);
    let heap = buffer.heap();
    let small = heap.allocate(16, 8, 0);
    assert!(heap.allocate(2048, 8, 0).is_null());
    // SAFETY: it was allocated.
    unsafe { heap.free(small) };
    assert!(!heap.allocate(2048, 8, 0).is_null());
    assert!(!heap.allocate(2048, 8, 0).is_null());
    assert!(heap.allocate(2048, 8, 0).is_null());
}

#[test]
fn runs_of_chunks() {
    let buffer = Buffer::new(8);
    let heap = buffer.heap();
    let a = heap.allocate(3 * CHUNK, 8, 0);
    let b = heap.allocate(3 * CHUNK - 1, 8, 0);
    assert!(heap.allocate(3 * CHUNK, 8, 0).is_null());
    assert!(heap.allocate(usize::MAX, 8, 0).is_null());
    assert_eq!(heap.live(), 2);
    assert!(a.addr().abs_diff(b.addr()) >= 3 * CHUNK);
    // SAFETY: they were allocated.
    unsafe {
        heap.free(a);
        assert!(!heap.allocate(2 * CHUNK, 8, 0).is_null());
        heap.free(b);
    }
    assert!(!heap.allocate(3 * CHUNK, 8, 0).is_null());
    assert!(heap.allocate(5000, 64 * CHUNK, 0).addr() % (64 * CHUNK) == 0);
}

#[test]
fn growing_keeps_the_bytes() {
    let buffer = Buffer::new(64);
    let heap = buffer.heap();
    let mut size = 1;
    let mut pointer = heap.allocate(size, 1, 0);
    // SAFETY: each size is allocated when it is written.
    unsafe {
        pointer.write(7);
        while size < 20_000 {
            let grown = size * 3;
            pointer = heap.reallocate(pointer, size, 1, grown, 0);
            assert!(!pointer.is_null());
            assert_eq!(pointer.read(), 7);
            pointer.add(grown - 1).write(9);
            size = grown;
        }
        pointer = heap.reallocate(pointer, size, 1, 2, 0);
        assert_eq!(pointer.read(), 7);
        heap.free(pointer);
    }
    assert_eq!(heap.live(), 0);
}

/// Allocates and frees at random, checks that nobody else writes what is its own.
fn hammer(heap: Heap, seed: usize) {
    let mut state = seed as u64 + 1;
    let mut own: BTreeMap<usize, (usize, u8)> = BTreeMap::new();
    for round in 0..20_000 {
        if own.len() > 40 || (next(&mut state) & 1 == 1 && !own.is_empty()) {
            let at = next(&mut state) % own.len();
            let (&address, &(size, mark)) = own.iter().nth(at).unwrap();
            let pointer = core::ptr::with_exposed_provenance_mut::<u8>(address);
            // SAFETY: it is allocated.
            unsafe {
                assert_eq!(pointer.read(), mark);
                assert_eq!(pointer.add(size - 1).read(), mark);
                heap.free(pointer);
            }
            own.remove(&address);
        } else {
            let size = 1 + next(&mut state) % if round % 50 == 0 { 9000 } else { 200 };
            let pointer = heap.allocate(size, 8, seed);
            if pointer.is_null() {
                continue;
            }
            let mark = next(&mut state) as u8;
            // SAFETY: it was allocated.
            unsafe {
                pointer.write(mark);
                pointer.add(size - 1).write(mark);
            }
            assert!(own.insert(pointer.expose_provenance(), (size, mark)).is_none());
        }
    }
    for address in own.into_keys() {
        // SAFETY: it is allocated.
        unsafe { heap.free(core::ptr::with_exposed_provenance_mut(address)) };
    }
}

#[test]
fn many_threads() {
    let buffer = Buffer::new(96);
    let shared = &buffer;
    thread::scope(|scope| {
        for seed in 0..8 {
            scope.spawn(move || hammer(shared.heap(), seed));
        }
    });
    assert_eq!(buffer.heap().live(), 0);
    // All of it is one free run again.
    assert!(!buffer.heap().allocate(96 * CHUNK, 8, 0).is_null());
}
