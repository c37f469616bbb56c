// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NumPy's `.npy` files, version 1.0, little-endian, in C order, to and from plain elements. Any
// other file is an error that says what is wrong; the shape is flattened when read and is
// one-dimensional when written.
#pragma once

#include "driver/element.h"

namespace mirgpu::driver {

struct NpyArray {
  Element element = Element::F32;
  uint64_t count = 0;
  std::string bytes;
};

/// `name` stands in errors.
llvm::Expected<NpyArray> parseNpy(llvm::StringRef file, llvm::StringRef name);
std::string writeNpy(Element element, llvm::StringRef bytes);

} // namespace mirgpu::driver
