// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C ABI's modules, kernels and launches: reads the module, lets the back end make its code
// ready, checks each launch, and queues it with references to all that it uses.
#include "runtime/capi.h"
#include "runtime/launch_check.h"
#include "runtime/text.h"

#include <atomic>

using namespace mirgpu;
using namespace mirgpu::runtime;

// ---- modules -----------------------------------------------------------------------------------

static mirgpu_error *finishLoad(mirgpu_device *device, Result<ModuleFile> file,
                                mirgpu_module **out) {
  if (!file)
    return toC(file.error());
  auto *raw = new mirgpu_module(std::move(*file));
  raw->device = Ref<mirgpu_device>(device);
  auto backend = device->backend->load(raw->file);
  if (!backend) {
    mirgpu_error *error = toC(backend.error());
    raw->release();
    return error;
  }
  raw->backend = std::move(*backend);
  for (const ModuleGlobal &g : raw->file.globals())
    raw->globals.push_back(
        {std::string(g.key), std::string(g.typeName), std::string(g.elementName)});
  *out = raw;
  return nullptr;
}

mirgpu_error *mirgpu_module_load_file(mirgpu_device *device, const char *path,
                                      mirgpu_module **out) {
  return finishLoad(device, ModuleFile::read(path), out);
}

mirgpu_error *mirgpu_module_load(mirgpu_device *device, const void *bytes, size_t size,
                                 mirgpu_module **out) {
  auto first = static_cast<const std::byte *>(bytes);
  return finishLoad(device, ModuleFile::parse({first, first + size}, "module in memory"), out);
}

void mirgpu_module_retain(mirgpu_module *module) { module->retain(); }
void mirgpu_module_release(mirgpu_module *module) { module->release(); }
size_t mirgpu_module_kernel_count(const mirgpu_module *module) {
  return module->file.kernels().size();
}

// ---- kernels -----------------------------------------------------------------------------------

static mirgpu_kernel *makeKernel(mirgpu_module *module, uint32_t index) {
  auto *kernel = new mirgpu_kernel;
  kernel->module = Ref<mirgpu_module>(module);
  kernel->index = index;
  const ModuleKernel &info = kernel->info();
  kernel->name = info.entry;
  kernel->key = info.key;
  kernel->file = info.file;
  for (const ModuleParam &p : info.params)
    kernel->params.push_back({std::string(p.name), std::string(p.typeName)});
  return kernel;
}

mirgpu_error *mirgpu_module_kernel(mirgpu_module *module, const char *name, mirgpu_kernel **out) {
  auto kernels = module->file.kernels();
  for (uint32_t i = 0; i < kernels.size(); ++i)
    if (kernels[i].entry == name || kernels[i].key == name) {
      *out = makeKernel(module, i);
      return nullptr;
    }
  std::string all;
  for (const ModuleKernel &kernel : kernels.first(std::min<size_t>(kernels.size(), 20)))
    all += text(all.empty() ? "`" : ", `", kernel.entry, "`");
  if (kernels.size() > 20)
    all += ", …";
  Error error = fail(ErrorCode::NoSuchKernel, "`", module->file.name(), "` has no kernel `", name,
                     "`", all.empty() ? "" : "; it has ", all);
  error.kernel = name;
  return toC(std::move(error));
}

mirgpu_error *mirgpu_module_kernel_at(mirgpu_module *module, size_t index, mirgpu_kernel **out) {
  if (index >= module->file.kernels().size())
    return toC(fail(ErrorCode::InvalidArgument, "kernel ", index, " of a module that has ",
                    module->file.kernels().size()));
  *out = makeKernel(module, static_cast<uint32_t>(index));
  return nullptr;
}

void mirgpu_kernel_retain(mirgpu_kernel *kernel) { kernel->retain(); }
void mirgpu_kernel_release(mirgpu_kernel *kernel) { kernel->release(); }

void mirgpu_kernel_get_info(const mirgpu_kernel *kernel, mirgpu_kernel_info *info) {
  const ModuleKernel &k = kernel->info();
  mirgpu_kernel_info full{};
  full.name = kernel->name.c_str();
  full.key = kernel->key.c_str();
  full.file = kernel->file.c_str();
  full.line = k.line;
  full.param_count = static_cast<uint32_t>(k.params.size());
  full.max_threads = k.maxThreads;
  full.static_shared_bytes = k.staticSharedBytes;
  full.has_collective = (k.flags & mgpu::kHasCollective) != 0;
  full.can_panic = (k.flags & mgpu::kCanPanic) != 0;
  full.uses_dynamic_shared = (k.flags & mgpu::kUsesDynamicShared) != 0;
  full.uses_heap = (k.flags & mgpu::kUsesHeap) != 0;
  giveOut(full, info);
}

static mirgpu_param_kind publicKind(mgpu::ParamKind kind) {
  switch (kind) {
  case mgpu::ParamKind::Scalar:
    return MIRGPU_PARAM_SCALAR;
  case mgpu::ParamKind::Pointer:
  case mgpu::ParamKind::LaunchContext:
    return MIRGPU_PARAM_POINTER;
  case mgpu::ParamKind::Slice:
    return MIRGPU_PARAM_SLICE;
  case mgpu::ParamKind::SliceMut:
    return MIRGPU_PARAM_SLICE_MUT;
  case mgpu::ParamKind::DisjointSlice:
    return MIRGPU_PARAM_DISJOINT_SLICE;
  case mgpu::ParamKind::Aggregate:
    return MIRGPU_PARAM_AGGREGATE;
  }
  return MIRGPU_PARAM_AGGREGATE;
}

