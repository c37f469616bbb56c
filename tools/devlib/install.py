# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev install [--prefix P]`: the compiler and the runtime below a prefix, and the exporter with what it needs in P/libexec/mirgpu when it
is built. The installed description has paths relative to itself, so that a prefix can be moved."""
import json
import os
import pathlib
import shutil

from . import base, build, packages, rust


def add_arguments(parser):
    parser.add_argument("--prefix", default="/usr/local", type=pathlib.Path)


def run(arguments):
    packages.setup(minimal=True)
    folder = build.build("release")
    prefix = arguments.prefix.resolve()
    base.run(["cmake", "--install", folder, "--prefix", prefix])
    description = rust.cache_root() / "exporter/current.json"
    if description.exists():
        install_exporter(json.loads(description.read_text(encoding="utf-8")), prefix / "libexec/mirgpu")
    else:
        base.say("the exporter is not built (./dev exporter): the installed mirgpu compiles serialized MIR alone")
    base.say(f"installed in {prefix}")
    return 0


def copy_tree(source, to):
    shutil.rmtree(to, ignore_errors=True)
    shutil.copytree(source, to)


def install_exporter(current, libexec):
    """Copies the exporter, its sysroot and the device crates, and rewrites the description."""
    libexec.mkdir(parents=True, exist_ok=True)
    shutil.copy2(current["exporter"], libexec / "mirgpu-export")
    copy_tree(current["sysroot"], libexec / "sysroot")
    folders = {}  # folder in the cache -> folder here
    for folder in dict.fromkeys([*current.get("search", []), *(os.path.dirname(c["rmeta"]) for c in current.get("device", []))]):
        folders[folder] = f"crates{len(folders)}"
        copy_tree(folder, libexec / folders[folder])
    installed = dict(current, exporter="mirgpu-export", sysroot="sysroot",
                     search=[folders[f] for f in current.get("search", [])],
                     device=[dict(c, rmeta=f"{folders[os.path.dirname(c['rmeta'])]}/{os.path.basename(c['rmeta'])}") for c in current.get("device", [])])
    base.write_if_changed(libexec / "current.json", json.dumps(installed, indent=1) + "\n")
