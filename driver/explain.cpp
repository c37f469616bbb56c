// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `mirgpu --explain MGnnnn`: the code's page of docs/errors; the title alone for a code whose page
// is not written.
#include "driver/commands.h"
#include "driver/error_pages.h"
#include "support/diagnostics.h"

namespace mirgpu::driver {

std::string explainCode(llvm::StringRef code) {
  for (const ErrorPage &page : errorPages())
    if (llvm::StringRef(page.code) == code)
      return std::string(page.text);
  for (const DiagnosticCode &known : diagnosticCodes())
    if (llvm::StringRef(known.code) == code)
      return std::string(known.code) + ": " + std::string(known.title) + "\n";
  return "";
}

} // namespace mirgpu::driver
