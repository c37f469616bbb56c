// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pages of docs/errors, as the build compiles them in.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace mirgpu::driver {

struct ErrorPage {
  std::string_view code, text;
};

std::span<const ErrorPage> errorPages();

} // namespace mirgpu::driver
