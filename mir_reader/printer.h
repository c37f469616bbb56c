// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a verified Program to readable text for `--emit=mir`, tests and bug reports: the syntax of
// rustc's own MIR dumps, types with their layouts, kernels with their parameters. The text is for
// people; nothing reads it back.
#pragma once

#include "mir_reader/mir.h"

#include "llvm/Support/raw_ostream.h"

namespace mirgpu::mir {

/// The whole program. `withSpans` adds the Rust file, line and column of each statement as a
/// comment.
void print(const Program &program, llvm::raw_ostream &os, bool withSpans);
/// One function, as in the whole program.
void printFunction(const Program &program, FunctionId function, llvm::raw_ostream &os,
                   bool withSpans);
/// One statement or terminator on one line without indent, comment or line end: for notes of
/// diagnostics and bug reports.
void printStatement(const Program &program, const Statement &statement, llvm::raw_ostream &os);
void printTerminator(const Program &program, const Terminator &terminator, llvm::raw_ostream &os);

} // namespace mirgpu::mir
