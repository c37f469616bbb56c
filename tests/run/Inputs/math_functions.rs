// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of math_functions_f32.rs and math_functions_f64.rs, each of which names the type `F` before: one kernel for each math function that a
// library computes, with C's name.
use mirgpu_device::prelude::*;

/// The calling thread's element.
unsafe fn own<T>(slice: *mut T) -> *mut T {
    unsafe { slice.add(thread::index_1d().get()) }
}

macro_rules! unary {
    ($($name:ident = $f:ident),*) => {$(
        #[kernel]
        pub unsafe fn $name(out: *mut F) {
            let o = unsafe { own(out) };
            unsafe { *o = (*o).$f() };
        }
    )*};
}

macro_rules! binary {
    ($($name:ident = |$x:ident, $y:ident| $e:expr),*) => {$(
        #[kernel]
        pub unsafe fn $name(second: *mut F, out: *mut F) {
            let (o, s) = unsafe { (own(out), own(second)) };
            let ($x, $y) = unsafe { (*o, *s) };
            unsafe { *o = $e };
        }
    )*};
}

#[gpu_module]
mod kernels {
    use super::*;
    unary!(
        sin = sin, cos = cos, tan = tan, asin = asin, acos = acos, atan = atan, exp = exp, exp2 = exp2, expm1 = exp_m1, log = ln, log2 = log2,
        log10 = log10, log1p = ln_1p, sinh = sinh, cosh = cosh, tanh = tanh, asinh = asinh, acosh = acosh, atanh = atanh, cbrt = cbrt, sqrt = sqrt,
        tgamma = gamma, erf = erf, erfc = erfc
    );
    binary!(
        pow = |x, y| x.powf(y),
        atan2 = |x, y| x.atan2(y),
        hypot = |x, y| x.hypot(y),
        fmod = |x, y| x % y
    );
    #[kernel]
    pub unsafe fn lgamma(sign: *mut i32, out: *mut F) {
        let (o, s) = unsafe { (own(out), own(sign)) };
        unsafe { (*o, *s) = (*o).ln_gamma() };
    }
}
