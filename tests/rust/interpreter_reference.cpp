// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C++ reference of the interpreter as a program: `interpreter_reference PROGRAM DATA WIDTH
// STEPS > RESULTS`, the same command line and the same bytes as examples/interpreter/reference.rs,
// with which check_references.py compares it.
#include "examples/interpreter/reference.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

using namespace mirgpu::examples;

static std::string contents(const char *path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int main(int argc, char **argv) {
  if (argc != 5) {
    std::fputs("usage: interpreter_reference PROGRAM DATA WIDTH STEPS\n", stderr);
    return 2;
  }
  std::string code = contents(argv[1]), bytes = contents(argv[2]);
  std::vector<Op> program(code.size() / sizeof(Op), Op(OpTag::Halt));
  std::memcpy(static_cast<void *>(program.data()), code.data(), program.size() * sizeof(Op));
  std::vector<float> data(bytes.size() / sizeof(float));
  std::memcpy(data.data(), bytes.data(), data.size() * sizeof(float));
  size_t width = std::strtoul(argv[3], nullptr, 10);
  auto steps = static_cast<uint32_t>(std::strtoul(argv[4], nullptr, 10));
  for (size_t first = 0; width && first + width <= data.size(); first += width) {
    Interpreted result = interpret(program, std::span(data).subspan(first, width), steps);
    std::fwrite(&result.value, sizeof result.value, 1, stdout);
    std::fwrite(&result.fault, sizeof result.fault, 1, stdout);
  }
}
