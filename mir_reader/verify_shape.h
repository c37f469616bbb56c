// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When two types may stand on the two sides of an assignment, and when a scalar may be a part of
// another representation.
#pragma once

#include "mir_reader/mir.h"

namespace mirgpu::mir {

/// The same bits of the same primitive; valid ranges may differ.
bool sameScalar(const Scalar &a, const Scalar &b);
/// Whether a field with scalar `field` may be read from a representation that has `slot` there:
/// same bits, and integers and pointers count as one (rustc merges the payloads of an enum's
/// variants that way).
bool scalarFits(const Scalar &slot, const Scalar &field);
/// The same representation, valid ranges included: one can be copied to the other as an immediate,
/// pair, vector or bytes.
bool sameShape(const Type &a, const Type &b);

/// Whether a value of type `from` may be assigned to a place of type `to`. Equal ids; or types that
/// rustc tells apart by what it erased, such as the lifetimes bound in a function pointer or `dyn`:
/// then kind, definition and shape must agree.
bool isAssignable(const Program &program, TypeId to, TypeId from);

} // namespace mirgpu::mir
