// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/hash_table as a CUDA programmer writes it.
using u64 = unsigned long long;
constexpr u64 kEmpty = ~0ull;

__device__ unsigned hash(unsigned key) {
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  return key ^ key >> 16;
}

__device__ bool insertLeast(u64 *slots, unsigned count, unsigned key, unsigned value) {
  u64 word = u64(key) << 32 | value;
  unsigned mask = count - 1, first = hash(key);
  for (unsigned step = 0; step < count; ++step) {
    u64 *slot = &slots[(first + step) & mask];
    u64 found = *(volatile u64 *)slot;
    while (found == kEmpty || found >> 32 == key) {
      if (found <= word)
        return true;
      u64 other = atomicCAS_system(slot, found, word);
      if (other == found)
        return true;
      found = other;
    }
  }
  return false;
}

extern "C" __global__ void insert(const unsigned *__restrict__ keys,
                                  const unsigned *__restrict__ values, u64 *slots, unsigned count,
                                  unsigned *stored, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    stored[i] = insertLeast(slots, count, keys[i], values[i]);
}

extern "C" __global__ void find(const unsigned *__restrict__ keys, const u64 *slots, unsigned count,
                                unsigned *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned key = keys[i], mask = count - 1, first = hash(key), value = ~0u;
  for (unsigned step = 0; step < count; ++step) {
    u64 found = *(const volatile u64 *)&slots[(first + step) & mask];
    if (found == kEmpty)
      break;
    if (found >> 32 == key) {
      value = unsigned(found);
      break;
    }
  }
  values[i] = value;
}
