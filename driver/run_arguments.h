// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of `mirgpu run`: from `--arg NAME=VALUE` and the kernel's parameter table to what a
// launch takes, and after the launch from the buffers and statics to `--print` and `--check`.
// Invariant: there is one BoundArg for each parameter, in the table's order.
#pragma once

#include "driver/element.h"
#include "driver/options.h"
#include "runtime/mirgpu.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mirgpu::driver {

/// One `--arg`, ready for the launch.
struct BoundArg {
  std::string name;
  std::optional<Element> element; ///< of a buffer
  std::string bytes;              ///< of a scalar or aggregate, else what the buffer starts with
  std::optional<Buffer<std::byte>> buffer;
};

/// A runtime error by whose fault it is: the kernel's, the command line's, the world's.
llvm::Error runtimeError(const mirgpu::Error &error);

template <class T> llvm::Expected<T> expected(Result<T> result) {
  if (!result)
    return runtimeError(result.error());
  return std::move(*result);
}

inline llvm::Error checkStatus(const Status &status) {
  return status ? llvm::Error::success() : runtimeError(status.error());
}

inline std::span<const std::byte> asBytes(llvm::StringRef text) {
  return {reinterpret_cast<const std::byte *>(text.data()), text.size()};
}

/// Every parameter's argument, its buffer made and filled.
llvm::Expected<std::vector<BoundArg>> bindArguments(const Device &device, const Stream &stream,
                                                    const std::vector<ParamInfo> &params,
                                                    const ParsedOptions &options);

/// Gives statics the values of `--set NAME=VALUE`.
llvm::Error setStatics(const Module &module, const Stream &stream, const ParsedOptions &options);

/// The bytes of the static `name`, and what they are elements of.
llvm::Expected<std::string> readStatic(const Module &module, const Stream &stream,
                                       llvm::StringRef name, std::optional<Element> &element);

/// What a launch leaves.
struct Results {
  const Stream &stream;
  const Module &module;
  const std::vector<BoundArg> &bound;
};

/// What `--print` and `--check` ask for: buffers, else statics. Every wrong one is reported.
llvm::Error showResults(const Results &results, const ParsedOptions &options);

} // namespace mirgpu::driver
