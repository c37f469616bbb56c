// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order and scope of every atomic operation in the code for each GPU. The PTX expected here is
// written from the published mapping of C++ atomics to PTX ("Atomics ABI"): one row an order, <s>
// the scope.
//            relaxed         acquire        release         acq_rel         seq_cst
//   load     ld.relaxed.s    ld.acquire.s                                   fence.sc.s;
//   ld.acquire.s store    st.relaxed.s                   st.release.s fence.sc.s; st.release.s
//   update   atom.relaxed.s  atom.acquire.s atom.release.s  atom.acq_rel.s  fence.sc.s;
//   atom.acquire.s fence                    fence.acq_rel.s (all three) fence.sc.s
// The strengthening of the seq_cst store from relaxed to release is allowed there.
#include "neutral.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirgpu;
using namespace neutral;
using codegen::EmitKind;
using codegen::EmitOptions;

namespace {
struct Scope {
  const char *nvptx, *ptx, *amdgpu;
};
constexpr Scope kScopes[] = {
    {"block", "cta", "workgroup"}, {"device", "gpu", "agent"}, {"", "sys", ""}};
constexpr const char *kOrders[] = {"monotonic", "acquire", "release", "acq_rel", "seq_cst"};

/// PTX's word for an order; seq_cst is an acquire behind a fence.
std::string semantics(const std::string &order) {
  return order == "monotonic" ? "relaxed" : order == "seq_cst" ? "acquire" : order;
}

/// The lines of `code` that are atomic, fence or are named by `more`, without operands.
std::vector<std::string> atomicLines(llvm::StringRef code) {
  std::vector<std::string> lines;
  for (llvm::StringRef rest = code; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    llvm::StringRef word = line.trim().split(' ').first.split('\t').first;
    word.consume_back(";");
    bool isOne = word.starts_with("atom.") || word.starts_with("fence.") ||
                 word.contains(".relaxed.") || word.contains(".acquire.") ||
                 word.contains(".release.");
    if (isOne)
      lines.push_back(word.str());
  }
  return lines;
}

/// The body as one kernel of a global pointer `p`.
std::string codeOf(const std::string &body, const char *target, EmitKind kind = EmitKind::Code,
                   unsigned level = 3) {
  llvm::LLVMContext context;
  lowering::LoweredModule lowered;
  lowered.module = parse(context, spec(target),
                         "define internal void @mirgpu.kernel.k(ptr %p, ptr %out, ptr %context) "
                         "#0 {\n" +
                             body + "\nret void\n}\nattributes #0 = { convergent nounwind }\n");
  lowered.kernels.push_back(kernel("k", {param("p", mgpu::ParamKind::Pointer, 8, 8),
                                         param("out", mgpu::ParamKind::Pointer, 8, 8)}));
  EmitOptions options;
  options.optLevel = level;
  return emit(lowered, spec(target), kind, options).bytes;
}

std::string scoped(const char *scope) {
  return *scope ? " syncscope(\"" + std::string(scope) + "\")" : "";
}

/// What stands before an operation of this order.
std::vector<std::string> behindFence(const std::string &order, const Scope &scope,
                                     const std::string &line) {
  if (order == "seq_cst")
    return {"fence.sc." + std::string(scope.ptx), line};
  return {line};
}
} // namespace

