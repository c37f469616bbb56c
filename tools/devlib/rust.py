# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds rustc 1.96.0, builds the exporter from the compiler's sources, and builds the device sysroot.

Everything is built in the cache root, outside the checkout, so that two checkouts share the ten minutes that the compiler
crates take. The exporter's sources are copied there first: cargo then sees one stable path whichever checkout asks.
"""
import fcntl
import hashlib
import os
import pathlib
import shutil
import subprocess

from . import base

WANTED = "1.96.0"
COMPILER_CRATES = ("rustc_driver_impl rustc_middle rustc_session rustc_interface rustc_codegen_ssa rustc_data_structures "
                   "rustc_const_eval rustc_target rustc_span rustc_hir rustc_abi rustc_metadata rustc_ast rustc_errors "
                   "rustc_index rustc_symbol_mangling rustc_monomorphize rustc_type_ir").split()


class NoRustc(Exception):
    """No usable rustc 1.96.0 with its sources; the text says how to get one."""


def cache_root():
    """$MIRGPU_CACHE, else $XDG_CACHE_HOME/mirgpu, else ~/.cache/mirgpu."""
    if os.environ.get("MIRGPU_CACHE"):
        return pathlib.Path(os.environ["MIRGPU_CACHE"])
    base_dir = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return pathlib.Path(base_dir) / "mirgpu"


def candidates():
    """Every rustc worth asking, in the order of DESIGN D1."""
    if os.environ.get("MIRGPU_RUSTC"):
        yield os.environ["MIRGPU_RUSTC"]
    for folder in os.environ.get("PATH", "").split(":"):
        path = os.path.join(folder, "rustc")
        if folder and os.access(path, os.X_OK):
            yield path
    if shutil.which("dpkg"):
        listing = subprocess.run(["dpkg", "-L", "rustc-web"], capture_output=True, text=True, check=False).stdout
        for line in listing.splitlines():
            if line.endswith("/bin/rustc"):
                yield line


def find_rustc():
    """The first candidate that is 1.96.0 and has compiler and library sources; raises NoRustc with the remedy."""
    seen = []
    for rustc in dict.fromkeys(candidates()):
        try:
            version = subprocess.run([rustc, "-vV"], capture_output=True, text=True, check=True).stdout
            root = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            seen.append(f"{rustc}: does not run")
            continue
        fields = dict(line.split(": ", 1) for line in version.splitlines() if ": " in line)
        if fields.get("release") != WANTED:
            seen.append(f"{rustc}: is {fields.get('release')}, not {WANTED}")
            continue
        src = pathlib.Path(root) / "lib/rustlib/src/rust"
        if not ((src / "compiler/rustc_middle").is_dir() and (src / "library/core").is_dir()):
            seen.append(f"{rustc}: has no compiler and library sources in {src}")
            continue
        return rustc, fields, src
    raise NoRustc("no rustc " + WANTED + " with its sources was found\n  " + "\n  ".join(seen or ["no rustc in PATH"])
                  + "\n  get one with: apt-get install --no-install-recommends rustc-web cargo-web libstd-rust-web-dev rust-web-src"
                  + "\n  or name one with MIRGPU_RUSTC")


def find_cargo(rustc):
    """The cargo beside `rustc`, else the one in PATH."""
    beside = pathlib.Path(rustc).parent / "cargo"
    return str(beside) if beside.exists() else "cargo"


def manifest(src):
    """The exporter's generated Cargo.toml: path dependencies on the compiler crates, and what our own code uses."""
    lines = ['[package]', 'name = "mirgpu-export"', 'version = "0.1.0"', 'edition = "2024"', '[workspace]', '[dependencies]']
    lines += [f'{c} = {{ path = "{src}/compiler/{c}" }}' for c in COMPILER_CRATES]
    lines += ['serde = { version = "1", features = ["derive"] }', 'serde_json = "1"']
    lines += ['[profile.release]', 'opt-level = 1', 'debug = 0', 'codegen-units = 16', 'incremental = false', 'strip = true', '']
    return "\n".join(lines)


def source_id(fields):
    """Names one exporter build: its sources, the manifest and the rustc it is made for."""
    digest = hashlib.sha256()
    for path in sorted((base.ROOT / "exporter").rglob("*.rs")):
        digest.update(str(path.relative_to(base.ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    digest.update(manifest("").encode() + fields["commit-hash"].encode() + fields["host"].encode())
    return digest.hexdigest()[:16]


def compiler_environment(rustc, fields):
    """The CFG_* variables that the compiler's own build system would set; std's metadata must carry the same version."""
    version = subprocess.run([rustc, "-V"], capture_output=True, text=True, check=True).stdout.strip().removeprefix("rustc ")
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS")}
    env.update(RUSTC=rustc, RUSTC_BOOTSTRAP="1", CFG_RELEASE_CHANNEL="stable", RUSTC_INSTALL_BINDIR="bin",
               CFG_COMPILER_HOST_TRIPLE=fields["host"], CFG_VERSION=version, CFG_RELEASE=fields["release"],
               CFG_VER_HASH=fields["commit-hash"], CFG_VER_DATE=fields["commit-date"], CFG_DISABLE_UNSTABLE_FEATURES="1")
    return env


def build_exporter():
    """Builds the exporter if its sources are new; returns the path of the binary."""
    rustc, fields, src = find_rustc()
    root = cache_root() / "exporter"
    binary = root / source_id(fields) / "mirgpu-export"
    if binary.exists():
        return binary
    build = root / "build"
    (build / "src").mkdir(parents=True, exist_ok=True)
    with open(root / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if binary.exists():
            return binary
        wanted = {p.relative_to(base.ROOT / "exporter"): p for p in (base.ROOT / "exporter/src").rglob("*.rs")}
        for old in (build / "src").rglob("*.rs"):
            if old.relative_to(build) not in wanted:
                old.unlink()
        for relative, path in wanted.items():
            base.write_if_changed(build / relative, path.read_text(encoding="utf-8"))
        base.write_if_changed(build / "Cargo.toml", manifest(src))
        if not (build / "Cargo.lock").exists():
            shutil.copy(src / "Cargo.lock", build / "Cargo.lock")
        base.run([find_cargo(rustc), "build", "--release"], cwd=build, env=compiler_environment(rustc, fields),
                 note="about 10 minutes the first time on two cores, seconds after a change")
        binary.parent.mkdir(parents=True, exist_ok=True)
        temporary = binary.with_suffix(f".{os.getpid()}")
        shutil.copy2(build / "target/release/mirgpu-export", temporary)
        os.replace(temporary, binary)
    return binary
