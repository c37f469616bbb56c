// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU as a device: its memory is the host's, its code is a shared object mapped from the
// module.
#include "runtime/cpu/device.h"

#include "runtime/cpu/host_object.h"
#include "runtime/cpu/stream.h"
#include "runtime/text.h"

#include <cstdlib>
#include <fstream>

namespace mirgpu::runtime::cpu {

/// Shared memory of one block: what the largest GPU of today gives.
static constexpr uint64_t kMaxSharedBytes = 227 * 1024;
static constexpr uint64_t kBufferAlign = 256;

static std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
#if defined(__aarch64__)
  return "AArch64 processor";
#else
  return "x86-64 processor";
#endif
}

namespace {

class CpuDevice final : public BackendDevice {
public:
  CpuDevice() {
    properties_.name = "cpu";
    properties_.description = processorName();
    properties_.maxSharedBytes = kMaxSharedBytes;
    properties_.maxGrid = {INT32_MAX, 65535, 65535};
    properties_.maxBlock = {1024, 1024, 64};
  }

  const DeviceProperties &properties() const override { return properties_; }

  Result<uint64_t> allocate(uint64_t bytes) override {
    constexpr uint64_t limit = uint64_t(1) << 46;
    uint64_t size = bytes > limit ? 0 : (bytes + kBufferAlign) / kBufferAlign * kBufferAlign;
    void *memory = size ? std::aligned_alloc(kBufferAlign, size) : nullptr;
    if (!memory)
      return fail(ErrorCode::OutOfMemory, "no memory for a buffer of ", bytes, " bytes");
    return reinterpret_cast<uint64_t>(memory);
  }

  void free(uint64_t address) override { std::free(reinterpret_cast<void *>(address)); }

  Result<std::unique_ptr<BackendStream>> createStream() override {
    return cpu::createStream(team_);
  }

  Result<std::unique_ptr<BackendModule>> load(const ModuleFile &file) override {
    auto object = HostObject::load(file);
    if (!object)
      return object.error();
    return std::unique_ptr<BackendModule>(std::move(*object));
  }

private:
  DeviceProperties properties_;
  std::shared_ptr<Team> team_ = Team::shared();
};

} // namespace

Result<std::unique_ptr<BackendDevice>> openDevice(uint32_t) {
  return std::unique_ptr<BackendDevice>(std::make_unique<CpuDevice>());
}

} // namespace mirgpu::runtime::cpu
