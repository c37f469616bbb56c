// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs compiled tests on the CPU device, each as a launch of one thread, in a child process that is
// begun anew behind a test that ends it.
#pragma once

#include "tests/conformance/child_pool.h"
#include "tests/conformance/compile_tests.h"
#include "tests/conformance/outcome.h"

#include "mir_reader/mir.h"

#include <functional>
#include <map>
#include <string>

namespace mirgpu::conformance {

/// CPU seconds after which a test counts as hanging.
inline constexpr unsigned kTestSeconds = 120;

/// Adds the work of running the tests of `shard` from the `first` on; `result` is called for each.
/// `tests` has every test by path.
void addRun(ChildPool &pool, CompiledShard shard, size_t first,
            const std::map<std::string, const mir::Test *> &tests, const std::string &tier,
            std::function<void(TestResult)> result);

} // namespace mirgpu::conformance
