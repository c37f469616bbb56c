// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cpu/heap.h"

#include "runtime/text.h"

#include <cstring>
#include <sys/mman.h>

namespace mirgpu::runtime::cpu {

Heap::~Heap() {
  if (memory_)
    munmap(memory_, bytes_);
}

Status Heap::prepare(uint64_t bytes) {
  if (bytes != bytes_) {
    // Pages come when they are touched: a large heap costs what is used of it.
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
      return fail(ErrorCode::OutOfMemory, "no memory for a heap of ", bytes,
                  " bytes: ", std::strerror(errno));
    if (memory_)
      munmap(memory_, bytes_);
    memory_ = memory;
    bytes_ = bytes;
    header_ = abi::heapHeader(bytes);
  }
  std::memset(memory_, 0, abi::heapPrefixBytes(header_));
  std::memcpy(memory_, &header_, sizeof header_);
  return {};
}

uint64_t Heap::liveCount() const {
  const char *states = static_cast<const char *>(memory_) + header_.states;
  return abi::heapLiveCount(reinterpret_cast<const uint32_t *>(states), header_.chunks);
}

} // namespace mirgpu::runtime::cpu
