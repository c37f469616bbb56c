# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Math functions as a whole: no method of std's floats is forgotten, each compiles for every target with nothing left undefined, loops around
the CPU's functions vectorise, and their errors are measured against MPFR (docs/math.md, made here)."""
import json
import os
import re
import subprocess

from . import base, rust, toolchain

NVIDIA = ("sm_75", "sm_80", "sm_90", "sm_120")
AMD = ("gfx90a", "gfx942", "gfx1100", "gfx1201")
HOST = ("host", "host:x86-64") if os.uname().machine == "x86_64" else ("host",)
TYPES = {"f32": "single", "f64": "double", "f16": "half"}
METHODS = base.ROOT / "tests/math/methods.rs"
LIMIT = 2.0  # units in the last place
# atanh is Rust's own formula over ln_1p in std, the same on every target and as far from the exact value as stock rustc's.
UNBOUNDED = {("atanh", "")}
SCALAR = {"mirgpu_host_lgamma_f64"}  # its coefficients differ from lane to lane
DENSITY, DENSITY_LONG = 600, 20000
PAGE = """# Math functions
Made from measurements by `./dev update`; `./dev test` measures again and fails if the page is stale, if an error is above 2 units in the last place (ulp), or if one
bit differs between processors, optimisation levels or tiers of the CPU device.

Every `f32` and `f64` method of std works in kernels, and every `f16` method that rustc has. What a processor computes exactly (`sqrt`, `floor`, `mul_add`, `abs`,
`copysign`, …) is its instruction or LLVM's exact expansion, `%` is exact everywhere, and these come from a library: SLEEF on the CPU
([ADR 0007](adr/0007-host-math.md)), libdevice on NVIDIA, OCML on AMD. f16 computes as f32 and rounds. libdevice's and OCML's own documents bound their errors; here they are
compiled, linked and assembled without a GPU, not measured.

A thread loop around any of them vectorises, but for `ln_gamma` of f64. Errors on the CPU device, the greatest over {points} arguments of a fixed sample ({dense} with `--long`): all exponents, the ranges where a function bends, multiples of π/2,
integers, halves, subnormals, infinities. The reference is MPFR.

| function | | f32 ulp | at | f64 ulp | at | NVIDIA | AMD |
|---|---|---|---|---|---|---|---|
"""
NOTES = """
`atanh` is std's formula over `ln_1p`: its result is stock rustc's, which for arguments near -1 is far from the exact one. Near the zeros of `ln_gamma` below -2, where results
are small, its error is at most {near} ulp (f64).
"""


def run(context):
    check_std(context)
    check_vectors(context)
    check_errors(context, DENSITY, is_current)
    check_methods(context, {"f32": ("sm_75", "gfx90a", "host"), "f64": ("sm_120", "gfx1201", "host"), "f16": ("sm_90", "gfx942", "host")})


def run_long(context):
    """Every method on every target, and a sample thirty times as dense."""
    check_errors(context, DENSITY_LONG)
    check_methods(context, {name: NVIDIA + AMD + HOST for name in TYPES})


def std_methods(name):
    """The public functions of a float type in core and std."""
    library = rust.find_rustc()[2] / "library"
    found = set()
    for path in (library / f"core/src/num/{name}.rs", library / f"std/src/num/{name}.rs"):
        found |= set(re.findall(r"^ {4}pub (?:const )?(?:unsafe )?(?:const )?fn (\w+)", path.read_text(encoding="utf-8"), re.M))
    return found


def tested_methods():
    return set(re.findall(r"^\s+(\w+): \|x, y, z\|", METHODS.read_text(encoding="utf-8"), re.M))


def check_std(context):
    """Every method that std has is in tests/math/methods.rs."""
    try:
        for name in TYPES:
            missing = std_methods(name) - tested_methods()
            context.totals.add(f"methods of {name}", not missing, f"{METHODS.name} lacks {' '.join(sorted(missing))}")
    except rust.NoRustc as problem:
        context.totals.skip("methods of std", str(problem).splitlines()[0])


def mirgpu(context, *arguments):
    return subprocess.run([context.mirgpu, *map(str, arguments)], capture_output=True, text=True, check=False, env=toolchain.environment())


