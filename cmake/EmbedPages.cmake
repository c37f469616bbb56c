# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -D PAGES=a.md;b.md -D OUT=x.cpp -P EmbedPages.cmake: the pages as string literals, for `mirgpu --explain`.
set(rows "")
foreach(page IN LISTS PAGES)
  get_filename_component(code ${page} NAME_WE)
  file(READ ${page} text)
  string(APPEND rows "    {\"${code}\", R\"mgpage(${text})mgpage\"},\n")
endforeach()
file(WRITE ${OUT} "// Generated from docs/errors by cmake/EmbedPages.cmake.
#include \"driver/error_pages.h\"

namespace mirgpu::driver {

std::span<const ErrorPage> errorPages() {
  static const std::vector<ErrorPage> pages = {
${rows}  };
  return pages;
}

} // namespace mirgpu::driver
")
