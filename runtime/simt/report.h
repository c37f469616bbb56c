// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the rendezvous core in words: which threads, at which Rust lines, in which operation,
// and why they cannot go on. The same for every executor.
#pragma once

#include "runtime/simt/block.h"

#include <array>
#include <functional>
#include <string>

namespace mirgpu::simt {

/// The block that the findings are about.
struct BlockPlace {
  std::array<uint32_t, 3> index;
  std::array<uint32_t, 3> dim;
  /// `src/lib.rs:10:5` for a place id, empty for an unknown one.
  std::function<std::string(uint32_t)> place;
};

/// One line, for LaneNeverArrives one more for each group of threads; no final newline.
std::string describe(const Finding &finding, const BlockPlace &block);

/// `(3,0,0)`
std::string tuple(const std::array<uint32_t, 3> &v);
/// The coordinates of the thread with that linear index.
std::array<uint32_t, 3> threadIndex(uint32_t linear, const std::array<uint32_t, 3> &dim);

} // namespace mirgpu::simt
