// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stack overflows of kernels: a fault in the guard of the running fiber's stack makes the thread go
// on in a landing function on the same, emptied stack. Every other fault goes to the handler that
// was there before, as if this one were not.
#pragma once

#include "runtime/cpu/fiber.h"

#include <cstddef>

namespace mirgpu::runtime::cpu {

/// Makes ours the process's SIGSEGV handler, unless it is. Called before each launch, since a host
/// program may have set another or put back an older one.
void installFaultHandler();

/// While it lives, faults of this thread in the guard of `*running` land in `landing(argument)`.
class FaultScope {
public:
  using Landing = void (*)(void *argument);
  FaultScope(Fiber *const *running, Landing landing, void *argument);
  FaultScope(const FaultScope &) = delete;
  FaultScope &operator=(const FaultScope &) = delete;
  ~FaultScope();

private:
  friend struct FaultHandler;
  Fiber *const *running_;
  Landing landing_;
  void *argument_;
  FaultScope *outer_;
};

/// A stack for signal handlers of the calling thread, unless it has one.
class SignalStack {
public:
  SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;
  ~SignalStack();

private:
  static constexpr size_t kBytes = 64 * 1024;
  void *memory_ = nullptr;
};

} // namespace mirgpu::runtime::cpu
