// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The writer of sample_builder.h. Names are replaced when the file is put together, so that types
// may refer to later ones.
#include "tests/unit/mir_reader/sample_builder.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>

namespace mirgpu::mir::test {

// ---- Scalars
// --------------------------------------------------------------------------------------

static std::string maxOf(unsigned bits) {
  switch (bits) {
  case 8:
    return "255";
  case 16:
    return "65535";
  case 32:
    return "4294967295";
  case 64:
    return "18446744073709551615";
  default:
    return "340282366920938463463374607431768211455";
  }
}

static std::string scalar(const std::string &prim, unsigned bits, std::string_view start,
                          std::string_view end) {
  return R"({"prim":)" + prim + R"(,"bits":)" + std::to_string(bits) + R"(,"valid":[")" +
         std::string(start) + R"(",")" + std::string(end) + R"("],"init":true})";
}

std::string intScalar(unsigned bits, bool isSigned) {
  return scalar(isSigned ? R"("int","signed":true)" : R"("int","signed":false)", bits, "0",
                maxOf(bits));
}
std::string rangeScalar(unsigned bits, std::string_view start, std::string_view end) {
  return scalar(R"("int","signed":false)", bits, start, end);
}
std::string floatScalar(unsigned bits) { return scalar(R"("float")", bits, "0", maxOf(bits)); }
std::string pointerScalar(bool isNull) {
  return scalar(R"("pointer","space":0)", 64, isNull ? "0" : "1", maxOf(64));
}
std::string scalarRepr(const std::string &scalarText) {
  return R"({"kind":"scalar","scalar":)" + scalarText + "}";
}
std::string pairRepr(const std::string &a, const std::string &b, unsigned bOffset) {
  return R"({"kind":"pair","a":)" + a + R"(,"b":)" + b + R"(,"b_offset":)" +
         std::to_string(bOffset) + "}";
}
std::string memoryRepr(bool isSized) {
  return isSized ? R"({"kind":"memory","sized":true})" : R"({"kind":"memory","sized":false})";
}

// ---- Types
// ----------------------------------------------------------------------------------------

std::string SampleBuilder::field(std::string_view name, std::string_view ty, unsigned offset) {
  return R"({"name":")" + std::string(name) + R"(","ty":${)" + std::string(ty) + R"(},"offset":)" +
         std::to_string(offset) + "}";
}

std::string SampleBuilder::variant(std::string_view name, std::string_view fields, unsigned discr,
                                   bool uninhabited) {
  return R"({"name":")" + std::string(name) + R"(","discr":")" + std::to_string(discr) +
         R"(","uninhabited":)" + (uninhabited ? "true" : "false") + R"(,"fields":[)" +
         std::string(fields) + "]}";
}

void SampleBuilder::type(const std::string &name, TypeText text) {
  typeIds_[name] = types_.size();
  types_.push_back("{" + text.kind + R"(,"name":")" + name + R"(","size":)" +
                   std::to_string(text.size) + R"(,"align":)" + std::to_string(text.align) +
                   R"(,"repr":)" + text.repr + R"(,"encoding":)" + text.encoding +
                   R"(,"uninhabited":)" + (text.uninhabited ? "true" : "false") +
                   R"(,"freeze":true,"unsized":)" + text.unsizedTail + R"(,"variants":)" +
                   text.variants + R"(,"tool_attrs":[],"span":null})");
}

// ---- Functions
// ------------------------------------------------------------------------------------

std::string SampleBuilder::head(const std::string &symbol, const std::string &inputs,
                                const std::string &output) const {
  return R"({"symbol":")" + symbol + R"(","def_path":")" + symbol +
         R"(","shim":"item","abi":"Rust","variadic":false,"foreign":false,"spread_arg":null,)"
         R"("track_caller":false,"inline":"none","cold":false,"naked":false,"target_features":[],)"
         R"("link_name":null,"export_name":null,"linkage":null,"section":null,"lang":null,)"
         R"("tool_attrs":[{"path":"kernel","args":["a b"]}],"inputs":[)" +
         inputs + R"(],"output":${)" + output +
         R"(},"pass_modes":null,"crate":"sample","local":true,)";
}

void SampleBuilder::declare(const std::string &symbol, const std::string &inputs,
                            const std::string &output) {
  functions.push_back(expand(head(symbol, inputs, output) + R"("body":null,"span":0})"));
}

