# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds rustc 1.96.0, builds the exporter from the compiler's sources, and builds the device sysroot.

Everything is built in the cache root, outside the checkout, so that two checkouts share the ten minutes that the compiler
crates take. The exporter's sources are copied there first: cargo then sees one stable path whichever checkout asks.
"""
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

from . import base

WANTED = "1.96.0"
COMPILER_CRATES = ("rustc_driver_impl rustc_middle rustc_session rustc_interface rustc_codegen_ssa rustc_data_structures "
                   "rustc_const_eval rustc_target rustc_span rustc_hir rustc_abi rustc_metadata rustc_ast rustc_errors "
                   "rustc_index rustc_symbol_mangling rustc_monomorphize rustc_type_ir rustc_ast_pretty").split()


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


@contextlib.contextmanager
def locked(path):
    """Holds an exclusive lock on the file `path`, which may not exist yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def build_exporter():
    """Builds the exporter if its sources are new; returns the path of the binary."""
    rustc, fields, src = find_rustc()
    root = cache_root() / "exporter"
    binary = root / source_id(fields) / "mirgpu-export"
    if binary.exists():
        os.utime(binary.parent)
        return binary
    build = root / "build"
    (build / "src").mkdir(parents=True, exist_ok=True)
    with locked(root / "lock"):
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
        forget_old(root, keep=3)
    return binary


def forget_old(folder, keep):
    """Removes all but the `keep` builds in `folder` that were used last; they are named by 16 hex digits."""
    builds = [p for p in folder.iterdir() if p.is_dir() and len(p.name) == 16 and all(c in "0123456789abcdef" for c in p.name)]
    for old in sorted(builds, key=lambda p: p.stat().st_mtime, reverse=True)[keep:]:
        shutil.rmtree(old, ignore_errors=True)


# ---- The device sysroot ------------------------------------------------------------------------------------------------------

def sysroot_id(fields):
    """Names one sysroot: the rustc, and the exporter's sources that decide how a crate is compiled."""
    digest = hashlib.sha256(fields["commit-hash"].encode() + fields["host"].encode() + SYSROOT_RECIPE.encode())
    for name in ("session.rs", "options.rs"):
        digest.update((base.ROOT / "exporter/src" / name).read_bytes())
    return digest.hexdigest()[:16]


SYSROOT_RECIPE = "build-std=std,panic_abort,test,proc_macro; no features; vendored; 1"


def build_sysroot():
    """Compiles core, alloc, std, test and proc_macro to metadata that has MIR for every function; returns the sysroot."""
    rustc, fields, src = find_rustc()
    exporter = build_exporter()
    root = cache_root() / "sysroot"
    done = root / sysroot_id(fields)
    if done.exists():
        os.utime(done)
        return done
    with locked(root / "lock"):
        if done.exists():
            return done
        with tempfile.TemporaryDirectory(prefix="build.", dir=root) as temporary:
            compile_sysroot(pathlib.Path(temporary), rustc, fields, src, exporter)
            os.replace(pathlib.Path(temporary) / "sysroot", done)
        forget_old(root, keep=2)
    return done


def compile_sysroot(work, rustc, fields, src, exporter):
    """Runs cargo's build-std with the exporter as the compiler; leaves `work`/sysroot."""
    host = fields["host"]
    own_root = subprocess.run([rustc, "--print", "sysroot"], capture_output=True, text=True, check=True).stdout.strip()
    remap = " ".join(shlex.quote(f"--mirgpu-remap={p}=<rust-src>") for p in dict.fromkeys([str(src), str((src / 'library').resolve().parent)]))
    wrapper = work / "rustc"
    wrapper.write_text("#!/bin/sh\n"
                       f'case " $* " in *" --target "*|*" --target="*) exec {shlex.quote(str(exporter))} --mirgpu-std {remap} "$@" '
                       f'--sysroot={shlex.quote(own_root)};; *) exec {shlex.quote(rustc)} "$@";; esac\n', encoding="utf-8")
    wrapper.chmod(0o755)
    (work / "src").mkdir()
    (work / "src/lib.rs").write_text("#![no_std]\n", encoding="utf-8")
    (work / "Cargo.toml").write_text('[package]\nname = "device-sysroot"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n', encoding="utf-8")
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "MIRGPU_EXPORT", "MIRGPU_OUT")}
    env.update(RUSTC=str(wrapper), RUSTC_BOOTSTRAP="1", CARGO_ENCODED_RUSTFLAGS="", CARGO_NET_OFFLINE="true", CARGO_HOME=str(work / "home"))
    base.run([find_cargo(rustc), "check", "--release", "-Zbuild-std=std,panic_abort,test,proc_macro", "-Zbuild-std-features=",
              "--target", host, "--target-dir", work / "target", "--config", 'source.crates-io.replace-with="vendored"',
              "--config", f'source.vendored.directory="{src}/library/vendor"', "--config", 'profile.release.panic="abort"'],
             cwd=work, env=env, note="the device sysroot: about half a minute, once")
    out = work / "sysroot/lib/rustlib" / host / "lib"
    out.mkdir(parents=True)
    for rmeta in sorted((work / "target" / host / "release/deps").glob("lib*.rmeta")):
        if not rmeta.name.startswith("libdevice_sysroot-"):
            shutil.copy(rmeta, out / rmeta.name)


