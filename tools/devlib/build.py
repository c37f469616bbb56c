# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev build [--preset P] [TARGET…]`: configures once, then builds. A second run finds nothing to do."""
import os
import pathlib

from . import base, packages, sleef, toolchain

# Presets that build the unit tests; the others build the product alone.
WITH_TESTS = {"ci", "debug", "asan", "coverage", "gcc"}


def add_arguments(parser):
    parser.add_argument("--preset", default="release", help="of CMakePresets.json (default release)")
    parser.add_argument("targets", nargs="*", metavar="TARGET")


def run(arguments):
    packages.setup(minimal=arguments.preset not in WITH_TESTS)
    folder = build(arguments.preset, arguments.targets)
    base.say(f"built: {folder}/bin/mirgpu")
    return 0


def folder_of(preset):
    """Where a preset is built; $MIRGPU_BUILD_ROOT moves all of them."""
    root = os.environ.get("MIRGPU_BUILD_ROOT")
    return (pathlib.Path(root) if root else base.ROOT / "build") / preset


def configure(preset):
    folder = folder_of(preset)
    rules = folder / "build.ninja"
    if rules.exists() and (not sleef.is_there() or "host_math.bc" in rules.read_text(encoding="utf-8")):
        return folder  # ninja itself configures again when a CMake file is newer
    command = ["cmake", "--preset", preset, "-B", folder, f"-DMIRGPU_TESTS={'ON' if preset in WITH_TESTS else 'OFF'}"]
    if preset != "gcc":
        cc, cxx = toolchain.compilers()
        command += [f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}"]
    if os.environ.get("MIRGPU_WERROR"):
        command.append(f"-DMIRGPU_WERROR={os.environ['MIRGPU_WERROR']}")
    if os.environ.get("LLVM_DIR"):
        command.append(f"-DLLVM_DIR={os.environ['LLVM_DIR']}")
    base.run(command, cwd=base.ROOT)
    return folder


def build(preset, targets=()):
    """Configures and builds; returns the build folder."""
    folder = configure(preset)
    command = ["cmake", "--build", folder]
    if targets:
        command += ["--target", *targets]
    base.run(command, cwd=base.ROOT)
    return folder
