// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch runtime for C++20: RAII handles and results over the C ABI of mirgpu.h, header only.
// Nothing throws: what can fail returns a Result, and using the value of a failed one ends the
// process with the error's text. Handles are cheap to copy: a copy is another reference.
//
//   auto device = mirgpu::Device::open("auto");
//   auto module = device->load("kernels.mgpu");
//   auto saxpy = module->kernel<void(float, mirgpu::In<float>, mirgpu::Out<float>)>("saxpy");
//   auto launched = saxpy->launch(stream, mirgpu::cover(n).block(256), 2.0f, x, y);
#pragma once

#include "mirgpu.h"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace mirgpu {

// ---- results -----------------------------------------------------------------------------------

enum class ErrorCode : uint32_t {
  InvalidArgument = MIRGPU_ERROR_INVALID_ARGUMENT,
  Io = MIRGPU_ERROR_IO,
  InvalidModule = MIRGPU_ERROR_INVALID_MODULE,
  NoSuchKernel = MIRGPU_ERROR_NO_SUCH_KERNEL,
  NoCode = MIRGPU_ERROR_NO_CODE,
  NoDriver = MIRGPU_ERROR_NO_DRIVER,
  NotBuilt = MIRGPU_ERROR_NOT_BUILT,
  NoDevice = MIRGPU_ERROR_NO_DEVICE,
  OutOfMemory = MIRGPU_ERROR_OUT_OF_MEMORY,
  ArgumentMismatch = MIRGPU_ERROR_ARGUMENT_MISMATCH,
  Overlap = MIRGPU_ERROR_OVERLAP,
  Geometry = MIRGPU_ERROR_GEOMETRY,
  Panic = MIRGPU_ERROR_PANIC,
  Deadlock = MIRGPU_ERROR_DEADLOCK,
  Sync = MIRGPU_ERROR_SYNC,
  StackOverflow = MIRGPU_ERROR_STACK_OVERFLOW,
  Backend = MIRGPU_ERROR_BACKEND,
  DeviceLost = MIRGPU_ERROR_DEVICE_LOST,
  NoSuchGlobal = MIRGPU_ERROR_NO_SUCH_GLOBAL,
};

/// Why a call failed. `message` has one or more lines and no final newline.
struct Error {
  ErrorCode code = ErrorCode::InvalidArgument;
  std::string message;
  std::string kernel;      ///< the kernel that the error is about, or empty
  int32_t argument = -1;   ///< the argument that the error is about, or -1
  int64_t backendCode = 0; ///< the driver's or the system's own code
};

namespace detail {
[[noreturn]] inline void failedResultUsed(const Error &error) {
  std::fprintf(stderr, "mirgpu: the value of a failed result was used: %s\n",
               error.message.c_str());
  std::abort();
}
} // namespace detail

/// A value or an Error.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool hasValue() const { return state_.index() == 0; }
  explicit operator bool() const { return hasValue(); }
  T &operator*() & { return checked(); }
  const T &operator*() const & { return const_cast<Result *>(this)->checked(); }
  T &&operator*() && { return std::move(checked()); }
  T *operator->() { return &checked(); }
  const T *operator->() const { return &const_cast<Result *>(this)->checked(); }
  /// The same as `*result`, for the end of a chain.
  T &value() & { return checked(); }
  T &&value() && { return std::move(checked()); }
  /// The error; only for a failed result.
  const Error &error() const {
    if (hasValue())
      std::abort();
    return *std::get_if<1>(&state_);
  }

private:
  T &checked() {
    if (T *value = std::get_if<0>(&state_))
      return *value;
    detail::failedResultUsed(*std::get_if<1>(&state_));
  }
  std::variant<T, Error> state_;
};

/// Success or an Error.
template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  bool hasValue() const { return !failed_; }
  explicit operator bool() const { return !failed_; }
  /// Ends the process unless the call succeeded.
  void value() const {
    if (failed_)
      detail::failedResultUsed(error_);
  }
  const Error &error() const {
    if (!failed_)
      std::abort();
    return error_;
  }

