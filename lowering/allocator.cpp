// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See allocator.h. Symbols as in rustc 1.96's library/alloc/src/alloc.rs.
#include "lowering/allocator.h"

#include <algorithm>

namespace mirgpu::lowering {

static constexpr std::string_view kSymbols[] = {"__rust_alloc", "__rust_alloc_zeroed",
                                                "__rust_dealloc", "__rust_realloc",
                                                "__rust_alloc_error_handler"};

llvm::StringRef foreignSymbol(const mir::Function &function) {
  if (!function.linkName.empty())
    return llvm::StringRef(function.linkName);
  llvm::StringRef path(function.defPath);
  const size_t separator = path.rfind("::");
  return separator == llvm::StringRef::npos ? path : path.drop_front(separator + 2);
}

bool isAllocatorSymbol(const mir::Function &function) {
  return function.isForeign && !function.body &&
         std::ranges::find(kSymbols, std::string_view(foreignSymbol(function))) !=
             std::end(kSymbols);
}

bool isAllocatorShim(const mir::Function &function) {
  return function.isForeign && !function.body &&
         foreignSymbol(function) == "__rust_no_alloc_shim_is_unstable_v2";
}

mir::FunctionId standIn(const mir::Program &program, mir::FunctionId id) {
  if (!isAllocatorSymbol(program.functions[id]))
    return id;
  const std::string_view symbol = foreignSymbol(program.functions[id]);
  for (uint32_t i = 0; i < program.functions.size(); ++i)
    if (const mir::ToolAttr *attr =
            mir::findToolAttr(program.functions[mir::FunctionId(i)].toolAttrs, "allocator");
        attr && !attr->args.empty() && attr->args.front() == symbol &&
        program.functions[mir::FunctionId(i)].body)
      return mir::FunctionId(i);
  return id;
}

} // namespace mirgpu::lowering
