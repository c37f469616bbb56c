// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The way in: from the text of a `*.mir.json` (docs/mir_format.md) to a verified mir::Program. Any
// text gives a program or an error that names the file and the place in it; memory is bounded by
// the file's size, whose limit is kMaxFileBytes.
#pragma once

#include "mir_reader/mir.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace mirgpu::mir {

inline constexpr uint64_t kMaxFileBytes = uint64_t(512) << 20;
inline constexpr uint32_t kFormatMajor = 1;

/// Reads and verifies. The buffer's identifier is the file's name in errors; the buffer may end
/// afterwards.
llvm::Expected<Program> read(llvm::MemoryBufferRef buffer);

/// Reads and verifies a file; a pipe or other stream is read up to the size limit.
llvm::Expected<Program> readFile(llvm::StringRef path);

} // namespace mirgpu::mir
