# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold of every example on every target: its PTX assembles; with unrolling off it has exactly the barriers of the unoptimised IR;
its HSACO has a kernel descriptor and metadata for each kernel."""
import re

from . import base, demo, toolchain

PTXAS_TARGETS = ("sm_75", "sm_80", "sm_90", "sm_100", "sm_120")
AMD_TARGETS = ("gfx90a", "gfx942", "gfx1100", "gfx1201")


def run(context):
    found = demo.examples()
    if not found:
        context.totals.add("examples", False, "none has serialized MIR; ./dev update examples")
    out = context.folder / "examples-check"
    out.mkdir(exist_ok=True)
    for name, mir in found:
        check_ptx(context, name, mir, out)
        check_barriers(context, name, mir, out)
        check_hsaco(context, name, mir, out)


def compile_to(context, mir, out, *options):
    """Whether mirgpu compiled `mir` to `out`."""
    return base.run([context.mirgpu, "compile", mir, "-o", out, *options], check=False, quiet=True).returncode == 0


def check_ptx(context, name, mir, out):
    for target in PTXAS_TARGETS:
        test = f"{name} for {target} through ptxas"
        ptx = out / f"{name}.{target}.ptx"
        if not compile_to(context, mir, ptx, f"--target={target}", "--emit=ptx"):
            context.totals.add(test, False, "does not compile")
        elif toolchain.ptxas() is None:
            context.totals.skip(test, "no ptxas")
        else:
            done = base.run([toolchain.ptxas(), f"-arch={target}", "-o", "/dev/null", ptx], check=False, quiet=True)
            context.totals.add(test, done.returncode == 0, "ptxas refuses it")


def reachable_barriers(ir):
    """Calls of the block barrier in unoptimised IR, each function once."""
    return len(re.findall(r"call [^\n]*@\"?mirgpu\.thread::sync_threads\"?\(", ir))


def check_barriers(context, name, mir, out):
    """Inlining copies a function with a barrier into each caller: the kernel's text is compared where each function has one caller."""
    ir_file, ptx_file = out / f"{name}.ll", out / f"{name}.no-unroll.ptx"
    test = f"{name}: barriers"
    if not (compile_to(context, mir, ir_file, "--target=sm_90", "--emit=llvm-ir", "-O0")
            and compile_to(context, mir, ptx_file, "--target=sm_90", "--emit=ptx", "--no-unroll")):
        context.totals.add(test, False, "does not compile")
        return
    wanted = reachable_barriers(ir_file.read_text(encoding="utf-8"))
    found = len(re.findall(r"^\s*(?:bar\.sync|barrier\.sync|barrier\.cta\.sync|bar\.cta\.sync)", ptx_file.read_text(encoding="utf-8"), re.M))
    context.totals.add(test, found == wanted, f"the unoptimised IR has {wanted}, the PTX {found}")


def check_hsaco(context, name, mir, out):
    for target in AMD_TARGETS:
        test = f"{name} for {target}: descriptors and metadata"
        hsaco = out / f"{name}.{target}.hsaco"
        if not compile_to(context, mir, hsaco, f"--target={target}", "--emit=hsaco"):
            context.totals.add(test, False, "does not compile")
            continue
        shown = base.run([toolchain.llvm_tool("llvm-readelf"), "--symbols", "--notes", hsaco], capture=True, quiet=True).stdout
        kernels = set(re.findall(r"\.name:\s+(\S+)", shown.split("amdhsa.kernels:")[1])) if "amdhsa.kernels:" in shown else set()
        descriptors = set(re.findall(r"OBJECT\s+GLOBAL\s+\S+\s+\S+\s+(\S+)\.kd", shown))
        symbols = set(re.findall(r"\.symbol:\s+(\S+)\.kd", shown))
        context.totals.add(test, bool(descriptors) and descriptors == symbols and descriptors <= kernels,
                           f"descriptors {sorted(descriptors)}, metadata {sorted(symbols)}")
