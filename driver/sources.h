// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the remapped file names of serialized MIR (`src/kernels.rs`, `<rust-src>/library/core/…`) to
// files that can be read on this machine. Invariant: a name that cannot be resolved is shown as it
// stands and has no lines; nothing fails for want of a source.
#pragma once

#include "support/diagnostics.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mirgpu::driver {

/// A source file's text by line.
struct SourceFile {
  std::string text;
  std::vector<size_t> lineStarts;

  size_t lineCount() const { return lineStarts.size(); }
  /// Line `number` (1-based) without its end; empty beyond the file.
  llvm::StringRef line(uint32_t number) const;
  /// Offset of a place in bytes; `column` counts characters from 1.
  size_t offset(uint32_t line, uint32_t column) const;
};

class Sources {
public:
  /// Relative names are looked for below `folder` next.
  void addFolder(std::string folder);
  /// Names that begin with `name` stand for files below `folder`.
  void addPrefix(std::string name, std::string folder);

  /// What to show for `name`: the path of the file if there is one.
  std::string displayName(llvm::StringRef name);
  /// The file that `name` stands for, or null.
  const SourceFile *find(llvm::StringRef name);

private:
  struct Entry {
    std::string path; ///< empty: not found
    SourceFile file;
  };
  Entry &load(llvm::StringRef name);

  std::vector<std::string> folders_;
  std::vector<std::pair<std::string, std::string>> prefixes_;
  std::map<std::string, Entry, std::less<>> cache_;
};

/// The bytes that the first `characters` characters of `text` (UTF-8) take.
size_t bytesOfCharacters(llvm::StringRef text, size_t characters);

} // namespace mirgpu::driver
