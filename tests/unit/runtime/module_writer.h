// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes small `.mgpu` files for tests of the runtime, straight from support/mgpu_format.h and
// independent of codegen's writer. Checksums are right unless a test spoils them.
#pragma once

#include "support/mgpu_format.h"

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace mirgpu::test {

struct ModuleWriter {
  std::string strings;
  std::vector<mgpu::Kernel> kernels;
  std::vector<mgpu::Param> params;
  std::vector<mgpu::Place> places{mgpu::Place{}};
  std::vector<mgpu::Resource> resources;
  std::vector<mgpu::Global> globals;
  struct Code {
    mgpu::SectionKind kind;
    std::string target, bytes;
  };
  std::vector<Code> codes;

  mgpu::StringRef string(std::string_view text) {
    mgpu::StringRef ref{static_cast<uint32_t>(strings.size()), static_cast<uint32_t>(text.size())};
    strings += text;
    return ref;
  }

  /// Begins a kernel; `param` and the like add to it.
  mgpu::Kernel &kernel(std::string_view entry) {
    mgpu::Kernel k{};
    k.key = string("tests::" + std::string(entry));
    k.entry = string(entry);
    k.firstParam = static_cast<uint32_t>(params.size());
    k.file = string("src/lib.rs");
    k.line = 7;
    kernels.push_back(k);
    return kernels.back();
  }

  mgpu::Param &param(std::string_view name, std::string_view type, mgpu::ParamKind kind,
                     uint64_t size, uint32_t align) {
    mgpu::Param p{};
    p.name = string(name);
    p.typeName = string(type);
    p.kind = kind;
    p.size = size;
    p.align = align;
    params.push_back(p);
    ++kernels.back().paramCount;
    return params.back();
  }
  void scalar(std::string_view name, std::string_view type, uint64_t size) {
    param(name, type, mgpu::ParamKind::Scalar, size, static_cast<uint32_t>(size));
  }
  void slice(std::string_view name, std::string_view element, uint64_t size, mgpu::ParamKind kind) {
    std::string type = kind == mgpu::ParamKind::Slice ? "&[" + std::string(element) + "]"
                       : kind == mgpu::ParamKind::SliceMut
                           ? "&mut [" + std::string(element) + "]"
                           : "DisjointSlice<" + std::string(element) + ">";
    mgpu::Param &p = param(name, type, kind, 16, 8);
    p.elementSize = size;
    p.elementAlign = static_cast<uint32_t>(size);
    p.readOnly = kind == mgpu::ParamKind::Slice;
  }
  void in(std::string_view name, std::string_view element, uint64_t size) {
    slice(name, element, size, mgpu::ParamKind::Slice);
  }
  void out(std::string_view name, std::string_view element, uint64_t size) {
    slice(name, element, size, mgpu::ParamKind::DisjointSlice);
  }
  void launchContext() { param("launch_context", "u64", mgpu::ParamKind::LaunchContext, 8, 8); }

  uint32_t place(mgpu::PlaceKind kind, uint32_t line, uint32_t column, std::string_view text) {
    mgpu::Place p{};
    p.kind = kind;
    p.line = line;
    p.column = column;
    p.file = string("src/lib.rs");
    p.text = string(text);
    p.function = string("tests::f");
    places.push_back(p);
    return static_cast<uint32_t>(places.size() - 1);
  }

  /// A static with the symbol `tests_NAME`.
  mgpu::Global &global(std::string_view name, std::string_view type, std::string_view element,
                       uint64_t size, uint32_t elementSize) {
    mgpu::Global g{};
    g.key = string("tests::" + std::string(name));
    std::string symbol = "tests_" + std::string(name);
    for (size_t at; (at = symbol.find("::")) != std::string::npos;)
      symbol.replace(at, 2, "_");
    g.symbol = string(symbol);
    g.typeName = string(type);
    g.elementName = string(element);
    g.size = size;
    g.align = elementSize ? elementSize : 8;
    g.elementSize = elementSize;
    globals.push_back(g);
    return globals.back();
  }

  void code(mgpu::SectionKind kind, std::string_view target, std::string bytes) {
    codes.push_back({kind, std::string(target), std::move(bytes)});
  }

  std::vector<std::byte> bytes() {
    struct Piece {
      mgpu::SectionKind kind;
      mgpu::StringRef target;
      std::string bytes;
    };
    std::vector<Piece> pieces;
    auto table = [&](mgpu::SectionKind kind, const auto &rows) {
      if (!rows.empty())
        pieces.push_back(
            {kind,
             {},
             {reinterpret_cast<const char *>(rows.data()), rows.size() * sizeof(rows[0])}});
    };
    table(mgpu::SectionKind::Kernels, kernels);
    table(mgpu::SectionKind::Params, params);
    table(mgpu::SectionKind::Places, places);
    table(mgpu::SectionKind::Resources, resources);
    for (const Code &c : codes)
      pieces.push_back({c.kind, string(c.target), c.bytes});
    table(mgpu::SectionKind::Globals, globals);
    pieces.push_back({mgpu::SectionKind::Strings, {}, strings});

    std::string file(sizeof(mgpu::Header) + pieces.size() * sizeof(mgpu::Section), '\0');
    std::vector<mgpu::Section> sections;
    for (const Piece &piece : pieces) {
      file.resize((file.size() + 15) / 16 * 16, '\0');
      sections.push_back(
          {piece.kind, piece.target, 0, file.size(), piece.bytes.size(), checksum(piece.bytes)});
      file += piece.bytes;
    }
    std::memcpy(file.data() + sizeof(mgpu::Header), sections.data(),
                sections.size() * sizeof(mgpu::Section));
    mgpu::Header header{mgpu::kMagic, mgpu::kVersion, static_cast<uint32_t>(sections.size()),
                        file.size(), 0};
    std::memcpy(file.data(), &header, sizeof header);
    seal(file);
    auto first = reinterpret_cast<const std::byte *>(file.data());
    return {first, first + file.size()};
  }

  static uint64_t checksum(std::string_view bytes, uint64_t seed = 0xcbf29ce484222325ull) {
    return mgpu::fnv1a(reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), seed);
  }

  /// Makes the header's and the sections' checksums right again after a change.
  static void seal(std::string &file) {
    mgpu::Header header;
    std::memcpy(&header, file.data(), sizeof header);
    for (uint32_t i = 0; i < header.sectionCount; ++i) {
      size_t at = sizeof header + i * sizeof(mgpu::Section);
      mgpu::Section s;
      if (at + sizeof s > file.size())
        break;
      std::memcpy(&s, file.data() + at, sizeof s);
      if (s.offset > file.size() || s.size > file.size() - s.offset)
        continue;
      s.checksum = checksum(std::string_view(file).substr(s.offset, s.size));
      std::memcpy(file.data() + at, &s, sizeof s);
    }
    header.headerChecksum = 0;
    size_t table =
        std::min<size_t>(file.size() - sizeof header, header.sectionCount * sizeof(mgpu::Section));
    header.headerChecksum =
        checksum(std::string_view(file).substr(sizeof header, table),
                 checksum({reinterpret_cast<const char *>(&header), sizeof header}));
    std::memcpy(file.data(), &header, sizeof header);
  }
};

} // namespace mirgpu::test
