// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of math_special_f32.rs and math_special_f64.rs, each of which names the type `F` before.
use mirgpu_device::prelude::*;

const VALUES: usize = 18;

/// A result that the standards fix: an integer, an infinity, a NaN. Any other is 2.
fn code(x: F) -> u32 {
    let single = x as f32;
    if x.is_nan() {
        1
    } else if x == x.trunc() && single as F == x {
        single.to_bits()
    } else {
        2
    }
}

/// `f` of each value, from `at` on; the next place.
#[inline(never)]
fn unary(out: &mut [u32], at: usize, values: &[F; VALUES], f: fn(F) -> F) -> usize {
    let mut i = 0;
    while i < VALUES {
        out[at + i] = code(f(values[i]));
        i += 1;
    }
    at + VALUES
}

/// `f` of each value with all the values as one number, from `at` on; the next place.
#[inline(never)]
fn binary(out: &mut [u32], at: usize, values: &[F; VALUES], f: fn(F, F) -> F) -> usize {
    let mut i = 0;
    while i < VALUES {
        let (mut all, mut j) = (0u32, 0);
        while j < VALUES {
            all = all.wrapping_mul(31).wrapping_add(code(f(values[i], values[j])));
            j += 1;
        }
        out[at + i] = all;
        i += 1;
    }
    at + VALUES
}

macro_rules! each {
    ($shape:ident, $out:ident, $at:ident, $values:ident: $($f:ident)*) => {
        $($at = $shape($out, $at, $values, F::$f);)*
    };
}

pub fn compute(input: &[f32], out: &mut [u32]) {
    let (zero, one) = (input[0] as F, input[1] as F);
    let mut values = [one / zero; VALUES];
    values[1] = -values[0];
    let mut i = 0;
    while i < 8 {
        values[2 * i + 2] = input[i] as F;
        values[2 * i + 3] = -(input[i] as F);
        i += 1;
    }
    let (at, values) = (&mut 0, &mut values);
    trigonometry(out, at, values);
    powers(out, at, values);
    values[17] = (zero / zero).abs(); // the sign of a fresh NaN is not fixed
    pairs(out, at, values);
}

#[inline(never)]
fn trigonometry(out: &mut [u32], end: &mut usize, values: &[F; VALUES]) {
    let mut at = *end;
    each!(unary, out, at, values: sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh);
    *end = at;
}

#[inline(never)]
fn powers(out: &mut [u32], end: &mut usize, values: &[F; VALUES]) {
    let mut at = *end;
    each!(unary, out, at, values: exp exp2 exp_m1 ln log2 log10 ln_1p sqrt cbrt floor ceil round round_ties_even trunc fract signum);
    *end = at;
}

#[inline(never)]
fn pairs(out: &mut [u32], end: &mut usize, values: &[F; VALUES]) {
    let mut at = *end;
    each!(binary, out, at, values: powf atan2 hypot rem_euclid div_euclid copysign log);
    at = binary(out, at, values, |x, y| x % y);
    at = binary(out, at, values, |x, y| x.mul_add(y, x));
    out[at] = code((-values[9]).powi(3));
    *end = at + 1;
}

#[gpu_module]
mod kernels {
    use super::*;
    #[kernel]
    pub fn special(input: &[f32], mut out: DisjointSlice<u32>) {
        if thread::index_1d().get() == 0 {
            compute(input, unsafe { core::slice::from_raw_parts_mut(out.as_mut_ptr(), out.len()) })
        }
    }
}
