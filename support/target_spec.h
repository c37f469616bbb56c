// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a `--target` name means: `sm_90a` (NVIDIA), `gfx1100` (AMD), `host` and `host:x86-64-v3`
// (CPU). Parsed once, passed down.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace mirgpu {

enum class Backend : uint8_t { Nvptx, Amdgpu, Host };

/// `nvptx`, `amdgpu` or `host`, as `#[mirgpu_tool::target("…")]` names it.
std::string_view backendName(Backend backend);

struct TargetSpec {
  Backend backend = Backend::Host;
  std::string name; ///< as the user wrote it; names the code section of a `.mgpu`
  std::string
      cpu; ///< LLVM's CPU name: `sm_90a`, `gfx1100`, `x86-64-v3`, or `native` for this machine's
  uint32_t sm = 0;  ///< NVIDIA: 90 for sm_90, sm_90a
  char variant = 0; ///< NVIDIA: 'a', 'f' or 0
  uint32_t ptx = 0; ///< NVIDIA: the lowest PTX version that this target selects with, 78 for 7.8
  uint32_t gfx = 0; ///< AMD: 0x90a for gfx90a, 0x1100 for gfx1100
  uint32_t waveSize = 32; ///< AMD: 64 on gfx9; elsewhere 32
};

/// The spec, or a text that says what is wrong with `name` and which names exist.
std::variant<TargetSpec, std::string> parseTarget(std::string_view name);

/// Every GPU target name that parseTarget takes, in the order that `--help` prints.
const std::vector<std::string_view> &gpuTargetNames();

} // namespace mirgpu
