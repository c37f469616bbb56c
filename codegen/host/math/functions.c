// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host column of intrinsics/math.cpp: every math function of the CPU device, compiled to LLVM
// bitcode when mirgpu is built (docs/adr/0007-host-math.md). The arithmetic is SLEEF's; here stand
// the names, the choice of a precision for each function, and the arguments that SLEEF leaves out.
// Everything is scalar and has no FMA: LLVM's loop vectoriser makes the vector code, so that scalar
// and vector code give the same bits on every processor. Most f32 functions compute in f64: that
// rounds once, and needs fewer operations than pairs of f32.

// The ABI passes SLEEF's own pairs in two registers or one vector, which LLVM keeps as a struct or
// a vector after inlining, and then a loop around it stays scalar. Larger structs go through
// memory, of which nothing is left.
#define Sleef_float2_DEFINED
typedef struct {
  float x, y, unused[3];
} Sleef_float2;
#define Sleef_double2_DEFINED
typedef struct {
  double x, y, unused;
} Sleef_double2;
#include "misc.h"
#undef EXPORT
#define EXPORT static // only what stands below remains, with all that it calls inside it
#undef CONST
#define CONST __attribute__((always_inline)) const
// One argument reduction for all arguments: a second one for small arguments would have both done
// in vector code.
#undef TRIGRANGEMAX
#undef TRIGRANGEMAX2
#define TRIGRANGEMAX 0
#define TRIGRANGEMAX2 0
#include "tables.h"

#include "sleefdp.c"

// sleefsp.c repeats helpers under the same names.
#define xisint xisint_sp
#include "sleefsp.c"

#define UNARY_F32(name, call)                                                                      \
  float mirgpu_host_##name##_f32(float x) { return call; }
#define UNARY_F64(name, call)                                                                      \
  double mirgpu_host_##name##_f64(double x) { return call; }
#define BINARY_F32(name, call)                                                                     \
  float mirgpu_host_##name##_f32(float x, float y) { return call; }
#define BINARY_F64(name, call)                                                                     \
  double mirgpu_host_##name##_f64(double x, double y) { return call; }

/// An f32 argument by quarter turns: x = (4n + quadrant) pi/2 + rest.
typedef struct {
  double sine, cosine; ///< of the rest, which is at most pi/4
  uint64_t quadrant;
} Turn;

/// The turns that `x` holds are an exact product: 24 bits of x, 29 of a part of 2/pi. The table has
/// 2/pi without the bits that give whole turns. 0x1.8p52 rounds to an integer and leaves it in the
/// lowest bits. The series end where they differ from sine and cosine by less than 2^-36.
static INLINE Turn turnOf(float number) {
  const double x = number;
  const int exponent = (int)((doubleToRawLongBits(x) >> 52) & 0x7ff) - 1023 - 23;
  const double *parts = turnTable + 3 * (exponent < 0 ? 0 : exponent > 105 ? 105 : exponent);
  const double high = x * parts[0];
  const double rounded = high + 0x1.8p52;
  const double rest = high - (rounded - 0x1.8p52) + (x * parts[1] + x * parts[2]);
  const double r = rest * 1.57079632679489661923;
  const double s = r * r;
  double sine = -1.0 / 39916800;
  sine = mla(sine, s, 1.0 / 362880);
  sine = mla(sine, s, -1.0 / 5040);
  sine = mla(sine, s, 1.0 / 120);
  sine = mla(sine, s, -1.0 / 6);
  double cosine = 1.0 / 479001600;
  cosine = mla(cosine, s, -1.0 / 3628800);
  cosine = mla(cosine, s, 1.0 / 40320);
  cosine = mla(cosine, s, -1.0 / 720);
  cosine = mla(cosine, s, 1.0 / 24);
  cosine = mla(cosine, s, -0.5);
  Turn turn;
  turn.sine = r * (1 + s * sine); // keeps the sign of zero
  turn.cosine = 1 + s * cosine;
  turn.quadrant = doubleToRawLongBits(rounded);
  return turn;
}

