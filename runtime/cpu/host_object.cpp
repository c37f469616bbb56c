// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memfd_create, dlopen, dlsym. The descriptor stays open as long as the object is loaded: glibc
// knows objects by their path, and a number that is used again would give another module's code.
#include "runtime/cpu/host_object.h"

#include "runtime/text.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mirgpu::runtime::cpu {

#if defined(__x86_64__)
static constexpr uint16_t kMachine = EM_X86_64;
#elif defined(__aarch64__)
static constexpr uint16_t kMachine = EM_AARCH64;
#endif

int hostTargetRank(std::string_view target) {
  constexpr std::string_view prefix = "host:";
  if (target == "host")
    return 6; // made for the machine that compiled it: taken to be this one
  if (!target.starts_with(prefix))
    return 0;
  target.remove_prefix(prefix.size());
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (target == "x86-64-v4")
    return __builtin_cpu_supports("x86-64-v4") ? 5 : 0;
  if (target == "x86-64-v3")
    return __builtin_cpu_supports("x86-64-v3") ? 4 : 0;
  if (target == "x86-64-v2")
    return __builtin_cpu_supports("x86-64-v2") ? 3 : 0;
  if (target == "x86-64")
    return 2;
#else
  if (target == "generic")
    return 2;
#endif
  return 1; // a processor's name, which cannot be tested here: better than nothing
}

/// A shared object of this machine's architecture.
static bool isForThisMachine(std::span<const std::byte> object) {
  Elf64_Ehdr header;
  if (object.size() < sizeof header)
    return false;
  std::memcpy(&header, object.data(), sizeof header);
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_type == ET_DYN &&
         header.e_machine == kMachine;
}

/// Whether what the loader will map lies in the object: reading beyond it would be a fault.
static bool isWhole(std::span<const std::byte> object) {
  Elf64_Ehdr header;
  std::memcpy(&header, object.data(), sizeof header);
  uint64_t size = object.size(), count = header.e_phnum;
  if (header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > size ||
      count * sizeof(Elf64_Phdr) > size - header.e_phoff)
    return false;
  for (uint64_t i = 0; i < count; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, object.data() + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
      return false;
  }
  return true;
}

static Result<const ModuleCode *> choose(const ModuleFile &file) {
  const ModuleCode *best = nullptr;
  int bestRank = 0;
  std::string have;
  for (const ModuleCode &code : file.codes()) {
    have += text(have.empty() ? "" : ", ", "`", code.target, "`");
    if (code.kind != mgpu::SectionKind::HostObject || !isForThisMachine(code.bytes))
      continue;
    int rank = hostTargetRank(code.target);
    if (rank > bestRank) {
      best = &code;
      bestRank = rank;
    }
  }
  if (best)
    return best;
  return fail(ErrorCode::NoCode, "`", file.name(), "` has no code that this CPU can run; it has ",
              have.empty() ? "none at all" : "code for " + have, " (compile with `--target=host`)");
}

static bool writeAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t n = write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return true;
}

Result<std::unique_ptr<HostObject>> HostObject::load(const ModuleFile &file) {
  auto code = choose(file);
  if (!code)
    return code.error();
  if (!isWhole((*code)->bytes))
    return fail(ErrorCode::InvalidModule, "`", file.name(), "`: its code for `", (*code)->target,
                "` is cut off");
  std::unique_ptr<HostObject> object(new HostObject);
  object->fd_ = memfd_create("mirgpu-kernels", MFD_CLOEXEC);
  if (object->fd_ < 0 || !writeAll(object->fd_, (*code)->bytes)) {
    Error error = fail(ErrorCode::Io, "`", file.name(),
                       "`: cannot hold its host code in memory: ", std::strerror(errno));
    error.backendCode = errno;
    return error;
  }
  std::string path = text("/proc/self/fd/", object->fd_);
  object->handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object->handle_) {
    const char *why = dlerror();
    return fail(ErrorCode::InvalidModule, "`", file.name(), "`: its code for `", (*code)->target,
                "` cannot be loaded: ", why ? why : "unknown reason");
  }
  for (const ModuleKernel &kernel : file.kernels()) {
    KernelCode found;
    found.fibers = reinterpret_cast<KernelEntry>(object->find(kernel.entry, ""));
    if (!found.fibers)
      return fail(ErrorCode::InvalidModule, "`", file.name(), "`: its code for `", (*code)->target,
                  "` lacks kernel `", kernel.entry, "`");
    found.threadLoop = reinterpret_cast<KernelEntry>(object->find(kernel.entry, abi::kT0Suffix));
    if (void *why = object->find(kernel.entry, abi::kT0WhySuffix))
      found.whyNoThreadLoop = static_cast<const char *>(why);
    object->kernels_.push_back(std::move(found));
  }
  for (const ModuleGlobal &global : file.globals()) {
    void *address = dlsym(object->handle_, std::string(global.symbol).c_str());
    if (!address)
      return fail(ErrorCode::InvalidModule, "`", file.name(), "`: its code for `", (*code)->target,
                  "` lacks the static `", global.key, "`");
    object->globals_.push_back(reinterpret_cast<uint64_t>(address));
  }
  return object;
}

void *HostObject::find(std::string_view entry, std::string_view suffix) const {
  return dlsym(handle_, text(entry, suffix).c_str());
}

HostObject::~HostObject() {
  if (handle_)
    dlclose(handle_);
  if (fd_ >= 0)
    close(fd_);
}

} // namespace mirgpu::runtime::cpu
