// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which virtual methods have the rust-call ABI, whose last argument is a tuple of the parameters.
#pragma once

#include "mir_reader/mir.h"

namespace mirgpu::mir {

/// The format gives no ABI for a virtual method; only the call traits of core have this one.
inline bool isRustCallMethod(Str method) {
  return method.starts_with("core::ops::function::Fn") ||
         method.starts_with("core::ops::async_function::AsyncFn");
}

} // namespace mirgpu::mir
