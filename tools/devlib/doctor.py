# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev doctor`: the tools that the verbs use, found or not. What mirgpu itself finds is `mirgpu doctor`."""
import shutil

from . import base, packages, rust, sleef, toolchain


def add_arguments(parser):
    del parser


def run(arguments):
    del arguments
    rows = [("LLVM 22", toolchain.llvm_bindir(), "./dev setup, or LLVM_DIR=<root>/lib/cmake/llvm"),
            ("ptxas", toolchain.ptxas(), "./dev setup, or MIRGPU_PTXAS"),
            ("libdevice", toolchain.libdevice(), "./dev setup, or MIRGPU_LIBDEVICE"), ("OCML", toolchain.ocml(), "./dev setup, or MIRGPU_OCML"),
            ("SLEEF", sleef.folder() if sleef.is_there() else None, "./dev setup, or MIRGPU_SLEEF"),
            ("cmake", shutil.which("cmake"), "./dev setup"), ("ninja", shutil.which("ninja"), "./dev setup")]
    try:
        rows.append(("rustc 1.96.0", rust.find_rustc()[0], ""))
    except rust.NoRustc as problem:
        rows.append(("rustc 1.96.0", None, str(problem)))
    for name, found, how in rows:
        print(f"  {'ok' if found else 'missing':8} {name:14} {found or how}")
    missing = packages.missing_packages(packages.LLVM + packages.BUILD + packages.MATH + packages.TEST_LLVM + packages.TEST)
    print(f"  {'ok' if not missing else 'missing':8} {'packages':14} {' '.join(missing) or 'all installed'}")
    print(f"  {'':8} {'cache root':14} {rust.cache_root()}")
    mirgpu = base.ROOT / "build/release/bin/mirgpu"
    if mirgpu.exists():
        base.run([mirgpu, "doctor"], env=toolchain.environment())
    return 0
