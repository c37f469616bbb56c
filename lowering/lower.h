// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MIR to LLVM IR. `lowerModule` leaves a verified llvm::Module in the neutral form of target.h:
// - every lowered Rust function is internal, convergent, takes its Rust parameters as DESIGN D5
// models values and last a hidden
//   `ptr context` (a LaneContext on the host, the launch context elsewhere), also when nothing uses
//   it;
// - every kernel is an internal function `mirgpu.kernel.<entry>` with D11's parameters: a slice or
// DisjointSlice as `ptr, i64`,
//   an aggregate as one `ptr` to its bytes (align and dereferenceable set), scalars and pointers as
//   themselves (bool i8, char i32), no ZSTs, last `ptr context`. Its parameter attributes say what
//   may be promised of them.
// codegen/<target> makes the real entry points around these. With errors in `diags` the module may
// hold poison and must not be emitted.
#pragma once

#include "lowering/target.h"
#include "mir_reader/mir.h"
#include "support/diagnostics.h"
#include "support/mgpu_format.h"

#include "llvm/IR/Module.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::lowering {

struct LowerOptions {
  std::vector<std::string> kernels; ///< entry names or keys to lower; empty: all
  bool fpContract = false;          ///< `contract` on floating-point operations
  bool keepGoing = false;           ///< leave out kernels with errors, emit the others
  bool debugInfo = true;
};

/// One parameter as the launch sees it, hidden one included.
struct LoweredParam {
  std::string name, typeName;
  mgpu::ParamKind kind = mgpu::ParamKind::Scalar;
  uint64_t size = 0;
  uint32_t align = 1;
  uint64_t elementSize = 0;
  uint32_t elementAlign = 0;
  bool readOnly = false;
  uint64_t layoutHash = 0;
};

struct LoweredKernel {
  std::string key, entry, file;
  uint32_t line = 0;
  std::vector<LoweredParam> params; ///< in the order of the entry's parameters; LaunchContext last,
                                    ///< if the kernel can panic or allocate
  uint32_t maxThreads = 0, minBlocks = 0;
  bool canPanic = false, hasCollective = false, usesDynamicShared = false, usesHeap = false;
};

struct PlaceEntry {
  mgpu::PlaceKind kind = mgpu::PlaceKind::Unknown;
  std::string file, text, function;
  uint32_t line = 0, column = 0;
};

/// A static that the host may read and write between launches.
struct LoweredStatic {
  std::string key;         ///< its Rust path
  std::string symbol;      ///< in the code
  std::string typeName;    ///< as Rust writes it
  std::string elementName; ///< the number, bool or char that it is made of; empty: something else
  uint64_t size = 0;
  uint64_t elementSize = 0; ///< 0: something else
  uint32_t align = 1;
  bool isConstant = false; ///< no thread writes it
};

struct LoweredModule {
  std::unique_ptr<llvm::Module> module;
  std::vector<LoweredKernel> kernels;
  std::vector<PlaceEntry> places;     ///< 0 is Unknown
  std::vector<LoweredStatic> statics; ///< by key; external, every other global is internal
};

/// Lowers the kernels that `options` names and all they reach.
LoweredModule lowerModule(const mir::Program &program, llvm::LLVMContext &context,
                          const Target &target, const LowerOptions &options, Diagnostics &diags);

/// Whether `name` names the kernel: its entry (`a::fill` or the symbol `a$$fill`) or its key.
bool isKernelNamed(const mir::Kernel &kernel, std::string_view name);

/// The function and span being lowered, for the bug report of a failed CHECK; empty outside
/// lowering.
std::string currentLocation();

} // namespace mirgpu::lowering
