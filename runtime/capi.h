// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of the C ABI's implementation: errors on their way out, and structs whose size the caller
// states, so that a caller built against an older or newer header reads and writes what both know.
#pragma once

#include "runtime/objects.h"

#include <algorithm>
#include <cstring>

namespace mirgpu::runtime {

inline mirgpu_error *toC(Error error) { return new mirgpu_error{std::move(error)}; }
inline mirgpu_error *toC(const Status &status) { return status ? nullptr : toC(status.error()); }

/// Copies the first `struct_size` bytes of `full` to the caller's struct.
template <class T> void giveOut(const T &full, T *out) {
  size_t size = out->struct_size;
  std::memcpy(static_cast<void *>(out), &full, std::min(size, sizeof(T)));
  if (size >= sizeof out->struct_size)
    out->struct_size = size;
}

/// Whether the bytes of a caller's struct that this library does not know are all zero.
inline bool unknownIsZero(const void *given, size_t givenSize, size_t knownSize) {
  auto bytes = static_cast<const unsigned char *>(given);
  return givenSize <= knownSize ||
         std::all_of(bytes + knownSize, bytes + givenSize, [](unsigned char b) { return b == 0; });
}

} // namespace mirgpu::runtime
