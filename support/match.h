// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `match(variant, lambdas...)`: a visit that must name every alternative, and says so readably when
// it does not.
#pragma once

#include <type_traits>
#include <utility>
#include <variant>

namespace mirgpu {

template <class... Fs> struct Overloaded : Fs... {
  using Fs::operator()...;
};

template <class F, class... Alternatives>
consteval bool handlesAll(std::type_identity<std::variant<Alternatives...>>) {
  return (std::is_invocable_v<F, const Alternatives &> && ...);
}

/// Calls the lambda that takes the alternative which `v` holds, and returns its result.
template <class V, class... Fs> decltype(auto) match(const V &v, Fs &&...fs) {
  using All = Overloaded<std::remove_cvref_t<Fs>...>;
  static_assert(handlesAll<All>(std::type_identity<V>{}),
                "match() must handle every alternative of the variant");
  return std::visit(All{std::forward<Fs>(fs)...}, v);
}

} // namespace mirgpu