private:
  Error error_;
  bool failed_ = false;
};

using Status = Result<void>;

namespace detail {

inline Error takeError(mirgpu_error *raw) {
  mirgpu_error_info info{};
  info.struct_size = sizeof info;
  mirgpu_error_get(raw, &info);
  Error error{static_cast<ErrorCode>(info.code), info.message, info.kernel, info.argument,
              info.backend_code};
  mirgpu_error_free(raw);
  return error;
}

inline Status toStatus(mirgpu_error *raw) { return raw ? Status(takeError(raw)) : Status(); }

/// A counted reference to an object of the C ABI.
template <class T, void (*Retain)(T *), void (*Release)(T *)> class Handle {
public:
  Handle() = default;
  /// Takes over the reference that the caller holds.
  explicit Handle(T *raw) : raw_(raw) {}
  Handle(const Handle &other) : raw_(other.raw_) {
    if (raw_)
      Retain(raw_);
  }
  Handle(Handle &&other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle &operator=(Handle other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~Handle() {
    if (raw_)
      Release(raw_);
  }
  T *get() const { return raw_; }

private:
  T *raw_ = nullptr;
};

using DeviceHandle = Handle<mirgpu_device, mirgpu_device_retain, mirgpu_device_release>;
using StreamHandle = Handle<mirgpu_stream, mirgpu_stream_retain, mirgpu_stream_release>;
using BufferHandle = Handle<mirgpu_buffer, mirgpu_buffer_retain, mirgpu_buffer_release>;
using ModuleHandle = Handle<mirgpu_module, mirgpu_module_retain, mirgpu_module_release>;
using KernelHandle = Handle<mirgpu_kernel, mirgpu_kernel_retain, mirgpu_kernel_release>;

template <class T> constexpr mirgpu_type typeOf() {
  if constexpr (std::is_same_v<T, bool>)
    return MIRGPU_TYPE_BOOL;
  else if constexpr (std::is_same_v<T, char32_t>)
    return MIRGPU_TYPE_CHAR;
  else if constexpr (std::is_integral_v<T>)
    return MIRGPU_TYPE_INTEGER;
  else if constexpr (std::is_floating_point_v<T>)
    return MIRGPU_TYPE_FLOAT;
  else
    return MIRGPU_TYPE_ANY;
}

} // namespace detail

namespace detail {
/// Whether values of T stand for numbers of the Rust type `element` (empty: of no known one) of
/// `size` bytes: a number for a number of its kind and size, anything else for anything.
template <class T> bool fits(std::string_view element, uint32_t size) {
  constexpr mirgpu_type type = typeOf<T>();
  if (type == MIRGPU_TYPE_ANY || element.empty())
    return true;
  if (element == "bool")
    return type == MIRGPU_TYPE_BOOL;
  if (element == "char")
    return type == MIRGPU_TYPE_CHAR;
  return sizeof(T) == size &&
         type == (element.starts_with('f') ? MIRGPU_TYPE_FLOAT : MIRGPU_TYPE_INTEGER);
}
} // namespace detail

/// What may cross to a device: plain bytes.
template <class T>
concept DeviceValue = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

// ---- geometry ----------------------------------------------------------------------------------

struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
};

/// The shape of a launch.
struct Launch {
  Dim3 grid;                 ///< blocks
  Dim3 block;                ///< threads of a block
  uint64_t sharedBytes = 0;  ///< dynamic shared memory
  std::string schedule = {}; ///< CPU device: "", "forward", "reverse", "seed:N"
  uint64_t stackBytes = 0;   ///< CPU device: stack of one thread; 0: its default
  std::string tier = {};     ///< CPU device: "", "auto", "T0" (threads in a loop), "T3" (fibers)
  uint64_t heapBytes = 0;    ///< heap of a kernel that allocates; 0: 8 MiB

