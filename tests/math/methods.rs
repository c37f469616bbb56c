// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel for each method of std's floats, exported and compiled for every target by tools/devlib/math_check.py, which holds the list
// against std's sources. `--cfg` names the type: single, double or half. `input` gives three values; a kernel writes its result's bits.
#![feature(f16, float_gamma, float_erf, float_algebraic, float_minimum_maximum, clamp_magnitude, core_float_math)]
#![allow(deprecated, unused_features, stable_features)]
use mirgpu_device::prelude::*;

#[cfg(single)]
type F = f32;
#[cfg(double)]
type F = f64;
#[cfg(half)]
type F = f16;

/// What a result becomes in the output.
trait Code {
    fn code(self) -> u64;
}
impl Code for F {
    fn code(self) -> u64 {
        self.to_bits() as u64
    }
}
macro_rules! codes {
    ($($t:ty),*) => {$(
        impl Code for $t {
            fn code(self) -> u64 {
                self as u64
            }
        }
    )*};
}
codes!(bool, i8, i32, u32, usize);
impl Code for (F, F) {
    fn code(self) -> u64 {
        self.0.code() ^ self.1.code()
    }
}
impl Code for (F, i32) {
    fn code(self) -> u64 {
        self.0.code() ^ self.1 as u64
    }
}
impl<const N: usize> Code for [u8; N] {
    fn code(self) -> u64 {
        self[0] as u64 + self[N - 1] as u64
    }
}

macro_rules! methods {
    ($($name:ident: |$x:ident, $y:ident, $z:ident| $e:expr;)*) => {
        #[gpu_module]
        mod kernels {
            use super::*;
            $(
                #[kernel]
                pub unsafe fn $name(input: *const F, out: *mut u64) {
                    let ($x, $y, $z) = unsafe { (*input, *input.add(1), *input.add(2)) };
                    let _ = ($x, $y, $z);
                    unsafe { *out = Code::code($e) };
                }
            )*
        }
    };
}

macro_rules! all_methods {
    ($($more:tt)*) => {
        methods! {
            is_nan: |x, y, z| x.is_nan();
            is_infinite: |x, y, z| x.is_infinite();
            is_finite: |x, y, z| x.is_finite();
            is_subnormal: |x, y, z| x.is_subnormal();
            is_normal: |x, y, z| x.is_normal();
            classify: |x, y, z| x.classify() as u32;
            is_sign_positive: |x, y, z| x.is_sign_positive();
            is_sign_negative: |x, y, z| x.is_sign_negative();
            next_up: |x, y, z| x.next_up();
            next_down: |x, y, z| x.next_down();
            recip: |x, y, z| x.recip();
            to_degrees: |x, y, z| x.to_degrees();
            to_radians: |x, y, z| x.to_radians();
            max: |x, y, z| x.max(y);
            min: |x, y, z| x.min(y);
            maximum: |x, y, z| x.maximum(y);
            minimum: |x, y, z| x.minimum(y);
            midpoint: |x, y, z| x.midpoint(y);
            to_int_unchecked: |x, y, z| unsafe { x.to_int_unchecked::<i32>() };
            to_bits: |x, y, z| x.to_bits() as usize;
            from_bits: |x, y, z| F::from_bits(x.to_bits() + 1);
            to_be_bytes: |x, y, z| x.to_be_bytes();
            to_le_bytes: |x, y, z| x.to_le_bytes();
            to_ne_bytes: |x, y, z| x.to_ne_bytes();
            from_be_bytes: |x, y, z| F::from_be_bytes(x.to_le_bytes());
            from_le_bytes: |x, y, z| F::from_le_bytes(x.to_be_bytes());
            from_ne_bytes: |x, y, z| F::from_ne_bytes(x.to_ne_bytes());
            total_cmp: |x, y, z| x.total_cmp(&y) as i8;
            clamp: |x, y, z| x.clamp(y, z);
            clamp_magnitude: |x, y, z| x.clamp_magnitude(y);
            abs: |x, y, z| x.abs();
            signum: |x, y, z| x.signum();
            copysign: |x, y, z| x.copysign(y);
            algebraic_add: |x, y, z| x.algebraic_add(y);
            algebraic_sub: |x, y, z| x.algebraic_sub(y);
            algebraic_mul: |x, y, z| x.algebraic_mul(y);
            algebraic_div: |x, y, z| x.algebraic_div(y);
            algebraic_rem: |x, y, z| x.algebraic_rem(y);
            floor: |x, y, z| x.floor();
            ceil: |x, y, z| x.ceil();
            round: |x, y, z| x.round();
            round_ties_even: |x, y, z| x.round_ties_even();
            trunc: |x, y, z| x.trunc();
            fract: |x, y, z| x.fract();
            mul_add: |x, y, z| x.mul_add(y, z);
            div_euclid: |x, y, z| x.div_euclid(y);
            rem_euclid: |x, y, z| x.rem_euclid(y);
            powi: |x, y, z| x.powi(y as i32);
            powf: |x, y, z| x.powf(y);
            sqrt: |x, y, z| x.sqrt();
            exp: |x, y, z| x.exp();
            exp2: |x, y, z| x.exp2();
            ln: |x, y, z| x.ln();
            log: |x, y, z| x.log(y);
            log2: |x, y, z| x.log2();
            log10: |x, y, z| x.log10();
            cbrt: |x, y, z| x.cbrt();
            hypot: |x, y, z| x.hypot(y);
            sin: |x, y, z| x.sin();
            cos: |x, y, z| x.cos();
            tan: |x, y, z| x.tan();
            asin: |x, y, z| x.asin();
            acos: |x, y, z| x.acos();
            atan: |x, y, z| x.atan();
            atan2: |x, y, z| x.atan2(y);
            sin_cos: |x, y, z| x.sin_cos();
            exp_m1: |x, y, z| x.exp_m1();
            ln_1p: |x, y, z| x.ln_1p();
            sinh: |x, y, z| x.sinh();
            cosh: |x, y, z| x.cosh();
            tanh: |x, y, z| x.tanh();
            asinh: |x, y, z| x.asinh();
            acosh: |x, y, z| x.acosh();
            atanh: |x, y, z| x.atanh();
            gamma: |x, y, z| x.gamma();
            ln_gamma: |x, y, z| x.ln_gamma();
            erf: |x, y, z| x.erf();
            erfc: |x, y, z| x.erfc();
            operator_rem: |x, y, z| x % y;
            $($more)*
        }
    };
}

#[cfg(single)]
all_methods! {
    abs_sub: |x, y, z| x.abs_sub(y);
}
#[cfg(double)]
all_methods! {
    abs_sub: |x, y, z| x.abs_sub(y);
    is_positive: |x, y, z| x.is_positive();
    is_negative: |x, y, z| x.is_negative();
}
#[cfg(half)]
all_methods! {}
