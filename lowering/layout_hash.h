// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layout hash of a kernel parameter (DESIGN D11): what host and device must agree on for a
// value to cross the launch as bytes. It is the first 8 bytes, little-endian, of BLAKE3 over this
// encoding of the type (integers are u64, little-endian):
//   size align 'i' signed bits | 'f' bits | 'b' (bool) | 'c' (char) | 'r' scalar bits (any other
//   scalar) size align 'p' metadata encoding-of-pointee       metadata 0 none, 1 length, 2 vtable
//   size align 'a' length encoding-of-element | 's' encoding-of-element (slice, str: of u8) | 'd'
//   (dyn, foreign) | 'n' (fn pointer) size align 'S'|'U' fields {offset encoding-of-field} structs,
//   tuples, closures, unions; fields without bytes are left out size align 'E' tag-kind variants
//   {discriminant-low discriminant-high fields {…}} 'R' depth a type that is being encoded `depth`
//   levels further out
// A struct of one field with bytes, of the same size and alignment, is encoded as that field. Names
// do not count.
#pragma once

#include "mir_reader/mir.h"

namespace mirgpu::lowering {

uint64_t layoutHash(const mir::Program &program, mir::TypeId ty);

} // namespace mirgpu::lowering
