// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arguments of `mirgpu run`: from `--arg NAME=VALUE` and the kernel's parameter table to what a
// launch takes, and after the launch from the buffers to `--print` and `--check`. Invariant: there
// is one BoundArg for each parameter, in the table's order.
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

/// What `--print` and `--check` ask for. Every wrong buffer is reported.
llvm::Error showResults(const Stream &stream, const std::vector<BoundArg> &bound,
                        const ParsedOptions &options);

} // namespace mirgpu::driver
