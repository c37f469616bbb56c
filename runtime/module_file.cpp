// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The `.mgpu` reader: header, section table, checksums, then the tables in the order in which they
// name each other. Each step checks what it reads and stops at the first fault; no step trusts a
// number before the step that checked it. Every byte of the file is either checksummed or zero.
#include "runtime/module_file.h"

#include "runtime/text.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_set>

namespace mirgpu::runtime {

static_assert(std::endian::native == std::endian::little, "a .mgpu is little-endian, as is a host");

/// Longest name or type name; longer ones are cut by no compiler and fill the memory of no reader.
static constexpr uint32_t kMaxName = 1u << 16;
static constexpr uint64_t kMaxFile = uint64_t(1) << 32;
static constexpr uint32_t kMaxAlign = 1u << 16;

class ModuleParser {
public:
  explicit ModuleParser(ModuleFile &file) : file_(file), bytes_(file.bytes_) {}
  Status run();

private:
  template <class... Parts> Error bad(const Parts &...parts) const {
    return fail(ErrorCode::InvalidModule, "`", file_.name_, "`: ", parts...);
  }
  template <class T> T load(uint64_t offset) const {
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  /// Row `index` of a table whose size was checked.
  template <class T> T row(const mgpu::Section &table, uint64_t index) const {
    return load<T>(table.offset + index * sizeof(T));
  }
  uint64_t checksum(uint64_t offset, uint64_t size, uint64_t seed) const {
    return mgpu::fnv1a(reinterpret_cast<const unsigned char *>(bytes_.data()) + offset, size, seed);
  }
  static constexpr uint64_t kSeed = 0xcbf29ce484222325ull;

  Status header();
  Status sections();
  Status section(uint32_t index, const mgpu::Section &s);
  Status padding() const;
  Status codes();
  Status params();
  Status param(uint64_t index, const mgpu::Param &p, ModuleParam &out);
  Status kernels();
  Status kernel(uint64_t index, const mgpu::Kernel &k);
  Status places();
  Status resources();
  Status globals();
  Status global(uint64_t index, const mgpu::Global &g);
  bool string(mgpu::StringRef ref, std::string_view &out) const;
  bool name(mgpu::StringRef ref, std::string_view &out) const;
  /// Sets `count` to the rows of the table of `kind`, 0 if there is none.
  Status tableRows(mgpu::SectionKind kind, size_t rowSize, mgpu::Section &table, uint64_t &count);

  ModuleFile &file_;
  const std::vector<std::byte> &bytes_;
  std::vector<mgpu::Section> sections_;
  mgpu::Section strings_{};
  uint64_t paramsUsed_ = 0;
  std::vector<ModuleParam> rawParams_; ///< hidden ones included
  std::unordered_set<std::string_view> entries_, keys_, globalKeys_;
};

static bool isTable(mgpu::SectionKind kind) {
  switch (kind) {
  case mgpu::SectionKind::Strings:
  case mgpu::SectionKind::Kernels:
  case mgpu::SectionKind::Params:
  case mgpu::SectionKind::Places:
  case mgpu::SectionKind::Resources:
  case mgpu::SectionKind::Globals:
  case mgpu::SectionKind::Mir:
    return true;
  case mgpu::SectionKind::Ptx:
  case mgpu::SectionKind::Cubin:
  case mgpu::SectionKind::Hsaco:
  case mgpu::SectionKind::HostObject:
    return false;
  }
  return false;
}

static bool isKnownKind(mgpu::SectionKind kind) {
  switch (kind) {
  case mgpu::SectionKind::Strings:
  case mgpu::SectionKind::Kernels:
  case mgpu::SectionKind::Params:
  case mgpu::SectionKind::Places:
  case mgpu::SectionKind::Resources:
  case mgpu::SectionKind::Globals:
  case mgpu::SectionKind::Ptx:
  case mgpu::SectionKind::Cubin:
  case mgpu::SectionKind::Hsaco:
  case mgpu::SectionKind::HostObject:
  case mgpu::SectionKind::Mir:
    return true;
  }
  return false;
}

static bool isAlignment(uint64_t value) { return std::has_single_bit(value) && value <= kMaxAlign; }

Status ModuleParser::run() {
  using Step = Status (ModuleParser::*)();
  for (Step step : {&ModuleParser::header, &ModuleParser::sections, &ModuleParser::codes,
                    &ModuleParser::params, &ModuleParser::kernels, &ModuleParser::places,
                    &ModuleParser::resources, &ModuleParser::globals})
    if (auto status = (this->*step)(); !status)
      return status;
  return {};
}

Status ModuleParser::header() {
  if (bytes_.size() < sizeof(mgpu::Header))
    return bad("too short for a .mgpu: ", bytes_.size(), " bytes, the header alone has ",
               sizeof(mgpu::Header));
  auto header = load<mgpu::Header>(0);
  if (header.magic != mgpu::kMagic)
    return bad("not a .mgpu: the first bytes are not its magic number");
  if (header.version != mgpu::kVersion)
    return bad("version ", header.version, " of the .mgpu format; this library reads version ",
               mgpu::kVersion);
  if (header.fileSize != bytes_.size())
    return bad("the header says ", header.fileSize, " bytes, the file has ", bytes_.size());
  uint64_t room = (bytes_.size() - sizeof header) / sizeof(mgpu::Section);
  if (header.sectionCount > room)
    return bad("the section table of ", header.sectionCount, " sections reaches beyond the file");
  uint64_t stored = std::exchange(header.headerChecksum, 0);
  uint64_t sum = mgpu::fnv1a(reinterpret_cast<const unsigned char *>(&header), sizeof header);
  sum = checksum(sizeof header, header.sectionCount * sizeof(mgpu::Section), sum);
  if (sum != stored)
    return bad("the header or the section table is damaged (checksum)");
  for (uint32_t i = 0; i < header.sectionCount; ++i)
    sections_.push_back(load<mgpu::Section>(sizeof header + i * sizeof(mgpu::Section)));
  return {};
}

Status ModuleParser::sections() {
  for (uint32_t i = 0; i < sections_.size(); ++i)
    if (auto status = section(i, sections_[i]); !status)
      return status;
  return padding();
}

Status ModuleParser::section(uint32_t index, const mgpu::Section &s) {
  uint64_t first = sizeof(mgpu::Header) + sections_.size() * sizeof(mgpu::Section);
  if (!isKnownKind(s.kind))
    return bad("section ", index, " is of unknown kind ", static_cast<uint32_t>(s.kind));
  if (s.offset % mgpu::kSectionAlign != 0 || s.offset < first)
    return bad("section ", index, " begins at ", s.offset, ", which no section can");
  if (s.offset > bytes_.size() || s.size > bytes_.size() - s.offset)
    return bad("section ", index, " reaches beyond the file");
  if (isTable(s.kind))
    for (uint32_t before = 0; before < index; ++before)
      if (sections_[before].kind == s.kind)
        return bad("sections ", before, " and ", index, " are of one kind");
  if (checksum(s.offset, s.size, kSeed) != s.checksum)
    return bad("section ", index, " is damaged (checksum)");
  if (s.kind == mgpu::SectionKind::Strings)
    strings_ = s;
  if (s.kind == mgpu::SectionKind::Mir)
    file_.mir_ = {reinterpret_cast<const char *>(bytes_.data()) + s.offset, s.size};
  return {};
}

/// No two sections overlap, and what lies between them is zero.
Status ModuleParser::padding() const {
  std::vector<mgpu::Section> sorted = sections_;
  std::ranges::sort(sorted, {}, &mgpu::Section::offset);
  uint64_t end = sizeof(mgpu::Header) + sections_.size() * sizeof(mgpu::Section);
  auto isZero = [&](uint64_t from, uint64_t to) {
    return std::all_of(bytes_.begin() + from, bytes_.begin() + to,
                       [](std::byte b) { return b == std::byte{0}; });
  };
  for (const mgpu::Section &s : sorted) {
    if (s.size == 0)
      continue;
    if (s.offset < end)
      return bad("two sections share the bytes from ", s.offset, " on");
    if (!isZero(end, s.offset))
      return bad("the padding before ", s.offset, " is not zero");
    end = s.offset + s.size;
  }
  if (!isZero(end, bytes_.size()))
    return bad("bytes after the last section, from ", end, " on");
  return {};
}

bool ModuleParser::string(mgpu::StringRef ref, std::string_view &out) const {
  if (ref.offset > strings_.size || ref.length > strings_.size - ref.offset)
    return false;
  out = {reinterpret_cast<const char *>(bytes_.data()) + strings_.offset + ref.offset, ref.length};
  return true;
}

/// A string that is handed out as a C string, so without a zero byte.
bool ModuleParser::name(mgpu::StringRef ref, std::string_view &out) const {
  return ref.length <= kMaxName && string(ref, out) && out.find('\0') == std::string_view::npos;
}

Status ModuleParser::tableRows(mgpu::SectionKind kind, size_t rowSize, mgpu::Section &table,
                               uint64_t &count) {
  count = 0;
  for (uint32_t i = 0; i < sections_.size(); ++i) {
    if (sections_[i].kind != kind)
      continue;
    table = sections_[i];
    if (table.size % rowSize != 0)
      return bad("section ", i, " has ", table.size, " bytes, not a multiple of ", rowSize);
    count = table.size / rowSize;
  }
  return {};
}

Status ModuleParser::codes() {
  for (uint32_t i = 0; i < sections_.size(); ++i) {
    const mgpu::Section &s = sections_[i];
    std::string_view target;
    if (!name(s.target, target))
      return bad("the target of section ", i, " is no valid string");
    if (!isTable(s.kind))
      file_.codes_.push_back({s.kind, target, std::span(bytes_).subspan(s.offset, s.size), i});
  }
  return {};
}

Status ModuleParser::params() {
  mgpu::Section table{};
  uint64_t count = 0;
  if (auto s = tableRows(mgpu::SectionKind::Params, sizeof(mgpu::Param), table, count); !s)
    return s;
  rawParams_.resize(count);
  for (uint64_t i = 0; i < count; ++i)
    if (auto s = param(i, row<mgpu::Param>(table, i), rawParams_[i]); !s)
      return s;
  file_.params_ = std::move(rawParams_);
  return {};
}

/// What the kind says about a parameter's size and alignment; null if it holds.
static const char *layoutFault(const mgpu::Param &p) {
  bool slice = false;
  switch (p.kind) {
  case mgpu::ParamKind::Scalar:
    if (p.size == 0 || p.size > 16)
      return "a scalar has 1 to 16 bytes";
    break;
  case mgpu::ParamKind::Pointer:
  case mgpu::ParamKind::LaunchContext:
    if (p.size != 8)
      return "a pointer has 8 bytes";
    break;
  case mgpu::ParamKind::Slice:
  case mgpu::ParamKind::SliceMut:
  case mgpu::ParamKind::DisjointSlice:
    if (p.size != 16 || p.align != 8)
      return "a slice has 16 bytes and alignment 8";
    slice = true;
    break;
  case mgpu::ParamKind::Aggregate:
    break;
  }
  if (!isAlignment(p.align))
    return "its alignment is no power of two up to 65536";
  if (p.size % p.align != 0)
    return "its size is no multiple of its alignment";
  if (p.size > (1u << 20))
    return "it is larger than 1 MiB";
  if (slice && !isAlignment(p.elementAlign))
    return "its elements' alignment is no power of two up to 65536";
  if (slice && p.elementSize % p.elementAlign != 0)
    return "its elements' size is no multiple of their alignment";
  if (p.readOnly > 1)
    return "`readOnly` is neither 0 nor 1";
  return nullptr;
}

static bool isKnownKind(mgpu::ParamKind kind) {
  switch (kind) {
  case mgpu::ParamKind::Scalar:
  case mgpu::ParamKind::Pointer:
  case mgpu::ParamKind::Slice:
  case mgpu::ParamKind::SliceMut:
  case mgpu::ParamKind::DisjointSlice:
  case mgpu::ParamKind::Aggregate:
  case mgpu::ParamKind::LaunchContext:
    return true;
  }
  return false;
}

Status ModuleParser::param(uint64_t index, const mgpu::Param &p, ModuleParam &out) {
  std::string_view paramName, typeName;
  if (!name(p.name, paramName) || !name(p.typeName, typeName))
    return bad("the name or type of parameter ", index, " is no valid string");
  if (!isKnownKind(p.kind))
    return bad("parameter ", index, " is of unknown kind ", static_cast<uint32_t>(p.kind));
  if (const char *fault = layoutFault(p))
    return bad("parameter ", index, " (`", paramName, "`): ", fault);
  out = {paramName,     typeName,       p.kind,          p.align,     p.size,
         p.elementSize, p.elementAlign, p.readOnly == 1, p.layoutHash};
  return {};
}

Status ModuleParser::kernels() {
  mgpu::Section table{};
  uint64_t count = 0;
  if (auto s = tableRows(mgpu::SectionKind::Kernels, sizeof(mgpu::Kernel), table, count); !s)
    return s;
  for (uint64_t i = 0; i < count; ++i)
    if (auto s = kernel(i, row<mgpu::Kernel>(table, i)); !s)
      return s;
  return {};
}

Status ModuleParser::kernel(uint64_t index, const mgpu::Kernel &k) {
  ModuleKernel out{};
  if (!name(k.key, out.key) || !name(k.entry, out.entry) || !name(k.file, out.file))
    return bad("the key, entry or file of kernel ", index, " is no valid string");
  if (out.entry.empty() || out.key.empty())
    return bad("kernel ", index, " has no name");
  if (!entries_.insert(out.entry).second || !keys_.insert(out.key).second)
    return bad("two kernels are named `", out.entry, "`");
  std::span<const ModuleParam> all = file_.params_;
  if (k.firstParam > all.size() || k.paramCount > all.size() - k.firstParam)
    return bad("the parameters of kernel `", out.entry, "` are not in the table");
  paramsUsed_ += k.paramCount;
  if (paramsUsed_ > all.size())
    return bad("kernels share rows of the parameter table");
  out.params = all.subspan(k.firstParam, k.paramCount);
  auto isHidden = [](const ModuleParam &p) { return p.kind == mgpu::ParamKind::LaunchContext; };
  if (!out.params.empty() && isHidden(out.params.back())) {
    out.hasLaunchContext = true;
    out.params = out.params.first(out.params.size() - 1);
  }
  if (std::ranges::any_of(out.params, isHidden))
    return bad("kernel `", out.entry, "`: its launch context is not the last parameter");
  out.line = k.line;
  out.flags = k.flags;
  out.maxThreads = k.maxThreads;
  out.minBlocks = k.minBlocks;
  out.staticSharedBytes = k.staticSharedBytes;
  file_.kernels_.push_back(out);
  return {};
}

static bool isKnownKind(mgpu::PlaceKind kind) {
  switch (kind) {
  case mgpu::PlaceKind::Unknown:
  case mgpu::PlaceKind::Panic:
  case mgpu::PlaceKind::BoundsCheck:
  case mgpu::PlaceKind::Overflow:
  case mgpu::PlaceKind::Message:
  case mgpu::PlaceKind::Collective:
  case mgpu::PlaceKind::Operands:
    return true;
  }
  return false;
}

Status ModuleParser::places() {
  mgpu::Section table{};
  uint64_t count = 0;
  if (auto s = tableRows(mgpu::SectionKind::Places, sizeof(mgpu::Place), table, count); !s)
    return s;
  file_.places_.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    auto p = row<mgpu::Place>(table, i);
    ModulePlace out{p.kind, p.line, p.column, {}, {}, {}};
    if (!isKnownKind(p.kind))
      return bad("place ", i, " is of unknown kind ", static_cast<uint32_t>(p.kind));
    if (!string(p.file, out.file) || !string(p.text, out.text) || !string(p.function, out.function))
      return bad("a string of place ", i, " reaches beyond the string table");
    file_.places_.push_back(out);
  }
  return {};
}

Status ModuleParser::resources() {
  mgpu::Section table{};
  uint64_t count = 0;
  if (auto s = tableRows(mgpu::SectionKind::Resources, sizeof(mgpu::Resource), table, count); !s)
    return s;
  for (uint64_t i = 0; i < count; ++i) {
    auto r = row<mgpu::Resource>(table, i);
    if (r.kernel >= file_.kernels_.size() || r.section >= sections_.size() ||
        isTable(sections_[r.section].kind))
      return bad("resource row ", i, " names a kernel or a code section that is not there");
    file_.resources_.push_back(r);
  }
  return {};
}

Status ModuleParser::globals() {
  mgpu::Section table{};
  uint64_t count = 0;
  if (auto s = tableRows(mgpu::SectionKind::Globals, sizeof(mgpu::Global), table, count); !s)
    return s;
  for (uint64_t i = 0; i < count; ++i)
    if (auto s = global(i, row<mgpu::Global>(table, i)); !s)
      return s;
  return {};
}

Status ModuleParser::global(uint64_t index, const mgpu::Global &g) {
  ModuleGlobal out{};
  if (!name(g.key, out.key) || !name(g.symbol, out.symbol) || !name(g.typeName, out.typeName) ||
      !name(g.elementName, out.elementName) || out.key.empty() || out.symbol.empty())
    return bad("the key, symbol or type of static ", index, " is no valid string");
  if (!globalKeys_.insert(out.key).second)
    return bad("two statics are named `", out.key, "`");
  if (!isAlignment(g.align) || g.size == 0 || g.size > kMaxFile)
    return bad("static `", out.key, "`: no static has ", g.size, " bytes aligned to ", g.align);
  if (g.elementSize != 0 && g.size % g.elementSize != 0)
    return bad("static `", out.key, "`: its size is no multiple of its elements'");
  if ((g.elementSize == 0) != out.elementName.empty())
    return bad("static `", out.key, "`: its elements have a size without a name, or the reverse");
  out.size = g.size;
  out.align = g.align;
  out.elementSize = g.elementSize;
  out.isConstant = (g.flags & mgpu::kConstant) != 0;
  file_.globals_.push_back(out);
  return {};
}

ModulePlace ModuleFile::place(uint32_t index) const {
  if (index == 0 || index >= places_.size())
    return {mgpu::PlaceKind::Unknown, 0, 0, {}, {}, {}};
  return places_[index];
}

Result<ModuleFile> ModuleFile::parse(std::vector<std::byte> bytes, std::string_view name) {
  ModuleFile file;
  file.name_ = name;
  file.bytes_ = std::move(bytes);
  if (auto status = ModuleParser(file).run(); !status)
    return status.error();
  return file;
}

static Error ioError(const std::string &path, const char *what) {
  Error error = fail(ErrorCode::Io, "`", path, "`: ", what, ": ", std::strerror(errno));
  error.backendCode = errno;
  return error;
}

Result<ModuleFile> ModuleFile::read(const std::string &path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return ioError(path, "cannot open");
  struct stat status{};
  if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
      static_cast<uint64_t>(status.st_size) > kMaxFile) {
    close(fd);
    return fail(ErrorCode::Io, "`", path, "`: not a regular file of at most 4 GiB");
  }
  std::vector<std::byte> bytes(static_cast<size_t>(status.st_size));
  size_t got = 0;
  while (got < bytes.size()) {
    ssize_t n = ::read(fd, bytes.data() + got, bytes.size() - got);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      break;
    got += static_cast<size_t>(n);
  }
  close(fd);
  bytes.resize(got);
  return parse(std::move(bytes), path);
}

} // namespace mirgpu::runtime
