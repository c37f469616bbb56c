// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for fibers: mapped memory with inaccessible guard bytes below, so that a thread of a
// kernel that runs out of stack faults there instead of writing over another's. Pages are touched
// on use.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

namespace mirgpu::runtime::cpu {

/// Bytes below a stack that fault. Larger than the frame of code that probes each page it takes.
inline constexpr size_t kGuardBytes = 64 * 1024;
inline constexpr size_t kDefaultStackBytes = 256 * 1024;
inline constexpr size_t kMinStackBytes = 64 * 1024;
inline constexpr size_t kMaxStackBytes = size_t(1) << 30;

/// One mapped stack; unmapped when it goes. A default one is none.
class Stack {
public:
  /// At least `bytes` usable bytes; nothing if the system gives no more memory. Stacks of different
  /// `colour` begin at different places of their pages and of their 64 KiB, so that the frames of
  /// many waiting threads do not all compete for the same lines of the caches.
  static std::optional<Stack> map(size_t bytes, size_t colour);
  Stack() = default;
  Stack(Stack &&other) noexcept { *this = std::move(other); }
  Stack &operator=(Stack &&other) noexcept;
  ~Stack();

  std::byte *top() const { return top_; }
  std::byte *bottom() const { return bottom_; }
  size_t size() const { return static_cast<size_t>(top_ - bottom_); }
  bool exists() const { return base_ != nullptr; }
  bool guards(const void *address) const {
    auto p = static_cast<const std::byte *>(address);
    return p >= base_ && p < bottom_;
  }

private:
  std::byte *base_ = nullptr;   ///< of the guard
  std::byte *bottom_ = nullptr; ///< of what may be used
  std::byte *top_ = nullptr;
  std::byte *end_ = nullptr; ///< of the mapping
};

/// How many stacks this process may have mapped before the system refuses (its limit on mappings).
size_t maxStacks();

} // namespace mirgpu::runtime::cpu
