// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The signatures of the core intrinsics that have rows (core_intrinsics.h). The format does not
// promise them, so that a reader need not know every intrinsic; a handler relies on them.
#pragma once

#include "lowering/core_intrinsics.h"

namespace mirgpu::lowering {

/// The signature of intrinsic `name` in the letters of core_intrinsic_signatures.cpp; empty if it
/// has none there.
std::string_view coreIntrinsicSignature(std::string_view name);

/// Whether a call has the intrinsic's signature: number and representation of arguments, result
/// and generic arguments. True where no signature is known.
bool fitsSignature(const IntrinsicCall &call);

} // namespace mirgpu::lowering
