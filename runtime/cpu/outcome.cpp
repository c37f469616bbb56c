// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Merging of what blocks report. Smaller blocks win, so the text is the same in every run.
#include "runtime/cpu/outcome.h"

#include "runtime/panic_text.h"

namespace mirgpu::runtime::cpu {

void LaunchOutcome::panic(uint64_t block, uint32_t thread, const abi::PanicRecord &record) {
  std::lock_guard lock(mutex_);
  ++panics_;
  std::pair<uint64_t, uint32_t> here{block, thread};
  if (here >= firstPanic_ && panics_ > 1)
    return;
  firstPanic_ = here;
  record_ = record;
}

void LaunchOutcome::failure(uint64_t block, ErrorCode code, std::string text) {
  std::lock_guard lock(mutex_);
  if (block >= firstFailure_.load(std::memory_order_relaxed))
    return;
  firstFailure_.store(block, std::memory_order_relaxed);
  failure_ = {code, std::move(text)};
}

void LaunchOutcome::findings(uint64_t block, std::span<const simt::Finding> found,
                             const simt::BlockPlace &place) {
  for (const simt::Finding &finding : found) {
    if (simt::isError(finding.kind)) {
      bool isDeadlock = finding.kind == simt::FindingKind::LaneNeverArrives;
      failure(block, isDeadlock ? ErrorCode::Deadlock : ErrorCode::Sync,
              simt::describe(finding, place));
      continue;
    }
    WarningKey key{finding.kind, finding.lanes.front().place, finding.lanes.back().place};
    std::lock_guard lock(mutex_);
    auto [at, isNew] = warnings_.try_emplace(key, block, std::string());
    if (!isNew && at->second.first <= block)
      continue;
    at->second = {block, simt::describe(finding, place)};
  }
}

Status LaunchOutcome::status() {
  uint64_t failed = firstFailure_.load(std::memory_order_relaxed);
  if (panics_ != 0 && firstPanic_.first <= failed)
    return panicError(file_, kernel_, launchId_, record_, panics_);
  if (failed == UINT64_MAX)
    return {};
  return Error{failure_.code, launchPrefix(file_, kernel_, launchId_) + failure_.text,
               std::string(file_.kernels()[kernel_].entry), -1, 0};
}

std::vector<std::string> LaunchOutcome::warnings() {
  std::vector<std::string> all;
  for (const auto &[key, warning] : warnings_)
    all.push_back(launchPrefix(file_, kernel_, launchId_) + warning.second);
  return all;
}

} // namespace mirgpu::runtime::cpu