def check_methods(context, targets_of):
    """One kernel a method, compiled for the targets of its type; PTX assembles and needs nothing from outside."""
    if not context.exporter:
        context.totals.skip("every float method", "no exporter")
        return
    out = context.folder / "math-check"
    out.mkdir(exist_ok=True)
    for name, cfg in TYPES.items():
        mir = out / f"{name}.mir.json"
        done = rust.export(METHODS, mir, rustc_args=["--cfg", cfg, "--cap-lints=allow"], toolchain=context.exporter, env=dict(os.environ, RUSTC_BOOTSTRAP="1"),
                           check=False)
        if done.returncode:
            context.totals.add(f"{name} methods", False, "do not export")
            continue
        for target in targets_of[name]:
            if target in NVIDIA:
                check_ptx(context, name, mir, target, out)
                continue
            done = mirgpu(context, "compile", mir, f"--target={target}", "-o", out / "out.mgpu")
            context.totals.add(f"{name} methods for {target}", done.returncode == 0, done.stderr)


def check_ptx(context, name, mir, target, out):
    ptx = out / f"{name}.{target}.ptx"
    done = mirgpu(context, "compile", mir, f"--target={target}", "--emit=ptx", "-o", ptx)
    text = ptx.read_text(encoding="utf-8") if done.returncode == 0 else ""
    left = re.findall(r"^\.extern.*|__nvvm_reflect", text, re.M)
    context.totals.add(f"{name} methods for {target}", done.returncode == 0 and not left, done.stderr + " ".join(left))
    if not toolchain.ptxas():
        context.totals.skip(f"{name} methods for {target} through ptxas", "no ptxas")
    elif text:
        done = base.run([toolchain.ptxas(), f"-arch={target}", "-o", "/dev/null", ptx], check=False, quiet=True)
        context.totals.add(f"{name} methods for {target} through ptxas", done.returncode == 0, "ptxas refuses them")


LOOP = """declare {type} @{symbol}({types})
define void @loop_{symbol}(ptr noalias %a, ptr noalias %b, ptr noalias %c) {{
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %p = getelementptr {type}, ptr %a, i64 %i
  %q = getelementptr {type}, ptr %b, i64 %i
  %o = getelementptr {type}, ptr %c, i64 %i
  %x = load {type}, ptr %p
  %y = load {type}, ptr %q
  %r = call {type} @{symbol}({values})
  store {type} %r, ptr %o
  %next = add nuw i64 %i, 1
  %end = icmp eq i64 %next, 4096
  br i1 %end, label %done, label %loop
done:
  ret void
}}
"""


def check_vectors(context):
    """A loop around each function of the CPU's library vectorises for AVX2, as a tier's thread loop must."""
    library = context.folder / "lib/mirgpu/host_math.bc"
    if os.uname().machine != "x86_64" or not library.exists():
        context.totals.skip("loops with math functions vectorise", "needs an x86-64 host and SLEEF")
        return
    out = context.folder / "math-check"
    out.mkdir(exist_ok=True)
    text = base.run([toolchain.llvm_tool("llvm-dis"), library, "-o", "-"], capture=True, quiet=True).stdout
    text = re.sub(r'"(target-cpu|target-features|tune-cpu)"="[^"]*"', "", text)
    found = re.findall(r"^define .*?(float|double) @(mirgpu_host_\w+)\((.*?)\)", text, re.M)
    loops = "".join(LOOP.format(type=kind, symbol=symbol, types=", ".join([kind] * (1 + parameters.count(","))),
                                values=", ".join([f"{kind} %x", f"{kind} %y"][:1 + parameters.count(",")])) for kind, symbol, parameters in found)
    (out / "library.ll").write_text(text, encoding="utf-8")
    (out / "loops.ll").write_text(loops, encoding="utf-8")
    base.run([toolchain.llvm_tool("llvm-link"), "-S", out / "loops.ll", out / "library.ll", "-o", out / "linked.ll"], quiet=True)
    linked = (out / "linked.ll").read_text(encoding="utf-8")
    linked = re.sub(r"^(define )(dso_local )?(.* @mirgpu_host_)", r"\1internal \3", linked, flags=re.M)
    (out / "linked.ll").write_text(linked, encoding="utf-8")
    base.run([toolchain.llvm_tool("opt"), "-passes=default<O3>", "-inline-threshold=1000000", "-mcpu=x86-64-v3", out / "linked.ll", "-S", "-o", out / "vectors.ll"], quiet=True)
    bodies = re.findall(r"^define .*? @loop_(\w+)\((.*?)^}", (out / "vectors.ll").read_text(encoding="utf-8"), re.M | re.S)
    scalar = [symbol for symbol, body in bodies if symbol not in SCALAR and not re.search(r"store <\d+ x (float|double|i32|i64)>", body)]
    context.totals.add("loops with math functions vectorise", len(bodies) >= 50 and not scalar, f"{len(bodies)} loops; scalar: {' '.join(scalar)}")