  /// The same with `bytes` of dynamic shared memory: `cover(n).block(256).shared(4096)`.
  Launch shared(uint64_t bytes) const {
    Launch launch = *this;
    launch.sharedBytes = bytes;
    return launch;
  }
  /// The same with a heap of `bytes`: `cover(n).block(256).heap(64 << 20)`.
  Launch heap(uint64_t bytes) const {
    Launch launch = *this;
    launch.heapBytes = bytes;
    return launch;
  }
};

/// A number of elements that wants one thread each; `block` makes it a Launch.
struct Cover {
  uint64_t count = 0;
  /// As many blocks of `threads` as cover the count, at least one. A count that needs more blocks
  /// than a grid can have gives a grid that every launch refuses.
  Launch block(uint32_t threads) const {
    uint64_t blocks = threads ? (count + threads - 1) / threads : 0;
    if (threads && blocks == 0)
      blocks = 1;
    if (blocks > UINT32_MAX)
      blocks = 0;
    return Launch{{static_cast<uint32_t>(blocks)}, {threads}, 0, {}, 0};
  }
};

/// One thread for each of `count` elements: `cover(n).block(256)`.
inline Cover cover(uint64_t count) { return {count}; }

// ---- streams -----------------------------------------------------------------------------------

/// A queue whose work runs in order, beside the calling thread.
class Stream {
public:
  explicit Stream(detail::StreamHandle handle) : handle_(std::move(handle)) {}

