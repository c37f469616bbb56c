# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sources of SLEEF 3.3, from which the CPU device's math functions are built (docs/adr/0007-host-math.md). They come in the crate
sleef-sys, which bundles them; cargo fetches that one crate, and its checksum is written down here."""
import hashlib
import io
import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

from . import base, rust

CRATE, VERSION = "sleef-sys", "0.1.2"
SHA256 = "7bce803eaa6c2fbe971573c86cafae41f391d8212400b87da8429ec0bcc001a1"


def folder():
    """Where the sources lie once fetched; $MIRGPU_SLEEF names others."""
    named = os.environ.get("MIRGPU_SLEEF")
    return pathlib.Path(named) if named else rust.cache_root() / f"sleef-{SHA256[:12]}"


def is_there():
    return (folder() / "src/libm/sleefdp.c").exists()


def cargos():
    """Every cargo that can fetch one crate: `cargo info` came with 1.82."""
    found = [shutil.which("cargo")]
    if shutil.which("dpkg"):
        listing = subprocess.run(["dpkg", "-L", "cargo-web"], capture_output=True, text=True, check=False).stdout
        found += [line for line in listing.splitlines() if line.endswith("/bin/cargo")]
    for cargo in dict.fromkeys(filter(None, found)):
        if subprocess.run([cargo, "help", "info"], capture_output=True, check=False).returncode == 0:
            yield cargo


def crate_file(home):
    """The crate as cargo keeps it below `home`, if it is there and is the one that we know."""
    for path in sorted(home.glob(f"registry/cache/*/{CRATE}-{VERSION}.crate")):
        if hashlib.sha256(path.read_bytes()).hexdigest() == SHA256:
            return path
    return None


def download():
    """The crate's file; raises Failed."""
    home = pathlib.Path(os.environ.get("CARGO_HOME") or pathlib.Path.home() / ".cargo")
    if crate_file(home):
        return crate_file(home)
    problems = ["no cargo of version 1.82 or newer was found; Debian has one in the package cargo-web"]
    for cargo in cargos():
        done = base.run([cargo, "info", "--registry", "crates-io", f"{CRATE}@{VERSION}"], cwd=tempfile.gettempdir(), capture=True, merge=True, check=False,
                        note="SLEEF's sources, for math functions on the CPU")
        if crate_file(home):
            return crate_file(home)
        problems = [f"{cargo} did not fetch {CRATE} {VERSION} with the checksum {SHA256}:\n{done.stdout.rstrip()}"]
    raise base.Failed(problems[0])


def unpack(crate, target):
    """SLEEF's own folder of the crate as `target`, all at once."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        with tarfile.open(fileobj=io.BytesIO(crate.read_bytes()), mode="r:gz") as archive:
            archive.extractall(scratch, members=[m for m in archive if m.isfile() and f"{CRATE}-{VERSION}/sleef/" in m.name and ".." not in m.name])
        shutil.rmtree(target, ignore_errors=True)
        os.replace(pathlib.Path(scratch) / f"{CRATE}-{VERSION}/sleef", target)


def fetch():
    """Puts the sources where folder() says. Without them mirgpu is built all the same: returns None, or why there are none."""
    if is_there():
        return None
    if os.environ.get("MIRGPU_SLEEF"):
        return f"MIRGPU_SLEEF names {folder()}, which has no src/libm/sleefdp.c"
    try:
        unpack(download(), folder())
    except (base.Failed, OSError, tarfile.TarError) as problem:
        return str(problem)
    return None
