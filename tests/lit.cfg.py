# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text tests: every `.rs` below tests/{mir,ptx,gcn,diagnostics,run} that has RUN lines. They read the `.mir.json` beside it (%mir), so
that they need no Rust. Run by `./dev test`, or by hand: lit tests/ptx (with MIRGPU_BUILD naming the build folder, default build/release).

Substitutions: %mirgpu, %mir (the serialized MIR of this test), %FileCheck, %not N CMD (CMD must end with exit code N), %ptxas, %readelf.
Features: ptxas, exporter, rustc.
"""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
from devlib import rust, toolchain  # noqa: E402
from devlib.lit_format import RustTest  # noqa: E402

build = pathlib.Path(os.environ.get("MIRGPU_BUILD", ROOT / "build/release")).resolve()


config.name = "mirgpu"
config.test_format = RustTest(execute_external=False)
config.suffixes = [".rs"]
config.excludes = ["export", "rust", "unit", "mutations", "differential", "conformance", "Inputs"]
config.test_source_root = str(ROOT / "tests")
config.test_exec_root = str(build / "lit")
config.environment["MIRGPU_NO_COLOR"] = "1"
for name in ("HOME", "XDG_CACHE_HOME", "MIRGPU_CACHE", "MIRGPU_EXPORTER", "ASAN_OPTIONS", "TSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

config.substitutions += [
    (r"%mirgpu\b", str(build / "bin/mirgpu")),
    (r"%FileCheck\b", f"{toolchain.llvm_tool('FileCheck')} --dump-input-context=12"),
    (r"%not\b", f"sh {ROOT}/tests/expect_exit.sh"),
    (r"%readelf\b", str(toolchain.llvm_tool("llvm-readelf"))),
]
if toolchain.ptxas():
    config.available_features.add("ptxas")
    config.environment["MIRGPU_PTXAS"] = str(toolchain.ptxas())
config.substitutions.append((r"%ptxas\b", str(toolchain.ptxas() or "ptxas-was-not-found")))
if (rust.cache_root() / "exporter/current.json").exists() or os.environ.get("MIRGPU_EXPORTER"):
    config.available_features.add("exporter")
try:
    config.environment["MIRGPU_RUSTC"] = rust.find_rustc()[0]
    config.available_features.add("rustc")
except rust.NoRustc:
    pass
