# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev fmt`: clang-format on C++, rustfmt on our Rust crates where it is installed."""
import shutil

from . import base, lint, toolchain


def add_arguments(parser):
    del parser


def run(arguments):
    del arguments
    base.run([toolchain.llvm_tool("clang-format"), "-i", *lint.all_sources((".cpp", ".h", ".hpp"))])
    if shutil.which("rustfmt"):
        files = [p for folder in ("rust", "exporter") for p in sorted((base.ROOT / folder).rglob("*.rs")) if "target" not in p.parts]
        base.run(["rustfmt", "--edition", "2024", "--config-path", base.ROOT / "rust", *files], check=False)
    else:
        base.say("rustfmt is not installed: Rust sources are left as they are")
    return 0
