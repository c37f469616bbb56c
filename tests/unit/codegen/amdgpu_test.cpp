// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCN text and HSACO from hand-written neutral modules: kernel descriptors, metadata, barriers with
// their fences, shuffles within 32-lane warps, panics that end the wave.
#include "neutral.h"

#include "llvm/Object/ELFObjectFile.h"

#include <set>

using namespace mirgpu;
using namespace neutral;
using codegen::EmitKind;
using codegen::EmitOptions;
using codegen::PanicExit;

static const char *const kTargets[] = {"gfx90a", "gfx942", "gfx1100", "gfx1201"};

static std::set<std::string> dynamicSymbols(const std::string &elf) {
  auto object = llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(elf, "hsaco"));
  REQUIRE(static_cast<bool>(object));
  std::set<std::string> names;
  for (const auto &symbol :
       llvm::cast<llvm::object::ELFObjectFileBase>(object->get())->getDynamicSymbolIterators())
    if (!(llvm::cantFail(symbol.getFlags()) & llvm::object::SymbolRef::SF_Undefined))
      names.insert(llvm::cantFail(symbol.getName()).str());
  return names;
}

TEST_CASE("HSACOs have their kernel descriptors and resources") {
  for (const char *target : kTargets)
    for (unsigned level : {0u, 3u}) {
      CAPTURE(target);
      CAPTURE(level);
      llvm::LLVMContext context;
      EmitOptions options;
      options.optLevel = level;
      auto lowered = saxpy(context, spec(target));
      auto emitted = emit(lowered, spec(target), EmitKind::Code, options);
      CHECK(emitted.bytes.substr(0, 4) == "\x7f"
                                          "ELF");
      CHECK(dynamicSymbols(emitted.bytes) == std::set<std::string>{"saxpy", "saxpy.kd"});
      CHECK(emitted.resources[0].registers < 512);
      CHECK(emitted.resources[0].scalarRegisters < 512);
      if (level == 3)
        CHECK(emitted.resources[0].spillBytes == 0);
      lowered = reduce(context, spec(target));
      emitted = emit(lowered, spec(target), EmitKind::Code, options);
      CHECK(dynamicSymbols(emitted.bytes) == std::set<std::string>{"reduce", "reduce.kd"});
      CHECK(emitted.resources[0].sharedBytes == 1024);
      CHECK(emitted.sharedBytes == std::vector<uint32_t>{1024});
    }
}

TEST_CASE("a barrier keeps its fences, a shuffle stays in its half of a wave64") {
  for (const char *target : kTargets) {
    CAPTURE(target);
    llvm::LLVMContext context;
    auto lowered = reduce(context, spec(target));
    std::string gcn = emit(lowered, spec(target), EmitKind::Assembly).bytes;
    CAPTURE(gcn);
    CHECK(count(gcn, spec(target).gfx == 0x1201 ? "s_barrier_wait" : "s_barrier") == 1);
    CHECK(contains(gcn, "ds_bpermute_b32"));
    CHECK(contains(gcn, ".amdhsa_code_object_version 5"));
    CHECK(contains(gcn, "v_mbcnt_hi") == (spec(target).waveSize == 64));
    lowered = reduce(context, spec(target));
    std::string ir = emit(lowered, spec(target), EmitKind::LlvmIr).bytes;
    CHECK(contains(ir, "fence syncscope(\"workgroup\") release"));
    CHECK(contains(ir, "fence syncscope(\"workgroup\") acquire"));
    CHECK(contains(ir, "syncscope(\"agent\") monotonic"));
    CHECK(contains(ir, "syncscope(\"workgroup\") monotonic"));
  }
}

TEST_CASE("a panic in a callee records and ends the wave") {
  for (const char *target : kTargets) {
    CAPTURE(target);
    llvm::LLVMContext context;
    auto lowered = saxpy(context, spec(target));
    std::string ir = emit(lowered, spec(target), EmitKind::LlvmIr).bytes;
    CAPTURE(ir);
    CHECK(contains(ir, "call void @llvm.amdgcn.endpgm()"));
    CHECK(contains(ir, "store atomic i32 1"));
    CHECK(contains(ir, "atomicrmw add"));
    CHECK(contains(ir, "addrspace(1)"));
    lowered = saxpy(context, spec(target));
    CHECK(contains(emit(lowered, spec(target), EmitKind::Assembly).bytes, "s_endpgm"));
    EmitOptions options;
    options.panic = PanicExit::Trap;
    lowered = saxpy(context, spec(target));
    CHECK(contains(emit(lowered, spec(target), EmitKind::LlvmIr, options).bytes, "@llvm.trap"));
  }
}

TEST_CASE("aggregates and dynamic panics link") {
  for (const char *target : kTargets)
    for (unsigned level : {0u, 3u}) {
      CAPTURE(target);
      llvm::LLVMContext context;
      EmitOptions options;
      options.optLevel = level;
      for (bool readOnly : {true, false}) {
        auto lowered = aggregate(context, spec(target), readOnly);
        emit(lowered, spec(target), EmitKind::Code, options);
      }
      auto lowered = spin(context, spec(target));
      emit(lowered, spec(target), EmitKind::Code, options);
    }
}

TEST_CASE("an undefined function is an error with its name") {
  llvm::LLVMContext context;
  lowering::LoweredModule lowered;
  lowered.module = parse(context, spec("gfx1100"), R"(
define internal void @mirgpu.kernel.k(ptr %context) #0 {
  call void @outside()
  ret void
}
declare void @outside()
attributes #0 = { convergent nounwind }
)");
  lowered.kernels.push_back(kernel("k", {}));
  CHECK(contains(emitError(lowered, spec("gfx1100"), EmitKind::Code), "`outside`"));
}
