// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes serialized MIR by name: `${u32}` in any text stands for the index of the type `u32`, `%x`
// for the local `x` of the body at hand, `@42:u32@` for the constant operand 42. Tables are in the
// order in which their elements were added.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::mir::test {

/// JSON of scalars and representations.
std::string intScalar(unsigned bits, bool isSigned = false);
std::string rangeScalar(unsigned bits, std::string_view start, std::string_view end);
std::string floatScalar(unsigned bits);
std::string pointerScalar(bool isNull = true);
std::string scalarRepr(const std::string &scalar);
std::string pairRepr(const std::string &a, const std::string &b, unsigned bOffset);
std::string memoryRepr(bool isSized = true);

/// What a type has beside its kind; the defaults are those of a zero-sized type.
struct TypeText {
  std::string kind; ///< `"kind":"tuple"` and the kind's own keys
  unsigned size = 0, align = 1;
  std::string repr = memoryRepr();
  std::string variants = "[]";
  std::string encoding = R"({"kind":"single","variant":0})";
  std::string unsizedTail = "null";
  bool uninhabited = false;
};

class SampleBuilder {
public:
  void type(const std::string &name, TypeText text);
  /// `{"name":…,"ty":…,"offset":…}`.
  static std::string field(std::string_view name, std::string_view ty, unsigned offset);
  /// A variant with these fields.
  static std::string variant(std::string_view name, std::string_view fields, unsigned discr = 0,
                             bool uninhabited = false);
  void alloc(std::string text) { allocs.push_back(std::move(text)); }

  /// Starts a function; `inputs` are `name: type` of the arguments, `debug` its debug variables.
  void function(const std::string &symbol, const std::vector<std::string> &inputs,
                const std::string &output, const std::string &debug = "");
  void local(const std::string &name, const std::string &ty);
  void statement(const std::string &text);
  /// Ends the block at hand.
  void terminator(const std::string &text, bool isCleanup = false);
  /// Ends the function.
  void endFunction();
  /// A function without a body.
  void declare(const std::string &symbol, const std::string &inputs, const std::string &output);

  /// The whole file.
  std::string text() const;

  std::vector<std::string> spans, allocs, statics, vtables, functions, kernels, tests;

private:
  std::string expand(std::string_view text) const;
  std::string head(const std::string &symbol, const std::string &inputs,
                   const std::string &output) const;

  std::vector<std::string> types_;
  std::map<std::string, size_t, std::less<>> typeIds_;
  std::map<std::string, size_t, std::less<>> localIds_;
  std::vector<std::string> locals_, statements_, blocks_;
  std::string head_, debug_;
  size_t argCount_ = 0;
};

} // namespace mirgpu::mir::test