TEST_CASE("PTX: every update with every order and scope") {
  struct Update {
    const char *ir, *type, *ptx;
  };
  static constexpr Update updates[] = {
      {"xchg", "i32", "exch.b32"},  {"add", "i32", "add.u32"},     {"sub", "i32", "add.u32"},
      {"and", "i32", "and.b32"},    {"or", "i32", "or.b32"},       {"xor", "i32", "xor.b32"},
      {"max", "i32", "max.s32"},    {"min", "i32", "min.s32"},     {"umax", "i32", "max.u32"},
      {"umin", "i32", "min.u32"},   {"xchg", "i64", "exch.b64"},   {"add", "i64", "add.u64"},
      {"sub", "i64", "add.u64"},    {"and", "i64", "and.b64"},     {"or", "i64", "or.b64"},
      {"xor", "i64", "xor.b64"},    {"max", "i64", "max.s64"},     {"min", "i64", "min.s64"},
      {"umax", "i64", "max.u64"},   {"umin", "i64", "min.u64"},    {"xchg", "ptr", "exch.b64"},
      {"fadd", "float", "add.f32"}, {"fadd", "double", "add.f64"}, {"or", "i8", "or.b32"},
      {"and", "i16", "and.b32"},    {"xor", "i8", "xor.b32"},
  };
  // All operations of one order and scope in one kernel.
  for (const Scope &scope : kScopes)
    for (std::string order : kOrders) {
      CAPTURE(order);
      CAPTURE(scope.ptx);
      std::string body;
      std::vector<std::string> expected;
      for (const auto &[i, update] : llvm::enumerate(updates)) {
        std::string type = update.type;
        std::string operand = type == "ptr"                         ? "%out"
                              : type == "float" || type == "double" ? "1.5"
                                                                    : "3";
        body += llvm::formatv("%v{0} = atomicrmw {1} ptr %p, {2} {3}{4} {5}\n", i, update.ir, type,
                              operand, scoped(scope.nvptx), order)
                    .str();
        body += llvm::formatv("store volatile {0} %v{1}, ptr %out\n", type, i).str();
        std::string line = "atom." + semantics(order) + "." + scope.ptx + ".global." + update.ptx;
        for (const std::string &one : behindFence(order, scope, line))
          expected.push_back(one);
      }
      std::string ptx = codeOf(body, "sm_80");
      CAPTURE(ptx);
      CHECK(llvm::join(atomicLines(ptx), "\n") == llvm::join(expected, "\n"));
    }
}

TEST_CASE("PTX: an emulated update starts with a relaxed load of the scope and exchanges") {
  for (const Scope &scope : kScopes)
    for (std::string order : kOrders)
      for (std::string operation : {"nand i32", "add i8", "fmax float", "umin i16", "xchg i8"}) {
        CAPTURE(order);
        CAPTURE(scope.ptx);
        CAPTURE(operation);
        auto [op, type] = llvm::StringRef(operation).split(' ');
        std::string body = llvm::formatv("%v = atomicrmw {0} ptr %p, {1} {2}{3} {4}\n", op, type,
                                         type == "float" ? "1.5" : "3", scoped(scope.nvptx), order)
                               .str();
        std::string ptx = codeOf(body, "sm_80");
        CAPTURE(ptx);
        std::vector<std::string> lines = atomicLines(ptx);
        REQUIRE(lines.size() >= 2);
        CHECK(lines[0].starts_with("ld.relaxed." + std::string(scope.ptx) + ".global."));
        CHECK(lines.back() == "atom." + semantics(order) + "." + scope.ptx + ".global.cas.b32");
        bool isFenced = contains(ptx, "fence.sc." + std::string(scope.ptx));
        CHECK(isFenced == (order == "seq_cst"));
        CHECK_FALSE(contains(ptx, "ld.global.b16")); // a weak load would race
        CHECK_FALSE(contains(ptx, "ld.global.b32"));
      }
}

