// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of a MIR value without running the program: enough to read the message of a panic
// out of the statements that build it (constants, references to them, the `fmt::Arguments` and
// their parts). An unknown value is a null pointer; everything else is exact, so a wrong guess
// cannot arise, only a missing one.
#pragma once

#include "mir_reader/mir.h"

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mirgpu::lowering {

struct AbstractValue;
/// Null: unknown.
using Known = const AbstractValue *;

struct KnownScalar {
  mir::u128 bits = 0;
};
/// A pointer into constant memory; with `length` a `&str` or slice.
struct KnownPointer {
  mir::AllocId alloc;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
/// The `&str` that a local of the analysed body holds at run time.
struct KnownStrLocal {
  mir::LocalId local;
};
/// A reference to a known value.
struct KnownRef {
  Known target = nullptr;
};
struct KnownAggregate {
  mir::TypeId ty;
  uint32_t variant = 0;
  std::vector<Known> fields;
};
/// A function pointer.
struct KnownFunction {
  mir::FunctionId function;
};
struct AbstractValue : std::variant<KnownScalar, KnownPointer, KnownStrLocal, KnownRef,
                                    KnownAggregate, KnownFunction> {
  using variant::variant;
};

template <class T> const T *knownAs(Known value) { return value ? std::get_if<T>(value) : nullptr; }

/// Makes values and keeps them alive; reads constants of the program.
class ValuePool {
public:
  explicit ValuePool(const mir::Program &program);

  /// Begins the analysis of one function. Each value read from memory and each body followed counts
  /// until the next: constants may refer to each other in any way, and a few bodies that call each
  /// other have many ways through them.
  void begin() { steps_ = 0; }
  /// Counts one more step; false once there were too many: the value is unknown then.
  bool mayStep() { return steps_ < kMaxSteps && ++steps_; }
  const mir::Program &program() const { return program_; }
  template <class T> Known make(T value) { return &values_.emplace_back(std::move(value)); }

  Known constant(const mir::Constant &constant);
  /// The value of type `ty` at `offset` of constant memory.
  Known memory(mir::AllocId alloc, uint64_t offset, mir::TypeId ty);
  /// The bytes as text; none if they are not all there.
  std::optional<std::string> text(mir::AllocId alloc, uint64_t offset, uint64_t length) const;
  /// The active variant of a value of type `ty`.
  std::optional<uint32_t> variantOf(Known value, mir::TypeId ty) const;
  /// `fmt::Arguments` of this program: what `panic_fmt` takes. Invalid if nothing panics with a
  /// format.
  mir::TypeId argumentsType() const { return argumentsType_; }

private:
  Known memoryAt(mir::AllocId alloc, uint64_t offset, mir::TypeId ty);
  Known memoryEnum(mir::AllocId alloc, uint64_t offset, mir::TypeId ty);
  Known memoryFields(mir::AllocId alloc, uint64_t offset, mir::TypeId ty, uint32_t variant);
  Known memoryPointer(mir::AllocId alloc, uint64_t offset, mir::TypeId ty);
  const mir::AllocMemory *memoryOf(mir::AllocId alloc) const;

  static constexpr unsigned kMaxSteps = 1 << 14;
  static constexpr unsigned kMaxMemoryDepth = 64;

  const mir::Program &program_;
  unsigned steps_ = 0, memoryDepth_ = 0;
  mir::TypeId argumentsType_;
  std::deque<AbstractValue> values_;
};

/// A message: fixed text, or the text that a local holds at run time.
struct PanicText {
  std::string text;
  std::optional<mir::LocalId> local;
  friend bool operator==(const PanicText &, const PanicText &) = default;
};

/// The text that displaying `value` gives, as far as it is known.
std::optional<PanicText> displayText(const ValuePool &pool, Known value);
/// What `{:?}` prints of `text`; none unless every character is plain ASCII or has a short escape.
std::optional<std::string> debugText(const std::string &text);
/// The text of a `fmt::Arguments`: its static pieces, `{}` for each argument whose text is not
/// known.
std::optional<PanicText> argumentsText(const ValuePool &pool, Known value);
/// Decodes the packed template of `fmt::Arguments`; `arguments[i]` may be none. Nullopt if the
/// bytes are not a template.
std::optional<std::string> decodeTemplate(const std::vector<uint8_t> &bytes,
                                          const std::vector<std::optional<std::string>> &arguments);

} // namespace mirgpu::lowering
