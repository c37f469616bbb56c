// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CPU device with the hand-written kernels of host_kernels.cc loaded, for tests of launches.
#pragma once

#include "runtime/mirgpu.hpp"
#include "tests/unit/runtime/module_writer.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace mirgpu::test {

inline std::string kernelObject() {
  std::ifstream file(MIRGPU_TEST_KERNELS, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The module whose kernels and places host_kernels.cc expects.
inline ModuleWriter kernelModule() {
  ModuleWriter w;
  for (const char *name : {"saxpy", "saxpy_t0"}) {
    w.kernel(name);
    w.scalar("a", "f32", 4);
    w.in("x", "f32", 4);
    w.out("y", "f32", 4);
  }
  w.kernel("block_sum").staticSharedBytes = 128;
  w.in("x", "f32", 4);
  w.out("out", "f32", 4);
  w.kernel("panics");
  w.scalar("every", "u32", 4);
  w.scalar("from", "u32", 4);
  for (const char *name : {"panics_dynamic", "deadlock", "wrong_mask"})
    w.kernel(name);
  w.kernel("two_places");
  w.out("out", "u32", 4);
  w.kernel("recursion");
  w.scalar("thread", "u32", 4);
  w.scalar("depth", "u32", 4);
  w.out("out", "u64", 8);
  w.kernel("recursion_with_barrier");
  w.out("out", "u64", 8);
  w.kernel("order").staticSharedBytes = 4;
  w.out("out", "u32", 4);
  w.kernel("count_threads").maxThreads = 512;
  w.out("out", "u32", 4);
  w.kernel("values").staticSharedBytes = 20;
  w.scalar("flag", "bool", 1);
  w.param("pair", "tests::Pair", mgpu::ParamKind::Aggregate, 16, 8).layoutHash = 77;
  w.param("wide", "u128", mgpu::ParamKind::Scalar, 16, 16);
  w.out("out", "u64", 8);
  w.launchContext();
  w.kernel("add_to_total");
  w.out("coeffs", "f32", 4);
  w.global("TOTAL", "core::sync::atomic::AtomicU64", "u64", 8, 8);
  w.global("COEFFS", "ConstantMemory<[f32; 4]>", "f32", 16, 4).flags = mgpu::kConstant;
  w.global("FLAG", "bool", "bool", 1, 1);
  w.global("a::TWICE", "u32", "u32", 4, 4);
  w.global("b::TWICE", "u32", "u32", 4, 4);
  w.kernel("wait_for_lower_block");
  w.out("done", "u32", 4);
  w.kernel("shuffle_storm");
  w.out("out", "u32", 4);
  w.place(mgpu::PlaceKind::BoundsCheck, 10, 5, "");
  w.place(mgpu::PlaceKind::Panic, 20, 6, "a static message");
  w.place(mgpu::PlaceKind::Collective, 30, 7, "warp::shuffle_xor");
  w.place(mgpu::PlaceKind::Collective, 40, 8, "thread::sync_threads");
  w.code(mgpu::SectionKind::HostObject, "host", kernelObject());
  return w;
}

struct Cpu {
  Device device = *Device::open("cpu");
  Stream stream = *device.createStream();
  Module module = *device.loadBytes(kernelModule().bytes());

  /// Launches an untyped kernel and waits; the error's text or "ok".
  template <class... Args>
  std::string run(const char *name, const Launch &shape, const Args &...args) {
    auto kernel = module.kernel(name);
    if (!kernel)
      return kernel.error().message;
    if (auto status = kernel->launch(stream, shape, args...); !status)
      return status.error().message;
    auto status = stream.synchronize();
    return status ? "ok" : status.error().message;
  }
  template <class T> Buffer<T> zeros(uint64_t count) {
    return *device.from(stream, std::vector<T>(count));
  }
};

/// The text without the launch's number, which depends on what ran before.
inline std::string withoutLaunch(std::string text) {
  size_t begin = text.find(" (launch ");
  size_t end = begin == std::string::npos ? begin : text.find(')', begin);
  return end == std::string::npos ? text : text.erase(begin, end + 1 - begin);
}

} // namespace mirgpu::test