  /// Waits for all work given so far; the first error of that work, which names its launch.
  Status synchronize() const { return detail::toStatus(mirgpu_stream_synchronize(get())); }
  /// The warnings of launches that have ended, each given once.
  std::vector<std::string> takeWarnings() const {
    std::vector<std::string> texts;
    mirgpu_stream_take_warnings(
        get(),
        [](void *user, const char *text) {
          static_cast<std::vector<std::string> *>(user)->emplace_back(text);
        },
        &texts);
    return texts;
  }
  mirgpu_stream *get() const { return handle_.get(); }

private:
  detail::StreamHandle handle_;
};

// ---- buffers -----------------------------------------------------------------------------------

/// A range of a buffer: what a kernel's slice parameter takes. It keeps the buffer alive.
template <DeviceValue T> class View {
public:
  View(detail::BufferHandle buffer, uint64_t first, uint64_t count)
      : buffer_(std::move(buffer)), first_(first), count_(count) {}

  uint64_t size() const { return count_; }
  uint64_t first() const { return first_; }
  mirgpu_buffer *get() const { return buffer_.get(); }
  /// A part of this view.
  Result<View> slice(uint64_t first, uint64_t count) const {
    if (first > count_ || count > count_ - first)
      return Error{ErrorCode::InvalidArgument,
                   "view of " + std::to_string(count) + " elements from " + std::to_string(first) +
                       " on reaches beyond the " + std::to_string(count_) + " there are",
                   {},
                   -1,
                   0};
    return View(buffer_, first_ + first, count);
  }

private:
  detail::BufferHandle buffer_;
  uint64_t first_, count_;
};

/// Device memory for `size()` values of T.
template <DeviceValue T> class Buffer {
public:
  Buffer(detail::BufferHandle handle, uint64_t count) : handle_(std::move(handle)), count_(count) {}

  uint64_t size() const { return count_; }
  uint64_t sizeBytes() const { return count_ * sizeof(T); }
  mirgpu_buffer *get() const { return handle_.get(); }

  View<T> all() const { return View<T>(handle_, 0, count_); }
  Result<View<T>> view(uint64_t first, uint64_t count) const { return all().slice(first, count); }

  /// Copies `values` to the elements from `first` on; a synchronising call.
  Status write(const Stream &stream, std::span<const T> values, uint64_t first = 0) {
    return detail::toStatus(mirgpu_buffer_write(stream.get(), get(), first * sizeof(T),
                                                values.data(), values.size_bytes()));
  }
  /// Copies the elements from `first` on to `values`; a synchronising call.
  Status read(const Stream &stream, std::span<T> values, uint64_t first = 0) const {
    return detail::toStatus(mirgpu_buffer_read(stream.get(), get(), first * sizeof(T),
                                               values.data(), values.size_bytes()));
  }
  /// All elements; a synchronising call.
  Result<std::vector<T>> toVector(const Stream &stream) const
    requires(!std::is_same_v<T, bool>)
  {
    std::vector<T> values(count_);
    if (auto status = read(stream, values); !status)
      return status.error();
    return values;
  }
  /// Copies all elements of `from`, which must have as many, in stream order.
  Status copyFrom(const Stream &stream, const Buffer &from) {
    if (from.size() != count_)
      return Error{ErrorCode::InvalidArgument,
                   "copy between buffers of " + std::to_string(from.size()) + " and " +
                       std::to_string(count_) + " elements",
                   {},
                   -1,
                   0};
    return detail::toStatus(mirgpu_buffer_copy(stream.get(), get(), 0, from.get(), 0, sizeBytes()));
  }
  /// Sets every byte to 0, in stream order.
  Status zero(const Stream &stream) {
    return detail::toStatus(mirgpu_buffer_fill(stream.get(), get(), 0, sizeBytes(), 0));
  }

private:
  detail::BufferHandle handle_;
  uint64_t count_;
};

// ---- arguments ---------------------------------------------------------------------------------

/// In a kernel's signature: a slice of T that the kernel reads.
template <DeviceValue T> struct In {
  View<T> view;
  In(const Buffer<T> &buffer) : view(buffer.all()) {}
  In(View<T> v) : view(std::move(v)) {}
};

/// In a kernel's signature: a slice of T that the kernel writes (`DisjointSlice<T>`, `&mut [T]`).
template <DeviceValue T> struct Out {
  View<T> view;
  Out(const Buffer<T> &buffer) : view(buffer.all()) {}
  Out(View<T> v) : view(std::move(v)) {}
};

/// One argument of a launch whose types are known at run time alone.
class Arg {
public:
  /// A scalar or an aggregate in its bytes.
  template <DeviceValue T> static Arg value(const T &v) {
    return Arg(detail::typeOf<T>(), &v, sizeof(T), alignof(T));
  }
  /// Bytes of any type; size and alignment are the parameter's.
  static Arg bytes(std::span<const std::byte> bytes) {
    return Arg(MIRGPU_TYPE_ANY, bytes.data(), bytes.size(), 0);
  }
  /// A slice or a pointer.
  template <DeviceValue T> static Arg view(const View<T> &v, mirgpu_access access) {
    mirgpu_arg raw{};
    raw.kind = MIRGPU_ARG_BUFFER;
    raw.type = detail::typeOf<T>();
    raw.size = sizeof(T);
    raw.align = alignof(T);
    raw.access = access;
    raw.buffer = v.get();
    raw.offset = v.first() * sizeof(T);
    raw.count = v.size();
    return Arg(raw);
  }
  /// A slice of elements of `elementSize` bytes over a whole buffer of bytes.
  static Arg elements(const Buffer<std::byte> &buffer, uint64_t elementSize) {
    mirgpu_arg raw{};
    raw.kind = MIRGPU_ARG_BUFFER;
    raw.size = elementSize;
    raw.buffer = buffer.get();
    raw.count = elementSize ? buffer.size() / elementSize : 0;
    return Arg(raw);
  }

  template <DeviceValue T> Arg(const Buffer<T> &b) : Arg(view(b.all(), MIRGPU_ACCESS_ANY)) {}
  template <DeviceValue T> Arg(const View<T> &v) : Arg(view(v, MIRGPU_ACCESS_ANY)) {}
  template <DeviceValue T> Arg(const In<T> &v) : Arg(view(v.view, MIRGPU_ACCESS_READ)) {}
  template <DeviceValue T> Arg(const Out<T> &v) : Arg(view(v.view, MIRGPU_ACCESS_WRITE)) {}
  template <DeviceValue T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  Arg(T v) : Arg(value(v)) {}