static INLINE float sinAllF(float x) {
  const Turn turn = turnOf(x);
  const double value = turn.quadrant & 1 ? turn.cosine : turn.sine;
  return (float)(turn.quadrant & 2 ? -value : value);
}

static INLINE float cosAllF(float x) {
  const Turn turn = turnOf(x);
  const double value = turn.quadrant & 1 ? turn.sine : turn.cosine;
  return (float)((turn.quadrant + 1) & 2 ? -value : value);
}

static INLINE float tanAllF(float x) {
  const Turn turn = turnOf(x);
  const int isOdd = turn.quadrant & 1;
  const double value = (isOdd ? -turn.cosine : turn.sine) / (isOdd ? turn.sine : turn.cosine);
  return (float)value;
}

static INLINE double log1pAll(double x) {
  const int isLarge = x > 1e300; // SLEEF: infinity from 1e307 on
  const double y = xlog1p(isLarge ? x * 0x1p-64 : x);
  const double all = isLarge ? y + 64 * 0.693147180559945309417232121458 : y;
  return fabsk(x) < 0x1p-60 ? x : all; // SLEEF: zero for the least numbers
}

static INLINE float log1pAllF(float x) {
  const int isLarge = x > 1e36f;
  const float y = xlog1pf(isLarge ? x * 0x1p-64f : x);
  const float all = isLarge ? y + 64 * 0.693147180559945309417232121458f : y;
  return fabsfk(x) < 0x1p-30f ? x : all;
}

/// ln(2x), which asinh and acosh are to the last bit from 2^30 on.
static INLINE double logTwice(double x) { return xlog_u1(x) + 0.693147180559945309417232121458; }

static INLINE double asinhAll(double x) {
  const double y = fabsk(x) > 0x1p30 ? mulsign(logTwice(fabsk(x)), x) : xasinh(x);
  return fabsk(x) < 0x1p-30 ? x : y;
}

static INLINE double acoshAll(double x) { return x > 0x1p30 ? logTwice(x) : xacosh(x); }

/// 64 ln 2, so that what leaves the range of f64 on the way can be scaled by 2^64.
static INLINE Sleef_double2 shift64(void) {
  return dd(0x1.62e42fefa39efp+5, 0x1.abc9e3b39803fp-50);
}

/// e^x for x beyond 709, divided by 2, where SLEEF's pairs of f64 overflow.
static INLINE double halfExp(double x) {
  const Sleef_double2 shift = shift64();
  const double bounded = x < 800 ? x : 800;
  const Sleef_double2 e = expk2(ddadd2_d2_d_d2(bounded, dd(-shift.x, -shift.y)));
  return (e.x + e.y) * 0x1p63;
}

static INLINE double sinhAll(double x) {
  return fabsk(x) > 709 ? mulsign(halfExp(fabsk(x)), x) : xsinh(x);
}

static INLINE double coshAll(double x) { return fabsk(x) > 709 ? halfExp(fabsk(x)) : xcosh(x); }

/// Below -150 the result nears the subnormals. It is negative where floor(x) is odd, hence where
/// trunc(x) is even, also where it rounds to zero.
static INLINE double tgammaAll(double x) {
  const double y = xtgamma_u1(x);
  const dd2 parts = gammak(x);
  const Sleef_double2 scaled = ddmul_d2_d2_d2(expk2(ddadd2_d2_d2_d2(parts.a, shift64())), parts.b);
  const double deep = x > -200 ? (scaled.x + scaled.y) * 0x1p-64 : 0;
  const double sign = ((long long)x & 1) == 0 ? -1.0 : 1.0;
  return x < -150 && !xisnan(y) ? mulsign(fabsk(deep), sign) : y;
}

