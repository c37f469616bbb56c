// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a back end implements: a device with memory, streams and modules. Everything that is the
// same for all of them (reading modules, checking launches, counting references, the C ABI) lies
// above this interface; a back end gets launches that have been checked. The registry at the end
// lists the back ends; a fourth one is one more row.
#pragma once

#include "runtime/mirgpu.hpp"
#include "runtime/module_file.h"
#include "runtime/object.h"
#include "runtime/simt/schedule.h"

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace mirgpu::runtime {

struct DeviceProperties {
  std::string name;        ///< as `Device::open` takes it
  std::string description; ///< for people
  uint32_t warpSize = 32;
  uint32_t maxBlockThreads = 1024;
  uint64_t maxSharedBytes = 0; ///< of one block
  std::array<uint32_t, 3> maxGrid{};
  std::array<uint32_t, 3> maxBlock{};
};

/// Code generators of the CPU device (DESIGN D10) that a launch may ask for.
enum class CpuTier : uint8_t { Auto, T0, T3 };

/// The heap of a launch that names none.
inline constexpr uint64_t kDefaultHeapBytes = 8 << 20;

/// A checked launch. `argBytes` holds the visible parameters at `argOffsets`, each aligned as the
/// table says, slices as {address, length}.
struct LaunchRequest {
  uint32_t kernel = 0; ///< index in the module
  uint64_t launchId = 0;
  std::array<uint32_t, 3> grid{}, block{};
  uint64_t sharedBytes = 0; ///< dynamic
  simt::Schedule schedule;
  CpuTier tier = CpuTier::Auto;
  uint64_t stackBytes = 0; ///< 0: the back end's default
  uint64_t heapBytes = kDefaultHeapBytes;
  std::vector<std::byte> argBytes;
  std::vector<uint32_t> argOffsets;
};

/// What work in flight keeps alive; dropped when the work has ended.
using KeepAlive = std::vector<Ref<Object>>;

/// The code of one module, made ready for the device.
class BackendModule {
public:
  virtual ~BackendModule() = default;
  /// Where the static with that index in the file's table lies on the device.
  virtual Result<uint64_t> globalAddress(uint32_t global) = 0;
};

/// A queue. Calls may come from any thread; work runs in the order of the calls.
class BackendStream {
public:
  /// Ends when all work given has ended.
  virtual ~BackendStream() = default;
  /// Queues a launch of a kernel of `file`, which `module` was made from; `keep` holds both.
  virtual Status launch(const ModuleFile &file, BackendModule &module, LaunchRequest request,
                        KeepAlive keep) = 0;
  virtual Status copy(uint64_t to, uint64_t from, uint64_t bytes, KeepAlive keep) = 0;
  virtual Status fill(uint64_t to, uint8_t byte, uint64_t bytes, KeepAlive keep) = 0;
  /// Synchronising: waits for earlier work, gives its first error if there is one, else copies.
  virtual Status write(uint64_t to, const void *from, uint64_t bytes) = 0;
  virtual Status read(void *to, uint64_t from, uint64_t bytes) = 0;
  /// Waits for the work given so far; its first error, which is forgotten then.
  virtual Status synchronize() = 0;
  /// Warnings of launches that have ended, each given once.
  virtual std::vector<std::string> takeWarnings() = 0;
};

class BackendDevice {
public:
  virtual ~BackendDevice() = default;
  virtual const DeviceProperties &properties() const = 0;
  /// The address of `bytes` bytes, aligned to 256; never 0, also for no bytes.
  virtual Result<uint64_t> allocate(uint64_t bytes) = 0;
  virtual void free(uint64_t address) = 0;
  virtual Result<std::unique_ptr<BackendStream>> createStream() = 0;
  /// Chooses the code in `file` that suits the device. `file` outlives the result.
  virtual Result<std::unique_ptr<BackendModule>> load(const ModuleFile &file) = 0;
};

/// One row of the registry.
struct Backend {
  std::string_view name; ///< before the colon in `cuda:0`
  bool numbered;         ///< whether devices are `name:N`, or there is one, `name`
  Result<std::unique_ptr<BackendDevice>> (*open)(uint32_t index);
};

/// The back ends in the order in which "auto" tries them.
std::span<const Backend> backends();

/// Opens the device that `name` names; "auto": the first that opens.
Result<std::unique_ptr<BackendDevice>> openDevice(std::string_view name);

} // namespace mirgpu::runtime