def measure(context, density):
    """The rows of mirgpu-math-ulp, or why there are none."""
    tool = context.folder / "bin/mirgpu-math-ulp"
    if not tool.exists():
        return None, "MPFR (libmpfr-dev) was not there when this was built"
    if not (context.folder / "lib/mirgpu/host_math.bc").exists():
        return None, "the CPU device was built without SLEEF"
    out = context.folder / "math-check"
    out.mkdir(exist_ok=True)
    rows = []
    variants = [(target, level) for target in HOST for level in ("-O3", "-O0")]
    variants += [("host:x86-64-v3", "-O3")] if len(HOST) > 1 and "avx2" in open("/proc/cpuinfo", encoding="utf-8").read() else []
    for name in ("f32", "f64"):
        modules = []
        for target, level in variants:
            modules.append(out / f"{name}.{target.replace(':', '-')}{level}.mgpu")
            base.run([context.mirgpu, "compile", base.ROOT / f"tests/run/math_functions_{name}.mir.json", f"--target={target}", level, "-o", modules[-1]], quiet=True)
        done = base.run([tool, density, name, *modules], capture=True, quiet=True)
        rows += [json.loads(line) for line in done.stdout.splitlines()]
    return rows, None


def check_errors(context, density, page_check=None):
    """Errors within the limit, equal bits in every variant, and the page up to date."""
    rows, why = measure(context, density)
    if why:
        context.totals.skip("errors of math functions", why)
        return
    for row in rows:
        test = f"{row['name']} {row['part']} of {row['type']}".replace("  ", " ")
        within = float(row["ulp"]) <= LIMIT or (row["name"], row["part"]) in UNBOUNDED
        context.totals.add(f"error of {test}", within, f"{row['ulp']} ulp at {', '.join(row['at'])}")
        context.totals.add(f"bits of {test}", row["different"] < 0, f"differ between variants, first at sample {row['different']}")
    if page_check:
        context.totals.add("docs/math.md", page_check(rows), "stale; ./dev update math")


def table_rows():
    """{name: (libdevice, ocml, doc)} of intrinsics/math.cpp."""
    text = (base.ROOT / "intrinsics/math.cpp").read_text(encoding="utf-8")
    row = re.compile(r'^ {4}\{"(\w+)", +\d, +"\w*", +"\w*", +"(\w+)", +"(\w+)", +"\w*", +"(.*)"\},$', re.M)
    return {name: (libdevice, ocml, doc) for name, libdevice, ocml, doc in row.findall(text)}


def page(rows):
    """The text of docs/math.md."""
    by_name = {(row["name"], row["type"]): row for row in rows if not row["part"]}
    near = next(row for row in rows if row["part"] and row["type"] == "f64")
    library = table_rows()
    text = PAGE.replace("{points}", f"{rows[0]['points']:,}").replace("{dense}", f"{13 * DENSITY_LONG:,}")
    for name in dict.fromkeys(row["name"] for row in rows):
        libdevice, ocml, doc = library.get(name, ("", "", "Rust's formula in std." if name == "atanh" else "Exact rounding."))
        cells = [f"{by_name[name, t]['ulp']} | {', '.join(by_name[name, t]['at'])}" for t in ("f32", "f64")]
        text += f"| `{name}` | {doc} | {' | '.join(cells)} | {f'`__nv_{libdevice}`' if libdevice else ''} | {f'`__ocml_{ocml}_f64`' if ocml else ''} |\n"
    return text + NOTES.replace("{near}", near["ulp"])


def is_current(rows):
    path = base.ROOT / "docs/math.md"
    return path.exists() and path.read_text(encoding="utf-8") == page(rows)


def update(context):
    """Rewrites docs/math.md; returns whether it changed, None without measurements."""
    rows, why = measure(context, DENSITY)
    if why:
        base.say(f"docs/math.md stays as it is: {why}")
        return False
    return base.write_if_changed(base.ROOT / "docs/math.md", page(rows))
