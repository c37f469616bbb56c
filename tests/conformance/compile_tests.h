// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles tests in shards, each in a child process: as a `.mgpu` for the CPU device, as PTX that
// ptxas assembles, as HSACO. A shard that our compiler or ptxas fails on is halved until the test
// at fault is alone.
#pragma once

#include "tests/conformance/child_pool.h"
#include "tests/conformance/outcome.h"

#include "codegen/codegen.h"
#include "driver/driver.h"
#include "mir_reader/mir.h"
#include "support/target_spec.h"

#include <functional>
#include <string>
#include <vector>

namespace mirgpu::conformance {

struct CompileJob {
  const driver::Driver &driver;
  const mir::Program &program; ///< its kernels are the tests
  TargetSpec spec;
  std::string ptxas;  ///< empty: PTX is not assembled
  std::string folder; ///< for the modules; empty: none is written
  codegen::EmitOptions emit;
};

/// A shard that has code: the tests in it, and its module's path if one was written.
struct CompiledShard {
  std::vector<std::string> tests;
  std::string module;
};

/// Adds the work of compiling `tests` to `pool`. `result` is called for each test once, `compiled`
/// for each shard that came out.
void addShard(ChildPool &pool, const CompileJob &job, std::vector<std::string> tests,
              std::function<void(TestResult)> result,
              std::function<void(CompiledShard)> compiled);

} // namespace mirgpu::conformance
