// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registry of back ends and the meaning of device names. CUDA and HIP are rows that say why
// they cannot be opened until their back ends exist: no driver on this machine, or none in this
// build.
#include "runtime/backend.h"

#include "runtime/cpu/device.h"
#include "runtime/text.h"

#include <array>
#include <charconv>
#include <dlfcn.h>

namespace mirgpu::runtime {

/// The error of a GPU back end that this build lacks: first whether the driver is there at all.
static Error missing(std::string_view device, std::string_view vendor,
                     std::initializer_list<const char *> libraries) {
  for (const char *library : libraries)
    if (void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(handle);
      return fail(ErrorCode::NotBuilt, "`", device, "`: `", library,
                  "` was found, but this build of mirgpu has no ", vendor, " back end");
    }
  return fail(ErrorCode::NoDriver, "`", device, "`: no ", vendor, " driver was found (`",
              *libraries.begin(), "` cannot be loaded), and this build of mirgpu has no ", vendor,
              " back end");
}

static Result<std::unique_ptr<BackendDevice>> openCuda(uint32_t index) {
  return missing(text("cuda:", index), "CUDA", {"libcuda.so.1"});
}

static Result<std::unique_ptr<BackendDevice>> openHip(uint32_t index) {
  return missing(text("hip:", index), "HIP",
                 {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6"});
}

std::span<const Backend> backends() {
  static constexpr std::array<Backend, 3> all = {
      Backend{"cuda", true, openCuda},
      Backend{"hip", true, openHip},
      Backend{"cpu", false, cpu::openDevice},
  };
  return all;
}

Result<std::unique_ptr<BackendDevice>> openDevice(std::string_view name) {
  if (name == "auto") {
    for (const Backend &backend : backends())
      if (auto device = backend.open(0))
        return device;
    return fail(ErrorCode::NoDevice, "no device was found");
  }
  for (const Backend &backend : backends()) {
    if (!backend.numbered && name == backend.name)
      return backend.open(0);
    if (!backend.numbered || !name.starts_with(backend.name))
      continue;
    std::string_view rest = name.substr(backend.name.size());
    uint32_t index = 0;
    if (!rest.starts_with(':'))
      continue;
    auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
    if (error == std::errc() && end == rest.data() + rest.size())
      return backend.open(index);
  }
  return fail(ErrorCode::InvalidArgument, "no device is named `", name,
              "`: the names are `auto`, `cpu`, `cuda:N` and `hip:N`");
}

} // namespace mirgpu::runtime
