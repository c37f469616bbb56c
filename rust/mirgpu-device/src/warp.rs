// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! Exchange of values within a warp.
//!
//! A warp is 32 threads of a block, consecutive in their order in the block, on every target: where the hardware's own width is 64,
//! two warps live in one of its waves. Masks are `u32`, bit `k` for lane `k`.
//!
//! The plain forms ([`shuffle_xor`], …) are for a whole warp: all of its lanes have to arrive. The `*_sync` forms name the lanes that
//! take part; the `*_sync_width` forms also cut the warp into segments of 1, 2, 4, 8, 16 or 32 lanes, and lane numbers count within one.
//! Values are of 32 bits: [`Word`].
//!
//! ```no_run
//! use mirgpu_device::prelude::*;
//!
//! /// The sum over the warp, in every lane.
//! fn warp_sum(mut value: f32) -> f32 {
//!     let mut distance = warp::SIZE / 2;
//!     while distance > 0 {
//!         value += warp::shuffle_xor(value, distance);
//!         distance /= 2;
//!     }
//!     value
//! }
//! ```
//!
//! # Who takes part
//! Each lane in the mask that has not ended has to arrive at the same call with the same mask, the caller among them. Otherwise the
//! program is at fault: the CPU device reports which lane waits where and why; a GPU may hang or return an arbitrary value, as its
//! vendor documents. A lane that reads from one outside the mask gets an arbitrary value, but a valid one of its type.
//! Shuffles do not order memory.

mod stubs {
    crate::stub::stubs! { safe
        /// Index of the calling thread in its warp, 0 to 31.
        fn lane_id() -> u32 = "warp::lane_id";
        /// The `value` of lane `operand` of the caller's segment of `width` lanes.
        fn shuffle(mask: u32, value: u32, operand: u32, width: u32) -> u32 = "warp::shuffle";
        /// The `value` of the lane `operand` below the caller; its own if that lies outside its segment of `width` lanes.
        fn shuffle_up(mask: u32, value: u32, operand: u32, width: u32) -> u32 = "warp::shuffle_up";
        /// The `value` of the lane `operand` above the caller; its own if that lies outside its segment of `width` lanes.
        fn shuffle_down(mask: u32, value: u32, operand: u32, width: u32) -> u32 = "warp::shuffle_down";
        /// The `value` of the lane whose number differs from the caller's by the bits in `operand`; its own if that lies in a later
        /// segment of `width` lanes.
        fn shuffle_xor(mask: u32, value: u32, operand: u32, width: u32) -> u32 = "warp::shuffle_xor";
    }
}

pub use stubs::lane_id;

/// Lanes in a warp, on every target.
pub const SIZE: u32 = 32;

/// The mask of a whole warp.
pub const ALL_LANES: u32 = u32::MAX;

mod sealed {
    pub trait Sealed {}
}

/// The types of 32 bits that lanes exchange: `u32`, `i32`, `f32`. Bits are moved as they are, NaN payloads included.
pub trait Word: sealed::Sealed + Copy {
    #[doc(hidden)]
    fn to_word(self) -> u32;
    #[doc(hidden)]
    fn from_word(word: u32) -> Self;
}

macro_rules! words {
    ($($ty:ident: $to:expr, $from:expr;)*) => { $(
        impl sealed::Sealed for $ty {}
        impl Word for $ty {
            #[inline(always)]
            fn to_word(self) -> u32 {
                $to(self)
            }
            #[inline(always)]
            fn from_word(word: u32) -> Self {
                $from(word)
            }
        }
    )* };
}
words! {
    u32: core::convert::identity, core::convert::identity;
    i32: i32::cast_unsigned, u32::cast_signed;
    f32: f32::to_bits, f32::from_bits;
}

/// The forms of one shuffle: whole warp, masked, masked in segments, and cuda-oxide's names for `f32`.
macro_rules! shuffles {
    ($(
        $(#[$meta:meta])*
        $name:ident($operand:ident), $sync:ident, $sync_width:ident, $f32:ident, $f32_sync:ident;
    )*) => { $(
        $(#[$meta])*
        ///
        /// All lanes of the warp take part.
        #[inline(always)]
        #[must_use]
        pub fn $name<T: Word>(value: T, $operand: u32) -> T {
            $sync_width(ALL_LANES, value, $operand, SIZE)
        }

        $(#[$meta])*
        ///
        /// The lanes in `mask` take part.
        #[inline(always)]
        #[must_use]
        pub fn $sync<T: Word>(mask: u32, value: T, $operand: u32) -> T {
            $sync_width(mask, value, $operand, SIZE)
        }

        $(#[$meta])*
        ///
        /// The lanes in `mask` take part, and each segment of `width` lanes (1, 2, 4, 8, 16 or 32) is on its own.
        #[inline(always)]
        #[must_use]
        pub fn $sync_width<T: Word>(mask: u32, value: T, $operand: u32, width: u32) -> T {
            T::from_word(stubs::$name(mask, value.to_word(), $operand, width))
        }

        #[doc(hidden)]
        #[inline(always)]
        #[must_use]
        pub fn $f32(value: f32, $operand: u32) -> f32 {
            $name(value, $operand)
        }

        #[doc(hidden)]
        #[inline(always)]
        #[must_use]
        pub fn $f32_sync(mask: u32, value: f32, $operand: u32) -> f32 {
            $sync(mask, value, $operand)
        }
    )* };
}
shuffles! {
    /// The `value` of lane `source`, counted modulo the segment's width.
    shuffle(source), shuffle_sync, shuffle_sync_width, shuffle_f32, shuffle_f32_sync;
    /// The `value` of the lane `delta` below the caller; its own value in the lowest `delta` lanes.
    shuffle_up(delta), shuffle_up_sync, shuffle_up_sync_width, shuffle_up_f32, shuffle_up_f32_sync;
    /// The `value` of the lane `delta` above the caller; its own value in the highest `delta` lanes.
    shuffle_down(delta), shuffle_down_sync, shuffle_down_sync_width, shuffle_down_f32, shuffle_down_f32_sync;
    /// The `value` of the lane whose number is the caller's with the bits of `lane_mask` flipped; its own value if that lies in a
    /// later segment.
    shuffle_xor(lane_mask), shuffle_xor_sync, shuffle_xor_sync_width, shuffle_xor_f32, shuffle_xor_f32_sync;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_bits() {
        for word in [0, 1, 0x8000_0000, 0x7fc0_1234, u32::MAX] {
            assert_eq!(u32::from_word(word.to_word()), word);
            assert_eq!(i32::from_word(word).to_word(), word);
            assert_eq!(f32::from_word(word).to_word(), word);
        }
        assert_eq!((-1i32).to_word(), u32::MAX);
    }

    #[test]
    #[should_panic(expected = "`warp::shuffle_xor` only runs in a kernel")]
    fn a_shuffle_needs_a_kernel() {
        let _ = shuffle_xor(1.0f32, 16);
    }
}
