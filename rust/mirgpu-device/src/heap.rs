// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! The heap of a launch: what `Box`, `Vec` and the other types of `alloc` allocate from in kernels of a `#[gpu_module(heap)]`.
//!
//! Maps from: the symbols that `alloc` calls (`__rust_alloc`, …), which the compiler leads to the functions below. To: slots and runs
//! of chunks in the buffer that the launch context names (`support/heap_layout.h` has its layout). Invariant: no operation waits for
//! another thread; memory that one thread frees is another's only after all that the first did with it.
//!
//! The buffer is cut into chunks of 4096 bytes. A chunk is free, a slab of slots of one size (16 to 2048 bytes, a power of two), or part
//! of a run of chunks that is one allocation. Its state is one word: the kind in the upper 8 bits, a count in the lower 24. For a slab
//! the count is a reservation: whoever raised it finds a free slot, since whoever frees one clears the slot's bit before the count.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicU32, Ordering};

use crate::thread;

mod stubs {
    crate::stub::stubs! { safe
        /// First byte of the launch's heap, its header.
        fn base() -> *mut u8 = "heap::base";
    }
}

/// Bytes of a chunk.
const CHUNK: usize = 4096;
/// Bytes of the smallest slot, and its binary logarithm.
const LEAST: usize = 16;
const LEAST_LOG: u32 = LEAST.trailing_zeros();
/// Bytes of the largest slot.
const MOST: usize = 2048;
/// Words of a chunk's bitmap: a bit for each of at most 256 slots.
const WORDS: usize = CHUNK / LEAST / 32;

/// States: the kind, and what the count is of.
const FREE: u32 = 0;
const KIND_SHIFT: u32 = 24;
const COUNT_MASK: u32 = (1 << KIND_SHIFT) - 1;
/// The first chunk of a run; the count is that of the run's chunks.
const HEAD: u32 = 254 << KIND_SHIFT;
/// A further chunk of a run.
const TAIL: u32 = 255 << KIND_SHIFT;

/// What the buffer begins with; offsets are in bytes from here.
#[doc(hidden)]
#[repr(C)]
pub struct HeapHeader {
    /// Number of chunks.
    pub chunks: u64,
    /// Where the first chunk lies.
    pub first_chunk: u64,
    /// Where the chunks' states lie, a `u32` each.
    pub states: u64,
    /// Where the chunks' bitmaps lie, 8 `u32` each.
    pub bitmaps: u64,
}

/// A heap by its buffer. Threads may use copies at the same time.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Heap {
    header: *mut HeapHeader,
}

/// Slots of `1 << log` bytes.
#[derive(Clone, Copy)]
struct Class {
    log: u32,
}

impl Class {
    /// The class of slots for `size` bytes at a multiple of `align`; none if a slot cannot hold them.
    fn of(size: usize, align: usize) -> Option<Class> {
        let bytes = size.max(align).max(LEAST);
        (bytes <= MOST).then(|| Class { log: usize::BITS - (bytes - 1).leading_zeros() })
    }

    fn of_state(state: u32) -> Class {
        Class { log: (state >> KIND_SHIFT) + LEAST_LOG - 1 }
    }

    /// The state of a slab of this class with `count` slots in use.
    fn state(self, count: u32) -> u32 {
        (self.log - LEAST_LOG + 1) << KIND_SHIFT | count
    }

    fn slots(self) -> u32 {
        (CHUNK >> self.log) as u32
    }
}

impl Heap {
    /// # Safety
    /// `base` is the start of a heap buffer that lives as long as the result is used: a header, and states and bitmaps that were zero
    /// when the first allocation was made.
    pub unsafe fn new(base: *mut u8) -> Heap {
        Heap { header: base.cast() }
    }

    fn chunks(self) -> usize {
        // SAFETY: the header is there and does not change.
        unsafe { (*self.header).chunks as usize }
    }

    fn chunk_address(self, chunk: usize) -> *mut u8 {
        // SAFETY: as above; the chunk lies in the buffer.
        unsafe { self.header.cast::<u8>().add((*self.header).first_chunk as usize + chunk * CHUNK) }
    }

    fn chunk_of(self, pointer: *mut u8) -> usize {
        (pointer.addr() - self.chunk_address(0).addr()) / CHUNK
    }

