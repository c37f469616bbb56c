// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI's errors, devices, streams and buffers, over the back end interface.
#include "runtime/capi.h"
#include "runtime/text.h"

using namespace mirgpu;
using namespace mirgpu::runtime;

uint32_t mirgpu_api_version(void) { return MIRGPU_API_VERSION; }

// ---- errors ------------------------------------------------------------------------------------

void mirgpu_error_get(const mirgpu_error *error, mirgpu_error_info *info) {
  const Error &e = error->error;
  mirgpu_error_info full{};
  full.code = static_cast<mirgpu_error_code>(e.code);
  full.backend_code = e.backendCode;
  full.kernel = e.kernel.c_str();
  full.argument = e.argument;
  full.message = e.message.c_str();
  giveOut(full, info);
}

void mirgpu_error_free(mirgpu_error *error) { delete error; }

// ---- devices -----------------------------------------------------------------------------------

mirgpu_error *mirgpu_device_open(const char *name, mirgpu_device **out) {
  auto backend = openDevice(name);
  if (!backend)
    return toC(backend.error());
  auto *device = new mirgpu_device;
  device->backend = std::move(*backend);
  *out = device;
  return nullptr;
}

void mirgpu_device_retain(mirgpu_device *device) { device->retain(); }
void mirgpu_device_release(mirgpu_device *device) { device->release(); }

void mirgpu_device_get_info(const mirgpu_device *device, mirgpu_device_info *info) {
  const DeviceProperties &p = device->backend->properties();
  mirgpu_device_info full{};
  full.name = p.name.c_str();
  full.description = p.description.c_str();
  full.warp_size = p.warpSize;
  full.max_block_threads = p.maxBlockThreads;
  full.max_shared_bytes = p.maxSharedBytes;
  std::ranges::copy(p.maxGrid, full.max_grid);
  std::ranges::copy(p.maxBlock, full.max_block);
  giveOut(full, info);
}

// ---- streams -----------------------------------------------------------------------------------

mirgpu_error *mirgpu_stream_create(mirgpu_device *device, mirgpu_stream **out) {
  auto backend = device->backend->createStream();
  if (!backend)
    return toC(backend.error());
  auto *stream = new mirgpu_stream;
  stream->device = Ref<mirgpu_device>(device);
  stream->owned = std::move(*backend);
  stream->backend = stream->owned.get();
  *out = stream;
  return nullptr;
}

mirgpu_error *mirgpu_stream_default(mirgpu_device *device, mirgpu_stream **out) {
  std::lock_guard lock(device->mutex);
  if (!device->defaultStream) {
    auto backend = device->backend->createStream();
    if (!backend)
      return toC(backend.error());
    device->defaultStream = std::move(*backend);
  }
  auto *stream = new mirgpu_stream;
  stream->device = Ref<mirgpu_device>(device);
  stream->backend = device->defaultStream.get();
  *out = stream;
  return nullptr;
}

void mirgpu_stream_retain(mirgpu_stream *stream) { stream->retain(); }
void mirgpu_stream_release(mirgpu_stream *stream) { stream->release(); }

mirgpu_error *mirgpu_stream_synchronize(mirgpu_stream *stream) {
  return toC(stream->backend->synchronize());
}

size_t mirgpu_stream_take_warnings(mirgpu_stream *stream,
                                   void (*take)(void *user, const char *text), void *user) {
  std::vector<std::string> warnings = stream->backend->takeWarnings();
  for (const std::string &warning : warnings)
    if (take)
      take(user, warning.c_str());
  return warnings.size();
}

// ---- buffers -----------------------------------------------------------------------------------

mirgpu_error *mirgpu_buffer_create(mirgpu_device *device, uint64_t bytes, mirgpu_buffer **out) {
  auto address = device->backend->allocate(bytes);
  if (!address)
    return toC(address.error());
  auto *buffer = new mirgpu_buffer;
  buffer->device = Ref<mirgpu_device>(device);
  buffer->address = *address;
  buffer->size = bytes;
  *out = buffer;
  return nullptr;
}

void mirgpu_buffer_retain(mirgpu_buffer *buffer) { buffer->retain(); }
void mirgpu_buffer_release(mirgpu_buffer *buffer) { buffer->release(); }
uint64_t mirgpu_buffer_size(const mirgpu_buffer *buffer) { return buffer->size; }
uint64_t mirgpu_buffer_address(const mirgpu_buffer *buffer) { return buffer->address; }

/// Whether [offset, offset + bytes) lies in the buffer and both are of one device.
static Status checkRange(const mirgpu_stream *stream, const mirgpu_buffer *buffer, uint64_t offset,
                         uint64_t bytes) {
  if (stream->device.get() != buffer->device.get())
    return fail(ErrorCode::InvalidArgument, "the buffer and the stream belong to two devices");
  if (offset > buffer->size || bytes > buffer->size - offset)
    return fail(ErrorCode::InvalidArgument, bytes, " bytes from byte ", offset,
                " on reach beyond the buffer of ", buffer->size, " bytes");
  return {};
}

static KeepAlive keep(std::initializer_list<mirgpu_buffer *> buffers) {
  KeepAlive all;
  for (mirgpu_buffer *buffer : buffers)
    all.emplace_back(Ref<mirgpu_buffer>(buffer));
  return all;
}

mirgpu_error *mirgpu_buffer_write(mirgpu_stream *stream, mirgpu_buffer *to, uint64_t offset,
                                  const void *from, uint64_t bytes) {
  if (auto status = checkRange(stream, to, offset, bytes); !status)
    return toC(status);
  return toC(stream->backend->write(to->address + offset, from, bytes));
}

mirgpu_error *mirgpu_buffer_read(mirgpu_stream *stream, mirgpu_buffer *from, uint64_t offset,
                                 void *to, uint64_t bytes) {
  if (auto status = checkRange(stream, from, offset, bytes); !status)
    return toC(status);
  return toC(stream->backend->read(to, from->address + offset, bytes));
}

mirgpu_error *mirgpu_buffer_copy(mirgpu_stream *stream, mirgpu_buffer *to, uint64_t to_offset,
                                 mirgpu_buffer *from, uint64_t from_offset, uint64_t bytes) {
  if (auto status = checkRange(stream, to, to_offset, bytes); !status)
    return toC(status);
  if (auto status = checkRange(stream, from, from_offset, bytes); !status)
    return toC(status);
  bool apart = to != from || to_offset >= from_offset + bytes || from_offset >= to_offset + bytes;
  if (!apart && bytes != 0)
    return toC(fail(ErrorCode::Overlap, "copy of ", bytes, " bytes within one buffer from byte ",
                    from_offset, " to byte ", to_offset, ": the ranges overlap"));
  return toC(stream->backend->copy(to->address + to_offset, from->address + from_offset, bytes,
                                   keep({to, from})));
}

mirgpu_error *mirgpu_buffer_fill(mirgpu_stream *stream, mirgpu_buffer *buffer, uint64_t offset,
                                 uint64_t bytes, uint8_t byte) {
  if (auto status = checkRange(stream, buffer, offset, bytes); !status)
    return toC(status);
  return toC(stream->backend->fill(buffer->address + offset, byte, bytes, keep({buffer})));
}
