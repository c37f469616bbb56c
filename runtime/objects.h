// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the opaque handles of mirgpu.h point to. Each object holds a reference to what it needs: a
// kernel to its module, a module, stream or buffer to its device. A device's default stream belongs
// to the device, so that no ring of references arises.
#pragma once

#include "runtime/backend.h"

#include <mutex>
#include <string>
#include <vector>

struct mirgpu_error {
  mirgpu::Error error;
};

struct mirgpu_device final : mirgpu::runtime::Object {
  std::unique_ptr<mirgpu::runtime::BackendDevice> backend;
  std::mutex mutex; ///< guards defaultStream
  std::unique_ptr<mirgpu::runtime::BackendStream> defaultStream;
};

struct mirgpu_stream final : mirgpu::runtime::Object {
  mirgpu::runtime::Ref<mirgpu_device> device;
  std::unique_ptr<mirgpu::runtime::BackendStream> owned; ///< null for the default stream
  mirgpu::runtime::BackendStream *backend = nullptr;
};

struct mirgpu_buffer final : mirgpu::runtime::Object {
  mirgpu::runtime::Ref<mirgpu_device> device;
  uint64_t address = 0;
  uint64_t size = 0;
  ~mirgpu_buffer() override {
    if (address)
      device->backend->free(address);
  }
};

struct mirgpu_module final : mirgpu::runtime::Object {
  explicit mirgpu_module(mirgpu::runtime::ModuleFile f) : file(std::move(f)) {}
  mirgpu::runtime::Ref<mirgpu_device> device;
  mirgpu::runtime::ModuleFile file;
  std::unique_ptr<mirgpu::runtime::BackendModule> backend;
  struct GlobalText {
    std::string key, typeName, elementName;
  };
  std::vector<GlobalText> globals; ///< the file's strings, as C strings
};

struct mirgpu_kernel final : mirgpu::runtime::Object {
  struct ParamText {
    std::string name, typeName;
  };
  mirgpu::runtime::Ref<mirgpu_module> module;
  uint32_t index = 0;
  std::string name, key, file;
  std::vector<ParamText> params;
  const mirgpu::runtime::ModuleKernel &info() const { return module->file.kernels()[index]; }
};
