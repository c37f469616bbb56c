// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// examples/interpreter as a CUDA programmer writes it, with the same tests of depth and position.
enum Tag : unsigned { Push, Load, Add, Sub, Mul, Max, Dup, Swap, JumpIfZero, Jump, Halt };
enum Fault : unsigned {
  None,
  StackUnderflow,
  StackOverflow,
  NoSuchInput,
  NoSuchOperation,
  OutOfSteps
};

struct Op {
  Tag tag;
  union {
    float value;
    unsigned short index;
  };
};

constexpr unsigned kStackSize = 16;

extern "C" __global__ void interpret(const Op *__restrict__ program, int length,
                                     const float *__restrict__ data, int dataLength, int width,
                                     unsigned steps, float *results, unsigned *faults, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float *inputs = data + i * width;
  int available = (i + 1) * width <= dataLength ? width : 0;
  float stack[kStackSize], result = 0.0f;
  unsigned depth = 0, next = 0, fault = OutOfSteps;
  auto push = [&](float value) {
    if (depth == kStackSize)
      return StackOverflow;
    stack[depth++] = value;
    return None;
  };
  for (unsigned step = 0; step < steps; ++step) {
    if (next >= length) {
      fault = NoSuchOperation;
      break;
    }
    Op op = program[next++];
    unsigned now = None;
    float a, b;
    switch (op.tag) {
    case Push:
      now = push(op.value);
      break;
    case Load:
      now = op.index < available ? push(inputs[op.index]) : NoSuchInput;
      break;
    case Add:
    case Sub:
    case Mul:
    case Max:
    case Swap:
      if (depth < 2) {
        now = StackUnderflow;
        break;
      }
      b = stack[--depth], a = stack[--depth];
      if (op.tag == Swap) {
        stack[depth++] = b;
        stack[depth++] = a;
      } else {
        stack[depth++] = op.tag == Add   ? a + b
                         : op.tag == Sub ? a - b
                         : op.tag == Mul ? a * b
                                         : (a > b ? a : b);
      }
      break;
    case Dup:
      now = depth == 0 ? StackUnderflow : push(stack[depth - 1]);
      break;
    case JumpIfZero:
      if (depth == 0)
        now = StackUnderflow;
      else if (stack[--depth] == 0.0f)
        next = op.index;
      break;
    case Jump:
      next = op.index;
      break;
    case Halt:
      now = depth == 0 ? StackUnderflow : None;
      if (depth != 0)
        result = stack[--depth];
      fault = now;
      goto done;
    }
    if (now != None) {
      fault = now;
      break;
    }
  }
done:
  results[i] = fault == None ? result : 0.0f;
  faults[i] = fault;
}
