// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Listings: which line heads which instructions, the calls behind them, lines that come back, and
// sources that are not there. The PTX is written by hand as LLVM writes it.
#include "driver/listing.h"

#include "llvm/Support/FileSystem.h"

#include <doctest/doctest.h>

using namespace mirgpu::driver;

namespace {

/// Sources with `lib.rs` of four lines.
struct Folder {
  llvm::SmallString<128> path;
  Sources sources;
  Folder() {
    REQUIRE_FALSE(llvm::sys::fs::createUniqueDirectory("mirgpu-listing", path));
    std::error_code error;
    llvm::raw_fd_ostream file((path + "/lib.rs").str(), error);
    REQUIRE_FALSE(error);
    file << "fn kernel() {\n    let i = index();\n    out[i] = 1;\n}\n";
    sources.addFolder(path.str().str());
  }
  ~Folder() { (void)llvm::sys::fs::remove_directories(path); }
};

std::string listed(const char *ptx, const char *kernel = "") {
  Folder folder;
  std::string text;
  llvm::raw_string_ostream out(text);
  Listing listing(folder.sources, out);
  listPtx(ptx, kernel, listing);
  listing.finish();
  return text;
}

constexpr char kPtx[] = R"(.version 7.8
	// .globl	k
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .b32 	%r<4>;
$L__func_begin0:
	.loc	1 1 0                           // lib.rs:1:0
	ld.param.b64 	%rd1, [k_param_0];
$L__tmp0:
	.loc	2 216 29                        // thread.rs:216:29 @[ lib.rs:2:13 @[ lib.rs:1 @[ lib.rs:1 ] ] ]
	mov.u32 	%r1, %ctaid.x;
	.loc	3 7 1                           // mod.rs:7:1 @[ thread.rs:216:22 @[ lib.rs:2:13 @[ lib.rs:1 ] ] ]
	add.s32 	%r2, %r1, 1;
	.loc	1 3 5                           // lib.rs:3:5 @[ lib.rs:1 ]
	@%p1 bra 	$L__BB0_1;
	.loc	1 0 5                           // lib.rs:0:5
	// begin inline asm
	{
	bar.sync 0;
	}
	// end inline asm
$L__BB0_1:                              // %bb.1
	.loc	1 2 13                          // lib.rs:2:13 @[ lib.rs:1 ]
	mov.u32 	%r3, 7;
	ret;
$L__tmp1:
$L__func_end0:

}
.visible .entry other()
{
	.loc	1 3 5
	ret;
}
	.file	1 "lib.rs"
	.file	2 "<mirgpu>/src/thread.rs"
	.file	3 "<rust-src>/core/num/mod.rs"
	.file	4 "<rust-src>/core/str/mod.rs"
	.section	.debug_macinfo	{	}
)";

} // namespace

TEST_CASE("listing: each Rust line stands once above its code, calls behind it") {
  CHECK(listed(kPtx, "k") == R"(
.visible .entry k(
	.param .u64 k_param_0
)
{
        .reg .b32 	%r<4>;
  lib.rs:1 | fn kernel() {
        ld.param.b64  %rd1, [k_param_0];
  lib.rs:2 | let i = index();
        mov.u32  %r1, %ctaid.x;                             ; thread.rs:216
        add.s32  %r2, %r1, 1;                               ; mod.rs:7 < thread.rs:216
  lib.rs:3 | out[i] = 1;
        @%p1 bra  $L__BB0_1;
{
        bar.sync 0;
}
$L__BB0_1:
  lib.rs:2
        mov.u32  %r3, 7;
        ret;
}
)");
}

TEST_CASE("listing: without the calls the innermost line is the heading, sources may be missing") {
  std::string ptx = kPtx;
  for (size_t at; (at = ptx.find("// ")) != std::string::npos;)
    ptx.erase(at, ptx.find('\n', at) - at);
  std::string text = listed(ptx.c_str(), "k");
  CHECK(text.find("  <mirgpu>/src/thread.rs:216\n        mov.u32  %r1, %ctaid.x;\n") !=
        std::string::npos);
  CHECK(text.ends_with("\n; sources that are not on this machine: <mirgpu>/src/thread.rs, "
                       "<rust-src>/core/num/mod.rs\n"));
  CHECK(listed(kPtx).find(".visible .entry other()") != std::string::npos);
  CHECK(listed(kPtx, "other").find("%ctaid") == std::string::npos);
}

TEST_CASE("listing: damaged places do no harm") {
  for (const char *place :
       {".loc", ".loc 9 1 1", ".loc x y z", ".loc 1 2", ".loc 1 2 3 // a @[ ] @[",
        ".loc 1 99999 1 // lib.rs:99999:1 @[ lib.rs:x:y ]"}) {
    std::string ptx = std::string(".visible .entry k()\n{\n\t") + place +
                      "\n\tret;\n}\n\t.file 1 \"lib.rs\"\n\t.file\n";
    CAPTURE(place);
    CHECK(listed(ptx.c_str()).find("        ret;\n") != std::string::npos);
  }
}
