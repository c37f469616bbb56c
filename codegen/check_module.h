// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What would make LLVM's back ends abort or a loader refuse the result, found first and said as an
// error. Private to codegen/.
#pragma once

#include "codegen/codegen.h"

namespace mirgpu::codegen {

/// Before expansion: every used intrinsic row exists on `spec`. Gives the least PTX version that
/// the used rows need.
llvm::Expected<uint32_t> checkRequirements(const llvm::Module &module, const TargetSpec &spec);

/// Before the passes: no types and no atomic scopes that the back end has no code for.
llvm::Error checkSupported(const llvm::Module &module, const TargetSpec &spec);

/// After the passes: nothing is called or read that is defined nowhere.
llvm::Error checkDefined(const llvm::Module &module, const TargetSpec &spec);

/// After the passes, NVIDIA alone: PTX cannot name a global before its definition, so that no
/// globals may refer to each other in a ring.
llvm::Error checkNoCycles(const llvm::Module &module, const TargetSpec &spec);

/// PTX that leaves nothing to link.
llvm::Error checkPtxDefined(llvm::StringRef ptx, const TargetSpec &spec);

/// A relocatable object that needs nothing but what the target's loader gives.
llvm::Error checkObjectDefined(llvm::StringRef object, const TargetSpec &spec);

} // namespace mirgpu::codegen
