// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of the verifier's parts (verifier.h). Ids come before everything that follows them,
// types before what has types, signatures before the bodies that call them; the first broken rule
// ends it.
#include "mir_reader/verifier.h"

#include "mir_reader/verify_context.h"

namespace mirgpu::mir {

void Verifier::fail(const llvm::Twine &message) {
  if (failed_)
    return;
  failed_ = true;
  std::string where;
  for (const Step &step : path_) {
    where += where.empty() ? "" : ".";
    where += step.name;
    if (step.index != kNoIndex)
      where += "[" + std::to_string(step.index) + "]";
  }
  error_ = (where.empty() ? std::string() : "`" + where + "`: ") + message.str();
}

bool Verifier::outOfRange(uint32_t index, size_t size, const char *what) {
  fail("no " + llvm::Twine(what) + " " + llvm::Twine(index) + " (the table has " +
       llvm::Twine(size) + ")");
  return false;
}

llvm::Error Verifier::takeError() {
  return failed_ ? llvm::createStringError(error_) : llvm::Error::success();
}

static void verifySignatures(Verifier &verifier) {
  for (uint32_t i = 0; i < verifier.program.functions.size() && !verifier.failed(); ++i) {
    Verifier::At at(verifier, "functions", i);
    verifySignature(verifier, verifier.program.functions[FunctionId(i)]);
  }
}

static void verifyBodies(Verifier &verifier) {
  for (uint32_t i = 0; i < verifier.program.functions.size() && !verifier.failed(); ++i) {
    Verifier::At at(verifier, "functions", i);
    verifyBody(verifier, verifier.program.functions[FunctionId(i)]);
  }
}

llvm::Error verify(const Program &program) {
  Verifier verifier(program);
  using Part = void (*)(Verifier &);
  constexpr Part parts[] = {verifySpans,   verifyTypeIds, verifyNesting,    verifyTypeKinds,
                            verifySymbols, verifyAllocs,  verifySignatures, verifyStatics,
                            verifyVtables, verifyBodies,  verifyKernels,    verifyTests};
  for (Part part : parts)
    if (!verifier.failed())
      part(verifier);
  return verifier.takeError();
}

} // namespace mirgpu::mir
