// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmap and mprotect for stacks. Each stack costs the process two mappings, of which Linux allows a
// limited number: maxStacks says how many stacks fit into half of it.
#include "runtime/cpu/stack.h"

#include <algorithm>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

namespace mirgpu::runtime::cpu {

std::optional<Stack> Stack::map(size_t bytes, size_t colour) {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  // One page more for the colour within a page, and guards of different sizes for the colour of
  // pages: inaccessible bytes cost nothing.
  size_t size = (std::clamp(bytes, kMinStackBytes, kMaxStackBytes) + page - 1) / page * page + page;
  size_t guard = kGuardBytes + colour % 15 * page;
  void *base =
      mmap(nullptr, guard + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED)
    return std::nullopt;
  Stack stack;
  stack.base_ = static_cast<std::byte *>(base);
  stack.bottom_ = stack.base_ + guard;
  stack.end_ = stack.bottom_ + size;
  stack.top_ = stack.end_ - colour * 9 % 63 * 64;
  if (mprotect(stack.bottom_, size, PROT_READ | PROT_WRITE) != 0)
    return std::nullopt;
  return stack;
}

Stack &Stack::operator=(Stack &&other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bottom_, other.bottom_);
  std::swap(top_, other.top_);
  std::swap(end_, other.end_);
  return *this;
}

Stack::~Stack() {
  if (base_)
    munmap(base_, static_cast<size_t>(end_ - base_));
}

static size_t readMaxStacks() {
  unsigned long maps = 65530;
  if (FILE *file = std::fopen("/proc/sys/vm/max_map_count", "re")) {
    unsigned long read = 0;
    if (std::fscanf(file, "%lu", &read) == 1 && read > 0)
      maps = read;
    std::fclose(file);
  }
  return std::max<size_t>(maps / 4, 1);
}

size_t maxStacks() {
  static const size_t count = readMaxStacks();
  return count;
}

} // namespace mirgpu::runtime::cpu
