// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `.mgpu` module, version 1 (DESIGN D15): fixed-size little-endian structs used by the writer
// (codegen/) and the reader (runtime/). A file is a header, a section table, then the sections,
// each aligned to 16 bytes from the file's start.
//   Strings are {offset, length} into the Strings section and are not terminated.
//   Kernels holds Kernel[n]; Params holds Param[n]; Places holds Place[n]; Resources holds
//   Resource[n]; Globals, which a module without any lacks, holds Global[n]. Code sections (Ptx,
//   Cubin, Hsaco, HostObject, Mir) hold the bytes as they are; `target` names what they are for.
#pragma once

#include <array>
#include <cstdint>

namespace mirgpu::mgpu {

inline constexpr std::array<char, 8> kMagic = {'\x7f', 'M', 'G', 'P', 'U', '\r', '\n', '\x1a'};
inline constexpr uint32_t kVersion = 1;
inline constexpr uint32_t kSectionAlign = 16;

enum class SectionKind : uint32_t {
  Strings = 1,
  Kernels = 2,
  Params = 3,
  Places = 4,
  Resources = 5,
  Globals = 6,
  Ptx = 16,
  Cubin = 17,
  Hsaco = 18,
  HostObject = 19,
  Mir = 32,
};

struct StringRef {
  uint32_t offset;
  uint32_t length;
};

struct Header {
  std::array<char, 8> magic;
  uint32_t version;
  uint32_t sectionCount;
  uint64_t fileSize;
  uint64_t headerChecksum; ///< FNV-1a 64 over the header with this field zero, then over the
                           ///< section table
};
static_assert(sizeof(Header) == 32);

struct Section {
  SectionKind kind;
  StringRef target; ///< `sm_90`, `gfx1100`, `host:x86-64-v3`; empty for tables
  uint32_t reserved;
  uint64_t offset;
  uint64_t size;
  uint64_t checksum; ///< FNV-1a 64 over the section's bytes
};
static_assert(sizeof(Section) == 40);

/// How a parameter crosses the launch (DESIGN D11).
enum class ParamKind : uint32_t {
  Scalar = 1,        ///< bool, char, integers, floats: `size` bytes
  Pointer = 2,       ///< a thin pointer or reference: 8 bytes
  Slice = 3,         ///< `&[T]`, `&str`: {pointer, u64 length}, read-only
  SliceMut = 4,      ///< `&mut [T]`: {pointer, u64 length}
  DisjointSlice = 5, ///< {pointer, u64 length}, writable, may overlap another DisjointSlice
  Aggregate = 6,     ///< a struct, tuple or closure by value in Rust layout
  LaunchContext = 7, ///< the hidden last parameter
};

struct Param {
  StringRef name;
  StringRef typeName;
  ParamKind kind;
  uint32_t align;        ///< of the value
  uint64_t size;         ///< of the value: 16 for slices
  uint64_t elementSize;  ///< of T for slices, else 0
  uint32_t elementAlign; ///< of T for slices, else 0
  uint32_t readOnly;     ///< 1 if the kernel may not write through it
  uint64_t layoutHash; ///< first 8 bytes of BLAKE3 over size, align, field offsets and kinds (of T
                       ///< for slices)
};
static_assert(sizeof(Param) == 56);

struct Kernel {
  StringRef key;   ///< `core::any::type_name` of the function item
  StringRef entry; ///< the symbol in every code section
  uint32_t firstParam;
  uint32_t paramCount; ///< the hidden one included
  uint32_t flags;      ///< KernelFlags
  uint32_t maxThreads; ///< from launch bounds; 0: none
  uint32_t minBlocks;  ///< from launch bounds; 0: none
  uint32_t staticSharedBytes;
  StringRef file; ///< of the definition
  uint32_t line;
  uint32_t reserved;
};
static_assert(sizeof(Kernel) == 56);

enum KernelFlags : uint32_t {
  kHasCollective = 1u << 0, ///< reaches a barrier or a warp operation
  kCanPanic = 1u << 1,
  kUsesDynamicShared = 1u << 2,
  kUsesHeap = 1u << 3, ///< the launch context names a heap (support/heap_layout.h)
};

/// What a panic or collective site is.
enum class PlaceKind : uint32_t {
  Unknown = 0,
  Panic = 1,       ///< a static message in `text`
  BoundsCheck = 2, ///< operands: index, length
  Overflow = 3,    ///< `text` has the whole message
  Message = 4,     ///< a formatted message: `text` has the static parts, `{}` for each argument
  Collective = 5,  ///< `text` names the operation, as `warp::shuffle_xor`
  Operands = 6,    ///< the whole message: the operands stand for the `{}` of `text`, in hexadecimal
};

/// Place 0 is always {Unknown}.
struct Place {
  PlaceKind kind;
  uint32_t line;
  uint32_t column;
  uint32_t reserved;
  StringRef file;
  StringRef text;
  StringRef function; ///< definition path of the Rust function
};
static_assert(sizeof(Place) == 40);

/// What one kernel uses on one target; a value that no tool gave is kUnknown.
struct Resource {
  uint32_t kernel;
  uint32_t section; ///< index of the code section
  uint32_t registers;
  uint32_t scalarRegisters;
  uint32_t spillBytes;
  uint32_t sharedBytes;
  uint32_t localBytes;
  uint32_t reserved;
};
static_assert(sizeof(Resource) == 32);
inline constexpr uint32_t kUnknown = UINT32_MAX;

/// A static that the host may read and write between launches.
struct Global {
  StringRef key;         ///< its Rust path
  StringRef symbol;      ///< in every code section
  StringRef typeName;    ///< as Rust writes it
  StringRef elementName; ///< the number, bool or char that it is made of; empty: something else
  uint64_t size;
  uint32_t align;
  uint32_t elementSize; ///< 0: something else
  uint32_t flags;       ///< GlobalFlags
  uint32_t reserved;
};
static_assert(sizeof(Global) == 56);

enum GlobalFlags : uint32_t {
  kConstant = 1u << 0, ///< no thread writes it
};

/// FNV-1a, 64 bits: catches torn and flipped bytes; it is no defence against a forger.
constexpr uint64_t fnv1a(const unsigned char *bytes, uint64_t size,
                         uint64_t seed = 0xcbf29ce484222325ull) {
  for (uint64_t i = 0; i < size; ++i)
    seed = (seed ^ bytes[i]) * 0x100000001b3ull;
  return seed;
}

} // namespace mirgpu::mgpu
