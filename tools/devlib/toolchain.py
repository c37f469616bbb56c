# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the tools of other projects lie. Nothing is written down: LLVM is asked through llvm-config, or taken from LLVM_DIR or
CMAKE_PREFIX_PATH; ptxas is $MIRGPU_PTXAS, one in PATH, or one in the private Python environment that `./dev setup` makes."""
import functools
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

from . import base, rust

LLVM_MAJOR = "22"
# What NVIDIA's wheel holds is proprietary: installed for tests and for register counts, never redistributed.
WHEELS = ["nvidia-cuda-nvcc==13.5.37", "nvidia-nvvm==13.5.37"]


def llvm_from_user():
    """The bin folder of an LLVM that LLVM_DIR or CMAKE_PREFIX_PATH names, or None."""
    roots = []
    if os.environ.get("LLVM_DIR"):
        roots.append(pathlib.Path(os.environ["LLVM_DIR"]).resolve().parents[2])  # <root>/lib/cmake/llvm
    roots += [pathlib.Path(p) for p in os.environ.get("CMAKE_PREFIX_PATH", "").replace(";", ":").split(":") if p]
    for root in roots:
        if (root / "bin/llvm-config").exists() and (root / "bin/clang").exists():
            return root / "bin"
    return None


@functools.cache
def llvm_bindir():
    """The folder of LLVM's tools, or None."""
    own = llvm_from_user()
    if own:
        return own
    config = shutil.which(f"llvm-config-{LLVM_MAJOR}")
    if not config:
        return None
    return pathlib.Path(subprocess.run([config, "--bindir"], capture_output=True, text=True, check=True).stdout.strip())


def llvm_tool(name):
    """A tool of LLVM; raises Failed if it is not there."""
    folder = llvm_bindir()
    if folder and (folder / name).exists():
        return folder / name
    found = shutil.which(f"{name}-{LLVM_MAJOR}")
    if found:
        return pathlib.Path(found)
    raise base.Failed(f"LLVM {LLVM_MAJOR}'s `{name}` was not found; run ./dev setup, or name an LLVM with LLVM_DIR")


def compilers():
    """(clang, clang++) of LLVM 22."""
    folder = llvm_bindir()
    if folder and (folder / "clang++").exists():
        return folder / "clang", folder / "clang++"
    return f"clang-{LLVM_MAJOR}", f"clang++-{LLVM_MAJOR}"


def venv():
    """The folder of the private Python environment, named by what it holds."""
    key = hashlib.sha256("\n".join(WHEELS).encode()).hexdigest()[:12]
    return rust.cache_root() / "tools" / f"python-{key}"


def make_venv():
    """Fills the private environment unless it is there. A failure is no error of ours: what needs ptxas is skipped and says why."""
    folder = venv()
    stamp = folder / "complete"
    if stamp.exists():
        return True
    if ptxas() and libdevice():
        return True
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    wheels = os.environ.get("MIRGPU_WHEELS")
    source = ["--no-index", "--find-links", wheels] if wheels else []
    try:
        base.run([sys.executable, "-m", "venv", folder])
        base.run([folder / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--quiet", "--no-deps", *source, *WHEELS],
                 note="ptxas and libdevice, from NVIDIA's own wheels")
    except (base.Failed, OSError) as problem:
        base.say(f"warning: ptxas and libdevice were not installed: {problem}\n"
                 f"  what needs them is skipped; put the wheels {' and '.join(WHEELS)} into a folder and name that with MIRGPU_WHEELS")
        return False
    stamp.touch()
    return True


@functools.cache
def ptxas():
    """The path of ptxas, or None."""
    named = os.environ.get("MIRGPU_PTXAS")
    if named:
        return pathlib.Path(named) if os.access(named, os.X_OK) else None
    for found in sorted(venv().glob("lib/python*/site-packages/nvidia/*/bin/ptxas")):
        return found
    found = shutil.which("ptxas")
    return pathlib.Path(found) if found else None


@functools.cache
def libdevice():
    """The path of libdevice.10.bc, or None: $MIRGPU_LIBDEVICE, the private environment's, or that of the CUDA Toolkit around ptxas."""
    below = "nvvm/libdevice/libdevice.10.bc"
    named = os.environ.get("MIRGPU_LIBDEVICE")
    found = [pathlib.Path(named)] if named else sorted(venv().glob(f"lib/python*/site-packages/nvidia/*/{below}"))
    if not named and ptxas():
        found.append(ptxas().resolve().parents[1] / below)
    return next((path for path in found if path.exists()), None)


@functools.cache
def ocml():
    """The path of ocml.bc, or None: $MIRGPU_OCML, or what Debian's package has."""
    named = os.environ.get("MIRGPU_OCML")
    if named:
        return pathlib.Path(named) if os.path.exists(named) else None
    if not shutil.which("dpkg"):
        return None
    listing = subprocess.run(["dpkg", "-L", "rocm-device-libs"], capture_output=True, text=True, check=False).stdout
    return next((pathlib.Path(line) for line in listing.splitlines() if line.endswith("/ocml.bc")), None)


def note_libraries():
    """Links the libraries of math functions below <cache>/lib, where `mirgpu` looks without being told."""
    for path in filter(None, (libdevice(), ocml())):
        link = rust.cache_root() / "lib" / path.name
        if link.is_symlink() and os.readlink(link) == str(path):
            continue
        link.parent.mkdir(parents=True, exist_ok=True)
        temporary = link.with_name(f"{path.name}.{os.getpid()}.tmp")
        temporary.symlink_to(path)
        os.replace(temporary, link)


def lit():
    """The command that runs lit: the one of LLVM's own package."""
    folder = llvm_bindir()
    if folder and (folder / "lit").exists():
        return [str(folder / "lit")]
    found = shutil.which("lit") or shutil.which("llvm-lit")
    if found:
        return [found]
    raise base.Failed("lit was not found; it comes with the package llvm-22-tools")


def environment():
    """Our environment, with what mirgpu itself should use."""
    env = dict(os.environ)
    if ptxas():
        env["MIRGPU_PTXAS"] = str(ptxas())
    return env