  /// Valid while this Arg and the buffer it names live.
  mirgpu_arg raw() const {
    mirgpu_arg arg = raw_;
    if (arg.kind == MIRGPU_ARG_VALUE)
      arg.value = bytes_.data();
    return arg;
  }

private:
  explicit Arg(const mirgpu_arg &raw) : raw_(raw) {}
  Arg(mirgpu_type type, const void *bytes, size_t size, size_t align)
      : bytes_(static_cast<const std::byte *>(bytes),
               static_cast<const std::byte *>(bytes) + size) {
    raw_.kind = MIRGPU_ARG_VALUE;
    raw_.type = type;
    raw_.size = size;
    raw_.align = static_cast<uint32_t>(align);
  }
  mirgpu_arg raw_{};
  std::vector<std::byte> bytes_;
};

// ---- kernels -----------------------------------------------------------------------------------

enum class ParamKind : uint32_t {
  Scalar = MIRGPU_PARAM_SCALAR,
  Pointer = MIRGPU_PARAM_POINTER,
  Slice = MIRGPU_PARAM_SLICE,
  SliceMut = MIRGPU_PARAM_SLICE_MUT,
  DisjointSlice = MIRGPU_PARAM_DISJOINT_SLICE,
  Aggregate = MIRGPU_PARAM_AGGREGATE,
};

/// One row of a kernel's parameter table. The strings live as long as the kernel.
struct ParamInfo {
  std::string_view name, typeName;
  ParamKind kind;
  uint64_t size;
  uint32_t align;
  uint64_t elementSize; ///< slices: of T, else 0
  uint32_t elementAlign;
  bool readOnly;
  uint64_t layoutHash;
};

/// A kernel whose arguments are checked at each launch.
class KernelBase {
public:
  explicit KernelBase(detail::KernelHandle handle) : handle_(std::move(handle)) {}

