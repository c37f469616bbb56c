// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! SHA-256 (FIPS 180-4) of many messages, one thread a message.
#![no_std]

use mirgpu_device::prelude::*;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes.
const INITIAL: [u32; 8] = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/// Bytes in a block of the algorithm.
const BLOCK: usize = 64;

#[gpu_module]
mod kernels {
    use super::*;

    /// `digests[i]` is that of the bytes from `ends[i - 1]` (0 for the first message) to `ends[i]`, in words of big-endian bytes.
    #[kernel]
    pub fn sha256(bytes: &[u8], ends: &[u32], mut digests: DisjointSlice<[u32; 8]>) {
        if let Some((digest, i)) = digests.get_mut_indexed() {
            let i = i.get();
            let first = if i == 0 { 0 } else { ends[i - 1] };
            *digest = hash(&bytes[first as usize..ends[i] as usize]);
        }
    }
}

fn hash(message: &[u8]) -> [u32; 8] {
    let mut state = INITIAL;
    // The message is followed by a one bit, zeros, and its length in bits in the last 8 bytes of a block.
    let blocks = (message.len() + 8) / BLOCK + 1;
    for block in 0..blocks {
        let mut words = [0u32; 16];
        for at in 0..BLOCK {
            words[at / 4] = words[at / 4] << 8 | padded(message, block * BLOCK + at);
        }
        if block == blocks - 1 {
            let bits = message.len() as u64 * 8;
            (words[14], words[15]) = ((bits >> 32) as u32, bits as u32);
        }
        compress(&mut state, words);
    }
    state
}

/// The byte at `at` of the message and the one bit that follows it.
fn padded(message: &[u8], at: usize) -> u32 {
    match message.get(at) {
        Some(byte) => u32::from(*byte),
        None if at == message.len() => 0x80,
        None => 0,
    }
}

/// 64 rounds; the schedule lies in a window of 16 words.
fn compress(state: &mut [u32; 8], mut words: [u32; 16]) {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..K.len() {
        if t >= 16 {
            let (w15, w2) = (words[(t + 1) % 16], words[(t + 14) % 16]);
            let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
            let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
            words[t % 16] = words[t % 16].wrapping_add(s0).wrapping_add(words[(t + 9) % 16]).wrapping_add(s1);
        }
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let t1 = h.wrapping_add(s1).wrapping_add(choice).wrapping_add(K[t]).wrapping_add(words[t % 16]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = a & b ^ a & c ^ b & c;
        let t2 = s0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    let add = [a, b, c, d, e, f, g, h];
    for i in 0..add.len() {
        state[i] = state[i].wrapping_add(add[i]);
    }
}
