# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compilers that our code is compared with. nvcc, ptxas and nvdisasm come from NVIDIA's wheels, into a private Python environment in the
cache; what they hold is proprietary: installed to measure, never redistributed. rustc's own nvptx64 target is rustc 1.96.0 with its sources."""
import functools
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

from . import base, rust

WHEELS = ["nvidia-cuda-nvcc==13.5.37", "nvidia-nvvm==13.5.37", "nvidia-cuda-crt==13.5.37", "nvidia-cuda-runtime==13.5.37",
          "nvidia-cuda-nvdisasm==13.5.37"]
SOURCES = base.ROOT / "bench/peers"


@functools.cache
def cuda():
    """The folder with bin/ and include/ of the wheels; installs them. Raises Failed."""
    key = hashlib.sha256("\n".join(WHEELS).encode()).hexdigest()[:12]
    folder = rust.cache_root() / "tools" / f"peers-{key}"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        wheels = os.environ.get("MIRGPU_WHEELS")
        source = ["--no-index", "--find-links", wheels] if wheels else []
        base.run([sys.executable, "-m", "venv", folder])
        base.run([folder / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps", *source, *WHEELS],
                 note="nvcc and nvdisasm, from NVIDIA's own wheels")
        (folder / "complete").touch()
    found = next(iter(sorted(folder.glob("lib/python*/site-packages/nvidia/*/bin/nvcc"))), None)
    if not found:
        raise base.Failed(f"the wheels {', '.join(WHEELS)} hold no nvcc")
    return found.parents[1]


def nvcc(source, sm, ptx, fmad):
    """CUDA C++ to PTX."""
    flags = [] if fmad else ["-fmad=false"]
    base.run([cuda() / "bin/nvcc", "-ptx", "-O3", "-std=c++17", *flags, f"-arch=sm_{sm}", f"-I{cuda() / 'include'}", source, "-o", ptx], quiet=True)


def assemble(ptx, sm, relocatable=False):
    """PTX to a cubin beside it, by one ptxas for all; gives (cubin, {entry: {registers, local}}). `local` is the stack frame in bytes. What
    rustc's target calls of core is not in its PTX: that is left relocatable."""
    cubin = ptx.with_suffix(".cubin")
    done = subprocess.run([str(cuda() / "bin/ptxas"), "-v", "-O3", *(["-c"] if relocatable else []), f"-arch=sm_{sm}", str(ptx), "-o", str(cubin)], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise base.Failed(f"ptxas refuses {ptx}:\n{done.stderr}")
    uses, current = {}, None
    for line in done.stderr.splitlines():
        if entry := re.search(r"Compiling entry function '([^']+)'", line):
            current = uses.setdefault(entry[1], {"registers": 0, "local": 0})
        elif current is not None:
            if frame := re.search(r"(\d+) bytes stack frame", line):
                current["local"] = max(current["local"], int(frame[1]))
            if used := re.search(r"Used (\d+) registers", line):
                current["registers"] = int(used[1])
    return cubin, uses


def rustc_nvptx():
    """The PTX that rustc's own target makes of bench/peers/rustc, for sm_80 and newer, one file; None where this rustc cannot. Its core stays
    in the cache."""
    try:
        rustc = rust.find_rustc()[0]
    except rust.NoRustc as problem:
        base.say(f"rustc's nvptx64 is left out: {problem}")
        return None
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTFLAGS", "RUSTC_WRAPPER", "RUSTUP_TOOLCHAIN")}
    folder = rust.cache_root() / "tools/peers-rustc"
    env.update(RUSTC=rustc, RUSTC_BOOTSTRAP="1", CARGO_TARGET_DIR=str(folder))
    done = base.run([rust.find_cargo(rustc), "rustc", "--release", "-Zbuild-std=core", "--target=nvptx64-nvidia-cuda",
                     f"--manifest-path={SOURCES / 'rustc/Cargo.toml'}", "--", "--emit=asm", "-Ctarget-cpu=sm_80"], env=env, check=False, merge=True,
                    capture=True)
    found = sorted(folder.rglob("peers*.s"), key=lambda path: path.stat().st_mtime)
    if done.returncode or not found:
        base.say(f"rustc's nvptx64 is left out: {done.stdout[-2000:]}")
        return None
    return found[-1]
