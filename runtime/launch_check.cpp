// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of one launch. Every refusal names the kernel and the argument as the table names it, what
// was given and what the parameter wants.
#include "runtime/launch_check.h"

#include "runtime/text.h"
#include "support/type_name.h"

#include <algorithm>
#include <cstring>

namespace mirgpu::runtime {

namespace {

/// Makes errors about one argument.
struct Subject {
  const ModuleKernel &kernel;
  size_t index;
  const ModuleParam &param() const { return kernel.params[index]; }
  std::string name() const { return text("`", param().name, ": ", param().typeName, "`"); }
  template <class... Parts> Error error(ErrorCode code, const Parts &...parts) const {
    return {code,
            text("kernel `", kernel.entry, "`, argument ", index, " (", name(), "): ", parts...),
            std::string(kernel.entry), static_cast<int32_t>(index), 0};
  }
  template <class... Parts> Error mismatch(const Parts &...parts) const {
    return error(ErrorCode::ArgumentMismatch, parts...);
  }
};

/// The bytes that a buffer argument covers.
struct Range {
  size_t argument;
  uint64_t begin, end;
};

} // namespace

template <class... Parts>
static Error kernelError(ErrorCode code, const ModuleKernel &kernel, const Parts &...parts) {
  return {code, text("kernel `", kernel.entry, "`: ", parts...), std::string(kernel.entry), -1, 0};
}

/// What Rust's name of a primitive type says; Any for every other type.
static mirgpu_type classOf(std::string_view typeName) {
  std::string_view name = primitiveTypeName(typeName);
  if (name.empty())
    return MIRGPU_TYPE_ANY;
  if (name == "bool")
    return MIRGPU_TYPE_BOOL;
  if (name == "char")
    return MIRGPU_TYPE_CHAR;
  return name.starts_with('f') ? MIRGPU_TYPE_FLOAT : MIRGPU_TYPE_INTEGER;
}

static const char *className(mirgpu_type type) {
  switch (type) {
  case MIRGPU_TYPE_ANY:
    return "bytes";
  case MIRGPU_TYPE_BOOL:
    return "bool";
  case MIRGPU_TYPE_CHAR:
    return "char";
  case MIRGPU_TYPE_INTEGER:
    return "integer";
  case MIRGPU_TYPE_FLOAT:
    return "float";
  }
  return "unknown";
}

static Status checkClass(const Subject &s, mirgpu_type given, std::string_view typeName) {
  mirgpu_type wanted = classOf(typeName);
  if (given == MIRGPU_TYPE_ANY || wanted == MIRGPU_TYPE_ANY || given == wanted)
    return {};
  return s.mismatch("a value of type ", className(given), " was given where `", typeName,
                    "` is wanted");
}

static Status checkLayout(const Subject &s, const mirgpu_arg &arg, const char *what, uint64_t size,
                          uint64_t align) {
  if (arg.size != size)
    return s.mismatch(what, " of ", arg.size, " bytes was given, the parameter's has ", size);
  if (arg.align != 0 && arg.align != align)
    return s.mismatch(what, " of alignment ", arg.align, " was given, the parameter's is ", align);
  if (arg.layout_hash != 0 && arg.layout_hash != s.param().layoutHash)
    return s.mismatch(what, " of another layout was given: size and alignment are equal, but "
                            "fields differ");
  return {};
}

static Status checkBufferType(const Subject &s, const mirgpu_arg &arg) {
  const ModuleParam &p = s.param();
  if (arg.access == MIRGPU_ACCESS_READ && !p.readOnly)
    return s.mismatch("the kernel may write through it; `In<T>` was given");
  if (arg.access == MIRGPU_ACCESS_WRITE && p.readOnly)
    return s.mismatch("the kernel only reads it; `Out<T>` was given");
  if (!p.isSlice())
    return {};
  if (auto status = checkLayout(s, arg, "an element", p.elementSize, p.elementAlign); !status)
    return status;
  return checkClass(s, arg.type, elementTypeName(p.typeName));
}

static Status checkType(const Subject &s, const mirgpu_arg &arg) {
  if (arg.kind != MIRGPU_ARG_VALUE && arg.kind != MIRGPU_ARG_BUFFER)
    return s.error(ErrorCode::InvalidArgument, "unknown kind ", static_cast<uint32_t>(arg.kind));
  const ModuleParam &p = s.param();
  bool isBuffer = arg.kind == MIRGPU_ARG_BUFFER;
  switch (p.kind) {
  case mgpu::ParamKind::Scalar:
  case mgpu::ParamKind::Aggregate:
    if (isBuffer)
      return s.mismatch("a buffer was given where a value is wanted");
    if (auto status = checkLayout(s, arg, "a value", p.size, p.align); !status)
      return status;
    return checkClass(s, arg.type, p.typeName);
  case mgpu::ParamKind::Pointer:
    if (isBuffer)
      return checkBufferType(s, arg);
    return checkLayout(s, arg, "an address", p.size, p.align);
  case mgpu::ParamKind::Slice:
  case mgpu::ParamKind::SliceMut:
  case mgpu::ParamKind::DisjointSlice:
    if (!isBuffer)
      return s.mismatch("a value was given where a buffer is wanted");
    return checkBufferType(s, arg);
  case mgpu::ParamKind::LaunchContext:
    break;
  }
  return s.error(ErrorCode::InvalidModule, "a launch context among the visible parameters");
}

Status checkTypes(const ModuleKernel &kernel, std::span<const mirgpu_arg> args) {
  if (args.size() != kernel.params.size())
    return kernelError(ErrorCode::ArgumentMismatch, kernel, "takes ", kernel.params.size(),
                       kernel.params.size() == 1 ? " argument, " : " arguments, ", args.size(),
                       args.size() == 1 ? " was given" : " were given");
  for (size_t i = 0; i < args.size(); ++i)
    if (auto status = checkType({kernel, i}, args[i]); !status)
      return status;
  return {};
}

/// `bool` and `char` have bit patterns that Rust forbids.
static Status checkValue(const Subject &s, const mirgpu_arg &arg) {
  if (!arg.value && arg.size != 0)
    return s.error(ErrorCode::InvalidArgument, "no value was given");
  if (s.param().kind != mgpu::ParamKind::Scalar)
    return {};
  mirgpu_type type = classOf(s.param().typeName);
  if (type == MIRGPU_TYPE_BOOL && arg.size == 1) {
    uint8_t byte;
    std::memcpy(&byte, arg.value, 1);
    if (byte > 1)
      return s.mismatch("the byte ", byte, " is no `bool`");
  }
  if (type == MIRGPU_TYPE_CHAR && arg.size == 4) {
    uint32_t c;
    std::memcpy(&c, arg.value, 4);
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
      return s.mismatch("the number ", c, " is no `char`");
  }
  return {};
}

static Status checkBuffer(const Subject &s, const mirgpu_device &device, const mirgpu_arg &arg) {
  const ModuleParam &p = s.param();
  if (!arg.buffer)
    return s.error(ErrorCode::InvalidArgument, "no buffer was given");
  if (arg.buffer->device.get() != &device)
    return s.error(ErrorCode::InvalidArgument, "the buffer belongs to another device");
  uint64_t size = arg.buffer->size;
  if (arg.offset > size || (arg.size != 0 && arg.count > (size - arg.offset) / arg.size))
    return s.error(ErrorCode::InvalidArgument, arg.count, " elements of ", arg.size,
                   " bytes from byte ", arg.offset, " on reach beyond the buffer of ", size,
                   " bytes");
  uint64_t align = p.isSlice() ? p.elementAlign : std::max<uint64_t>(arg.align, 1);
  if ((arg.buffer->address + arg.offset) % align != 0)
    return s.error(ErrorCode::InvalidArgument, "byte ", arg.offset,
                   " of the buffer is not aligned to ", align);
  return {};
}

/// DESIGN D11: what a kernel may write is its own, unless both are DisjointSlices.
static Status checkOverlap(const ModuleKernel &kernel, std::span<const Range> ranges) {
  for (size_t i = 0; i < ranges.size(); ++i) {
    for (size_t j = i + 1; j < ranges.size(); ++j) {
      const Range &a = ranges[i], &b = ranges[j];
      const ModuleParam &p = kernel.params[a.argument], &q = kernel.params[b.argument];
      bool overlaps = a.begin < b.end && b.begin < a.end;
      bool disjoint =
          p.kind == mgpu::ParamKind::DisjointSlice && q.kind == mgpu::ParamKind::DisjointSlice;
      if (!overlaps || (p.readOnly && q.readOnly) || disjoint)
        continue;
      size_t written = q.readOnly ? a.argument : b.argument;
      return Subject{kernel, b.argument}.error(
          ErrorCode::Overlap, "its memory overlaps that of argument ", a.argument, " (",
          Subject{kernel, a.argument}.name(), "), and the kernel may write through argument ",
          written);
    }
  }
  return {};
}

static uint32_t reserve(LaunchRequest &request, uint64_t size, uint64_t align) {
  uint64_t at = (request.argBytes.size() + align - 1) / align * align;
  request.argBytes.resize(at + size);
  request.argOffsets.push_back(static_cast<uint32_t>(at));
  return static_cast<uint32_t>(at);
}

static void packBuffer(const ModuleParam &p, const mirgpu_arg &arg, LaunchRequest &request) {
  uint64_t words[2] = {arg.buffer->address + arg.offset, arg.count};
  uint32_t at = reserve(request, p.size, p.align);
  std::memcpy(request.argBytes.data() + at, words, p.size);
}

Status packArguments(const ModuleKernel &kernel, const mirgpu_device &device,
                     std::span<const mirgpu_arg> args, LaunchRequest &request) {
  if (auto status = checkTypes(kernel, args); !status)
    return status;
  std::vector<Range> ranges;
  for (size_t i = 0; i < args.size(); ++i) {
    const ModuleParam &p = kernel.params[i];
    const mirgpu_arg &arg = args[i];
    Subject subject{kernel, i};
    if (arg.kind == MIRGPU_ARG_BUFFER) {
      if (auto status = checkBuffer(subject, device, arg); !status)
        return status;
      packBuffer(p, arg, request);
      // What lies behind a thin pointer is unknown: the rest of the buffer counts.
      uint64_t begin = arg.buffer->address + arg.offset;
      uint64_t end =
          p.isSlice() ? begin + arg.count * arg.size : arg.buffer->address + arg.buffer->size;
      ranges.push_back({i, begin, end});
      continue;
    }
    if (auto status = checkValue(subject, arg); !status)
      return status;
    uint32_t at = reserve(request, p.size, p.align);
    if (p.size != 0)
      std::memcpy(request.argBytes.data() + at, arg.value, p.size);
  }
  return checkOverlap(kernel, ranges);
}

static std::string dims(const std::array<uint32_t, 3> &v) {
  return text("(", v[0], ",", v[1], ",", v[2], ")");
}

Status checkGeometry(const ModuleKernel &kernel, const DeviceProperties &device,
                     const LaunchRequest &request) {
  auto refuse = [&](const auto &...parts) {
    return kernelError(ErrorCode::Geometry, kernel, parts...);
  };
  uint64_t threads = 1;
  for (size_t axis = 0; axis < 3; ++axis) {
    threads *= std::min<uint64_t>(request.block[axis], UINT16_MAX);
    if (request.grid[axis] == 0 || request.grid[axis] > device.maxGrid[axis])
      return refuse("a grid of ", dims(request.grid), " blocks; each dimension of `", device.name,
                    "` is from 1 to ", dims(device.maxGrid));
    if (request.block[axis] == 0 || request.block[axis] > device.maxBlock[axis])
      return refuse("a block of ", dims(request.block), " threads; each dimension of `",
                    device.name, "` is from 1 to ", dims(device.maxBlock));
  }
  if (threads > device.maxBlockThreads)
    return refuse("a block of ", dims(request.block), " has ", threads, " threads; `", device.name,
                  "` takes at most ", device.maxBlockThreads);
  if (kernel.maxThreads != 0 && threads > kernel.maxThreads)
    return refuse("a block of ", dims(request.block), " has ", threads,
                  " threads; its launch bounds allow ", kernel.maxThreads);
  if (kernel.staticSharedBytes > device.maxSharedBytes ||
      request.sharedBytes > device.maxSharedBytes - kernel.staticSharedBytes)
    return refuse(kernel.staticSharedBytes, " bytes of static and ", request.sharedBytes,
                  " of dynamic shared memory; a block of `", device.name, "` has ",
                  device.maxSharedBytes);
  return {};
}

} // namespace mirgpu::runtime
