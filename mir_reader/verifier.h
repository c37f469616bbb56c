// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a Program must be before lowering sees it, as code. `read` calls it; whoever makes or
// changes a Program calls it too. What lowering may rely on afterwards:
//   - every id names an element of its table (or is invalid where mir.h says "invalid: none");
//   entry block 0 has no predecessor;
//   - chains (span call sites, scope parents, by-value nesting of types) end, and nest at most
//   kMaxTypeDepth / kMaxScopeDepth;
//   - layouts: alignments are powers of two <= 2^29, sizes < 2^61, sized fields of inhabited
//   variants lie inside their type, and
//     a scalar, pair or vector representation is made of fields that have those scalars
//     (verify_layout.cpp);
//   - places, operands and rvalues type-check; both sides of an assignment have one representation
//   (verify_types.h `sameShape`),
//     as have arguments and parameters of calls whose signature is known;
//   - relocations and undef ranges lie inside their bytes, sorted and apart; constants fit their
//   types.
// What it does not promise: a transmute may have two sizes (in dead code of generic functions); an
// intrinsic's arguments are as the file has them unless it has a fallback, and that may take a
// caller location which the call lacks; a direct callee may lack a body; arrays of zero-sized
// elements may have any length; a field of a variant without values may lie outside its type.
#pragma once

#include "mir_reader/mir.h"

#include "llvm/Support/Error.h"

namespace mirgpu::mir {

inline constexpr uint64_t kMaxAlign = uint64_t(1) << 29;
inline constexpr uint64_t kMaxSize = uint64_t(1) << 61;
inline constexpr uint32_t kMaxTypeDepth = 1024;
inline constexpr uint32_t kMaxScopeDepth = 16384;
inline constexpr uint32_t kMaxVectorLanes = 1 << 15;

/// The first rule that `program` breaks, with the place in the file's terms
/// (`functions[3].body.blocks[0].terminator`).
llvm::Error verify(const Program &program);

} // namespace mirgpu::mir
