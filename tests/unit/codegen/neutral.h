// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small modules in lowering's neutral form, written by hand, for the tests of codegen/. `@S` in the
// text stands for the number of the target's shared space. Invariant: each gives what lowering
// would give, so that code generation alone is under test.
#pragma once

#include "codegen/codegen.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"

#include <doctest/doctest.h>

#include <string>

namespace neutral {

using namespace mirgpu;

inline TargetSpec spec(std::string_view name) {
  static const bool ready = (codegen::initialize(), true);
  REQUIRE(ready);
  auto parsed = parseTarget(name);
  REQUIRE(std::holds_alternative<TargetSpec>(parsed));
  return std::get<TargetSpec>(parsed);
}

inline lowering::LoweredParam param(std::string name, mgpu::ParamKind kind, uint64_t size,
                                    uint32_t align) {
  lowering::LoweredParam made;
  made.name = std::move(name);
  made.kind = kind;
  made.size = size;
  made.align = align;
  return made;
}

inline lowering::LoweredParam launchContext() {
  return param("launch_context", mgpu::ParamKind::LaunchContext, 8, 8);
}

/// `y[i] += a * x[i]` with a bounds check whose panic stands in a callee that is not inlined.
inline constexpr const char *kSaxpy = R"(
define internal void @mirgpu.kernel.saxpy(float noundef %a, ptr noalias noundef nonnull readonly align 4 %x, i64 noundef %xn, ptr noundef nonnull align 4 %y, i64 noundef %yn, ptr %context) #0 {
entry:
  %b = call i32 @"mirgpu.thread::block_idx_x"(ptr %context, i32 0) #0
  %d = call i32 @"mirgpu.thread::block_dim_x"(ptr %context, i32 0) #0
  %t = call i32 @"mirgpu.thread::thread_idx_x"(ptr %context, i32 0) #0
  %bd = mul i32 %b, %d
  %i32 = add i32 %bd, %t
  %i = zext i32 %i32 to i64
  %in = icmp ult i64 %i, %yn
  br i1 %in, label %body, label %done
body:
  %xv = call float @element(ptr %x, i64 %xn, i64 %i, ptr %context) #0
  %yo = shl i64 %i, 2
  %yp = getelementptr inbounds i8, ptr %y, i64 %yo
  %yv = load float, ptr %yp, align 4
  %m = fmul float %a, %xv
  %s = fadd float %yv, %m
  store float %s, ptr %yp, align 4
  br label %done
done:
  ret void
}
define internal float @element(ptr noalias noundef nonnull readonly align 4 %x, i64 noundef %n, i64 noundef %i, ptr %context) @INLINE {
entry:
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %in, label %out
in:
  %o = shl i64 %i, 2
  %p = getelementptr inbounds i8, ptr %x, i64 %o
  %v = load float, ptr %p, align 4
  ret float %v
out:
  call void @mirgpu.panic(ptr %context, i32 1, i64 %i, i64 %n) #2
  unreachable
}
declare i32 @"mirgpu.thread::block_idx_x"(ptr, i32) #0
declare i32 @"mirgpu.thread::block_dim_x"(ptr, i32) #0
declare i32 @"mirgpu.thread::thread_idx_x"(ptr, i32) #0
declare void @mirgpu.panic(ptr, i32, i64, i64) #2
attributes #0 = { convergent nounwind }
attributes #1 = { convergent nounwind noinline }
attributes #2 = { cold noinline noreturn nounwind }
)";

