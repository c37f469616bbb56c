#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the exporter: every `*.rs` here is exported twice, and what is written is checked.

The second time everything lies elsewhere (the source, the checkout's device crates, sysroot, exporter, HOME), and the bytes must be
the same. Each file must follow docs/mir_format.schema.json, with every index in range and every table sorted. Lines at a test's top:
    // has: TEXT       the file holds TEXT            // not: TEXT       it does not
    // error: TEXT     no file; the diagnostic has TEXT, the exit code is 1
    // rustc-args: …   further arguments              // bootstrap       unstable features are allowed
Prints one line a test and `N passed, N failed`. Arguments choose tests by part of the name.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tools"), str(HERE)]

from devlib import base, rust  # noqa: E402
from schema import Checker, Mismatch  # noqa: E402


class Failed(Exception):
    """A test's reason to fail."""


def directives(source):
    """The lines at the top of a test, by keyword."""
    found = {"has": [], "not": [], "error": [], "rustc-args": [], "bootstrap": []}
    for line in source.read_text(encoding="utf-8").splitlines():
        if not line.startswith("//"):
            break
        keyword, _, text = line.removeprefix("// ").partition(": ")
        if keyword in found:
            found[keyword].append(text)
    return found


def export(source, out, toolchain, wanted, home):
    """Runs the exporter; returns its exit code and diagnostics."""
    env = dict(os.environ, HOME=str(home))
    env.pop("RUSTC_BOOTSTRAP", None)
    if wanted["bootstrap"]:
        env["RUSTC_BOOTSTRAP"] = "1"
    command = rust.export_command(source, out, toolchain, golden=True, rustc_args=" ".join(wanted["rustc-args"]).split())
    done = subprocess.run([str(c) for c in command], env={**env, "MIRGPU_EXPORT": "1"}, cwd=source.parent, capture_output=True, text=True,
                          check=False)
    return done.returncode, done.stderr


def moved_toolchain(toolchain, folder):
    """The same toolchain, all of it in another place: the device crates are compiled there anew."""
    exporter = shutil.copy2(toolchain["exporter"], folder / "exporter-elsewhere")
    sysroot = folder / "deep/down/sysroot"
    shutil.copytree(toolchain["sysroot"], sysroot, copy_function=os.link)
    shutil.copytree(base.ROOT / "rust/mirgpu-device", folder / "checkout/rust/mirgpu-device")
    crates = folder / "crates"
    crates.mkdir()
    macros = shutil.copy2(pathlib.Path(toolchain["search"][0]) / "libmirgpu_macros.so", crates)
    rust.compile_device_crate(exporter, sysroot, toolchain["host"], macros, crates, root=folder / "checkout/rust", quiet=True)
    return {**toolchain, "exporter": str(exporter), "sysroot": str(sysroot), "search": [str(crates)],
            "device": [{"name": "mirgpu_device", "rmeta": str(crates / "libmirgpu_device.rmeta")}],
            "remap": [[str(folder / "checkout/rust"), "<mirgpu>"], *toolchain["remap"]]}


def check_sorted(program):
    """Tables are in the order that docs/mir_format.md gives."""
    files = [f["name"] for f in program["files"]]
    keys = {"files": files, "functions": [f["symbol"] for f in program["functions"]], "types": [t["name"] for t in program["types"]],
            "statics": [s["symbol"] for s in program["statics"]], "kernels": [k["key"] for k in program["kernels"]],
            "tests": [t["path"] for t in program["tests"]], "spans": [(files[s[0]], *s[1:5]) for s in program["spans"]]}
    for table, key in keys.items():
        # Python compares strings by code point, as Rust compares UTF-8.
        if key != sorted(key):
            raise Failed(f"{table} are not sorted")
        if table in ("functions", "types", "statics", "kernels") and len(set(key)) != len(key):
            raise Failed(f"two {table} have one name")


def check_bodies(program):
    """What the schema cannot say: locals, blocks and scopes in range; every function that is called has a body or a reason not to."""
    for function in program["functions"]:
        body = function["body"]
        if body is None:
            continue
        counts = len(body["locals"]), len(body["scopes"]), len(body["blocks"])
        if body["arg_count"] != len(function["inputs"]):
            raise Failed(f"{function['symbol']}: {body['arg_count']} arguments, {len(function['inputs'])} inputs")
        for block in body["blocks"]:
            for statement in [*block["statements"], block["terminator"]]:
                if statement[1] >= counts[1]:
                    raise Failed(f"{function['symbol']}: scope {statement[1]} of {counts[1]}")
            check_call(program, function, block["terminator"], counts)


def check_call(program, function, terminator, counts):
    """A call's target is a block, and its callee can be lowered."""
    if terminator[2] != "call":
        return
    call = terminator[3]
    if call["target"] is not None and call["target"] >= counts[2]:
        raise Failed(f"{function['symbol']}: block {call['target']} of {counts[2]}")
    if call["callee"]["kind"] != "direct":
        return
    callee = program["functions"][call["callee"]["function"]]
    is_stub = any(a["path"] == "intrinsic" for a in callee["tool_attrs"])
    if callee["body"] is None and not (callee["foreign"] or is_stub or (callee["lang"] or "").startswith(("panic", "const_panic", "begin"))):
        raise Failed(f"{function['symbol']} calls {callee['symbol']}, which has no body")


def run_test(source, first, second, folder, schema):
    """Raises Failed unless `source` passes."""
    wanted = directives(source)
    out = folder / "one.mir.json"
    out.unlink(missing_ok=True)
    code, errors = export(source, out, first, wanted, folder)
    if wanted["error"]:
        if code != 1 or out.exists():
            raise Failed(f"exit code {code}, expected 1 and no file")
        if missing := [e for e in wanted["error"] if e not in errors]:
            raise Failed(f"the diagnostic lacks {missing[0]!r}:\n{errors}")
        return "refused"
    if code != 0:
        raise Failed(f"exit code {code}:\n{errors}")
    copy = folder / "some/where/else"
    copy.mkdir(parents=True, exist_ok=True)
    again = copy / "two.mir.json"
    for part in source.parent.glob("*.rs"):
        shutil.copy(part, copy)
    code, errors = export(copy / source.name, again, second, wanted, copy)
    if code != 0:
        raise Failed(f"the second time: exit code {code}:\n{errors}")
    if out.read_bytes() != again.read_bytes():
        raise Failed(f"other bytes in another folder; compare {keep(out)} and {keep(again)}")
    text = out.read_text(encoding="utf-8")
    if missing := [t for t in wanted["has"] if t not in text]:
        raise Failed(f"the file lacks {missing[0]}")
    if present := [t for t in wanted["not"] if t in text]:
        raise Failed(f"the file has {present[0]}")
    if str(base.ROOT) in text or str(folder) in text or os.path.expanduser("~") + "/" in text:
        raise Failed("the file names a folder of this machine")
    program = json.loads(text)
    Checker(schema, program).check()
    check_sorted(program)
    check_bodies(program)
    return f"{len(text)} bytes"


def run_flags(toolchain, folder):
    """The exporter's own flags, and that without one it is a plain compiler."""
    def call(*arguments):
        done = subprocess.run([toolchain["exporter"], *map(str, arguments)], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr
    code, text = call("--mirgpu-version")
    if code != 0 or not text.startswith("mirgpu-export "):
        raise Failed(f"--mirgpu-version: exit code {code}: {text}")
    code, text = call("--mirgpu-nonsense", HERE / "pointers.rs")
    if code != 2 or "unknown flag `--mirgpu-nonsense`" not in text:
        raise Failed(f"an unknown flag: exit code {code}: {text}")
    code, text = call("-vV")
    if code != 0 or f"release: {rust.WANTED}" not in text:
        raise Failed(f"-vV: exit code {code}: {text}")
    out = folder / "plain"
    code, text = call(HERE / "pointers.rs", "--crate-type=lib", "--edition=2024", "--emit=metadata", f"--sysroot={toolchain['sysroot']}",
                      f"--out-dir={out}")
    if code != 0 or [p.name for p in out.iterdir()] != ["libpointers.rmeta"]:
        raise Failed(f"a plain compilation: exit code {code}: {text}")
    return "version, unknown flag, -vV, plain compilation"


def keep(path):
    """Copies a file to where it stays after the run."""
    return shutil.copy(path, pathlib.Path(tempfile.gettempdir()) / f"mirgpu-export-{path.name}")


def main(filters):
    """Runs the chosen tests; returns the exit code."""
    try:
        toolchain = rust.build_toolchain()
    except rust.NoRustc as error:
        print(f"skipped: {error}\n0 passed, 0 failed")
        return 0
    schema = json.loads((base.ROOT / "docs/mir_format.schema.json").read_text(encoding="utf-8"))
    sources = sorted([*HERE.glob("*.rs"), *(base.ROOT / "examples").glob("*/*.rs")])
    passed = failed = 0
    # Beside the sysroot, so that its copy is made of links.
    with tempfile.TemporaryDirectory(prefix="test.", dir=rust.cache_root()) as temporary:
        folder = pathlib.Path(temporary)
        second = moved_toolchain(toolchain, folder)
        tests = {"tests/export/flags": lambda: run_flags(toolchain, folder)}
        for source in sources:
            if source.stem not in ("reference", "machine"):  # parts of an example, not files of their own
                tests[str(source.relative_to(base.ROOT))] = lambda s=source: run_test(s, toolchain, second, folder, schema)
        for name, test in tests.items():
            if filters and not any(f in name for f in filters):
                continue
            try:
                print(f"PASS {name} ({test()})", flush=True)
                passed += 1
            except (Failed, Mismatch) as error:
                print(f"FAIL {name}: {error}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
