// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// interpreter.rs on a device and in plain C++ (reference.hpp).
#include "reference.hpp"

#include "examples/demo/demo.hpp"

namespace mirgpu::examples {

/// x^n by repeated multiplication, not below a floor; a row of inputs is (x, n, floor). Rows with n
/// = -1 run out of steps.
static std::vector<Op> powerProgram() {
  using enum OpTag;
  return {Op(Push, 1.0f),  Op::to(Load, 1), Op(Dup),         Op::to(JumpIfZero, 11),
          Op(Push, 1.0f),  Op(Sub),         Op(Swap),        Op::to(Load, 0),
          Op(Mul),         Op(Swap),        Op::to(Jump, 2), Op(Add),
          Op::to(Load, 2), Op(Max),         Op(Halt)};
}

static Run run(const Setup &setup, uint64_t count) {
  constexpr uint32_t width = 3, steps = 200;
  Numbers numbers(5);
  std::vector<float> data;
  for (uint64_t row = 0; row < count; ++row) {
    data.push_back(numbers.nextFloat());
    data.push_back(static_cast<float>(numbers.next() % 10) - 1.0f);
    data.push_back(numbers.nextFloat());
  }
  std::vector<Op> program = powerProgram();
  std::vector<float> expected;
  std::vector<uint32_t> expectedFaults;
  for (uint64_t row = 0; row < count; ++row) {
    auto [value, fault] = interpret(program, std::span(data).subspan(row * width, width), steps);
    expected.push_back(value);
    expectedFaults.push_back(static_cast<uint32_t>(fault));
  }
  using Signature = void(In<Op>, In<float>, uint32_t, uint32_t, Out<float>, Out<uint32_t>);
  auto kernel = kernelOf<Signature>(setup, "interpreter", "interpret");
  auto bufferProgram = setup.device.from(setup.stream, program);
  auto bufferData = setup.device.from(setup.stream, data);
  auto results = setup.device.alloc<float>(count);
  auto faults = setup.device.alloc<uint32_t>(count);
  if (Status status = firstError(kernel, bufferProgram, bufferData, results, faults); !status)
    return status.error();
  Run ms = timed(setup, [&] {
    return kernel->launch(setup.stream, cover(count).block(128), *bufferProgram, *bufferData, width,
                          steps, *results, *faults);
  });
  return compared(compared(ms, setup, *results, expected), setup, *faults, expectedFaults);
}

std::vector<ExampleKernel> interpreter() { return {{"interpret", run, lengths()}}; }

} // namespace mirgpu::examples