  mirgpu_kernel *get() const { return handle_.get(); }
  /// Name, key, launch bounds, shared memory; strings live as long as the kernel.
  mirgpu_kernel_info info() const {
    mirgpu_kernel_info info{};
    info.struct_size = sizeof info;
    mirgpu_kernel_get_info(get(), &info);
    return info;
  }
  /// The parameter table, without the hidden launch context.
  std::vector<ParamInfo> params() const {
    std::vector<ParamInfo> all;
    for (uint32_t i = 0, n = info().param_count; i < n; ++i) {
      mirgpu_param_info p{};
      p.struct_size = sizeof p;
      if (mirgpu_error *error = mirgpu_kernel_get_param(get(), i, &p)) {
        mirgpu_error_free(error);
        break;
      }
      all.push_back({p.name, p.type_name, static_cast<ParamKind>(p.kind), p.size, p.align,
                     p.element_size, p.element_align, p.read_only != 0, p.layout_hash});
    }
    return all;
  }
  /// Launches with arguments that are only known at run time.
  Status launchArgs(const Stream &stream, const Launch &shape, std::span<const Arg> args) const {
    std::vector<mirgpu_arg> raw;
    for (const Arg &arg : args)
      raw.push_back(arg.raw());
    return launchRaw(stream, shape, raw);
  }

protected:
  Status launchRaw(const Stream &stream, const Launch &shape,
                   std::span<const mirgpu_arg> args) const {
    mirgpu_launch_info info{};
    info.struct_size = sizeof info;
    info.arg_struct_size = sizeof(mirgpu_arg);
    const Dim3 &g = shape.grid, &b = shape.block;
    info.grid[0] = g.x, info.grid[1] = g.y, info.grid[2] = g.z;
    info.block[0] = b.x, info.block[1] = b.y, info.block[2] = b.z;
    info.shared_bytes = shape.sharedBytes;
    info.schedule = shape.schedule.empty() ? nullptr : shape.schedule.c_str();
    info.stack_bytes = shape.stackBytes;
    info.tier = shape.tier.empty() ? nullptr : shape.tier.c_str();
    info.heap_bytes = shape.heapBytes;
    return detail::toStatus(mirgpu_launch(stream.get(), get(), &info, args.data(), args.size()));
  }

private:
  detail::KernelHandle handle_;
};

/// `Kernel<>`: arguments of any types, compared with the table at each launch.
template <class Signature = void> class Kernel;

template <> class Kernel<void> : public KernelBase {
public:
  using KernelBase::KernelBase;
  template <class... Args>
  Status launch(const Stream &stream, const Launch &shape, const Args &...args) const {
    std::array<Arg, sizeof...(Args)> all{makeArg(args)...};
    return launchArgs(stream, shape, all);
  }
  template <class... Args>
  Status launch(const Stream &stream, Dim3 grid, Dim3 block, const Args &...args) const {
    return launch(stream, Launch{grid, block, 0, {}, 0}, args...);
  }

private:
  template <class T> static Arg makeArg(const T &arg) {
    if constexpr (std::is_constructible_v<Arg, const T &>)
      return Arg(arg);
    else
      return Arg::value(arg);
  }
};

namespace detail {

/// How a C++ parameter type crosses: by value unless it is In or Out.
template <class T> struct Crossing {
  static_assert(DeviceValue<T>, "a kernel parameter is trivially copyable, In<T> or Out<T>");
  static Arg make(const T &v) { return Arg::value(v); }
  static mirgpu_arg type() {
    mirgpu_arg raw{};
    raw.kind = MIRGPU_ARG_VALUE;
    raw.type = typeOf<T>();
    raw.size = sizeof(T);
    raw.align = alignof(T);
    return raw;
  }
};
template <class T> mirgpu_arg sliceType(mirgpu_access access) {
  mirgpu_arg raw{};
  raw.kind = MIRGPU_ARG_BUFFER;
  raw.type = typeOf<T>();
  raw.size = sizeof(T);
  raw.align = alignof(T);
  raw.access = access;
  return raw;
}
template <class T> struct Crossing<In<T>> {
  static Arg make(const In<T> &v) { return Arg(v); }
  static mirgpu_arg type() { return sliceType<T>(MIRGPU_ACCESS_READ); }
};
template <class T> struct Crossing<Out<T>> {
  static Arg make(const Out<T> &v) { return Arg(v); }
  static mirgpu_arg type() { return sliceType<T>(MIRGPU_ACCESS_WRITE); }
};

} // namespace detail

/// A kernel whose signature was compared with the parameter table once; C++ checks the arguments.
template <class... Params> class Kernel<void(Params...)> : public KernelBase {
public:
  using KernelBase::KernelBase;
  Status launch(const Stream &stream, const Launch &shape,
                const std::type_identity_t<Params> &...args) const {
    std::array<Arg, sizeof...(Params)> all{detail::Crossing<Params>::make(args)...};
    return launchArgs(stream, shape, all);
  }
  /// Compares the signature with the parameter table.
  Status check() const {
    std::array<mirgpu_arg, sizeof...(Params)> types{detail::Crossing<Params>::type()...};
    return detail::toStatus(
        mirgpu_kernel_check(get(), sizeof(mirgpu_arg), types.data(), types.size()));
  }
};

// ---- statics -----------------------------------------------------------------------------------

/// A `static` of a loaded module, as `size()` values of T that the host reads and writes between
/// launches. It keeps the module alive.
template <DeviceValue T> class Global {
public:
  Global(detail::ModuleHandle module, size_t index, uint64_t count)
      : module_(std::move(module)), index_(index), count_(count) {}

  uint64_t size() const { return count_; }
  /// Key, type, size; strings live as long as the module.
  mirgpu_global_info info() const {
    mirgpu_global_info info{};
    info.struct_size = sizeof info;
    if (mirgpu_error *error = mirgpu_module_get_global(module_.get(), index_, &info))
      mirgpu_error_free(error);
    return info;
  }
  /// Copies `values` to the elements from `first` on, after the work given to `stream` so far; a
  /// synchronising call.
  Status write(const Stream &stream, std::span<const T> values, uint64_t first = 0) const {
    return detail::toStatus(mirgpu_global_write(stream.get(), module_.get(), index_,
                                                first * sizeof(T), values.data(),
                                                values.size_bytes()));
  }
  /// Sets the one value of a static that has one.
  Status write(const Stream &stream, const T &value) const {
    return write(stream, std::span<const T>(&value, 1));
  }
  /// Copies the elements from `first` on to `values`; a synchronising call.
  Status read(const Stream &stream, std::span<T> values, uint64_t first = 0) const {
    return detail::toStatus(mirgpu_global_read(stream.get(), module_.get(), index_,
                                               first * sizeof(T), values.data(),
                                               values.size_bytes()));
  }
  /// All elements; a synchronising call.
  Result<std::vector<T>> toVector(const Stream &stream) const
    requires(!std::is_same_v<T, bool>)
  {
    std::vector<T> values(count_);
    if (auto status = read(stream, values); !status)
      return status.error();
    return values;
  }

private:
  detail::ModuleHandle module_;
  size_t index_;
  uint64_t count_;
};

// ---- modules and devices -----------------------------------------------------------------------

/// A loaded `.mgpu`.
class Module {
public:
  explicit Module(detail::ModuleHandle handle) : handle_(std::move(handle)) {}

