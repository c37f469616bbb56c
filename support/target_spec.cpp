// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/target_spec.h"

#include <algorithm>

namespace mirgpu {

namespace {
struct NvidiaRow {
  std::string_view name;
  uint32_t sm;
  char variant;
  uint32_t ptx; ///< LLVM 22's default for the target: the lowest that selects
};
struct AmdRow {
  std::string_view name;
  uint32_t gfx;
  uint32_t waveSize;
};
} // namespace

// PTX ISA "Target directive" for the names; the versions are those at which LLVM 22 accepts each
// target.
static constexpr NvidiaRow nvidiaTargets[] = {
    {"sm_75", 75, 0, 63},      {"sm_80", 80, 0, 70},      {"sm_86", 86, 0, 71},
    {"sm_87", 87, 0, 74},      {"sm_88", 88, 0, 90},      {"sm_89", 89, 0, 78},
    {"sm_90", 90, 0, 78},      {"sm_90a", 90, 'a', 80},   {"sm_100", 100, 0, 86},
    {"sm_100a", 100, 'a', 86}, {"sm_100f", 100, 'f', 88}, {"sm_103", 103, 0, 88},
    {"sm_103a", 103, 'a', 88}, {"sm_103f", 103, 'f', 88}, {"sm_110", 110, 0, 90},
    {"sm_110a", 110, 'a', 90}, {"sm_110f", 110, 'f', 90}, {"sm_120", 120, 0, 87},
    {"sm_120a", 120, 'a', 87}, {"sm_120f", 120, 'f', 88}, {"sm_121", 121, 0, 88},
    {"sm_121a", 121, 'a', 88}, {"sm_121f", 121, 'f', 88},
};

static constexpr AmdRow amdTargets[] = {
    {"gfx90a", 0x90a, 64},
    {"gfx942", 0x942, 64},
    {"gfx1100", 0x1100, 32},
    {"gfx1201", 0x1201, 32},
};

const std::vector<std::string_view> &gpuTargetNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const NvidiaRow &row : nvidiaTargets)
      all.push_back(row.name);
    for (const AmdRow &row : amdTargets)
      all.push_back(row.name);
    return all;
  }();
  return names;
}

static std::string unknownTarget(std::string_view name) {
  std::string text =
      "unknown target `" + std::string(name) + "`; targets are host, host:CPU (as host:x86-64-v3)";
  for (std::string_view known : gpuTargetNames())
    text += ", " + std::string(known);
  return text;
}

std::variant<TargetSpec, std::string> parseTarget(std::string_view name) {
  TargetSpec spec;
  spec.name = name;
  if (name == "host" || (name.starts_with("host:") && name.size() > 5)) {
    spec.cpu = name == "host" ? std::string("native") : std::string(name.substr(5));
    return spec;
  }
  spec.cpu = name;
  if (auto row = std::ranges::find(nvidiaTargets, name, &NvidiaRow::name);
      row != std::end(nvidiaTargets)) {
    spec.backend = Backend::Nvptx;
    spec.sm = row->sm;
    spec.variant = row->variant;
    spec.ptx = row->ptx;
    return spec;
  }
  if (auto row = std::ranges::find(amdTargets, name, &AmdRow::name); row != std::end(amdTargets)) {
    spec.backend = Backend::Amdgpu;
    spec.gfx = row->gfx;
    spec.waveSize = row->waveSize;
    return spec;
  }
  return unknownTarget(name);
}

std::string_view backendName(Backend backend) {
  switch (backend) {
  case Backend::Nvptx:
    return "nvptx";
  case Backend::Amdgpu:
    return "amdgpu";
  case Backend::Host:
    break;
  }
  return "host";
}

} // namespace mirgpu
