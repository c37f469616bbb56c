// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of `mirgpu inspect`: names, tables, JSON. Private to it.
#pragma once

#include "driver/kernel_use.h"

namespace mirgpu::driver {

llvm::StringRef kindName(mgpu::ParamKind kind);
llvm::StringRef codeName(mgpu::SectionKind kind);

/// Rows in columns, the first row their heading.
void printTable(const std::vector<std::vector<std::string>> &rows);

/// What the kernels use, without the columns that nobody has a number for; on a terminal no wider
/// than it.
void printUses(const std::vector<KernelUse> &uses);

/// One object: kernels with parameters, statics, code by target, what the kernels use. A number
/// that nobody knows is null.
void printJson(const runtime::ModuleFile &file, const std::vector<KernelUse> &uses,
               const std::string &kernel);

} // namespace mirgpu::driver