# ---- The device crates -------------------------------------------------------------------------------------------------------

def device_id(fields):
    """Names one build of the device crates: their sources, and what names the sysroot."""
    digest = hashlib.sha256(sysroot_id(fields).encode() + DEVICE_RECIPE.encode())
    for crate in ("mirgpu-macros", "mirgpu-device"):
        for path in sorted(p for p in (base.ROOT / "rust" / crate).rglob("*") if p.suffix in (".rs", ".toml")):
            digest.update(str(path.relative_to(base.ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


DEVICE_RECIPE = "macros by rustc, mirgpu-device by the exporter; 1"


def build_device_crates():
    """Compiles the macros for the host and `mirgpu-device` to metadata with MIR; returns the folder that holds both."""
    rustc, fields, _ = find_rustc()
    sysroot, exporter = build_sysroot(), build_exporter()
    root = cache_root() / "device"
    done = root / device_id(fields)
    if done.exists():
        os.utime(done)
        return done
    with locked(root / "lock"):
        if done.exists():
            return done
        with tempfile.TemporaryDirectory(prefix="build.", dir=root) as temporary:
            out = pathlib.Path(temporary) / "crates"
            out.mkdir()
            macros = shutil.copy(build_macros(rustc, root / "target"), out)
            compile_device_crate(exporter, sysroot, fields["host"], macros, out)
            os.replace(out, done)
        forget_old(root, keep=3)
    return done


def build_macros(rustc, target_dir):
    """Compiles the proc macros with the real rustc; returns their shared object."""
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "MIRGPU_EXPORT", "MIRGPU_OUT")}
    env.update(RUSTC=rustc)
    done = base.run([find_cargo(rustc), "build", "--release", "--manifest-path", base.ROOT / "rust/Cargo.toml", "-p", "mirgpu-macros",
                     "--target-dir", target_dir, "--message-format=json-render-diagnostics"], env=env, capture=True)
    for line in done.stdout.splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "mirgpu_macros":
            return message["filenames"][0]
    raise base.Failed("cargo built no mirgpu_macros")


def compile_device_crate(exporter, sysroot, host, macros, out, root=base.ROOT / "rust", quiet=False):
    """Compiles `root`/mirgpu-device with the exporter, as a plain crate without an export of its own."""
    env = {k: v for k, v in os.environ.items() if k != "MIRGPU_OUT"}
    env.update(MIRGPU_EXPORT="1")
    base.run([exporter, root / "mirgpu-device/src/lib.rs", "--crate-name=mirgpu_device", "--crate-type=lib", "--edition=2024",
              "-Copt-level=3", "-Cdebuginfo=2", "-Cmetadata=mirgpu", "--cap-lints=warn", f"--sysroot={sysroot}", f"--target={host}",
              f"--extern=mirgpu_macros={macros}", f"--mirgpu-remap={root}=<mirgpu>",
              f"--emit=metadata={out}/libmirgpu_device.rmeta"], env=env, quiet=quiet)


# ---- What an export needs ----------------------------------------------------------------------------------------------------

def build_toolchain():
    """Builds what is new of exporter, sysroot and device crates, and describes it for the driver; returns the description."""
    _, fields, src = find_rustc()
    exporter, sysroot, device = build_exporter(), build_sysroot(), build_device_crates()
    description = {
        "exporter": str(exporter), "sysroot": str(sysroot), "host": fields["host"],
        "device": [{"name": "mirgpu_device", "rmeta": str(device / "libmirgpu_device.rmeta")}],
        "search": [str(device)],
        "remap": [[str(src), "<rust-src>"]],
        "arguments": ["-Cdebuginfo=2"],
    }
    text = json.dumps(description, indent=1) + "\n"
    base.write_if_changed(exporter.parent / "toolchain.json", text)
    base.write_if_changed(cache_root() / "exporter/current.json", text)
    return description


def export_command(source, out, tools, golden=True, rustc_args=()):
    """The command that exports one Rust file to `out` with the toolchain `tools`; it needs MIRGPU_EXPORT=1 in its environment."""
    stem = "".join(c if c.isalnum() else "_" for c in pathlib.Path(source).stem)
    defaults = {"--crate-name": f"--crate-name={stem}", "--crate-type": "--crate-type=lib", "--edition": "--edition=2024",
                "-Copt-level": "-Copt-level=3"}
    command = [tools["exporter"], source, f"--sysroot={tools['sysroot']}", f"--target={tools['host']}", f"--mirgpu-out={out}", *tools["arguments"]]
    command += [argument for key, argument in defaults.items() if not any(a.startswith(key) for a in rustc_args)]
    command += [f"--extern={c['name']}={c['rmeta']}" for c in tools["device"]]
    command += [f"-Ldependency={folder}" for folder in tools["search"]]
    command += [f"--mirgpu-remap={a}={b}" for a, b in tools["remap"]]
    return command + (["--mirgpu-golden"] if golden else []) + list(rustc_args)


def export(source, out, golden=True, rustc_args=(), toolchain=None, env=None, cwd=None, check=True, quiet=True):
    """Exports one Rust file to `out`, as `mirgpu export` does; returns the CompletedProcess."""
    command = export_command(source, out, toolchain or build_toolchain(), golden, rustc_args)
    return base.run(command, env={**(env or os.environ), "MIRGPU_EXPORT": "1"}, cwd=cwd, check=check, quiet=quiet)
