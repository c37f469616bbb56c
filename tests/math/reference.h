// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Math functions by MPFR, and the distance of a float from an exact value.
#pragma once

#include <mpfr.h>

#include <span>
#include <string_view>

namespace mirgpu::math {

/// One function: its name is that of the kernel.
struct Function {
  std::string_view name;
  int (*unary)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);               ///< null: binary
  int (*binary)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t); ///< null: unary
};

std::span<const Function> functions();

/// A number of `bits` mantissa bits that is freed with its scope.
class Number {
public:
  explicit Number(long bits) { mpfr_init2(value_, bits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  mpfr_ptr get() { return value_; }

private:
  mpfr_t value_;
};

/// |got - exact| in units of the last place that `exact` has in T; infinity counts as the power of
/// two beyond the greatest number. Infinite if one is NaN or the sign of a zero is wrong.
template <class T> double ulpError(T got, mpfr_srcptr exact);

} // namespace mirgpu::math