/// out[block] = sum of a 256-float tile, with a barrier, a shuffle and shared memory.
inline constexpr const char *kReduce = R"(
@tile = internal addrspace(@S) global [1024 x i8] undef, align 4
define internal void @mirgpu.kernel.reduce(ptr noalias noundef nonnull readonly align 4 %in, i64 noundef %n, ptr noundef nonnull align 4 %out, i64 noundef %on, ptr %context) #0 {
entry:
  %t = call i32 @"mirgpu.thread::thread_idx_x"(ptr %context, i32 0) #0
  %b = call i32 @"mirgpu.thread::block_idx_x"(ptr %context, i32 0) #0
  %i = zext i32 %t to i64
  %o = shl i64 %i, 2
  %p = getelementptr inbounds i8, ptr %in, i64 %o
  %v = load i32, ptr %p, align 4
  %s = call i32 @"mirgpu.warp::shuffle_xor"(i32 -1, i32 %v, i32 1, i32 32, ptr %context, i32 3) #0
  %sum = add i32 %v, %s
  %tile = call ptr @mirgpu.shared_address(ptr addrspace(@S) @tile, ptr %context)
  %tp = getelementptr inbounds i8, ptr %tile, i64 %o
  store i32 %sum, ptr %tp, align 4
  call void @"mirgpu.thread::sync_threads"(ptr %context, i32 2) #0
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %done
write:
  %tp1 = getelementptr inbounds i8, ptr %tile, i64 8
  %w = load i32, ptr %tp1, align 4
  %bi = zext i32 %b to i64
  %bo = shl i64 %bi, 2
  %op = getelementptr inbounds i8, ptr %out, i64 %bo
  %old = call i32 @"mirgpu.atomic::fetch_add_u32"(ptr %op, i32 %w, i32 1, i32 0, ptr %context, i32 0) #0
  %old2 = call i32 @"mirgpu.atomic::fetch_add_u32"(ptr %tile, i32 1, i32 0, i32 0, ptr %context, i32 0) #0
  br label %done
done:
  ret void
}
declare i32 @"mirgpu.thread::thread_idx_x"(ptr, i32) #0
declare i32 @"mirgpu.thread::block_idx_x"(ptr, i32) #0
declare i32 @"mirgpu.warp::shuffle_xor"(i32, i32, i32, i32, ptr, i32) #0
declare void @"mirgpu.thread::sync_threads"(ptr, i32) #0
declare i32 @"mirgpu.atomic::fetch_add_u32"(ptr, i32, i32, i32, ptr, i32) #0
declare ptr @mirgpu.shared_address(ptr addrspace(@S), ptr)
attributes #0 = { convergent nounwind }
)";

/// Copies a field of an aggregate parameter, bumped by one, to `out`; `@READONLY` says whether the
/// aggregate is only read.
inline constexpr const char *kAggregate = R"(
define internal void @mirgpu.kernel.field(ptr noalias noundef nonnull @READONLY align 8 dereferenceable(24) %p, ptr noundef nonnull align 8 %out, ptr %context) #0 {
entry:
  %f = getelementptr inbounds i8, ptr %p, i64 8
  @WRITE
  %v = load i64, ptr %f, align 8
  %w = add i64 %v, 1
  store i64 %w, ptr %out, align 8
  ret void
}
attributes #0 = { convergent nounwind }
)";

/// A panic with a location and a text that are known at run time alone, from a loop that spins on
/// an atomic.
inline constexpr const char *kDynamicPanic = R"(
define internal void @mirgpu.kernel.spin(ptr noundef nonnull align 4 %flag, ptr noundef %location, ptr noundef %text, i64 noundef %length, ptr %context) #0 {
entry:
  br label %loop
loop:
  %v = load atomic i32, ptr %flag acquire, align 4
  %set = icmp eq i32 %v, 1
  br i1 %set, label %after, label %loop
after:
  %bad = icmp eq i64 %length, 7
  br i1 %bad, label %panic, label %done
panic:
  call void @mirgpu.panic_dynamic(ptr %context, i32 0, ptr %location, ptr %text, i64 %length, i64 0, i64 0) #1
  unreachable
done:
  ret void
}
declare void @mirgpu.panic_dynamic(ptr, i32, ptr, ptr, i64, i64, i64) #1
attributes #0 = { convergent nounwind }
attributes #1 = { cold noinline noreturn nounwind }
)";

inline std::string replaceAll(std::string text, const std::string &what, const std::string &by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// The module of `text` as lowering for `target` would leave it.
inline std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, const TargetSpec &target,
                                           std::string text) {
  auto made = codegen::createTarget(target);
  REQUIRE(static_cast<bool>(made));
  text = replaceAll(text, "@S)",
                    std::to_string((*made)->addressSpace(lowering::MemorySpace::Shared)) + ")");
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  INFO(diagnostic.getMessage().str());
  REQUIRE(module);
  module->setDataLayout((*made)->dataLayout());
  return module;
}

