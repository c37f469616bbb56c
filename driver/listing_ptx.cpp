// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX to a listing. Its places are directives, `.loc FILE LINE COLUMN`, behind which LLVM writes,
// if asked, the chain of calls: `// thread.rs:216:29 @[ lib.rs:20:17 @[ lib.rs:19 ] ]`. The files
// are named at the end, so the text is walked twice.
#include "driver/listing.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace mirgpu::driver {

namespace {
class PtxLister {
public:
  PtxLister(llvm::StringRef ptx, llvm::StringRef kernel, Listing &listing)
      : kernel_(kernel), listing_(listing) {
    ptx.split(lines_, '\n');
    for (llvm::StringRef line : lines_)
      addFile(line);
  }

  void run() {
    for (llvm::StringRef line : lines_)
      handle(line.rtrim());
  }

private:
  void addFile(llvm::StringRef line) {
    line = line.trim();
    unsigned number = 0;
    if (!line.consume_front(".file") || (line = line.ltrim()).consumeInteger(10, number))
      return;
    files_[number] = line.trim().trim('"').str();
  }

  /// The file of that name without its folders, if there is one alone.
  std::string fileNamed(llvm::StringRef base) const {
    const std::string *found = nullptr;
    for (const auto &[number, path] : files_) {
      if (llvm::sys::path::filename(path) != base)
        continue;
      if (found && *found != path)
        return base.str();
      found = &path;
    }
    return found ? *found : base.str();
  }

  /// `lib.rs:20:17`, or `lib.rs:19` without a column.
  LineFrame frame(llvm::StringRef text) const {
    LineFrame result;
    llvm::SmallVector<llvm::StringRef> parts;
    text.trim().split(parts, ':');
    if (parts.size() < 2 || parts[1].getAsInteger(10, result.line))
      return result;
    if (parts.size() > 2 && parts[2].getAsInteger(10, result.column))
      result.column = 0;
    result.file = fileNamed(parts[0]);
    return result;
  }

  void readPlace(llvm::StringRef directive) {
    auto [numbers, comment] = directive.split("//");
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(numbers, words);
    unsigned file = 0;
    LineFrame innermost;
    if (words.size() < 3 || words[0].getAsInteger(10, file) ||
        words[1].getAsInteger(10, innermost.line) || words[2].getAsInteger(10, innermost.column))
      return;
    innermost.file = files_[file];
    chain_ = {innermost};
    llvm::SmallVector<llvm::StringRef> calls;
    comment.split(calls, "@[");
    for (size_t i = 1; i < calls.size(); ++i)
      chain_.push_back(frame(calls[i].trim(" ]")));
  }

  /// Whether a function begins here that is to be listed; its header goes on to the brace.
  bool beginsFunction(llvm::StringRef line) const {
    size_t entry = line.find(".entry "), function = line.find(".func");
    if (entry != llvm::StringRef::npos)
      return kernel_.empty() ||
             line.drop_front(entry + 7).take_while([](char c) { return c != '('; }) == kernel_;
    return function != llvm::StringRef::npos && kernel_.empty() && !line.ends_with(";");
  }

  void handle(llvm::StringRef line) {
    llvm::StringRef text = line.trim();
    switch (where_) {
    case Where::Outside:
      if (!beginsFunction(line))
        return;
      where_ = text == "{" ? Where::Body : Where::Header;
      chain_.clear();
      return listing_.begin(line);
    case Where::Header:
      if (text.ends_with(";"))
        where_ = Where::Outside; // a declaration
      if (text == "{")
        where_ = Where::Body;
      return listing_.plain(line);
    case Where::Body:
      return body(line, text);
    }
  }

  void body(llvm::StringRef line, llvm::StringRef text) {
    if (line == "}") { // inline assembly has indented ones
      where_ = Where::Outside;
      return listing_.plain(line);
    }
    if (text.consume_front(".loc"))
      return readPlace(text);
    text = text.split("//").first.rtrim();
    if (text.empty() || text.starts_with("$L__tmp") || text.starts_with("$L__func"))
      return;
    if (text.starts_with(".") || text.ends_with(":") || text == "{" || text == "}")
      return listing_.plain(text.starts_with(".") ? "        " + text.str() : text.str());
    std::string spaced = text.str();
    std::ranges::replace(spaced, '\t', ' ');
    listing_.instruction(spaced, chain_);
  }

  enum class Where : uint8_t { Outside, Header, Body };
  llvm::SmallVector<llvm::StringRef> lines_;
  std::map<unsigned, std::string> files_;
  llvm::StringRef kernel_;
  Listing &listing_;
  Where where_ = Where::Outside;
  LineChain chain_;
};
} // namespace

void listPtx(llvm::StringRef ptx, llvm::StringRef kernel, Listing &listing) {
  PtxLister(ptx, kernel, listing).run();
}

} // namespace mirgpu::driver
