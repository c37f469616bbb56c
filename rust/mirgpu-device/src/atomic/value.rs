// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! What can be in an atomic, and its operations on a pointer with the order as a value: each turns it into the constant that the stub
//! takes. Invariant: `scope` and `order` of every stub call are constants after monomorphisation.

use super::{Scope, number, sealed::Sealed, stubs};
use core::sync::atomic::Ordering;

/// Calls the stub with the number of `$order`; every order fits a read-modify-write.
macro_rules! by_order {
    ($order:expr, $scope:ident, $stub:ident($($arg:expr),*)) => {
        // SAFETY: the caller's.
        unsafe { match $order {
            Ordering::Relaxed => stubs::$stub($($arg,)* $scope::ID, number::RELAXED),
            Ordering::Release => stubs::$stub($($arg,)* $scope::ID, number::RELEASE),
            Ordering::Acquire => stubs::$stub($($arg,)* $scope::ID, number::ACQUIRE),
            Ordering::AcqRel => stubs::$stub($($arg,)* $scope::ID, number::ACQ_REL),
            _ => stubs::$stub($($arg,)* $scope::ID, number::SEQ_CST),
        } }
    };
}

/// The bits of a value, on which most operations work.
pub trait Bits: Copy + Eq {
    unsafe fn load_at<S: Scope>(ptr: *const Self, order: Ordering) -> Self;
    unsafe fn store_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering);
    unsafe fn swap_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn compare_exchange_at<S: Scope>(ptr: *mut Self, old: Self, new: Self, order: Ordering) -> Self;
    unsafe fn add_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn sub_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn and_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn nand_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn or_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    unsafe fn xor_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
}

macro_rules! bits {
    ($ty:ident $load:ident $store:ident $compare_exchange:ident $($name:ident $update:ident)*) => {
        impl Bits for $ty {
            #[inline(always)]
            #[track_caller]
            unsafe fn load_at<S: Scope>(ptr: *const Self, order: Ordering) -> Self {
                match order {
                    // SAFETY: the caller's.
                    Ordering::Relaxed => unsafe { stubs::$load(ptr, S::ID, number::RELAXED) },
                    // SAFETY: the caller's.
                    Ordering::Acquire => unsafe { stubs::$load(ptr, S::ID, number::ACQUIRE) },
                    // SAFETY: the caller's.
                    Ordering::SeqCst => unsafe { stubs::$load(ptr, S::ID, number::SEQ_CST) },
                    _ => panic!("there is no such thing as a release load"),
                }
            }
            #[inline(always)]
            #[track_caller]
            unsafe fn store_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) {
                match order {
                    // SAFETY: the caller's.
                    Ordering::Relaxed => unsafe { stubs::$store(ptr, value, S::ID, number::RELAXED) },
                    // SAFETY: the caller's.
                    Ordering::Release => unsafe { stubs::$store(ptr, value, S::ID, number::RELEASE) },
                    // SAFETY: the caller's.
                    Ordering::SeqCst => unsafe { stubs::$store(ptr, value, S::ID, number::SEQ_CST) },
                    _ => panic!("there is no such thing as an acquire store"),
                }
            }
            #[inline(always)]
            unsafe fn compare_exchange_at<S: Scope>(ptr: *mut Self, old: Self, new: Self, order: Ordering) -> Self {
                by_order!(order, S, $compare_exchange(ptr, old, new))
            }
            $(
                #[inline(always)]
                unsafe fn $name<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                    by_order!(order, S, $update(ptr, value))
                }
            )*
        }
    };
}
bits! { u32 load_u32 store_u32 compare_exchange_u32
    swap_at swap_u32 add_at fetch_add_u32 sub_at fetch_sub_u32 and_at fetch_and_u32 nand_at fetch_nand_u32 or_at fetch_or_u32
    xor_at fetch_xor_u32
}
bits! { u64 load_u64 store_u64 compare_exchange_u64
    swap_at swap_u64 add_at fetch_add_u64 sub_at fetch_sub_u64 and_at fetch_and_u64 nand_at fetch_nand_u64 or_at fetch_or_u64
    xor_at fetch_xor_u64
}

/// What an [`Atomic`](super::Atomic) may hold: `u32`, `i32`, `u64`, `i64`, `f32`, `f64`.
pub trait AtomicValue: Sealed + Copy {
    #[doc(hidden)]
    type Bits: Bits;
    #[doc(hidden)]
    fn bits(self) -> Self::Bits;
    #[doc(hidden)]
    fn of(bits: Self::Bits) -> Self;
}

/// The values that can be added to and subtracted from: all of them. Integers wrap.
pub trait AtomicAdd: AtomicValue {
    #[doc(hidden)]
    unsafe fn fetch_add_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    #[doc(hidden)]
    unsafe fn fetch_sub_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
}

/// The integers.
pub trait AtomicInteger: AtomicAdd {
    #[doc(hidden)]
    unsafe fn fetch_max_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
    #[doc(hidden)]
    unsafe fn fetch_min_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self;
}

macro_rules! integers {
    ($($ty:ident $bits:ident $max:ident $min:ident)*) => { $(
        impl Sealed for $ty {}
        impl AtomicValue for $ty {
            type Bits = $bits;
            #[inline(always)]
            fn bits(self) -> $bits {
                self as $bits
            }
            #[inline(always)]
            fn of(bits: $bits) -> Self {
                bits as $ty
            }
        }
        impl AtomicAdd for $ty {
            #[inline(always)]
            unsafe fn fetch_add_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                // SAFETY: the caller's.
                unsafe { $bits::add_at::<S>(ptr.cast(), value as $bits, order) as $ty }
            }
            #[inline(always)]
            unsafe fn fetch_sub_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                // SAFETY: the caller's.
                unsafe { $bits::sub_at::<S>(ptr.cast(), value as $bits, order) as $ty }
            }
        }
        impl AtomicInteger for $ty {
            #[inline(always)]
            unsafe fn fetch_max_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                by_order!(order, S, $max(ptr, value))
            }
            #[inline(always)]
            unsafe fn fetch_min_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                by_order!(order, S, $min(ptr, value))
            }
        }
    )* };
}
integers! {
    u32 u32 fetch_max_u32 fetch_min_u32
    i32 u32 fetch_max_i32 fetch_min_i32
    u64 u64 fetch_max_u64 fetch_min_u64
    i64 u64 fetch_max_i64 fetch_min_i64
}

macro_rules! floats {
    ($($ty:ident $bits:ident $add:ident)*) => { $(
        impl Sealed for $ty {}
        impl AtomicValue for $ty {
            type Bits = $bits;
            #[inline(always)]
            fn bits(self) -> $bits {
                self.to_bits()
            }
            #[inline(always)]
            fn of(bits: $bits) -> Self {
                $ty::from_bits(bits)
            }
        }
        impl AtomicAdd for $ty {
            #[inline(always)]
            unsafe fn fetch_add_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                by_order!(order, S, $add(ptr, value))
            }
            #[inline(always)]
            unsafe fn fetch_sub_at<S: Scope>(ptr: *mut Self, value: Self, order: Ordering) -> Self {
                by_order!(order, S, $add(ptr, -value))
            }
        }
    )* };
}
floats! {
    f32 u32 fetch_add_f32
    f64 u64 fetch_add_f64
}
