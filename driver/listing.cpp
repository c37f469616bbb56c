// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See listing.h.
#include "driver/listing.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace mirgpu::driver {

/// Where the calls behind an instruction begin.
static constexpr size_t kCommentColumn = 60;

void Listing::begin(llvm::StringRef title) {
  out_ << '\n' << title << '\n';
  current_ = {};
  inlined_.clear();
  printed_.clear();
}

void Listing::plain(llvm::StringRef text) { out_ << text << '\n'; }

void Listing::heading(const LineFrame &place) {
  current_ = {place.file, place.line};
  inlined_.clear();
  out_ << "  " << place.file << ':' << place.line;
  const SourceFile *source = sources_.find(place.file);
  if (!source)
    missing_.insert(place.file);
  else if (printed_.insert(current_).second)
    out_ << " | " << source->line(place.line).trim();
  out_ << '\n';
}

/// "thread.rs:216 < mod.rs:13": the calls below the heading's line.
static std::string callsText(llvm::ArrayRef<LineFrame> chain) {
  std::string text;
  for (const LineFrame &frame : chain.drop_back())
    text += (text.empty() ? "" : " < ") + llvm::sys::path::filename(frame.file).str() + ":" +
            std::to_string(frame.line);
  return text;
}

void Listing::instruction(llvm::StringRef text, const LineChain &given) {
  llvm::ArrayRef<LineFrame> chain = given;
  // Around the kernel's own function there is code that mirgpu makes, at the function's place.
  while (chain.size() > 1 && chain.back().column == 0)
    chain = chain.drop_back();
  if (chain.empty() || chain.front().line == 0) { // of no line: it stands where it stands
    out_ << "        " << text << '\n';
    return;
  }
  if (current_ != std::pair(chain.back().file, chain.back().line))
    heading(chain.back());
  std::string calls = callsText(chain);
  out_ << "        " << text;
  if (!calls.empty() && calls != inlined_)
    out_.indent(text.size() + 9 < kCommentColumn ? unsigned(kCommentColumn - text.size() - 8) : 1)
        << "; " << calls;
  out_ << '\n';
  inlined_ = std::move(calls);
}

void Listing::finish() {
  if (missing_.empty())
    return;
  out_ << "\n; sources that are not on this machine: " << llvm::join(missing_, ", ") << '\n';
}

} // namespace mirgpu::driver
