// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Panic records in words. A record comes from a device: its lengths are not trusted.
#include "runtime/panic_text.h"

#include "runtime/text.h"

#include <algorithm>
#include <cstdio>

namespace mirgpu::runtime {

std::string placeText(const ModuleFile &file, uint32_t place) {
  ModulePlace p = file.place(place);
  if (p.file.empty())
    return {};
  return text(p.file, ":", p.line, ":", p.column);
}

/// `text` with the operands in hexadecimal for its first two `{}`.
static std::string withOperands(std::string_view text, const abi::PanicRecord &record) {
  std::string message(text);
  size_t at = 0;
  for (uint64_t operand : record.operands) {
    at = message.find("{}", at);
    if (at == std::string::npos)
      break;
    char digits[24];
    const int length =
        std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(operand));
    message.replace(at, 2, digits);
    at += static_cast<size_t>(length);
  }
  return message;
}

/// The message of a static place, empty if it has none.
static std::string staticMessage(const ModulePlace &place, const abi::PanicRecord &record) {
  switch (place.kind) {
  case mgpu::PlaceKind::BoundsCheck:
    return text("index out of bounds: the len is ", record.operands[1], " but the index is ",
                record.operands[0]);
  case mgpu::PlaceKind::Panic:
  case mgpu::PlaceKind::Overflow:
  case mgpu::PlaceKind::Message:
    return std::string(place.text);
  case mgpu::PlaceKind::Operands:
    return withOperands(place.text, record);
  case mgpu::PlaceKind::Collective:
  case mgpu::PlaceKind::Unknown:
    return {};
  }
  return {};
}

std::string panicText(const ModuleFile &file, const abi::PanicRecord &record) {
  std::string where, message;
  if (record.dynamic) {
    std::string_view name(record.file, std::min(record.fileLength, abi::kPanicFileBytes));
    if (!name.empty())
      where = text(name, ":", record.line, ":", record.column);
    message.assign(record.text, std::min(record.textLength, abi::kPanicTextBytes));
  }
  if (where.empty())
    where = placeText(file, record.place);
  if (message.empty())
    message = staticMessage(file.place(record.place), record);
  auto tuple = [](const uint32_t (&v)[3]) { return text("(", v[0], ",", v[1], ",", v[2], ")"); };
  std::string out = text("thread ", tuple(record.thread), " of block ", tuple(record.block),
                         " panicked at ", where.empty() ? "an unknown place" : where);
  if (!message.empty())
    out += ": " + message;
  return out;
}

std::string launchPrefix(const ModuleFile &file, uint32_t kernel, uint64_t launchId) {
  return text("kernel `", file.kernels()[kernel].entry, "` (launch ", launchId, "): ");
}

Error panicError(const ModuleFile &file, uint32_t kernel, uint64_t launchId,
                 const abi::PanicRecord &first, uint64_t count) {
  Error error{ErrorCode::Panic, launchPrefix(file, kernel, launchId) + panicText(file, first),
              std::string(file.kernels()[kernel].entry), -1, 0};
  if (count > 1)
    error.message += text("\n  ", count, " threads of this launch panicked; this is the first");
  return error;
}

} // namespace mirgpu::runtime
