// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a running kernel and the launch runtime share, on every target (DESIGN D7, D11). Plain C
// layout, little-endian, fixed: generated code addresses these fields by offset, so a change here
// is a change of ABI and of kLaunchAbiVersion.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mirgpu::abi {

inline constexpr uint32_t kLaunchAbiVersion = 1;

/// What the hidden last parameter `launch_context` points to. It lives in memory that the device
/// can read.
struct LaunchContext {
  uint64_t log;      ///< address of a PanicLog that the device can write, or 0
  uint64_t launchId; ///< names the launch in error texts
  uint64_t heap;     ///< address of the device heap, or 0
};
static_assert(sizeof(LaunchContext) == 24);

inline constexpr uint32_t kPanicTextBytes = 128;
inline constexpr uint32_t kPanicFileBytes = 128;

/// One panic. `place` is an index into the module's place table; where the location is known at run
/// time alone
/// (`#[track_caller]` through a function pointer), `dynamic` is 1 and file, line, column and text
/// stand in the record.
struct PanicRecord {
  uint32_t written; ///< 1 once the other fields are valid (stored last)
  uint32_t place;
  uint32_t block[3];
  uint32_t thread[3];
  uint64_t operands[2];
  uint32_t dynamic;
  uint32_t line;
  uint32_t column;
  uint32_t fileLength;
  uint32_t textLength;
  uint32_t reserved;
  char file[kPanicFileBytes];
  char text[kPanicTextBytes];
};
static_assert(offsetof(PanicRecord, operands) == 32 && offsetof(PanicRecord, dynamic) == 48);
static_assert(offsetof(PanicRecord, file) == 72 && sizeof(PanicRecord) == 328);

/// The launch's log: a header, then `capacity` records. `count` counts every panic, also those
/// beyond the capacity.
struct PanicLog {
  uint32_t count;
  uint32_t capacity;
  // PanicRecord records[capacity];
};
static_assert(sizeof(PanicLog) == 8);

} // namespace mirgpu::abi
