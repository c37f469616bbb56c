// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The small vocabulary in which the families write their rows: a signature is a C++ function type,
// `sig<u32(u32, u32)>()`, a column is `llvmCall("llvm.…")` or `custom(emitter)`. Everything here is
// constexpr, so that a row with a type that has no ValueKind does not compile and the tables need
// no start-up code.
#pragma once

#include "intrinsics/intrinsics.h"

#include <type_traits>

namespace mirgpu::intrinsics {

using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using f32 = float;
using f64 = double;
using ptr = void *;

template <class T> inline constexpr bool noSuchKind = false;

/// The kind of the C++ type `T` as it stands in a signature.
template <class T> consteval ValueKind kindOf() {
  if constexpr (std::is_void_v<T>)
    return ValueKind::Void;
  else if constexpr (std::is_same_v<T, bool>)
    return ValueKind::Bool;
  else if constexpr (std::is_same_v<T, u32>)
    return ValueKind::U32;
  else if constexpr (std::is_same_v<T, i32>)
    return ValueKind::I32;
  else if constexpr (std::is_same_v<T, u64>)
    return ValueKind::U64;
  else if constexpr (std::is_same_v<T, i64>)
    return ValueKind::I64;
  else if constexpr (std::is_same_v<T, f32>)
    return ValueKind::F32;
  else if constexpr (std::is_same_v<T, f64>)
    return ValueKind::F64;
  else if constexpr (std::is_same_v<T, ptr>)
    return ValueKind::Ptr;
  else
    static_assert(noSuchKind<T>, "a signature has a type that no ValueKind stands for");
}

template <class F> struct SignatureOf;
template <class R, class... Args> struct SignatureOf<R(Args...)> {
  static_assert(sizeof...(Args) <= std::tuple_size_v<decltype(Signature::params)>);
  static constexpr Signature value{kindOf<R>(), {kindOf<Args>()...}, sizeof...(Args)};
};

/// The signature that the C++ function type `F` spells.
template <class F> consteval Signature sig() { return SignatureOf<F>::value; }

/// A call of the LLVM intrinsic `name` with the row's own operands; it must not be overloaded.
consteval Column llvmCall(const char *name) { return {.llvmIntrinsic = name, .emitter = nullptr}; }

/// Code that `emitter` writes.
consteval Column custom(Emitter emitter) { return {.llvmIntrinsic = nullptr, .emitter = emitter}; }

/// The cell of `def` for `backend`.
constexpr const Column &columnOf(const IntrinsicDef &def, Backend backend) {
  switch (backend) {
  case Backend::Nvptx:
    return def.nvptx;
  case Backend::Amdgpu:
    return def.amdgpu;
  case Backend::Host:
    return def.host;
  }
  llvm_unreachable("covered");
}

// The families.
std::span<const IntrinsicDef> threadRows();
std::span<const IntrinsicDef> warpRows();
std::span<const IntrinsicDef> atomicRows();
std::span<const IntrinsicDef> dynamicSharedRows();
std::span<const IntrinsicDef> heapRows();

} // namespace mirgpu::intrinsics
