// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! A hash table with open addressing that all threads fill at once, by compare-and-swap on 64-bit words of key and value.
#![no_std]

use core::sync::atomic::{AtomicU64, Ordering};

use mirgpu_device::prelude::*;

/// A slot that holds nothing. Its upper half is no key: `u32::MAX` is not allowed as one.
const EMPTY: u64 = u64::MAX;

#[gpu_module]
mod kernels {
    use super::*;

    /// Puts each key with its value into `slots`, whose number is a power of two and which were filled with ones. Of several values
    /// for a key the least one stays. `stored[i]` is 0 if the table had no room.
    #[kernel]
    pub fn insert(keys: &[u32], values: &[u32], slots: &[AtomicU64], mut stored: DisjointSlice<u32>) {
        if let Some((stored, i)) = stored.get_mut_indexed() {
            *stored = insert_least(slots, keys[i.get()], values[i.get()]) as u32;
        }
    }

    /// `values[i]` is the value of `keys[i]`, or `u32::MAX` if the table does not have it.
    #[kernel]
    pub fn find(keys: &[u32], slots: &[AtomicU64], mut values: DisjointSlice<u32>) {
        if let Some((value, i)) = values.get_mut_indexed() {
            *value = lookup(slots, keys[i.get()]).unwrap_or(u32::MAX);
        }
    }
}

/// The slots where `key` may lie, in the order in which they are tried.
fn probes(slots: &[AtomicU64], key: u32) -> impl Iterator<Item = &AtomicU64> {
    let mask = slots.len() - 1;
    let first = hash(key) as usize;
    (0..slots.len()).map(move |step| &slots[first.wrapping_add(step) & mask])
}

/// Whether there was room.
fn insert_least(slots: &[AtomicU64], key: u32, value: u32) -> bool {
    let new = u64::from(key) << 32 | u64::from(value);
    for slot in probes(slots, key) {
        let mut found = slot.load(Ordering::Relaxed);
        // Words of the same key are ordered by their values.
        while found == EMPTY || found >> 32 == u64::from(key) {
            if found <= new {
                return true;
            }
            match slot.compare_exchange(found, new, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(other) => found = other,
            }
        }
    }
    false
}

fn lookup(slots: &[AtomicU64], key: u32) -> Option<u32> {
    for slot in probes(slots, key) {
        let found = slot.load(Ordering::Relaxed);
        if found == EMPTY {
            return None;
        }
        if found >> 32 == u64::from(key) {
            return Some(found as u32);
        }
    }
    None
}

/// Mixes the bits of a key (the finaliser of MurmurHash3).
fn hash(mut key: u32) -> u32 {
    key = (key ^ key >> 16).wrapping_mul(0x85eb_ca6b);
    key = (key ^ key >> 13).wrapping_mul(0xc2b2_ae35);
    key ^ key >> 16
}
