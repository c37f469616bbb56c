// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every fuzz target needs: a failed CHECK of ours and an error that LLVM ends the process with
// become crashes that libFuzzer sees and keeps the input of, and the share of inputs that came
// through is printed at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace mirgpu::fuzz {

/// Inputs above this size are refused: found inputs shall stay readable.
inline constexpr size_t kMaxInputBytes = 32 << 10;

/// Call from LLVMFuzzerInitialize, once.
void initialize();

/// Counts an input of the target; `accepted`: it came through the checks that guard the code under
/// test. At exit `inputs: N, accepted: M (P%)` is printed, which ./dev reads.
void count(bool accepted);

/// The bytes of an input as text.
inline std::string_view asText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

} // namespace mirgpu::fuzz
