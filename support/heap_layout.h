// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The heap of a launch, which LaunchContext::heap points to: a header, a state for each chunk, a
// bitmap for each chunk, then the chunks. The allocator is rust/mirgpu-device/src/heap.rs, which
// has the same struct and constants (tests/rust/check_heap_layout.py holds them together). The
// runtime writes the header, zeroes states and bitmaps before a launch, and counts what is left
// behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mirgpu::abi {

/// Offsets are bytes from the header, which is aligned to a chunk.
struct HeapHeader {
  uint64_t chunks;     ///< number of chunks
  uint64_t firstChunk; ///< offset of chunk 0
  uint64_t states;     ///< offset of uint32_t[chunks]
  uint64_t bitmaps;    ///< offset of uint32_t[kHeapBitmapWords * chunks]
};
static_assert(sizeof(HeapHeader) == 32);

inline constexpr uint64_t kHeapChunkBytes = 4096, kHeapBitmapWords = 8;
/// A state is a kind in the upper bits and a count in the lower: free chunks are 0, slabs count
/// their slots in use, the first chunk of a run its chunks, and further chunks nothing.
inline constexpr uint32_t kHeapKindShift = 24, kHeapCountMask = (1u << kHeapKindShift) - 1;
inline constexpr uint32_t kHeapRunHead = 254u << kHeapKindShift,
                          kHeapRunTail = 255u << kHeapKindShift;

/// The header of a heap of `bytes` bytes, of which it uses as many whole chunks as fit.
inline HeapHeader heapHeader(uint64_t bytes) {
  constexpr uint64_t perChunk = kHeapChunkBytes + 4 + 4 * kHeapBitmapWords;
  HeapHeader header{0, 0, sizeof(HeapHeader), 0};
  // Up to a chunk is lost between the bitmaps and the first chunk.
  const uint64_t fixed = sizeof(HeapHeader) + kHeapChunkBytes;
  header.chunks = bytes > fixed ? (bytes - fixed) / perChunk : 0;
  header.bitmaps = header.states + 4 * header.chunks;
  const uint64_t end = header.bitmaps + 4 * kHeapBitmapWords * header.chunks;
  header.firstChunk = (end + kHeapChunkBytes - 1) / kHeapChunkBytes * kHeapChunkBytes;
  return header;
}

/// Bytes from the start that a launch begins with: the header, then zeroes.
inline uint64_t heapPrefixBytes(const HeapHeader &header) {
  return header.bitmaps + 4 * kHeapBitmapWords * header.chunks;
}

/// Allocations that a launch left, by the states of its chunks.
inline uint64_t heapLiveCount(const uint32_t *states, uint64_t chunks) {
  uint64_t live = 0;
  for (uint64_t i = 0; i < chunks; ++i)
    live += states[i] >= kHeapRunTail   ? 0
            : states[i] >= kHeapRunHead ? 1
                                        : states[i] & kHeapCountMask;
  return live;
}

} // namespace mirgpu::abi
