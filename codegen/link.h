// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking in-process. Private to codegen/.
#pragma once

#include "support/target_spec.h"

#include "llvm/Support/Error.h"

#include <string>

namespace mirgpu::codegen {

/// The shared object (an HSACO on AMD GPUs) that lld makes of one relocatable object. Calls are
/// serialised: lld is not reentrant. lld resets LLVM's command line options to their defaults, so a
/// program must have read its own before.
llvm::Expected<std::string> linkShared(llvm::StringRef object, const TargetSpec &spec);

} // namespace mirgpu::codegen
