// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers over Boost.Context's make_fcontext and jump_fcontext. Each jump carries the fiber that
// goes on, which knows who jumped and stores where the other stopped.
#include "runtime/cpu/fiber.h"

#include "support/check.h"

#include <boost/context/detail/fcontext.hpp>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MIRGPU_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define MIRGPU_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MIRGPU_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define MIRGPU_TSAN 1
#endif
#if defined(MIRGPU_ASAN)
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(MIRGPU_TSAN)
#include <sanitizer/tsan_interface.h>
#endif

namespace mirgpu::runtime::cpu {

namespace fcontext = boost::context::detail;

/// The first function on a fiber's stack.
struct FiberEntry {
  static void run(fcontext::transfer_t transfer) {
    auto *self = static_cast<Fiber *>(transfer.data);
    self->arrive(transfer.fctx);
    self->main_(self->argument_);
    checkFailed(__FILE__, __LINE__, "a fiber's main returned");
  }
};

Fiber::Fiber() {
#if defined(MIRGPU_TSAN)
  tsanFiber_ = __tsan_get_current_fiber();
#endif
#if defined(MIRGPU_ASAN)
  pthread_attr_t attributes;
  void *bottom = nullptr;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &bottom, &asanSize_);
    pthread_attr_destroy(&attributes);
  }
  asanBottom_ = bottom;
#endif
}

Fiber::Fiber(Stack stack, Main main, void *argument)
    : stack_(std::move(stack)), main_(main), argument_(argument), asanBottom_(stack_.bottom()),
      asanSize_(stack_.size()) {
  restart();
}

Fiber::~Fiber() {
#if defined(MIRGPU_TSAN)
  if (stack_.exists() && tsanFiber_)
    __tsan_destroy_fiber(tsanFiber_);
#endif
#if defined(MIRGPU_ASAN)
  if (stack_.exists())
    __asan_unpoison_memory_region(stack_.bottom(), stack_.size());
#endif
}

void Fiber::restart() {
#if defined(MIRGPU_ASAN)
  __asan_unpoison_memory_region(stack_.bottom(), stack_.size());
  asanFakeStack_ = nullptr;
#endif
#if defined(MIRGPU_TSAN)
  if (tsanFiber_)
    __tsan_destroy_fiber(tsanFiber_);
  tsanFiber_ = __tsan_create_fiber(0);
#endif
  context_ = fcontext::make_fcontext(stack_.top(), stack_.size(), FiberEntry::run);
  abandoned_ = false;
}

/// On the new stack: `from_` has stopped at `fromContext`.
void Fiber::arrive(void *fromContext) {
#if defined(MIRGPU_ASAN)
  __sanitizer_finish_switch_fiber(asanFakeStack_, nullptr, nullptr);
#endif
  if (from_->abandoned_)
    from_->restart();
  else
    from_->context_ = fromContext;
}

/// What must be done before a jump to this fiber. Who jumps is noted here and not on the stack that
/// is left, which ASan may already have taken away when this fiber looks. Inlined, since TSan
/// counts the return from a function on the fiber that is then current.
[[gnu::always_inline]] inline void Fiber::announceSwitchFrom(Fiber &from,
                                                             [[maybe_unused]] bool abandon) {
  from_ = &from;
#if defined(MIRGPU_ASAN)
  __sanitizer_start_switch_fiber(abandon ? nullptr : &from.asanFakeStack_, asanBottom_, asanSize_);
#endif
#if defined(MIRGPU_TSAN)
  __tsan_switch_to_fiber(tsanFiber_, 0);
#endif
}

void Fiber::resumeFrom(Fiber &from) {
  announceSwitchFrom(from, false);
  fcontext::transfer_t transfer = fcontext::jump_fcontext(context_, this);
  static_cast<Fiber *>(transfer.data)->arrive(transfer.fctx);
}

void Fiber::resumeAbandoning(Fiber &from) {
  from.abandoned_ = true;
  announceSwitchFrom(from, true);
  fcontext::jump_fcontext(context_, this);
  checkFailed(__FILE__, __LINE__, "an abandoned fiber was resumed");
}

} // namespace mirgpu::runtime::cpu
