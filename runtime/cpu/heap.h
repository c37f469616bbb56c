// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap that kernels on one stream allocate from: host memory that is kept from launch to
// launch.
#pragma once

#include "runtime/mirgpu.hpp"
#include "support/heap_layout.h"

namespace mirgpu::runtime::cpu {

class Heap {
public:
  Heap() = default;
  Heap(const Heap &) = delete;
  Heap &operator=(const Heap &) = delete;
  ~Heap();

  /// Makes an empty heap of `bytes` bytes ready for a launch.
  Status prepare(uint64_t bytes);
  /// What LaunchContext::heap is to be.
  uint64_t address() const { return reinterpret_cast<uint64_t>(memory_); }
  /// Allocations that are not freed.
  uint64_t liveCount() const;

private:
  void *memory_ = nullptr;
  uint64_t bytes_ = 0;
  abi::HeapHeader header_{};
};

} // namespace mirgpu::runtime::cpu
