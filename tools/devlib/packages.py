# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev setup`: Debian packages by apt and ptxas by pip. A package is never removed: apt is asked to simulate first. Without root it says
which packages to ask for, and accepts an LLVM in a user's folder (LLVM_DIR, CMAKE_PREFIX_PATH) and a folder of wheels (MIRGPU_WHEELS)."""
import os
import shutil
import subprocess

from . import base, rust, sleef, toolchain

LLVM = ["llvm-22-dev", "clang-22", "liblld-22-dev"]
BUILD = ["cmake", "ninja-build", "python3", "python3-venv", "libsimdjson-dev", "libboost-dev", "libboost-context-dev", "libboost-filesystem-dev",
         "zlib1g-dev", "libzstd-dev"]
MATH = ["rocm-device-libs"]  # what else the math functions need is a wheel and a crate
TEST_LLVM = ["llvm-22-tools", "lld-22", "libclang-rt-22-dev", "clang-format-22", "clang-tidy-22"]
TEST = ["doctest-dev", "libbenchmark-dev", "libomp-22-dev", "libmpfr-dev", "git", "patch"]
EXPORTER = ["rustc-web", "cargo-web", "libstd-rust-web-dev", "rust-web-src"]


def add_arguments(parser):
    parser.add_argument("--minimal", action="store_true", help="only what ./dev build and ./dev demo need")


def run(arguments):
    setup(minimal=arguments.minimal)
    base.say("setup: complete")
    return 0


def missing_packages(wanted):
    """Those of `wanted` that dpkg does not know as installed."""
    if not shutil.which("dpkg-query"):
        return list(wanted)
    shown = subprocess.run(["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\n", *wanted], capture_output=True, text=True, check=False).stdout
    installed = {line.split()[0] for line in shown.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def install_command(names):
    return ["apt-get", "install", "-y", "--no-install-recommends", *names]


def simulate(names):
    """(whether apt can do it, what it would remove, what it said)."""
    done = subprocess.run(["apt-get", "-s", "install", "--no-install-recommends", *names], capture_output=True, text=True, check=False,
                          env=dict(os.environ, LC_ALL="C"))
    removed = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("Remv ")]
    return done.returncode == 0, removed, (done.stderr or done.stdout).strip()


def apt_install(names, what):
    """Installs `names`, or raises Failed with what to ask for."""
    ask = " ".join(install_command(names))
    if not shutil.which("apt-get"):
        raise base.Failed(f"{what} needs what these Debian 12 packages hold: {' '.join(names)}")
    if os.geteuid() != 0:
        raise base.Failed(f"{what} needs packages that are not installed; ask an administrator to run:\n  {ask}\n"
                          "  or name an LLVM 22 of your own with LLVM_DIR=<root>/lib/cmake/llvm")
    possible, removed, said = simulate(names)
    if not possible:
        base.run(["apt-get", "update"], check=False)
        possible, removed, said = simulate(names)
    if not possible:
        raise base.Failed(f"apt cannot install {' '.join(names)}:\n{said}")
    if removed:
        raise base.Failed(f"installing {' '.join(names)} would remove {' '.join(removed)}; that is left to you:\n  {ask}")
    base.run(install_command(names), env=dict(os.environ, DEBIAN_FRONTEND="noninteractive"), note=what)


def setup(minimal):
    """Whatever building (and unless `minimal` testing) needs; nothing if it is there."""
    own_llvm = toolchain.llvm_from_user() is not None
    wanted = BUILD + MATH + ([] if own_llvm else LLVM)
    if not minimal:
        wanted = wanted + TEST + ([] if own_llvm else TEST_LLVM)
    missing = missing_packages(wanted)
    if missing:
        apt_install(missing, "building mirgpu" if minimal else "building and testing mirgpu")
        toolchain.llvm_bindir.cache_clear()
    toolchain.make_venv()
    for found in (toolchain.ptxas, toolchain.libdevice, toolchain.ocml):
        found.cache_clear()
    toolchain.note_libraries()
    setup_math()


def setup_math():
    """SLEEF's sources, for math functions on the CPU; a failure leaves mirgpu without them, and it says so."""
    why = sleef.fetch()
    if why and not list(sleef.cargos()):
        try:
            apt_install(["cargo-web"], "fetching SLEEF's sources")
            why = sleef.fetch()
        except base.Failed as problem:
            why = str(problem)
    if why:
        base.say(f"warning: kernels for the CPU will have no math functions: {why}\n  name SLEEF 3.3's sources with MIRGPU_SLEEF")


def setup_exporter():
    """rustc 1.96.0 with its sources. Returns None, or why there is none."""
    try:
        rust.find_rustc()
        return None
    except rust.NoRustc as problem:
        why = str(problem)
    missing = missing_packages(EXPORTER)
    if not missing:
        return why
    try:
        apt_install(missing, "building the exporter")
        rust.find_rustc()
        return None
    except (base.Failed, rust.NoRustc) as problem:
        return str(problem)