    fn state(self, chunk: usize) -> &'static AtomicU32 {
        // SAFETY: `chunk` is below the number of chunks, and the words live as long as the launch.
        unsafe { &*self.header.cast::<u8>().add((*self.header).states as usize + chunk * 4).cast() }
    }

    fn word(self, chunk: usize, word: usize) -> &'static AtomicU32 {
        // SAFETY: as above; `word` is below WORDS.
        unsafe { &*self.header.cast::<u8>().add((*self.header).bitmaps as usize + (chunk * WORDS + word) * 4).cast() }
    }

    /// Memory for `size` bytes at a multiple of `align` (a power of two), or null. `seed` says where to look first: threads with
    /// different seeds are less in each other's way.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    pub fn allocate(self, size: usize, align: usize, seed: usize) -> *mut u8 {
        match Class::of(size, align) {
            Some(class) => self.allocate_slot(class, seed),
            None => self.allocate_run(size, align),
        }
    }

    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    fn allocate_slot(self, class: Class, seed: usize) -> *mut u8 {
        let chunks = self.chunks();
        // Slabs begin in the first quarter; runs come from the end.
        let mut chunk = seed % (chunks / 4).max(1);
        for _ in 0..chunks {
            if self.reserve(chunk, class) {
                return self.take_slot(chunk, class);
            }
            chunk = if chunk + 1 == chunks { 0 } else { chunk + 1 };
        }
        null_mut()
    }

    /// Raises the count of a slab of this class that has room, or of a free chunk, which becomes one.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    fn reserve(self, chunk: usize, class: Class) -> bool {
        let state = self.state(chunk);
        let mut seen = state.load(Ordering::Relaxed);
        loop {
            let wanted = if seen == FREE { class.state(1) } else { seen + 1 };
            if seen != FREE && (seen < class.state(1) || seen >= class.state(class.slots())) {
                return false;
            }
            match state.compare_exchange_weak(seen, wanted, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => seen = now,
            }
        }
    }

    /// A slot of a slab whose count was raised for it: there is a clear bit, though others may take it and clear another.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    fn take_slot(self, chunk: usize, class: Class) -> *mut u8 {
        let slots = class.slots();
        let words = (slots as usize).div_ceil(32);
        let full = if slots < 32 { (1 << slots) - 1 } else { u32::MAX };
        let mut word = 0;
        loop {
            let bits = self.word(chunk, word);
            let free = !bits.load(Ordering::Relaxed) & full;
            if free == 0 {
                word = if word + 1 == words { 0 } else { word + 1 };
                continue;
            }
            let bit = free & free.wrapping_neg();
            if bits.fetch_or(bit, Ordering::Acquire) & bit == 0 {
                let slot = word * 32 + bit.trailing_zeros() as usize;
                // SAFETY: the slot lies in the chunk.
                return unsafe { self.chunk_address(chunk).add(slot << class.log) };
            }
        }
    }

    /// A run of chunks, searched from the end.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    fn allocate_run(self, size: usize, align: usize) -> *mut u8 {
        let chunks = self.chunks();
        let count = size.div_ceil(CHUNK);
        if count > chunks || count > COUNT_MASK as usize {
            return null_mut();
        }
        let mut first = chunks - count;
        loop {
            let address = self.chunk_address(first);
            let busy = if address.addr() & (align - 1) == 0 { self.claim(first, count) } else { Some(first) };
            let Some(busy) = busy else { return address };
            // The next run to try ends before the chunk that was in the way.
            let end = busy.min(first + count - 1);
            if end < count {
                return null_mut();
            }
            first = end - count;
        }
    }

    /// Makes `count` free chunks from `first` on a run; if one is not free, its index, and all is as it was.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    fn claim(self, first: usize, count: usize) -> Option<usize> {
        for chunk in first..first + count {
            let state = if chunk == first { HEAD | count as u32 } else { TAIL };
            if self.state(chunk).compare_exchange(FREE, state, Ordering::Acquire, Ordering::Relaxed).is_err() {
                for taken in first..chunk {
                    self.state(taken).store(FREE, Ordering::Release);
                }
                return Some(chunk);
            }
        }
        None
    }

    /// Gives memory back.
    ///
    /// # Safety
    /// `pointer` came from this heap and was not given back.
    #[cfg_attr(mirgpu, mirgpu_tool::lock_free)]
    #[inline(never)]
    pub unsafe fn free(self, pointer: *mut u8) {
        let chunk = self.chunk_of(pointer);
        let state = self.state(chunk);
        let mut seen = state.load(Ordering::Relaxed);
        if seen >= HEAD {
            for tail in chunk + 1..chunk + (seen & COUNT_MASK) as usize {
                self.state(tail).store(FREE, Ordering::Release);
            }
            state.store(FREE, Ordering::Release);
            return;
        }
        let slot = (pointer.addr() - self.chunk_address(chunk).addr()) >> Class::of_state(seen).log;
        self.word(chunk, slot / 32).fetch_and(!(1 << (slot % 32)), Ordering::Release);
        loop {
            let wanted = if seen & COUNT_MASK == 1 { FREE } else { seen - 1 };
            match state.compare_exchange_weak(seen, wanted, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => seen = now,
            }
        }
    }

    /// Whether an allocation of `old` bytes has room for `new` where it is.
    fn fits(old: usize, new: usize, align: usize) -> bool {
        match (Class::of(old, align), Class::of(new, align)) {
            (Some(a), Some(b)) => a.log == b.log,
            (None, None) => old.div_ceil(CHUNK) == new.div_ceil(CHUNK),
            _ => false,
        }
    }

    /// Memory for `new` bytes that begins with what `pointer` had; null leaves that alone.
    ///
    /// # Safety
    /// `pointer` came from this heap for `old` bytes at `align`.
    pub unsafe fn reallocate(self, pointer: *mut u8, old: usize, align: usize, new: usize, seed: usize) -> *mut u8 {
        if Heap::fits(old, new, align) {
            return pointer;
        }
        let moved = self.allocate(new, align, seed);
        if !moved.is_null() {
            // SAFETY: both are that long, and apart.
            unsafe {
                moved.copy_from_nonoverlapping(pointer, old.min(new));
                self.free(pointer);
            }
        }
        moved
    }

    /// Allocations that were not given back; for tests, the runtime counts by itself.
    pub fn live(self) -> u64 {
        (0..self.chunks())
            .map(|chunk| match self.state(chunk).load(Ordering::Relaxed) {
                TAIL.. => 0,
                HEAD.. => 1,
                slab => u64::from(slab & COUNT_MASK),
            })
            .sum()
    }
}

