// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmap and mprotect for stacks. Each stack costs the process two mappings, of which Linux allows a
// limited number: maxStacks says how many stacks fit into half of it.
#include "runtime/cpu/stack.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace mirgpu::runtime::cpu {

std::optional<Stack> Stack::map(size_t bytes) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t size = (std::clamp(bytes, kMinStackBytes, kMaxStackBytes) + page - 1) / page * page;
  void *base = mmap(nullptr, kGuardBytes + size, PROT_NONE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return std::nullopt;
  Stack stack(static_cast<std::byte *>(base), size);
  if (mprotect(stack.bottom(), size, PROT_READ | PROT_WRITE) != 0)
    return std::nullopt;
  return stack;
}

Stack::Stack(Stack &&other) noexcept
    : base_(std::exchange(other.base_, nullptr)), size_(other.size_) {}

Stack &Stack::operator=(Stack &&other) noexcept {
  std::swap(base_, other.base_);
  std::swap(size_, other.size_);
  return *this;
}

Stack::~Stack() {
  if (base_)
    munmap(base_, kGuardBytes + size_);
}

size_t maxStacks() {
  unsigned long maps = 65530;
  if (FILE *file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
    unsigned long read = 0;
    if (std::fscanf(file, "%lu", &read) == 1 && read > 0)
      maps = read;
    std::fclose(file);
  }
  return std::max<size_t>(maps / 4, 1);
}

} // namespace mirgpu::runtime::cpu
