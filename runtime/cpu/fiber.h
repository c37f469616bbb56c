// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers of one OS thread: a stack and the place where it stopped. Switching is symmetric: any
// fiber switches to any other. A fiber never moves to another thread. Sanitizers are told of each
// switch when the library is built under them.
#pragma once

#include "runtime/cpu/stack.h"

#include <utility>

namespace mirgpu::runtime::cpu {

class Fiber {
public:
  using Main = void (*)(void *argument);

  /// The fiber that stands for the calling thread's own stack. It is running.
  Fiber();
  /// A fiber that begins `main(argument)` when first switched to. `main` does not return.
  Fiber(Stack stack, Main main, void *argument);
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;
  ~Fiber();

  /// Stops `from`, which is running, and goes on with this one. Returns when `from` is resumed.
  void resumeFrom(Fiber &from);
  /// As resumeFrom, but gives up what runs on `from`'s stack: `from` will begin its main again.
  [[noreturn]] void resumeAbandoning(Fiber &from);
  /// Gives up what is on the stack of this fiber, which is not running: it will begin its main
  /// again.
  void restart();

  /// Whether the stack has less than `bytes` left below the caller's frame. For the running fiber.
  [[gnu::always_inline]] bool isShortOf(size_t bytes) const {
    auto here = reinterpret_cast<const std::byte *>(__builtin_frame_address(0));
    return stack_.exists() && here < stack_.bottom() + bytes;
  }
  /// Null for a thread's own.
  const Stack *stack() const { return stack_.exists() ? &stack_ : nullptr; }
  /// Of the stack, for a landing that replaces what runs on it.
  std::byte *top() const { return stack_.top(); }

private:
  void arrive(void *fromContext);
  void announceSwitchFrom(Fiber &from, bool abandon);

  friend struct FiberEntry;
  Stack stack_; ///< none for a thread's own
  Main main_ = nullptr;
  void *argument_ = nullptr;
  Fiber *from_ = nullptr;   ///< who switched to it last
  void *context_ = nullptr; ///< where it stopped
  bool abandoned_ = false;  ///< its context is to be made anew once its stack is not in use
  [[maybe_unused]] void *asanFakeStack_ = nullptr;
  const void *asanBottom_ = nullptr;
  size_t asanSize_ = 0;
  [[maybe_unused]] void *tsanFiber_ = nullptr;
};

} // namespace mirgpu::runtime::cpu
