// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the type names of a parameter table, which are Rust's own: `&[f32]`,
// `mirgpu_device::disjoint::DisjointSlice<u32,mirgpu_device::thread::Index1D>`. For messages and
// for the check that data are of the parameter's type; layouts are compared by numbers.
#pragma once

#include <string_view>

namespace mirgpu {

/// `T` of `&[T]`, `&mut [T]`, `[T; 3]`, `DisjointSlice<'_, T, Index>`; of `&T`, `*const T` and
/// `*mut T` the pointee, looked into in the same way. Empty for a name of another form.
std::string_view elementTypeName(std::string_view typeName);

/// The primitive type that a value of `typeName` holds: the name itself, `T` of
/// `core::sync::atomic::Atomic<T>`; empty for every other type.
std::string_view primitiveTypeName(std::string_view typeName);

} // namespace mirgpu
