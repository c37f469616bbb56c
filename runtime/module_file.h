// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a `.mgpu` (support/mgpu_format.h) into checked tables. After `parse` succeeds every index,
// string and range in them is valid, so that the rest of the runtime tests none of it again; a
// damaged or hostile file gives an error that says what is wrong and where. Memory stays
// proportional to the file.
#pragma once

#include "runtime/mirgpu.hpp"
#include "support/mgpu_format.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::runtime {

/// One parameter; strings point into the file's bytes.
struct ModuleParam {
  std::string_view name, typeName;
  mgpu::ParamKind kind;
  uint32_t align;
  uint64_t size;
  uint64_t elementSize;
  uint32_t elementAlign;
  bool readOnly;
  uint64_t layoutHash;
  /// Whether it is {pointer, length}.
  bool isSlice() const {
    return kind == mgpu::ParamKind::Slice || kind == mgpu::ParamKind::SliceMut ||
           kind == mgpu::ParamKind::DisjointSlice;
  }
};

struct ModuleKernel {
  std::string_view key, entry, file;
  uint32_t line;
  uint32_t flags; ///< mgpu::KernelFlags
  uint32_t maxThreads, minBlocks;
  uint32_t staticSharedBytes;
  std::span<const ModuleParam> params; ///< without the hidden one
  bool hasLaunchContext;               ///< a hidden last parameter follows
};

struct ModulePlace {
  mgpu::PlaceKind kind;
  uint32_t line, column;
  std::string_view file, text, function;
};

/// A static that the host may read and write between launches.
struct ModuleGlobal {
  std::string_view key, symbol, typeName;
  std::string_view elementName; ///< the number, bool or char that it is made of, or empty
  uint64_t size;
  uint32_t align;
  uint32_t elementSize; ///< 0 without an element
  bool isConstant;      ///< no thread writes it
};

/// Code for one target.
struct ModuleCode {
  mgpu::SectionKind kind;
  std::string_view target;
  std::span<const std::byte> bytes;
  uint32_t section; ///< index in the file's section table; mgpu::Resource names it
};

/// A checked `.mgpu` with its bytes. Movable; views into it stay valid when it moves.
class ModuleFile {
public:
  /// Checks `bytes`. `name` stands in the error's text.
  static Result<ModuleFile> parse(std::vector<std::byte> bytes, std::string_view name);
  /// Reads and checks the file at `path`.
  static Result<ModuleFile> read(const std::string &path);

  std::span<const ModuleKernel> kernels() const { return kernels_; }
  std::span<const ModuleCode> codes() const { return codes_; }
  std::span<const mgpu::Resource> resources() const { return resources_; }
  std::span<const ModuleGlobal> globals() const { return globals_; }
  /// The place at `index`; the unknown place for 0 and for indices beyond the table.
  ModulePlace place(uint32_t index) const;
  size_t placeCount() const { return places_.size(); }
  /// The serialized MIR, or empty.
  std::string_view mir() const { return mir_; }
  const std::string &name() const { return name_; }

private:
  friend class ModuleParser;
  ModuleFile() = default;

  std::string name_;
  std::vector<std::byte> bytes_;
  std::vector<ModuleParam> params_;
  std::vector<ModuleKernel> kernels_;
  std::vector<ModulePlace> places_;
  std::vector<ModuleCode> codes_;
  std::vector<mgpu::Resource> resources_;
  std::vector<ModuleGlobal> globals_;
  std::string_view mir_;
};

} // namespace mirgpu::runtime
