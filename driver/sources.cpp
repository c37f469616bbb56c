// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding and splitting the sources that diagnostics show.
#include "driver/sources.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace mirgpu::driver {

size_t bytesOfCharacters(llvm::StringRef text, size_t characters) {
  size_t at = 0;
  for (; characters && at < text.size(); --characters) {
    ++at;
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80)
      ++at;
  }
  return at;
}

llvm::StringRef SourceFile::line(uint32_t number) const {
  if (number == 0 || number > lineStarts.size())
    return {};
  size_t start = lineStarts[number - 1];
  size_t end = number < lineStarts.size() ? lineStarts[number] : text.size();
  return llvm::StringRef(text).slice(start, end).rtrim("\r\n");
}

size_t SourceFile::offset(uint32_t number, uint32_t column) const {
  if (number == 0 || number > lineStarts.size())
    return 0;
  return lineStarts[number - 1] + bytesOfCharacters(line(number), column ? column - 1 : 0);
}

void Sources::addFolder(std::string folder) { folders_.push_back(std::move(folder)); }

void Sources::addPrefix(std::string name, std::string folder) {
  prefixes_.emplace_back(std::move(name), std::move(folder));
}

static std::vector<size_t> splitLines(llvm::StringRef text) {
  std::vector<size_t> starts{0};
  for (size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' && i + 1 < text.size())
      starts.push_back(i + 1);
  return starts;
}

Sources::Entry &Sources::load(llvm::StringRef name) {
  if (auto it = cache_.find(std::string_view(name)); it != cache_.end())
    return it->second;
  Entry &entry = cache_[name.str()];
  std::vector<std::string> tries;
  for (const auto &[prefix, folder] : prefixes_)
    if (name.starts_with(prefix))
      tries.push_back(folder + name.drop_front(prefix.size()).str());
  if (llvm::sys::path::is_absolute(name))
    tries.push_back(name.str());
  else
    for (const std::string &folder : folders_) {
      llvm::SmallString<128> path(folder);
      llvm::sys::path::append(path, name);
      tries.push_back(path.str().str());
    }
  for (const std::string &path : tries) {
    if (!llvm::sys::fs::is_regular_file(path))
      continue;
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
    if (!buffer)
      continue;
    entry.path = path;
    entry.file.text = (*buffer)->getBuffer().str();
    entry.file.lineStarts = splitLines(entry.file.text);
    break;
  }
  return entry;
}

std::string Sources::displayName(llvm::StringRef name) {
  const Entry &entry = load(name);
  return entry.path.empty() ? name.str() : entry.path;
}

const SourceFile *Sources::find(llvm::StringRef name) {
  if (name.empty())
    return nullptr;
  const Entry &entry = load(name);
  return entry.path.empty() ? nullptr : &entry.file;
}

} // namespace mirgpu::driver
