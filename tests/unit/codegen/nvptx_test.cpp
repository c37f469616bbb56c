// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX from hand-written neutral modules: entry form, read-only loads, barriers, panics, atomics,
// options. Where a ptxas is found
// ($MIRGPU_PTXAS) the text is assembled too.
#include "neutral.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

#include <cstdlib>

using namespace mirgpu;
using namespace neutral;
using codegen::EmitKind;
using codegen::EmitOptions;
using codegen::PanicExit;

/// Whether ptxas takes `ptx`; true where there is no ptxas.
static bool assembles(const std::string &ptx, const std::string &arch) {
  const char *ptxas = std::getenv("MIRGPU_PTXAS");
  if (!ptxas || !*ptxas)
    return true;
  llvm::SmallString<128> path;
  int fd = -1;
  REQUIRE_FALSE(llvm::sys::fs::createTemporaryFile("mirgpu", "ptx", fd, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(fd, true) << ptx;
  return llvm::sys::ExecuteAndWait(ptxas, {ptxas, "-arch=" + arch, path, "-o", "/dev/null"}) == 0;
}

static std::string ptxOf(lowering::LoweredModule lowered, const char *target,
                         EmitOptions options = {}) {
  std::string ptx = emit(lowered, spec(target), EmitKind::Code, options).bytes;
  CAPTURE(ptx);
  CHECK(assembles(ptx, target));
  CHECK_FALSE(contains(ptx, "mirgpu.kernel"));
  return ptx;
}

static const char *const kTargets[] = {"sm_75",   "sm_80",  "sm_86",  "sm_90",  "sm_90a", "sm_100",
                                       "sm_100a", "sm_103", "sm_110", "sm_120", "sm_121"};

TEST_CASE("saxpy: entry, bounds, read-only loads, panic in a callee, on every target") {
  for (const char *target : kTargets)
    for (unsigned level : {0u, 1u, 3u}) {
      CAPTURE(target);
      CAPTURE(level);
      llvm::LLVMContext context;
      EmitOptions options;
      options.optLevel = level;
      std::string ptx = ptxOf(saxpy(context, spec(target)), target, options);
      CAPTURE(ptx);
      CHECK(contains(ptx, ".visible .entry saxpy("));
      CHECK(contains(ptx, ".maxntid 256"));
      CHECK(contains(ptx, "exit;"));
      CHECK(contains(ptx, "atom.relaxed.sys."));
      CHECK(contains(ptx, "st.release.sys."));
      CHECK_FALSE(contains(ptx, "trap;"));
      if (level == 3)
        CHECK(contains(ptx, "call"));
    }
}

TEST_CASE("a read-only slice is loaded through the read-only cache") {
  llvm::LLVMContext context;
  std::string ptx = ptxOf(saxpy(context, spec("sm_90"), /*inlineCallee=*/true), "sm_90");
  CAPTURE(ptx);
  CHECK(contains(ptx, "ld.global.nc."));
  CHECK(count(ptx, ".func") == 0); // the panic is part of the kernel
}

TEST_CASE("contraction and flushing are off unless asked for") {
  llvm::LLVMContext context;
  std::string ptx = ptxOf(saxpy(context, spec("sm_90")), "sm_90");
  CHECK(contains(ptx, "mul.rn.f32"));
  CHECK_FALSE(contains(ptx, "fma.rn"));
  CHECK_FALSE(contains(ptx, ".ftz"));
  EmitOptions flush;
  flush.ftz = true;
  CHECK(contains(ptxOf(saxpy(context, spec("sm_90")), "sm_90", flush), "mul.rn.ftz.f32"));
}

TEST_CASE(
    "reduce: one barrier that is not aligned, shared memory by its own space, scoped atomics") {
  for (const char *target : kTargets) {
    CAPTURE(target);
    llvm::LLVMContext context;
    auto lowered = reduce(context, spec(target));
    auto emitted = emit(lowered, spec(target), EmitKind::Code);
    const std::string &ptx = emitted.bytes;
    CAPTURE(ptx);
    CHECK(assembles(ptx, target));
    CHECK(count(ptx, "barrier") == 1);
    CHECK_FALSE(contains(ptx, ".aligned"));
    CHECK(contains(ptx, "st.shared."));
    CHECK(contains(ptx, "shfl.sync.bfly.b32"));
    CHECK(contains(ptx, "atom.relaxed.gpu.global.add.u32"));
    CHECK(contains(ptx, "atom.relaxed.cta.shared.add.u32"));
    CHECK(emitted.sharedBytes == std::vector<uint32_t>{1024});
    CHECK(emitted.resources[0].sharedBytes == 1024);
    CHECK(emitted.resources[0].registers == mgpu::kUnknown);
  }
}

TEST_CASE("aggregates are grid constants where the kernel only reads them") {
  llvm::LLVMContext context;
  std::string ptx = ptxOf(aggregate(context, spec("sm_90"), true), "sm_90");
  CAPTURE(ptx);
  CHECK(contains(ptx, ".param .align 8 .b8 field_param_0[24]"));
  CHECK_FALSE(contains(ptx, ".local"));
  ptxOf(aggregate(context, spec("sm_90"), false), "sm_90");
}

TEST_CASE("a kernel that spins traps on panic, unless told otherwise") {
  llvm::LLVMContext context;
  std::string ptx = ptxOf(spin(context, spec("sm_80")), "sm_80");
  CAPTURE(ptx);
  CHECK(contains(ptx, "trap;"));
  CHECK(contains(ptx, "fence.acq_rel.sys"));
  EmitOptions options;
  options.panic = PanicExit::Exit;
  CHECK_FALSE(contains(ptxOf(spin(context, spec("sm_80")), "sm_80", options), "trap;"));
  options.panic = PanicExit::Trap;
  CHECK(contains(ptxOf(saxpy(context, spec("sm_80")), "sm_80", options), "trap;"));
}

TEST_CASE("atomics of core keep order and scope") {
  llvm::LLVMContext context;
  lowering::LoweredModule lowered;
  lowered.module = parse(context, spec("sm_90"), R"(
define internal void @mirgpu.kernel.k(ptr noundef nonnull align 8 %p, ptr %context) #0 {
  %a = atomicrmw add ptr %p, i32 1 acquire, align 4
  %b = atomicrmw sub ptr %p, i64 2 seq_cst, align 8
  %c = atomicrmw xchg ptr %p, ptr null release, align 8
  %d = atomicrmw umax ptr %p, i16 7 acq_rel, align 2
  %e = atomicrmw fmax ptr %p, float 1.0 monotonic, align 4
  %f = atomicrmw nand ptr %p, i32 %a monotonic, align 4
  fence syncscope("singlethread") seq_cst
  fence release
  ret void
}
attributes #0 = { convergent nounwind }
)");
  lowered.kernels.push_back(kernel("k", {param("p", mgpu::ParamKind::Pointer, 8, 8)}));
  std::string ptx = ptxOf(std::move(lowered), "sm_90");
  CAPTURE(ptx);
  CHECK(contains(ptx, "atom.acquire.sys.global.add.u32"));
  CHECK(contains(ptx, "fence.sc.sys"));
  CHECK(contains(ptx, "atom.acquire.sys.global.add.u64"));
  CHECK(contains(ptx, "atom.release.sys.global.exch.b64"));
  CHECK(contains(ptx, "ld.relaxed.sys"));
  CHECK(contains(ptx, "cas"));
}

TEST_CASE("what PTX cannot have is an error with its name") {
  llvm::LLVMContext context;
  auto one = [&](const std::string &body, const std::string &more = "") {
    lowering::LoweredModule lowered;
    lowered.module =
        parse(context, spec("sm_90"),
              "define internal void @mirgpu.kernel.k(ptr %p, ptr %context) #0 {\n" + body +
                  "\nret void\n}\n" + more + "\nattributes #0 = { convergent nounwind }\n");
    lowered.kernels.push_back(kernel("k", {param("p", mgpu::ParamKind::Pointer, 8, 8)}));
    return lowered;
  };
  auto undefined = one("call void @outside(ptr %p)", "declare void @outside(ptr)");
  CHECK(contains(emitError(undefined, spec("sm_90"), EmitKind::Code), "`outside`"));
  auto wide = one("%v = load fp128, ptr %p\n%w = fadd fp128 %v, %v\nstore fp128 %w, ptr %p");
  CHECK(contains(emitError(wide, spec("sm_90"), EmitKind::Code), "128-bit floating point"));
  auto scope = one("fence syncscope(\"agent\") acquire");
  CHECK(contains(emitError(scope, spec("sm_90"), EmitKind::Code), "scope `agent`"));
  auto atomic = one("%v = cmpxchg ptr %p, i128 0, i128 1 seq_cst seq_cst");
  CHECK(contains(emitError(atomic, spec("sm_90"), EmitKind::Code), "128 bits"));
  auto ring =
      one("store ptr @a, ptr %p",
          "@a = internal global ptr @b\n@b = internal global ptr @c\n@c = internal global ptr @a");
  CHECK(contains(emitError(ring, spec("sm_90"), EmitKind::Code), "ring"));
  auto object = one("");
  CHECK(contains(emitError(object, spec("sm_90"), EmitKind::Object), "no object form"));
}

TEST_CASE("IR at -O0 is what lowering left, above it is optimised") {
  llvm::LLVMContext context;
  EmitOptions options;
  options.optLevel = 0;
  auto lowered = saxpy(context, spec("sm_90"));
  std::string ir = emit(lowered, spec("sm_90"), EmitKind::LlvmIr, options).bytes;
  CHECK(contains(ir, "@mirgpu.kernel.saxpy"));
  CHECK(contains(ir, "mirgpu.thread::block_idx_x"));
  options.optLevel = 3;
  ir = emit(lowered, spec("sm_90"), EmitKind::LlvmIr, options).bytes;
  CHECK(contains(ir, "ptx_kernel void @saxpy"));
  CHECK_FALSE(contains(ir, "@mirgpu.kernel.saxpy"));
  lowered = saxpy(context, spec("sm_90"));
  CHECK(emit(lowered, spec("sm_90"), EmitKind::LlvmBc, options).bytes.substr(0, 2) == "BC");
}

TEST_CASE("debug information becomes lines, also through an entry that has none of its own") {
  llvm::LLVMContext context;
  lowering::LoweredModule lowered;
  lowered.module = parse(context, spec("sm_75"), R"(
define internal void @mirgpu.kernel.k(ptr noundef nonnull align 4 %p, ptr %context) #0 {
  call void @body(ptr %p, ptr %context) #0
  ret void
}
define internal void @body(ptr noundef nonnull align 4 %p, ptr %context) #0 !dbg !4 {
  store i32 7, ptr %p, align 4, !dbg !5
  ret void, !dbg !5
}
attributes #0 = { convergent nounwind }
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !1, producer: "test", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernels.rs", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "body", scope: !1, file: !1, line: 41, type: !6, scopeLine: 41, spFlags: DISPFlagDefinition, unit: !0)
!5 = !DILocation(line: 42, column: 9, scope: !4)
!6 = !DISubroutineType(types: !7)
!7 = !{}
)");
  lowered.kernels.push_back(kernel("k", {param("p", mgpu::ParamKind::Pointer, 8, 8)}));
  std::string ptx = ptxOf(std::move(lowered), "sm_75");
  CAPTURE(ptx);
  CHECK(contains(ptx, "42 9"));
  CHECK(contains(ptx, "\"kernels.rs\""));
  CHECK_FALSE(contains(ptx, "debug\n"));
  CHECK_FALSE(contains(ptx, ".debug_info"));
}

TEST_CASE("an entry keeps its name against a function that has it; one that PTX cannot spell is an "
          "error") {
  llvm::LLVMContext context;
  auto named = [&](const std::string &entry, const std::string &other) {
    lowering::LoweredModule lowered;
    lowered.module =
        parse(context, spec("sm_90"),
              "define internal void @\"mirgpu.kernel." + entry +
                  "\"(ptr %p, ptr %context) #0 {\ncall void @\"" + other +
                  "\"(ptr %p)\nret void\n}\ndefine internal void @\"" + other +
                  "\"(ptr %p) #1 {\nstore i32 1, ptr %p\nret void\n}\n"
                  "attributes #0 = { convergent nounwind }\nattributes #1 = { noinline }\n");
    lowered.kernels.push_back(kernel(entry, {param("p", mgpu::ParamKind::Pointer, 8, 8)}));
    return lowered;
  };
  CHECK(contains(ptxOf(named("k", "k"), "sm_90"), ".visible .entry k("));
  auto bad = named("a::run", "other");
  CHECK(contains(emitError(bad, spec("sm_90"), EmitKind::Code), "`a::run`"));
}
