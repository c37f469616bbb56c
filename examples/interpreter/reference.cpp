// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine of reference.hpp. Invariant: no operation is contracted or reassociated; the build
// says -ffp-contract=off.
#include "reference.hpp"

#include <array>
#include <cstddef>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

namespace mirgpu::examples {

namespace {

/// The machine's stack. After a fault it ignores what follows.
struct Stack {
  std::array<float, 16> values{};
  size_t depth = 0;
  Fault fault = Fault::None;

  void push(float value) {
    if (fault != Fault::None)
      return;
    if (depth == values.size())
      fault = Fault::StackOverflow;
    else
      values[depth++] = value;
  }
  float pop() {
    if (fault == Fault::None && depth == 0)
      fault = Fault::StackUnderflow;
    return fault == Fault::None ? values[--depth] : 0;
  }
};

} // namespace

/// Does `op`, which neither jumps nor halts.
static void calculate(const Op &op, std::span<const float> inputs, Stack &stack) {
  switch (op.tag) {
  case OpTag::Push:
    return stack.push(op.value);
  case OpTag::Load:
    if (op.target < inputs.size())
      return stack.push(inputs[op.target]);
    stack.fault = Fault::NoSuchInput;
    return;
  case OpTag::Dup: {
    float top = stack.pop();
    stack.push(top);
    return stack.push(top);
  }
  case OpTag::Add:
  case OpTag::Sub:
  case OpTag::Mul:
  case OpTag::Max:
  case OpTag::Swap:
    break;
  case OpTag::JumpIfZero:
  case OpTag::Jump:
  case OpTag::Halt:
    return;
  }
  float b = stack.pop(), a = stack.pop();
  if (op.tag == OpTag::Swap) {
    stack.push(b);
    return stack.push(a);
  }
  float max = a > b ? a : b;
  stack.push(op.tag == OpTag::Add   ? a + b
             : op.tag == OpTag::Sub ? a - b
             : op.tag == OpTag::Mul ? a * b
                                    : max);
}

Interpreted interpret(std::span<const Op> program, std::span<const float> inputs, uint32_t steps) {
  Stack stack;
  size_t next = 0;
  for (uint32_t step = 0; step < steps; ++step) {
    if (next >= program.size())
      return {0, Fault::NoSuchOperation};
    const Op &op = program[next++];
    if (op.tag == OpTag::Halt) {
      float value = stack.pop();
      return {stack.fault == Fault::None ? value : 0, stack.fault};
    }
    if (op.tag == OpTag::Jump || (op.tag == OpTag::JumpIfZero && stack.pop() == 0))
      next = op.target;
    calculate(op, inputs, stack);
    if (stack.fault != Fault::None)
      return {0, stack.fault};
  }
  return {0, Fault::OutOfSteps};
}

} // namespace mirgpu::examples
