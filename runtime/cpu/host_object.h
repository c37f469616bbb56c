// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host code of a `.mgpu`: chooses the section that this machine can run, maps it as a shared object
// from memory, and finds the kernels' entries and the host's statics.
#pragma once

#include "runtime/backend.h"
#include "runtime/cpu/grid.h"

#include <memory>
#include <vector>

namespace mirgpu::runtime::cpu {

/// One kernel's code: tier T3, which every kernel has, and T0 or why there is none.
struct KernelCode {
  std::unique_ptr<KernelCost> fibersCost = std::make_unique<KernelCost>();
  std::unique_ptr<KernelCost> threadLoopCost = std::make_unique<KernelCost>();
  KernelEntry fibers = nullptr;
  KernelEntry threadLoop = nullptr;
  std::string_view whyNoThreadLoop; ///< empty: it was not asked for
};

/// The loaded code of one module. Entries stay valid while it lives.
class HostObject final : public BackendModule {
public:
  static Result<std::unique_ptr<HostObject>> load(const ModuleFile &file);
  ~HostObject() override;
  /// Of the kernel with that index in the file.
  const KernelCode &code(uint32_t kernel) const { return kernels_[kernel]; }
  Result<uint64_t> globalAddress(uint32_t global) override { return globals_[global]; }

private:
  HostObject() = default;
  int fd_ = -1;
  void *handle_ = nullptr;
  void *find(std::string_view entry, std::string_view suffix) const;
  std::vector<KernelCode> kernels_;
  std::vector<uint64_t> globals_;
};

/// How well this machine runs code for `target` (`host`, `host:x86-64-v3`): 0 not at all, else the
/// higher the better.
int hostTargetRank(std::string_view target);

} // namespace mirgpu::runtime::cpu
