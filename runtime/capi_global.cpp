// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI's statics: finds one by its Rust path or the end of it, and copies bytes between it and
// the host. Every access is checked against the module's table.
#include "runtime/capi.h"
#include "runtime/text.h"

#include <cstring>

using namespace mirgpu;
using namespace mirgpu::runtime;

size_t mirgpu_module_global_count(const mirgpu_module *module) {
  return module->file.globals().size();
}

static bool endsInPath(std::string_view key, std::string_view name) {
  return key.size() > name.size() + 2 && key.ends_with(name) &&
         key.substr(0, key.size() - name.size()).ends_with("::");
}

/// "`a::X`, `b::X`", at most twenty of them.
static std::string listed(std::span<const std::string_view> keys) {
  std::string all;
  for (std::string_view key : keys.first(std::min<size_t>(keys.size(), 20)))
    all += text(all.empty() ? "`" : ", `", key, "`");
  return keys.size() > 20 ? all + ", …" : all;
}

mirgpu_error *mirgpu_module_find_global(const mirgpu_module *module, const char *name,
                                        size_t *index) {
  std::vector<std::string_view> all, matches;
  for (size_t i = 0; i < module->file.globals().size(); ++i) {
    std::string_view key = module->file.globals()[i].key;
    all.push_back(key);
    if (key == name) {
      *index = i;
      return nullptr;
    }
    if (!endsInPath(key, name))
      continue;
    *index = i;
    matches.push_back(key);
  }
  if (matches.size() == 1)
    return nullptr;
  if (matches.size() > 1)
    return toC(fail(ErrorCode::NoSuchGlobal, "`", module->file.name(), "` has several statics `",
                    name, "`: ", listed(matches)));
  return toC(
      fail(ErrorCode::NoSuchGlobal, "`", module->file.name(), "` has no static `", name,
           "` that the host can reach; it has ",
           all.empty() ? "none (only what a kernel uses and can change is listed)" : listed(all)));
}

/// The row at `index`, or an error.
static Result<const ModuleGlobal *> row(const mirgpu_module *module, size_t index) {
  auto globals = module->file.globals();
  if (index >= globals.size())
    return fail(ErrorCode::InvalidArgument, "static ", index, " of a module that has ",
                globals.size());
  return &globals[index];
}

mirgpu_error *mirgpu_module_get_global(const mirgpu_module *module, size_t index,
                                       mirgpu_global_info *info) {
  auto global = row(module, index);
  if (!global)
    return toC(global.error());
  mirgpu_global_info full{};
  full.key = module->globals[index].key.c_str();
  full.type_name = module->globals[index].typeName.c_str();
  full.element_name = module->globals[index].elementName.c_str();
  full.size = (*global)->size;
  full.align = (*global)->align;
  full.element_size = (*global)->elementSize;
  full.constant = (*global)->isConstant;
  giveOut(full, info);
  return nullptr;
}

/// The device address of [offset, offset + bytes) of a static.
static Result<uint64_t> addressOf(const mirgpu_stream *stream, mirgpu_module *module, size_t index,
                                  uint64_t offset, uint64_t bytes) {
  auto global = row(module, index);
  if (!global)
    return global.error();
  if (module->device.get() != stream->device.get())
    return fail(ErrorCode::InvalidArgument, "static `", (*global)->key,
                "` was loaded on another device than the stream's");
  if (offset > (*global)->size || bytes > (*global)->size - offset)
    return fail(ErrorCode::InvalidArgument, bytes, " bytes from byte ", offset,
                " on reach beyond the static `", (*global)->key, "` of ", (*global)->size,
                " bytes");
  auto address = module->backend->globalAddress(static_cast<uint32_t>(index));
  if (!address)
    return address.error();
  return *address + offset;
}

/// Rust has bools and chars of some bit patterns alone.
static Status checkElements(const ModuleGlobal &global, uint64_t offset, const void *from,
                            uint64_t bytes) {
  const bool isBool = global.elementName == "bool", isChar = global.elementName == "char";
  if (!isBool && !isChar)
    return {};
  const uint64_t size = global.elementSize;
  if (offset % size != 0 || bytes % size != 0)
    return fail(ErrorCode::InvalidArgument, "a part of a `", global.elementName,
                "` of the static `", global.key, "` cannot be written");
  for (uint64_t at = 0; at < bytes; at += size) {
    uint32_t value = 0;
    std::memcpy(&value, static_cast<const char *>(from) + at, size);
    if (isBool ? value > 1 : value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
      return fail(ErrorCode::InvalidArgument, "the number ", value, " is no `", global.elementName,
                  "`; static `", global.key, "`");
  }
  return {};
}

mirgpu_error *mirgpu_global_write(mirgpu_stream *stream, mirgpu_module *module, size_t index,
                                  uint64_t offset, const void *from, uint64_t bytes) {
  auto address = addressOf(stream, module, index, offset, bytes);
  if (!address)
    return toC(address.error());
  if (auto status = checkElements(module->file.globals()[index], offset, from, bytes); !status)
    return toC(status);
  return toC(stream->backend->write(*address, from, bytes));
}

mirgpu_error *mirgpu_global_read(mirgpu_stream *stream, mirgpu_module *module, size_t index,
                                 uint64_t offset, void *to, uint64_t bytes) {
  auto address = addressOf(stream, module, index, offset, bytes);
  if (!address)
    return toC(address.error());
  return toC(stream->backend->read(to, *address, bytes));
}