  /// The kernel of that entry name or key, with its arguments checked at each launch.
  Result<Kernel<>> kernel(std::string_view name) const { return find<Kernel<>>(name); }
  /// The kernel of that name or key; fails unless `Signature` fits the parameter table.
  template <class Signature> Result<Kernel<Signature>> kernel(std::string_view name) const {
    auto found = find<Kernel<Signature>>(name);
    if (found)
      if (auto status = found->check(); !status)
        return status.error();
    return found;
  }
  /// Every kernel, in the file's order.
  std::vector<Kernel<>> kernels() const {
    std::vector<Kernel<>> all;
    for (size_t i = 0, n = mirgpu_module_kernel_count(get()); i < n; ++i) {
      mirgpu_kernel *raw = nullptr;
      if (mirgpu_error *error = mirgpu_module_kernel_at(get(), i, &raw)) {
        mirgpu_error_free(error);
        break;
      }
      all.emplace_back(detail::KernelHandle(raw));
    }
    return all;
  }
  /// The static of that Rust path, or of that name if it is the only one, as values of T: of its
  /// own numbers, or of any type whose size divides its own. What can be reached: `static mut`,
  /// statics with interior mutability, ConstantMemory.
  template <DeviceValue T> Result<Global<T>> global(std::string_view name) const {
    size_t index = 0;
    if (mirgpu_error *error = mirgpu_module_find_global(get(), std::string(name).c_str(), &index))
      return detail::takeError(error);
    mirgpu_global_info info{};
    info.struct_size = sizeof info;
    if (mirgpu_error *error = mirgpu_module_get_global(get(), index, &info))
      return detail::takeError(error);
    if (info.size % sizeof(T) != 0 || !detail::fits<T>(info.element_name, info.element_size))
      return Error{ErrorCode::ArgumentMismatch,
                   "the static `" + std::string(info.key) + "` is a `" + info.type_name + "` of " +
                       std::to_string(info.size) +
                       " bytes, which are no values of the type that was given, of " +
                       std::to_string(sizeof(T)) + " bytes",
                   {},
                   -1,
                   0};
    return Global<T>(handle_, index, info.size / sizeof(T));
  }
  /// Every static that can be reached, by key.
  std::vector<mirgpu_global_info> globals() const {
    std::vector<mirgpu_global_info> all(mirgpu_module_global_count(get()));
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].struct_size = sizeof all[i];
      if (mirgpu_error *error = mirgpu_module_get_global(get(), i, &all[i]))
        mirgpu_error_free(error);
    }
    return all;
  }
  mirgpu_module *get() const { return handle_.get(); }