TEST_CASE("PTX: an exchange has the join of its orders") {
  struct Pair {
    const char *success, *failure, *joined;
  };
  static constexpr Pair pairs[] = {
      {"monotonic", "monotonic", "monotonic"}, {"monotonic", "acquire", "acquire"},
      {"monotonic", "seq_cst", "seq_cst"},     {"acquire", "monotonic", "acquire"},
      {"acquire", "acquire", "acquire"},       {"acquire", "seq_cst", "seq_cst"},
      {"release", "monotonic", "release"},     {"release", "acquire", "acq_rel"},
      {"release", "seq_cst", "seq_cst"},       {"acq_rel", "monotonic", "acq_rel"},
      {"acq_rel", "acquire", "acq_rel"},       {"acq_rel", "seq_cst", "seq_cst"},
      {"seq_cst", "monotonic", "seq_cst"},     {"seq_cst", "acquire", "seq_cst"},
      {"seq_cst", "seq_cst", "seq_cst"}};
  for (const Scope &scope : kScopes)
    for (const Pair &pair : pairs)
      for (unsigned bits : {8u, 16u, 32u, 64u}) {
        CAPTURE(pair.success);
        CAPTURE(pair.failure);
        CAPTURE(scope.ptx);
        CAPTURE(bits);
        std::string ptx =
            codeOf(llvm::formatv("%v = cmpxchg ptr %p, i{0} 1, i{0} 2{1} {2} {3}\n", bits,
                                 scoped(scope.nvptx), pair.success, pair.failure)
                       .str(),
                   "sm_80");
        CAPTURE(ptx);
        std::string line = llvm::formatv("atom.{0}.{1}.global.cas.b{2}", semantics(pair.joined),
                                         scope.ptx, std::max(bits, 32u))
                               .str();
        std::vector<std::string> expected = behindFence(pair.joined, scope, line);
        if (bits < 32)
          expected.insert(expected.begin(), "ld.relaxed." + std::string(scope.ptx) + ".global.b32");
        CHECK(llvm::join(atomicLines(ptx), "\n") == llvm::join(expected, "\n"));
      }
}

TEST_CASE("PTX: loads, stores and fences of every order, scope and width") {
  for (const Scope &scope : kScopes)
    for (std::string order : kOrders) {
      CAPTURE(order);
      CAPTURE(scope.ptx);
      std::string tag = scoped(scope.nvptx), where = std::string(".") + scope.ptx;
      for (unsigned bits : {8u, 16u, 32u, 64u}) {
        std::string width = ".global.b" + std::to_string(bits);
        if (order != "release" && order != "acq_rel") {
          std::string ptx = codeOf(llvm::formatv("%v = load atomic i{0}, ptr %p{1} {2}, align {3}\n"
                                                 "store volatile i{0} %v, ptr %out\n",
                                                 bits, tag, order, bits / 8)
                                       .str(),
                                   "sm_80");
          std::string line = "ld." + semantics(order) + where + width;
          CHECK(llvm::join(atomicLines(ptx), "\n") ==
                llvm::join(behindFence(order, scope, line), "\n"));
        }
        if (order != "acquire" && order != "acq_rel") {
          std::string ptx = codeOf(llvm::formatv("store atomic i{0} 1, ptr %p{1} {2}, align {3}\n",
                                                 bits, tag, order, bits / 8)
                                       .str(),
                                   "sm_80");
          std::string word = order == "seq_cst" ? "release" : semantics(order);
          CHECK(llvm::join(atomicLines(ptx), "\n") ==
                llvm::join(behindFence(order, scope, "st." + word + where + width), "\n"));
        }
      }
      if (order != "monotonic") {
        std::string ptx = codeOf("fence" + tag + " " + order + "\n", "sm_80");
        CHECK(llvm::join(atomicLines(ptx), "\n") ==
              (order == "seq_cst" ? "fence.sc" : "fence.acq_rel") + where);
      }
    }
}

// GCN, from LLVM's AMDGPU memory model ("Memory Model gfx90a", "gfx10-gfx11"): what a release
// writes back before the operation and an acquire invalidates after it, by scope. A release of a
// smaller scope than the system waits alone.
namespace {
struct Caches {
  const char *target;
  std::vector<std::string> release[3], acquire[3]; // workgroup, agent, system
};

const Caches kCaches[] = {
    {"gfx90a",
     {{}, {}, {"buffer_wbl2"}},
     {{}, {"buffer_wbinvl1_vol"}, {"buffer_invl2", "buffer_wbinvl1_vol"}}},
    {"gfx1100",
     {{}, {}, {}},
     {{"buffer_gl0_inv"},
      {"buffer_gl1_inv", "buffer_gl0_inv"},
      {"buffer_gl1_inv", "buffer_gl0_inv"}}},
};

/// Cache operations of the code, in order, with the operation itself as `*`.
std::string cacheLines(llvm::StringRef code) {
  std::vector<std::string> lines;
  for (llvm::StringRef rest = code; !rest.empty();) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    llvm::StringRef word = line.trim().split(' ').first.split('\t').first;
    if (word.starts_with("buffer_") && (word.contains("inv") || word.contains("wb")))
      lines.push_back(word.str());
    else if (word.starts_with("global_") || word.starts_with("flat_"))
      lines.push_back("*");
  }
  return llvm::join(lines, " ");
}
} // namespace