mirgpu_error *mirgpu_kernel_get_param(const mirgpu_kernel *kernel, uint32_t index,
                                      mirgpu_param_info *info) {
  const ModuleKernel &k = kernel->info();
  if (index >= k.params.size())
    return toC(fail(ErrorCode::InvalidArgument, "parameter ", index, " of kernel `", k.entry,
                    "`, which has ", k.params.size()));
  const ModuleParam &p = k.params[index];
  mirgpu_param_info full{};
  full.name = kernel->params[index].name.c_str();
  full.type_name = kernel->params[index].typeName.c_str();
  full.kind = publicKind(p.kind);
  full.align = p.align;
  full.size = p.size;
  full.element_size = p.elementSize;
  full.element_align = p.elementAlign;
  full.read_only = p.readOnly;
  full.layout_hash = p.layoutHash;
  giveOut(full, info);
  return nullptr;
}

// ---- launches ----------------------------------------------------------------------------------

/// The caller's arguments as this library knows them.
static Result<std::vector<mirgpu_arg>> readArgs(size_t structSize, const mirgpu_arg *args,
                                                size_t count) {
  std::vector<mirgpu_arg> all(count);
  for (size_t i = 0; i < count; ++i) {
    const char *given = reinterpret_cast<const char *>(args) + i * structSize;
    if (!unknownIsZero(given, structSize, sizeof(mirgpu_arg)))
      return fail(ErrorCode::InvalidArgument, "argument ", i,
                  " uses fields that this version of the library does not know");
    std::memcpy(static_cast<void *>(&all[i]), given, std::min(structSize, sizeof(mirgpu_arg)));
  }
  return all;
}

mirgpu_error *mirgpu_kernel_check(mirgpu_kernel *kernel, size_t arg_struct_size,
                                  const mirgpu_arg *args, size_t arg_count) {
  auto all = readArgs(arg_struct_size, args, arg_count);
  if (!all)
    return toC(all.error());
  return toC(checkTypes(kernel->info(), *all));
}

static Result<CpuTier> parseTier(std::string_view name) {
  if (name == "auto")
    return CpuTier::Auto;
  if (name == "T0")
    return CpuTier::T0;
  if (name == "T3")
    return CpuTier::T3;
  return fail(ErrorCode::InvalidArgument, "`", name,
              "` is no tier of the CPU device: the tiers are `auto`, `T0` and `T3`");
}

static Result<LaunchRequest> readLaunch(const mirgpu_launch_info *given) {
  mirgpu_launch_info info{};
  if (!unknownIsZero(given, given->struct_size, sizeof info))
    return fail(ErrorCode::InvalidArgument,
                "the launch uses fields that this version of the library does not know");
  std::memcpy(&info, given, std::min(given->struct_size, sizeof info));
  LaunchRequest request;
  std::ranges::copy(info.grid, request.grid.begin());
  std::ranges::copy(info.block, request.block.begin());
  request.sharedBytes = info.shared_bytes;
  request.stackBytes = info.stack_bytes;
  if (info.heap_bytes != 0)
    request.heapBytes = info.heap_bytes;
  if (info.schedule) {
    auto schedule = simt::parseSchedule(info.schedule);
    if (!schedule)
      return fail(ErrorCode::InvalidArgument, "`", info.schedule,
                  "` is no schedule: the schedules are `forward`, `reverse` and `seed:N`");
    request.schedule = *schedule;
  }
  if (info.tier) {
    auto tier = parseTier(info.tier);
    if (!tier)
      return tier.error();
    request.tier = *tier;
  }
  return request;
}

static uint64_t nextLaunchId() {
  static constinit std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

mirgpu_error *mirgpu_launch(mirgpu_stream *stream, mirgpu_kernel *kernel,
                            const mirgpu_launch_info *info, const mirgpu_arg *args,
                            size_t arg_count) {
  mirgpu_module *module = kernel->module.get();
  const mirgpu_device &device = *stream->device;
  if (module->device.get() != &device)
    return toC(fail(ErrorCode::InvalidArgument, "kernel `", kernel->name,
                    "` was loaded on another device than the stream's"));
  auto request = readLaunch(info);
  if (!request)
    return toC(request.error());
  auto all = readArgs(info->arg_struct_size, args, arg_count);
  if (!all)
    return toC(all.error());
  if (auto s = checkGeometry(kernel->info(), device.backend->properties(), *request); !s)
    return toC(s);
  if (auto s = packArguments(kernel->info(), device, *all, *request); !s)
    return toC(s);
  request->kernel = kernel->index;
  request->launchId = nextLaunchId();
  KeepAlive keep;
  keep.emplace_back(Ref<mirgpu_module>(module));
  for (const mirgpu_arg &arg : *all)
    if (arg.buffer)
      keep.emplace_back(Ref<mirgpu_buffer>(arg.buffer));
  return toC(stream->backend->launch(module->file, *module->backend, std::move(*request),
                                     std::move(keep)));
}
