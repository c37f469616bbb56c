// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See panic_names.h. The texts are those that a Rust program prints for the same check.
#include "lowering/panic_names.h"

#include "llvm/Support/ErrorHandling.h"

#include <array>

namespace mirgpu::lowering {

using mgpu::PlaceKind;

namespace {
constexpr std::string_view
    kAdd = "attempt to add with overflow",
    kSub = "attempt to subtract with overflow", kMul = "attempt to multiply with overflow",
    kDiv = "attempt to divide with overflow",
    kRem = "attempt to calculate the remainder with overflow",
    kNeg = "attempt to negate with overflow", kShr = "attempt to shift right with overflow",
    kShl = "attempt to shift left with overflow", kDivZero = "attempt to divide by zero",
    kRemZero = "attempt to calculate the remainder with a divisor of zero",
    kBounds = "index out of bounds: the len is {} but the index is {}",
    kMisaligned = "misaligned pointer dereference: address must be a multiple of {} but is {}",
    kNull = "null pointer dereference occurred",
    kEnum = "trying to construct an enum from an invalid value {}",
    kResumed = "coroutine resumed after completion",
    kResumedPanic = "coroutine resumed after panicking",
    kResumedDrop = "coroutine resumed after async drop";

constexpr PanicEntry fixed(std::string_view lang, std::string_view text,
                           PlaceKind kind = PlaceKind::Panic, uint8_t operands = 0) {
  return {lang, PanicSource::Fixed, kind, text, operands};
}

constexpr std::array kEntries = {
    PanicEntry{"panic", PanicSource::Str},
    PanicEntry{"panic_fmt", PanicSource::Arguments},
    PanicEntry{"const_panic_fmt", PanicSource::Arguments},
    PanicEntry{"panic_nounwind", PanicSource::Str},
    PanicEntry{"panic_display", PanicSource::Display},
    PanicEntry{"panic_impl", PanicSource::Info},
    PanicEntry{"begin_panic", PanicSource::Payload},
    fixed("panic_bounds_check", kBounds, PlaceKind::BoundsCheck, 2),
    fixed("panic_misaligned_pointer_dereference", kMisaligned, PlaceKind::Operands, 2),
    fixed("panic_null_pointer_dereference", kNull),
    fixed("panic_invalid_enum_construction", kEnum, PlaceKind::Operands, 1),
    fixed("panic_cannot_unwind", "panic in a function that cannot unwind"),
    fixed("panic_in_cleanup", "panic in a destructor during cleanup"),
    fixed("panic_const_add_overflow", kAdd, PlaceKind::Overflow),
    fixed("panic_const_sub_overflow", kSub, PlaceKind::Overflow),
    fixed("panic_const_mul_overflow", kMul, PlaceKind::Overflow),
    fixed("panic_const_div_overflow", kDiv, PlaceKind::Overflow),
    fixed("panic_const_rem_overflow", kRem, PlaceKind::Overflow),
    fixed("panic_const_neg_overflow", kNeg, PlaceKind::Overflow),
    fixed("panic_const_shr_overflow", kShr, PlaceKind::Overflow),
    fixed("panic_const_shl_overflow", kShl, PlaceKind::Overflow),
    fixed("panic_const_div_by_zero", kDivZero, PlaceKind::Overflow),
    fixed("panic_const_rem_by_zero", kRemZero, PlaceKind::Overflow),
    fixed("panic_const_coroutine_resumed", kResumed),
    fixed("panic_const_coroutine_resumed_panic", kResumedPanic),
    fixed("panic_const_coroutine_resumed_drop", kResumedDrop),
    fixed("panic_const_async_fn_resumed", "`async fn` resumed after completion"),
    fixed("panic_const_async_fn_resumed_panic", "`async fn` resumed after panicking"),
    fixed("panic_const_async_fn_resumed_drop", "`async fn` resumed after async drop"),
    fixed("panic_const_async_gen_fn_resumed", "`async gen fn` resumed after completion"),
    fixed("panic_const_async_gen_fn_resumed_panic", "`async gen fn` resumed after panicking"),
    fixed("panic_const_async_gen_fn_resumed_drop", "`async gen fn` resumed after async drop"),
    fixed("panic_const_gen_fn_none", "`gen fn` should just keep returning `None` after completion"),
    fixed("panic_const_gen_fn_none_panic",
          "`gen fn` should just keep returning `None` after panicking"),
    fixed("panic_const_gen_fn_none_drop", "`gen fn` resumed after async drop"),
};

std::string_view overflowText(mir::BinOp op) {
  switch (op) {
  case mir::BinOp::Add:
  case mir::BinOp::AddUnchecked:
  case mir::BinOp::AddWithOverflow:
    return kAdd;
  case mir::BinOp::Sub:
  case mir::BinOp::SubUnchecked:
  case mir::BinOp::SubWithOverflow:
    return kSub;
  case mir::BinOp::Mul:
  case mir::BinOp::MulUnchecked:
  case mir::BinOp::MulWithOverflow:
    return kMul;
  case mir::BinOp::Div:
    return kDiv;
  case mir::BinOp::Rem:
    return kRem;
  case mir::BinOp::Shl:
  case mir::BinOp::ShlUnchecked:
    return kShl;
  case mir::BinOp::Shr:
  case mir::BinOp::ShrUnchecked:
    return kShr;
  case mir::BinOp::BitXor:
  case mir::BinOp::BitAnd:
  case mir::BinOp::BitOr:
  case mir::BinOp::Eq:
  case mir::BinOp::Lt:
  case mir::BinOp::Le:
  case mir::BinOp::Ne:
  case mir::BinOp::Ge:
  case mir::BinOp::Gt:
  case mir::BinOp::Cmp:
  case mir::BinOp::Offset:
    return "attempt to calculate with overflow";
  }
  llvm_unreachable("covered");
}
} // namespace

const PanicEntry *findPanicEntry(const mir::Function &function) {
  const bool isHandler = function.isForeign && function.linkName == "rust_begin_unwind";
  const mir::Str lang = isHandler ? mir::Str("panic_impl") : function.lang;
  if (lang.empty())
    return nullptr;
  for (const PanicEntry &entry : kEntries)
    if (entry.lang == lang)
      return &entry;
  return nullptr;
}

AssertText assertText(mir::AssertKind kind, std::optional<mir::BinOp> op) {
  switch (kind) {
  case mir::AssertKind::BoundsCheck:
    return {PlaceKind::BoundsCheck, kBounds};
  case mir::AssertKind::Overflow:
    return {PlaceKind::Overflow, overflowText(op.value_or(mir::BinOp::Offset))};
  case mir::AssertKind::OverflowNeg:
    return {PlaceKind::Overflow, kNeg};
  case mir::AssertKind::DivisionByZero:
    return {PlaceKind::Overflow, kDivZero};
  case mir::AssertKind::RemainderByZero:
    return {PlaceKind::Overflow, kRemZero};
  case mir::AssertKind::ResumedAfterReturn:
    return {PlaceKind::Panic, kResumed};
  case mir::AssertKind::ResumedAfterPanic:
    return {PlaceKind::Panic, kResumedPanic};
  case mir::AssertKind::ResumedAfterDrop:
    return {PlaceKind::Panic, kResumedDrop};
  case mir::AssertKind::MisalignedPointerDereference:
    return {PlaceKind::Operands, kMisaligned};
  case mir::AssertKind::NullPointerDereference:
    return {PlaceKind::Panic, kNull};
  case mir::AssertKind::InvalidEnumConstruction:
    return {PlaceKind::Operands, kEnum};
  }
  llvm_unreachable("covered");
}

} // namespace mirgpu::lowering