TEST_CASE("GCN: operations write back and invalidate the caches of their scope") {
  struct Operation {
    const char *ir;
    bool acquires, releases;
  };
  static constexpr Operation operations[] = {
      {"%v = atomicrmw add ptr %p, i32 1{0} {1}, align 4", true, true},
      {"%v = atomicrmw umax ptr %p, i64 1{0} {1}, align 8", true, true},
      {"%v = cmpxchg ptr %p, i32 1, i32 2{0} {1} monotonic, align 4", true, true},
      {"%v = load atomic i32, ptr %p{0} {1}, align 4", true, false},
      {"store atomic i32 1, ptr %p{0} {1}, align 4", false, true},
      {"fence{0} {1}", true, true},
  };
  for (const Caches &caches : kCaches)
    for (size_t scope = 0; scope < 3; ++scope)
      for (std::string order : kOrders)
        for (const Operation &operation : operations) {
          bool isAcquire = order == "acquire" || order == "acq_rel" || order == "seq_cst";
          bool isRelease = order == "release" || order == "acq_rel" || order == "seq_cst";
          bool isFence = llvm::StringRef(operation.ir).starts_with("fence");
          bool isValid = order == "seq_cst" || order == "monotonic" ||
                         (operation.acquires && operation.releases) ||
                         (order == "acquire" && operation.acquires) ||
                         (order == "release" && operation.releases);
          if (!isValid || (isFence && order == "monotonic"))
            continue;
          CAPTURE(caches.target);
          CAPTURE(kScopes[scope].amdgpu);
          CAPTURE(order);
          CAPTURE(operation.ir);
          std::string body =
              llvm::formatv(operation.ir, scoped(kScopes[scope].amdgpu), order).str() + "\n";
          std::string code = codeOf(body, caches.target, EmitKind::Assembly);
          CAPTURE(code);
          std::vector<std::string> expected;
          if (isRelease && operation.releases)
            expected = caches.release[scope];
          if (!isFence)
            expected.push_back("*");
          if (isAcquire && operation.acquires)
            llvm::append_range(expected, caches.acquire[scope]);
          CHECK(cacheLines(code) == llvm::join(expected, " "));
        }
}

TEST_CASE("AMD: an atomic that may be on a lane's own memory is tested for it where it has to be") {
  // Flat atomics of 64 bits are not defined on scratch. A known variable is plain once addresses
  // are inferred.
  const std::string own = "%a = alloca i64, align 8, addrspace(5)\n"
                          "%g = addrspacecast ptr addrspace(5) %a to ptr\n"
                          "store i64 0, ptr %g\n";
  const std::string either = own + "%c = load volatile i1, ptr %out\n"
                                   "%q = select i1 %c, ptr %g, ptr %p\n";
  const std::string use = "%w = load volatile i64, ptr %g\nstore volatile i64 %w, ptr %out";
  for (const char *target : {"gfx90a", "gfx942", "gfx1100", "gfx1201"}) {
    CAPTURE(target);
    CHECK_FALSE(contains(codeOf(own + "%v = atomicrmw add ptr %g, i64 1 seq_cst\n" + use, target,
                                EmitKind::Assembly),
                         "atomic_add"));
    for (unsigned level : {0u, 3u})
      for (const char *update : {"%v = atomicrmw add ptr %q, i64 1 monotonic\n",
                                 "%v = atomicrmw fadd ptr %q, double 1.0 monotonic\n",
                                 "%v = cmpxchg ptr %q, i64 0, i64 1 acq_rel monotonic\n"}) {
        CAPTURE(level);
        CAPTURE(update);
        std::string code = codeOf(either + update + use, target, EmitKind::Assembly, level);
        CAPTURE(code);
        CHECK(contains(code, "src_private_base"));
        CHECK(contains(code, "atomic_"));
      }
  }
}
