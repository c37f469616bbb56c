# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Goldens: each `.rs` of the text tests and of the examples has its serialized MIR beside it. `update` exports again and rewrites what
changed; `check` compares bytes. Blocks under `// GOLDEN:` are what their command prints, as CHECK lines; nothing else is rewritten.

A block is
    // GOLDEN: %mirgpu compile %mir --target=sm_90 --emit=ptx -o -
    // CHECK: …
    // CHECK-NEXT: …
    // END GOLDEN
and `// EXPORT: ARGUMENTS` gives the exporter further rustc arguments. Only the tests may use unstable features (RUSTC_BOOTSTRAP).
"""
import os
import pathlib
import re
import shlex
import subprocess
import tempfile

from . import base, rust, toolchain

FOLDERS = ("mir", "ptx", "gcn", "host", "diagnostics", "run")
EXPORT = re.compile(r"^// EXPORT: (.*)$", re.M)
BLOCK = re.compile(r"^// GOLDEN: (?P<command>.*)\n(?P<body>(?:// .*\n|//\n)*?)// END GOLDEN$", re.M)


def sources(name_filter=None):
    """Every Rust source with serialized MIR beside it, or that should have it."""
    found = []
    for folder in FOLDERS:
        found += sorted((base.ROOT / "tests" / folder).rglob("*.rs"))
    for folder in sorted(p for p in (base.ROOT / "examples").iterdir() if p.is_dir()) if (base.ROOT / "examples").exists() else []:
        main = folder / f"{folder.name}.rs"
        if main.exists():
            found.append(main)
    found += sorted((base.ROOT / "bench/kernels").glob("*.rs"))
    return [p for p in found if not name_filter or name_filter in str(p.relative_to(base.ROOT))]


def needs_mir(source):
    """Whether the test reads serialized MIR; one that exports at test time does not."""
    return "%mir " in source.read_text(encoding="utf-8") or not source.is_relative_to(base.ROOT / "tests")


def export(source, out, tools):
    """Exports one golden; returns whether it worked."""
    env = dict(os.environ)
    if source.is_relative_to(base.ROOT / "tests"):
        env["RUSTC_BOOTSTRAP"] = "1"
    else:
        env.pop("RUSTC_BOOTSTRAP", None)
    extra = [a for line in EXPORT.findall(source.read_text(encoding="utf-8")) for a in shlex.split(line)]
    with tempfile.TemporaryDirectory() as scratch:
        return rust.export(source, out, rustc_args=[*extra, "--cap-lints=warn"], toolchain=tools, env=env, cwd=scratch, check=False).returncode == 0


def mir_path(source):
    return source.with_suffix(".mir.json")


def check(tools, name_filter=None):
    """([sources that are as they should be], [(source, why)] that are not)."""
    good, bad = [], []
    for source in filter(needs_mir, sources(name_filter)):
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / "fresh.mir.json"
            if not export(source, fresh, tools):
                bad.append((source, "does not export"))
            elif not mir_path(source).exists():
                bad.append((source, "has no serialized MIR"))
            elif fresh.read_bytes() != mir_path(source).read_bytes():
                bad.append((source, "has stale serialized MIR"))
            elif mir_path(source).stat().st_size > 200 * 1024:
                bad.append((source, "has serialized MIR above 200 KB"))
            else:
                good.append(source)
    return good, bad


def update(tools, name_filter=None):
    """Exports again; returns (changed files, sources that do not export)."""
    changed, failed = [], []
    for source in filter(needs_mir, sources(name_filter)):
        with tempfile.TemporaryDirectory() as folder:
            fresh = pathlib.Path(folder) / "fresh.mir.json"
            if not export(source, fresh, tools):
                failed.append(source)
            elif base.write_if_changed(mir_path(source), fresh.read_text(encoding="utf-8")):
                changed.append(mir_path(source))
    return changed, failed


def as_checks(output):
    """FileCheck lines that match `output` exactly, line by line."""
    lines, first = [], True
    for line in output.splitlines():
        text = line.rstrip().replace("{{", "{{[{][{]}}").replace("[[", "{{\\[\\[}}")
        if not text.strip():
            lines.append("// CHECK-EMPTY:" if not first else "//")
            continue
        lines.append(f"// CHECK{'' if first else '-NEXT'}: {text}")
        first = False
    return "".join(line + "\n" for line in lines)


def update_blocks(mirgpu, name_filter=None):
    """Rewrites the blocks under `// GOLDEN:`; returns the changed files."""
    changed = []
    for source in sources(name_filter):
        text = source.read_text(encoding="utf-8")

        def rewritten(match, source=source):
            command = match["command"].replace("%mirgpu", shlex.quote(str(mirgpu))).replace("%mir", shlex.quote(str(mir_path(source))))
            done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, env=toolchain.environment())
            if done.returncode != 0:
                raise base.Failed(f"{source.relative_to(base.ROOT)}: `{match['command']}` ended with {done.returncode}:\n{done.stderr}")
            return f"// GOLDEN: {match['command']}\n{as_checks(done.stdout)}// END GOLDEN"

        if base.write_if_changed(source, BLOCK.sub(rewritten, text)):
            changed.append(source)
    return changed
