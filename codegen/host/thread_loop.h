// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tier T0 of the CPU device (DESIGN D10): the threads of a block as a loop that LLVM vectorises.
// Private to codegen/.
//
// Why the loop's iterations may be reordered: two threads of a kernel that T0 admits never wait for
// each other; if both touch a byte, one of them writing, and nothing orders them, that is a data
// race, which Rust has no meaning for. Where threads use atomics, fences or volatile accesses,
// those may order them (one publishes by a release what another one reads after an acquire, if it
// comes later), so nothing is said of a loop that has any, or calls what may have. Of other loops
// no iteration depends on what another one stores, except in memory that the loop itself reuses for
// each thread: the locals.
#pragma once

#include "lowering/lower.h"

#include "llvm/IR/PassManager.h"

namespace llvm {
class PassBuilder;
}

namespace mirgpu::codegen::host {

/// For each kernel why T0 does not admit it, empty if it does: a collective or a loop that waits
/// for other threads is reached, or recursion, whose stack only fibers can account for. On the
/// neutral module.
std::vector<std::string> t0Refusals(lowering::LoweredModule &lowered);

/// Makes `<entry>.t0`, which runs `lane` for the threads of a block, x innermost; its name.
std::string makeThreadLoop(llvm::Module &module, const lowering::LoweredKernel &kernel,
                           llvm::Function &lane);

/// Makes `<entry>.t0.why` with `reason`; its name.
std::string makeReason(llvm::Module &module, const lowering::LoweredKernel &kernel,
                       llvm::StringRef reason);

/// Adds what thread loops need to the pipeline: indices in place of their loads, versions without
/// checks, independence of iterations.
void addThreadLoopPasses(llvm::PassBuilder &builder);

/// Gives what is still needed of threads' contexts its address; after the passes.
void lowerLanes(llvm::Module &module);

} // namespace mirgpu::codegen::host
