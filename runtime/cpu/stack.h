// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for fibers: mapped memory with inaccessible guard bytes below, so that a thread of a kernel
// that runs out of stack faults there instead of writing over another's. Pages are touched on use.
#pragma once

#include <cstddef>
#include <optional>

namespace mirgpu::runtime::cpu {

/// Bytes below a stack that fault. Larger than the frame of code that probes each page it takes.
inline constexpr size_t kGuardBytes = 64 * 1024;
inline constexpr size_t kDefaultStackBytes = 256 * 1024;
inline constexpr size_t kMinStackBytes = 64 * 1024;
inline constexpr size_t kMaxStackBytes = size_t(1) << 30;

/// One mapped stack; unmapped when it goes.
class Stack {
public:
  /// At least `bytes` usable bytes; nothing if the system gives no more memory.
  static std::optional<Stack> map(size_t bytes);
  Stack(Stack &&other) noexcept;
  Stack &operator=(Stack &&other) noexcept;
  ~Stack();

  std::byte *top() const { return base_ + kGuardBytes + size_; }
  std::byte *bottom() const { return base_ + kGuardBytes; }
  size_t size() const { return size_; }
  bool guards(const void *address) const {
    auto p = static_cast<const std::byte *>(address);
    return p >= base_ && p < bottom();
  }

private:
  Stack(std::byte *base, size_t size) : base_(base), size_(size) {}
  std::byte *base_ = nullptr; ///< of the guard
  size_t size_ = 0;
};

/// How many stacks this process may have mapped before the system refuses (its limit on mappings).
size_t maxStacks();

} // namespace mirgpu::runtime::cpu
