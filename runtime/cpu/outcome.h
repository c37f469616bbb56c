// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch on the CPU leaves: the panic of the smallest block and thread with a count, the
// failure of the smallest block, warnings. Blocks report from many threads; the result does not
// depend on which of them was first.
#pragma once

#include "runtime/module_file.h"
#include "runtime/simt/report.h"
#include "support/launch_abi.h"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace mirgpu::runtime::cpu {

class LaunchOutcome {
public:
  LaunchOutcome(const ModuleFile &file, uint32_t kernel, uint64_t launchId)
      : file_(file), kernel_(kernel), launchId_(launchId) {}

  /// `thread` is linear within the block.
  void panic(uint64_t block, uint32_t thread, const abi::PanicRecord &record);
  /// A block that could not go on.
  void failure(uint64_t block, ErrorCode code, std::string text);
  /// The findings of one block: errors are failures, warnings are kept once for each pair of
  /// places.
  void findings(uint64_t block, std::span<const simt::Finding> found,
                const simt::BlockPlace &place);

  /// Whether `block` need not run, since a smaller one has failed.
  bool skips(uint64_t block) const { return block > firstFailure_.load(std::memory_order_relaxed); }
  const ModuleFile &file() const { return file_; }

  /// The error of the launch, after the last block has ended.
  Status status();
  std::vector<std::string> warnings();

private:
  struct Failure {
    ErrorCode code;
    std::string text;
  };
  /// Kind and the places of the first and last lane.
  using WarningKey = std::tuple<simt::FindingKind, uint32_t, uint32_t>;

  const ModuleFile &file_;
  uint32_t kernel_;
  uint64_t launchId_;
  std::mutex mutex_; ///< guards what follows
  uint64_t panics_ = 0;
  std::pair<uint64_t, uint32_t> firstPanic_{UINT64_MAX, 0};
  abi::PanicRecord record_{};
  Failure failure_{};
  std::map<WarningKey, std::pair<uint64_t, std::string>> warnings_; ///< block, text
  std::atomic<uint64_t> firstFailure_{UINT64_MAX};
};

} // namespace mirgpu::runtime::cpu