/// ln|gamma(x)|. Near its zeros below -2 SLEEF's absolute error is small, but not against the
/// result: there a series about the zero computes it.
static INLINE double lgammaAll(double x) {
  const double y = xlgamma_u1(x);
  const int isBetween = x < -2 && x > -18;
  const double below = isBetween ? -x : 2;
  const int whole = (int)below;
  const double *row = gammaZeros + 35 * (2 * whole - 4 + (below - whole >= 0.5));
  const Sleef_double2 offset = ddadd2_d2_d_d(x - row[0], -row[1]);
  const double part = offset.x * row[3];
  double series = row[34];
  for (int i = 33; i >= 6; --i)
    series = mla(series, part, row[i]);
  const Sleef_double2 slope = ddadd_d2_d_d(row[4], mla(series, part, row[5]));
  const Sleef_double2 near = ddmul_d2_d2_d2(offset, slope);
  return isBetween && fabsk(offset.x) < row[2] ? near.x + near.y : y;
}

/// Squares of f32 are exact in f64.
static INLINE float hypotAllF(float a, float b) {
  const double x = a, y = b;
  const float length = (float)__builtin_sqrt(x * x + y * y);
  const int isInfinite =
      __builtin_fabsf(a) == SLEEF_INFINITYf || __builtin_fabsf(b) == SLEEF_INFINITYf;
  return isInfinite ? SLEEF_INFINITYf : length;
}

UNARY_F32(sin, sinAllF(x))
UNARY_F64(sin, xsin_u1(x))
UNARY_F32(cos, cosAllF(x))
UNARY_F64(cos, xcos_u1(x))
UNARY_F32(tan, tanAllF(x))
UNARY_F64(tan, xtan_u1(x))
UNARY_F32(asin, (float)xasin(x))
UNARY_F64(asin, xasin_u1(x))
UNARY_F32(acos, (float)xacos(x))
UNARY_F64(acos, xacos_u1(x))
UNARY_F32(atan, (float)xatan(x))
UNARY_F64(atan, xatan_u1(x))
BINARY_F32(atan2, (float)xatan2(x, y))
BINARY_F64(atan2, xatan2_u1(x, y))
UNARY_F32(exp, xexpf(x))
UNARY_F64(exp, xexp(x))
UNARY_F32(exp2, xexp2f(x))
UNARY_F64(exp2, xexp2(x))
UNARY_F32(expm1, xexpm1f(x))
UNARY_F64(expm1, xexpm1(x))
UNARY_F32(log, xlogf_u1(x))
UNARY_F64(log, xlog_u1(x))
UNARY_F32(log2, xlog2f(x))
UNARY_F64(log2, xlog2(x))
UNARY_F32(log10, xlog10f(x))
UNARY_F64(log10, xlog10(x))
UNARY_F32(log1p, log1pAllF(x))
UNARY_F64(log1p, log1pAll(x))
UNARY_F32(sinh, (float)xsinh_u35(x))
UNARY_F64(sinh, sinhAll(x))
UNARY_F32(cosh, (float)xcosh_u35(x))
UNARY_F64(cosh, coshAll(x))
UNARY_F32(tanh, (float)xtanh_u35(x))
UNARY_F64(tanh, xtanh(x))
UNARY_F32(asinh, (float)xasinh(x))
UNARY_F64(asinh, asinhAll(x))
UNARY_F32(acosh, (float)xacosh(x))
UNARY_F64(acosh, acoshAll(x))
UNARY_F32(cbrt, (float)xcbrt(x))
UNARY_F64(cbrt, xcbrt_u1(x))
BINARY_F32(pow, xpowf(x, y))
BINARY_F64(pow, xpow(x, y))
BINARY_F32(hypot, hypotAllF(x, y))
BINARY_F64(hypot, xhypot_u05(x, y))
UNARY_F32(tgamma, (float)tgammaAll(x))
UNARY_F64(tgamma, tgammaAll(x))
UNARY_F32(lgamma, (float)xlgamma_u1(x))
UNARY_F64(lgamma, lgammaAll(x))
UNARY_F32(erf, (float)xerf_u1(x))
UNARY_F64(erf, xerf_u1(x))
UNARY_F32(erfc, (float)xerfc_u15(x))
UNARY_F64(erfc, xerfc_u15(x))