void SampleBuilder::function(const std::string &symbol, const std::vector<std::string> &inputs,
                             const std::string &output, const std::string &debug) {
  localIds_.clear();
  locals_.clear();
  blocks_.clear();
  statements_.clear();
  argCount_ = inputs.size();
  debug_ = debug;
  local("ret", output);
  std::string list;
  for (const std::string &input : inputs) {
    size_t colon = input.find(": ");
    local(input.substr(0, colon), input.substr(colon + 2));
    list += (list.empty() ? "${" : ",${") + input.substr(colon + 2) + "}";
  }
  head_ = head(symbol, list, output);
}

void SampleBuilder::local(const std::string &name, const std::string &ty) {
  localIds_[name] = locals_.size();
  locals_.push_back(R"({"ty":${)" + ty + R"(},"mutable":true,"span":0,"name":")" + name + R"("})");
}

void SampleBuilder::statement(const std::string &text) {
  statements_.push_back("[1,1," + text + "]");
}

static std::string join(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ",") + part;
  return text;
}

void SampleBuilder::terminator(const std::string &text, bool isCleanup) {
  blocks_.push_back(std::string(R"({"cleanup":)") + (isCleanup ? "true" : "false") +
                    R"(,"statements":[)" + join(statements_) + R"(],"terminator":[1,0,)" + text +
                    "]}");
  statements_.clear();
}

void SampleBuilder::endFunction() {
  std::string body =
      R"("body":{"arg_count":)" + std::to_string(argCount_) + R"(,"locals":[)" + join(locals_) +
      R"(],"scopes":[{"parent":null,"span":0,"inlined":null},)"
      R"({"parent":0,"span":1,"inlined":{"callee":"sample::inlined","function":0,"call_site":1,)"
      R"("track_caller":false}}],"debug":[)" +
      debug_ + R"(],"blocks":[)" + join(blocks_) + R"(]},"span":0})";
  functions.push_back(expand(head_ + body));
}

// ---- The file
// -------------------------------------------------------------------------------------

/// The index under `name`; a typing error in a sample ends the tests.
static std::string indexOf(const std::map<std::string, size_t, std::less<>> &ids,
                           std::string_view name) {
  auto it = ids.find(name);
  if (it == ids.end()) {
    std::fprintf(stderr, "sample: no `%.*s`\n", static_cast<int>(name.size()), name.data());
    std::abort();
  }
  return std::to_string(it->second);
}

std::string SampleBuilder::expand(std::string_view text) const {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "${") {
      size_t end = text.find('}', i);
      out += indexOf(typeIds_, text.substr(i + 2, end - i - 2));
      i = end + 1;
    } else if (text[i] == '%') {
      size_t end = ++i;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end]))))
        ++end;
      out += indexOf(localIds_, text.substr(i, end - i));
      i = end;
    } else if (text[i] == '@') {
      size_t colon = text.find(':', i), end = text.find('@', i + 1);
      out += R"(["const",{"ty":)" + indexOf(typeIds_, text.substr(colon + 1, end - colon - 1)) +
             R"(,"value":{"scalar":")" + std::string(text.substr(i + 1, colon - i - 1)) +
             R"("},"span":null}])";
      i = end + 1;
    } else {
      out += text[i++];
    }
  }
  return out;
}

static std::string table(const char *name, const std::vector<std::string> &elements) {
  return std::string(",\n\"") + name + "\":[" + join(elements) + "]";
}

std::string SampleBuilder::text() const {
  return expand(
      R"({"format":{"name":"mirgpu-mir","major":1,"minor":0},"producer":"hand","rustc":"1.96.0",)"
      R"("target":{"triple":"x86_64-unknown-linux-gnu","data_layout":"e","pointer_width":64,)"
      R"("endian":"little"},"session":{"overflow_checks":true,"ub_checks":false,)"
      R"("contract_checks":false,"panic":"abort","opt_level":"3","debuginfo":"full"},)"
      R"("crate":{"name":"sample","attributes":["no_std"]},"source_root":null,)"
      R"("files":[{"name":"src/sample.rs","hash":"md5=0"}])" +
      table("spans", spans) + table("types", types_) + table("allocs", allocs) +
      table("statics", statics) + table("vtables", vtables) + table("functions", functions) +
      table("kernels", kernels) + table("tests", tests) + "}");
}

} // namespace mirgpu::mir::test
