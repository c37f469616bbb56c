// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the example kernels have to give, computed by plain C++ on the host.
//
// Maps from: a kernel's inputs. To: its outputs, bit for bit (NaNs aside): every floating-point
// operation is done in the kernel's order, and the file is compiled without contraction. Needs
// neither Rust nor a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mirgpu::examples {

/// `vecadd/vecadd.rs`: a[i] + b[i].
std::vector<float> vecadd(std::span<const float> a, std::span<const float> b);

/// `saxpy/saxpy.rs`: y[i] + a * x[i].
std::vector<float> saxpy(float a, std::span<const float> x, std::span<const float> y);

/// Threads in a block of `reduce/reduce.rs`.
inline constexpr uint32_t kReduceThreads = 256;

/// `block_sum`: one sum for each (started) 256 elements, added up in the kernel's order.
std::vector<float> blockSum(std::span<const float> x);

/// `block_sum_u32`: the same for integers, which wrap.
std::vector<uint32_t> blockSumU32(std::span<const uint32_t> x);

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
