// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics without a body that no kernel can have, each with the reason. What rustc itself puts
// something in place of before a code generator sees it stands here too: met all the same, it is
// said plainly. tests/rust/check_core_intrinsics.py holds all tables against core's declarations.
#include "lowering/core_intrinsics.h"

namespace mirgpu::lowering {

namespace {
struct Refused {
  std::string_view name, why;
};
} // namespace

static constexpr std::string_view
    kOffload = "compiles code for a GPU out of host code; a kernel is on the GPU already",
    kScalable = "is for Arm's scalable vectors", kConstant = "exists at compile time alone",
    kMir = "is put into MIR by rustc itself";

static constexpr Refused kRows[] = {
    {"autodiff", "asks for derivatives, which only rustc's own LLVM back end makes"},
    {"offload", kOffload},
    {"amdgpu_dispatch_ptr", "is for rustc's own AMD target; `thread` and `warp` of mirgpu_device "
                            "say the same on every target"},
    {"rustc_peek", "is for rustc's own tests"},
    {"sve_cast", kScalable},
    {"sve_tuple_create2", kScalable},
    {"sve_tuple_create3", kScalable},
    {"sve_tuple_create4", kScalable},
    {"sve_tuple_get", kScalable},
    {"sve_tuple_set", kScalable},
    {"type_id", kConstant},
    {"type_of", kConstant},
    {"type_id_vtable", kConstant},
    {"field_offset", kConstant},
    {"offset_of", kConstant},
    {"const_eval_select", kMir},
    {"aggregate_raw_ptr", kMir},
    {"ptr_metadata", kMir},
    {"slice_get_unchecked", kMir},
};

std::optional<OperandValue> refuseCoreIntrinsic(const IntrinsicCall &call) {
  for (const Refused &row : kRows)
    if (row.name == call.callee.name)
      return call.unsupported("the core intrinsic `" + std::string(row.name) + "` " +
                              std::string(row.why));
  return std::nullopt;
}

} // namespace mirgpu::lowering