private:
  template <class K> Result<K> find(std::string_view name) const {
    mirgpu_kernel *raw = nullptr;
    if (mirgpu_error *error = mirgpu_module_kernel(get(), std::string(name).c_str(), &raw))
      return detail::takeError(error);
    return K(detail::KernelHandle(raw));
  }
  detail::ModuleHandle handle_;
};

/// A processor that runs kernels.
class Device {
public:
  /// "cpu", "cuda:N", "hip:N", or "auto": CUDA, else HIP, else the CPU.
  static Result<Device> open(std::string_view name) {
    mirgpu_device *raw = nullptr;
    if (mirgpu_error *error = mirgpu_device_open(std::string(name).c_str(), &raw))
      return detail::takeError(error);
    return Device(detail::DeviceHandle(raw));
  }
  explicit Device(detail::DeviceHandle handle) : handle_(std::move(handle)) {}

  /// Name, limits; strings live as long as the device.
  mirgpu_device_info info() const {
    mirgpu_device_info info{};
    info.struct_size = sizeof info;
    mirgpu_device_get_info(get(), &info);
    return info;
  }
  /// Loads the `.mgpu` file at `path`.
  Result<Module> load(const std::string &path) const {
    mirgpu_module *raw = nullptr;
    if (mirgpu_error *error = mirgpu_module_load_file(get(), path.c_str(), &raw))
      return detail::takeError(error);
    return Module(detail::ModuleHandle(raw));
  }
  /// Loads a `.mgpu` that lies in memory.
  Result<Module> loadBytes(std::span<const std::byte> bytes) const {
    mirgpu_module *raw = nullptr;
    if (mirgpu_error *error = mirgpu_module_load(get(), bytes.data(), bytes.size(), &raw))
      return detail::takeError(error);
    return Module(detail::ModuleHandle(raw));
  }
  /// A new stream.
  Result<Stream> createStream() const {
    mirgpu_stream *raw = nullptr;
    if (mirgpu_error *error = mirgpu_stream_create(get(), &raw))
      return detail::takeError(error);
    return Stream(detail::StreamHandle(raw));
  }
  /// The device's own stream.
  Result<Stream> defaultStream() const {
    mirgpu_stream *raw = nullptr;
    if (mirgpu_error *error = mirgpu_stream_default(get(), &raw))
      return detail::takeError(error);
    return Stream(detail::StreamHandle(raw));
  }
  /// Memory for `count` values, not initialised.
  template <DeviceValue T> Result<Buffer<T>> alloc(uint64_t count) const {
    if (count > UINT64_MAX / sizeof(T))
      return Error{ErrorCode::OutOfMemory,
                   "a buffer of " + std::to_string(count) + " elements is too large",
                   {},
                   -1,
                   0};
    mirgpu_buffer *raw = nullptr;
    if (mirgpu_error *error = mirgpu_buffer_create(get(), count * sizeof(T), &raw))
      return detail::takeError(error);
    return Buffer<T>(detail::BufferHandle(raw), count);
  }
  /// A buffer that holds a copy of `values`; a synchronising call.
  template <DeviceValue T>
  Result<Buffer<T>> from(const Stream &stream, std::span<const T> values) const {
    auto buffer = alloc<T>(values.size());
    if (buffer)
      if (auto status = buffer->write(stream, values); !status)
        return status.error();
    return buffer;
  }
  template <DeviceValue T>
  Result<Buffer<T>> from(const Stream &stream, const std::vector<T> &values) const {
    return from(stream, std::span<const T>(values));
  }
  mirgpu_device *get() const { return handle_.get(); }

private:
  detail::DeviceHandle handle_;
};

} // namespace mirgpu
