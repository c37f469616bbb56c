# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev demo`: the checked-in examples for an NVIDIA GPU, an AMD GPU and this CPU; every kernel runs on the CPU device and is compared
with plain C++. Needs no exporter, no Rust and no GPU. Exit code 1 if a result is wrong."""
import json
import re
import subprocess

from . import base, build, packages, toolchain

TARGETS = ("sm_90", "gfx1100", "host")


def add_arguments(parser):
    parser.add_argument("--device", default="cpu", help="cpu (default), cuda:0, hip:0 or auto")


def run(arguments):
    packages.setup(minimal=True)
    folder = build.build("release", ["mirgpu_driver", "mirgpu-demo"])
    rows = demo(folder, arguments.device)
    print_table(rows)
    wrong = [row for row in rows if row["result"] != "right"]
    for row in wrong:
        base.say(f"{row['kernel']}: {row.get('error', 'wrong')}")
    return 1 if wrong else 0


def examples():
    """Every checked-in example: (name, serialized MIR)."""
    return [(p.parent.name, p) for p in sorted((base.ROOT / "examples").glob("*/*.mir.json")) if p.name == p.parent.name + ".mir.json"]


def entry_lines(ptx):
    """{entry: lines of its body} of a PTX text."""
    lines, entry = {}, None
    for line in ptx.splitlines():
        start = re.search(r"\.entry ([\w$]+)\(", line)
        if start:
            entry = start[1]
            lines[entry] = 0
        if entry:
            lines[entry] += 1
        if line.startswith("}"):
            entry = None
    return lines


def registers(ptx_file, arch):
    """{entry: registers} as ptxas counts them; empty without ptxas. PTX that ptxas refuses raises Failed."""
    if not toolchain.ptxas():
        return {}
    done = base.run([toolchain.ptxas(), "-v", f"-arch={arch}", "-o", "/dev/null", ptx_file], capture=True, merge=True)
    found = {}
    for part in done.stdout.split("Compiling entry function '")[1:]:
        used = re.search(r"Used (\d+) registers", part)
        if used:
            found[part.split("'")[0]] = int(used[1])
    return found


def compile_example(mirgpu, name, mir, out):
    """Compiles one example; {kernel: {ptx lines, registers, hsaco bytes}}."""
    base.run([mirgpu, "compile", mir, f"--target={','.join(TARGETS)}", "-o", out / f"{name}.mgpu"])
    ptx, hsaco = out / f"{name}.ptx", out / f"{name}.hsaco"
    base.run([mirgpu, "compile", mir, "--target=sm_90", "--emit=ptx", "-o", ptx])
    base.run([mirgpu, "compile", mir, "--target=gfx1100", "--emit=hsaco", "-o", hsaco])
    used = registers(ptx, "sm_90")
    return {kernel: {"lines": lines, "registers": used.get(kernel), "hsaco": hsaco.stat().st_size}
            for kernel, lines in entry_lines(ptx.read_text(encoding="utf-8")).items()}


def demo(folder, device):
    """Compiles and runs everything; one row a kernel."""
    out = folder / "demo"
    out.mkdir(exist_ok=True)
    found = examples()
    if not found:
        raise base.Failed("no example has its serialized MIR; run ./dev update examples")
    compiled = {}
    for name, mir in found:
        compiled.update({kernel: dict(sizes, example=name) for kernel, sizes in compile_example(folder / "bin/mirgpu", name, mir, out).items()})
    results, code = run_modules(folder, out, device)
    rows = []
    for kernel, sizes in compiled.items():
        result = results.get(kernel)
        rows.append(dict(sizes, kernel=kernel, ms=result.get("ms") if result else None,
                         result="not run" if not result else "right" if result["right"] else "WRONG",
                         error=result.get("error", "") if result else f"{folder.name}/bin/mirgpu-demo did not report it (exit code {code})"))
    return rows


def run_modules(folder, out, device):
    """({kernel: what mirgpu-demo reported}, its exit code) of the modules in `out`."""
    done = base.run([folder / "bin/mirgpu-demo", out, "--device", device], capture=True, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {row["kernel"]: row for row in rows}, done.returncode


def run_on_fibers(folder):
    """{kernel: what mirgpu-demo reported} with modules that have T3 code alone, where `demo` runs T0's wherever it is admitted."""
    out = folder / "demo-T3"
    out.mkdir(exist_ok=True)
    for name, mir in examples():
        base.run([folder / "bin/mirgpu", "compile", mir, "--target=host", "--tier=T3", "-o", out / f"{name}.mgpu"], quiet=True)
    return run_modules(folder, out, "cpu")[0]


def print_table(rows):
    heads = ["kernel", "PTX lines", "registers", "HSACO bytes", "ms", "result"]
    table = [[row["kernel"], row["lines"], "-" if row["registers"] is None else row["registers"], row["hsaco"],
              "-" if row["ms"] is None else f"{row['ms']:.3f}", row["result"]] for row in rows]
    widths = [max(len(str(line[i])) for line in [heads, *table]) for i in range(len(heads))]
    for line in [heads, *table]:
        print("  ".join(str(cell).ljust(width) if i in (0, 5) else str(cell).rjust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))).rstrip())
    if toolchain.ptxas() is None:
        print("registers: ptxas was not found (./dev setup says why)")
