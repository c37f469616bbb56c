// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See reference.h.
#include "reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mirgpu::math {

static int logGamma(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
  int sign = 0;
  return mpfr_lgamma(result, &sign, x, rounding);
}

static constexpr Function kFunctions[] = {
    {"sin", mpfr_sin, nullptr},     {"cos", mpfr_cos, nullptr},     {"tan", mpfr_tan, nullptr},
    {"asin", mpfr_asin, nullptr},   {"acos", mpfr_acos, nullptr},   {"atan", mpfr_atan, nullptr},
    {"atan2", nullptr, mpfr_atan2}, {"exp", mpfr_exp, nullptr},     {"exp2", mpfr_exp2, nullptr},
    {"expm1", mpfr_expm1, nullptr}, {"log", mpfr_log, nullptr},     {"log2", mpfr_log2, nullptr},
    {"log10", mpfr_log10, nullptr}, {"log1p", mpfr_log1p, nullptr}, {"sinh", mpfr_sinh, nullptr},
    {"cosh", mpfr_cosh, nullptr},   {"tanh", mpfr_tanh, nullptr},   {"asinh", mpfr_asinh, nullptr},
    {"acosh", mpfr_acosh, nullptr}, {"atanh", mpfr_atanh, nullptr}, {"pow", nullptr, mpfr_pow},
    {"cbrt", mpfr_cbrt, nullptr},   {"hypot", nullptr, mpfr_hypot}, {"tgamma", mpfr_gamma, nullptr},
    {"lgamma", logGamma, nullptr},  {"erf", mpfr_erf, nullptr},     {"erfc", mpfr_erfc, nullptr},
    {"fmod", nullptr, mpfr_fmod},   {"sqrt", mpfr_sqrt, nullptr},
};

std::span<const Function> functions() { return kFunctions; }

template <class T> double ulpError(T got, mpfr_srcptr exact) {
  using Limits = std::numeric_limits<T>;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (mpfr_nan_p(exact) || std::isnan(got))
    return mpfr_nan_p(exact) && std::isnan(got) ? 0 : infinite;
  const bool isNegative = mpfr_signbit(exact) != 0;
  if ((got == 0 || std::isinf(got)) && std::signbit(got) != isNegative)
    return infinite;
  if (mpfr_inf_p(exact))
    return std::isinf(got) ? 0 : infinite;
  Number difference(mpfr_get_prec(exact) + 64);
  if (std::isinf(got)) { // beyond the greatest number everything is infinity
    mpfr_set_ui_2exp(difference.get(), 1, Limits::max_exponent, MPFR_RNDN);
    if (mpfr_cmpabs(exact, difference.get()) >= 0)
      return 0;
    mpfr_t magnitude;
    mpfr_init2(magnitude, mpfr_get_prec(exact));
    mpfr_abs(magnitude, exact, MPFR_RNDN);
    mpfr_sub(difference.get(), difference.get(), magnitude, MPFR_RNDN);
    mpfr_clear(magnitude);
  } else {
    mpfr_sub_d(difference.get(), exact, static_cast<double>(got), MPFR_RNDN);
    mpfr_abs(difference.get(), difference.get(), MPFR_RNDN);
  }
  // mpfr's exponent is that of a fraction in [1/2, 1), as is min_exponent.
  long exponent = mpfr_zero_p(exact) ? Limits::min_exponent : mpfr_get_exp(exact);
  exponent = std::clamp<long>(exponent, Limits::min_exponent, Limits::max_exponent);
  mpfr_mul_2si(difference.get(), difference.get(), Limits::digits - exponent, MPFR_RNDN);
  return mpfr_get_d(difference.get(), MPFR_RNDU);
}

template double ulpError(float, mpfr_srcptr);
template double ulpError(double, mpfr_srcptr);

} // namespace mirgpu::math
