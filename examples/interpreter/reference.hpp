// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine of machine.rs in plain C++.
//
// Maps from: a program and its inputs. To: what it leaves, bit for bit (NaNs aside) if compiled
// without contraction. Needs neither Rust nor a device.
#pragma once

#include <cstdint>
#include <span>

namespace mirgpu::examples {

/// The operations of `interpreter/machine.rs`, in the order of its enum.
enum class OpTag : uint32_t { Push, Load, Add, Sub, Mul, Max, Dup, Swap, JumpIfZero, Jump, Halt };

/// One operation as `#[repr(C, u32)] enum Op` lays it out.
struct Op {
  OpTag tag = OpTag::Halt;
  union {
    float value;     ///< Push
    uint16_t target; ///< Load, JumpIfZero, Jump
  };
  Op(OpTag tag) : tag(tag), value(0) {}
  Op(OpTag tag, float value) : tag(tag), value(value) {}
  static Op to(OpTag tag, uint16_t target) {
    Op op(tag);
    op.target = target;
    return op;
  }
};
static_assert(sizeof(Op) == 8 && alignof(Op) == 4);

/// Why a program was stopped; the numbers are those of `machine.rs`.
enum class Fault : uint32_t {
  None,
  StackUnderflow,
  StackOverflow,
  NoSuchInput,
  NoSuchOperation,
  OutOfSteps
};

struct Interpreted {
  float value = 0;
  Fault fault = Fault::None;
};

/// `machine::run`.
Interpreted interpret(std::span<const Op> program, std::span<const float> inputs, uint32_t steps);

} // namespace mirgpu::examples