inline lowering::LoweredKernel kernel(std::string entry,
                                      std::vector<lowering::LoweredParam> params) {
  lowering::LoweredKernel made;
  made.key = "test::" + entry;
  made.entry = std::move(entry);
  made.params = std::move(params);
  return made;
}

inline lowering::LoweredModule saxpy(llvm::LLVMContext &context, const TargetSpec &target,
                                     bool inlineCallee = false) {
  lowering::LoweredModule lowered;
  lowered.module =
      parse(context, target, replaceAll(kSaxpy, "@INLINE", inlineCallee ? "#0" : "#1"));
  lowered.kernels.push_back(
      kernel("saxpy",
             {param("a", mgpu::ParamKind::Scalar, 4, 4), param("x", mgpu::ParamKind::Slice, 16, 8),
              param("y", mgpu::ParamKind::DisjointSlice, 16, 8), launchContext()}));
  lowered.kernels[0].canPanic = true;
  lowered.kernels[0].maxThreads = 256;
  lowered.places = {{}, {mgpu::PlaceKind::BoundsCheck, "src/lib.rs", "", "saxpy", 7, 3}};
  return lowered;
}

inline lowering::LoweredModule reduce(llvm::LLVMContext &context, const TargetSpec &target) {
  lowering::LoweredModule lowered;
  lowered.module = parse(context, target, kReduce);
  lowered.kernels.push_back(
      kernel("reduce", {param("in", mgpu::ParamKind::Slice, 16, 8),
                        param("out", mgpu::ParamKind::DisjointSlice, 16, 8)}));
  lowered.kernels[0].hasCollective = true;
  return lowered;
}

inline lowering::LoweredModule aggregate(llvm::LLVMContext &context, const TargetSpec &target,
                                         bool readOnly) {
  std::string text = replaceAll(kAggregate, "@READONLY", readOnly ? "readonly" : "");
  text =
      replaceAll(text, "@WRITE",
                 readOnly ? "" : "%z = load i64, ptr %p, align 8\n  store i64 %z, ptr %f, align 8");
  lowering::LoweredModule lowered;
  lowered.module = parse(context, target, text);
  lowered.kernels.push_back(kernel("field", {param("p", mgpu::ParamKind::Aggregate, 24, 8),
                                             param("out", mgpu::ParamKind::Pointer, 8, 8)}));
  return lowered;
}

inline lowering::LoweredModule spin(llvm::LLVMContext &context, const TargetSpec &target) {
  lowering::LoweredModule lowered;
  lowered.module = parse(context, target, kDynamicPanic);
  lowered.kernels.push_back(
      kernel("spin", {param("flag", mgpu::ParamKind::Pointer, 8, 8),
                      param("location", mgpu::ParamKind::Pointer, 8, 8),
                      param("text", mgpu::ParamKind::Pointer, 8, 8),
                      param("length", mgpu::ParamKind::Scalar, 8, 8), launchContext()}));
  lowered.kernels[0].canPanic = true;
  return lowered;
}

/// What emit gives; the test fails with the error's text otherwise.
inline codegen::Emitted emit(lowering::LoweredModule &lowered, const TargetSpec &target,
                             codegen::EmitKind kind, const codegen::EmitOptions &options = {}) {
  auto emitted = codegen::emit(lowered, target, options, kind);
  std::string error = emitted ? "" : llvm::toString(emitted.takeError());
  REQUIRE(error == "");
  return std::move(*emitted);
}

inline std::string emitError(lowering::LoweredModule &lowered, const TargetSpec &target,
                             codegen::EmitKind kind, const codegen::EmitOptions &options = {}) {
  auto emitted = codegen::emit(lowered, target, options, kind);
  REQUIRE_FALSE(static_cast<bool>(emitted));
  return llvm::toString(emitted.takeError());
}

inline bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

inline unsigned count(const std::string &text, const std::string &part) {
  unsigned n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++n;
  return n;
}

} // namespace neutral
