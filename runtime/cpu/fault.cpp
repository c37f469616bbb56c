// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The SIGSEGV handler. It runs on an alternate stack and, for a guard fault, only changes the
// interrupted context: returning from the handler enters the landing with the signal mask as it
// was. Nothing in it allocates, locks or touches a thread-local that could be made on first use.
#include "runtime/cpu/fault.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>

namespace mirgpu::runtime::cpu {

/// initial-exec: reading it never calls into the dynamic linker.
[[gnu::tls_model("initial-exec")]] static thread_local constinit FaultScope *currentScope = nullptr;
/// Whether this thread is in the handler that was there before: it may call ours again.
[[gnu::tls_model("initial-exec")]] static thread_local constinit bool chaining = false;

/// Handlers that ours replaced. Nodes are never freed, since a signal may be reading one.
struct Previous {
  struct sigaction action;
  Previous *older;
};
static constinit std::atomic<Previous *> previous{nullptr};

struct FaultHandler {
  static void handle(int signal, siginfo_t *info, void *context) {
    FaultScope *scope = currentScope;
    if (scope) {
      const Fiber *running = *scope->running_;
      if (running->stack() && running->stack()->guards(info->si_addr)) {
        redirect(static_cast<ucontext_t *>(context), running->top(), scope->landing_,
                 scope->argument_);
        return;
      }
    }
    chain(signal, info, context);
  }

  /// Makes the interrupted thread continue as if `landing(argument)` had just been called with an
  /// empty stack.
  static void redirect(ucontext_t *context, std::byte *top, FaultScope::Landing landing,
                       void *argument) {
    auto sp = reinterpret_cast<uintptr_t>(top) / 64 * 64 - 64;
#if defined(__x86_64__)
    context->uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(landing);
    context->uc_mcontext.gregs[REG_RDI] = reinterpret_cast<greg_t>(argument);
    context->uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>(sp - 8); // as after a call
    context->uc_mcontext.gregs[REG_RBP] = 0;
    *reinterpret_cast<uintptr_t *>(sp - 8) = 0;
#elif defined(__aarch64__)
    context->uc_mcontext.pc = reinterpret_cast<uintptr_t>(landing);
    context->uc_mcontext.regs[0] = reinterpret_cast<uintptr_t>(argument);
    context->uc_mcontext.regs[29] = 0;
    context->uc_mcontext.regs[30] = 0;
    context->uc_mcontext.sp = sp;
#else
#error "stack overflow handling is written for x86-64 and AArch64"
#endif
  }

  static void chain(int signal, siginfo_t *info, void *context) {
    const struct sigaction &action = previous.load(std::memory_order_acquire)->action;
    bool isFunction = action.sa_flags & SA_SIGINFO ||
                      (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
    if (!isFunction || chaining) {
      // The fault happens again on return, without a handler: the process ends as it would have.
      struct sigaction none{};
      none.sa_handler = SIG_DFL;
      sigaction(signal, &none, nullptr);
      return;
    }
    chaining = true;
    if (action.sa_flags & SA_SIGINFO)
      action.sa_sigaction(signal, info, context);
    else
      action.sa_handler(signal);
    chaining = false;
  }
};

void installFaultHandler() {
  struct sigaction now{};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 ||
      ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == FaultHandler::handle))
    return;
  static constinit std::mutex mutex;
  std::lock_guard lock(mutex);
  Previous *last = previous.load(std::memory_order_relaxed);
  bool known = last && last->action.sa_flags == now.sa_flags &&
               (now.sa_flags & SA_SIGINFO ? last->action.sa_sigaction == now.sa_sigaction
                                          : last->action.sa_handler == now.sa_handler);
  if (!known)
    previous.store(new Previous{now, last}, std::memory_order_release);
  struct sigaction action{};
  action.sa_sigaction = FaultHandler::handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

FaultScope::FaultScope(Fiber *const *running, Landing landing, void *argument)
    : running_(running), landing_(landing), argument_(argument), outer_(currentScope) {
  currentScope = this;
}

FaultScope::~FaultScope() { currentScope = outer_; }

SignalStack::SignalStack() {
  stack_t existing{};
  if (sigaltstack(nullptr, &existing) != 0 || !(existing.ss_flags & SS_DISABLE))
    return;
  void *memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  stack_t own{};
  own.ss_sp = memory;
  own.ss_size = kBytes;
  if (sigaltstack(&own, nullptr) == 0)
    memory_ = memory;
  else
    munmap(memory, kBytes);
}

SignalStack::~SignalStack() {
  if (!memory_)
    return;
  stack_t off{};
  off.ss_flags = SS_DISABLE;
  sigaltstack(&off, nullptr);
  munmap(memory_, kBytes);
}

} // namespace mirgpu::runtime::cpu