/// Of the launch. `mirgpu_tool::allocator` names the symbol that a function stands for; the compiler calls it with the values of the
/// symbol's own parameters.
#[doc(hidden)]
pub mod hooks {
    use super::{Heap, stubs, thread};

    fn heap() -> Heap {
        // SAFETY: the launch of a kernel that allocates has a heap.
        unsafe { Heap::new(stubs::base()) }
    }

    /// A place to look first for each warp.
    fn seed() -> usize {
        let block =
            thread::block_idx_x() as usize + thread::block_idx_y() as usize * 0x9E37 + thread::block_idx_z() as usize * 0x85EB;
        let warps = (thread::block_dim_x() * thread::block_dim_y() * thread::block_dim_z()).div_ceil(32) as usize;
        let own = thread::thread_idx_x()
            + thread::block_dim_x() * (thread::thread_idx_y() + thread::block_dim_y() * thread::thread_idx_z());
        block * warps + own as usize / 32
    }

    #[cfg_attr(mirgpu, mirgpu_tool::allocator("__rust_alloc"))]
    #[inline(never)]
    pub fn alloc(size: usize, align: usize) -> *mut u8 {
        heap().allocate(size, align, seed())
    }

    #[cfg_attr(mirgpu, mirgpu_tool::allocator("__rust_alloc_zeroed"))]
    #[inline(never)]
    pub fn alloc_zeroed(size: usize, align: usize) -> *mut u8 {
        let pointer = alloc(size, align);
        if !pointer.is_null() {
            // SAFETY: it is that long.
            unsafe { pointer.write_bytes(0, size) };
        }
        pointer
    }

    /// # Safety
    /// `pointer` came from `alloc` for `size` and `align`.
    #[cfg_attr(mirgpu, mirgpu_tool::allocator("__rust_dealloc"))]
    #[inline(never)]
    pub unsafe fn dealloc(pointer: *mut u8, _size: usize, _align: usize) {
        // SAFETY: the caller's.
        unsafe { heap().free(pointer) }
    }

    /// # Safety
    /// As `dealloc`.
    #[cfg_attr(mirgpu, mirgpu_tool::allocator("__rust_realloc"))]
    #[inline(never)]
    pub unsafe fn realloc(pointer: *mut u8, old: usize, align: usize, new: usize) -> *mut u8 {
        // SAFETY: the caller's.
        unsafe { heap().reallocate(pointer, old, align, new, seed()) }
    }

    #[cfg_attr(mirgpu, mirgpu_tool::allocator("__rust_alloc_error_handler"))]
    #[inline(never)]
    pub fn alloc_error(size: usize, _align: usize) -> ! {
        panic!("memory allocation of {size} bytes failed")
    }
}

#[cfg(test)]
mod tests;
