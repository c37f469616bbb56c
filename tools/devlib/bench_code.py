# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev bench code`: our PTX against that of NVIDIA's compiler and of rustc's own nvptx64 target, all through one `ptxas -O3`.

bench/peers/ holds the same kernels in CUDA C++ (`NAME.cu`), without bounds checks (`unchecked/NAME.rs`) and for rustc's target (`rustc/`). In
kernels.json stands for each kernel what a unit of work of its hot loop is: so many opcodes of a kind, counted in the machine code, so that
unrolling needs no declaration; and the cause of a ratio above LIMIT, by kernel or by kernel and target."""
import json
import math
import pathlib
import tempfile

from . import base, build, peers, sass

TARGETS = (80, 90, 120)
LIMIT = 1.20
WANTED = {"safe": 1.15, "unchecked": 1.00, "registers": 1.00}
READ_ONLY, LOAD = r"LDG\..*CONSTANT", r"LDG"


def examples():
    """{example: {kernel: description}} of bench/peers/kernels.json, as far as there are sources; `loops` has its own beside it."""
    described = json.loads((peers.SOURCES / "kernels.json").read_text(encoding="utf-8"))
    return {name: kernels for name, kernels in described.items() if source_of(name).exists()}


def source_of(name):
    example = base.ROOT / f"examples/{name}/{name}.mir.json"
    return example if example.exists() else peers.SOURCES / f"{name}.rs"


def ours(mirgpu, source, sm, ptx):
    base.run([mirgpu, "compile", source, f"--target=sm_{sm}", "--emit=ptx", "-o", ptx], quiet=True)


def facts(ptx, sm, kernels, relocatable=False):
    """{kernel: what is measured} of one PTX file; kernels that it lacks are left out."""
    cubin, uses = peers.assemble(ptx, sm, relocatable)
    code = sass.functions(peers.cuda() / "bin/nvdisasm", cubin)
    found = {}
    for kernel, about in kernels.items():
        if kernel not in uses or kernel not in code:
            continue
        hot = sass.hottest(code[kernel], about["opcodes"], about["each"]) if "unit" in about else None
        instructions = code[kernel].instructions
        found[kernel] = {**uses[kernel], "instructions": len(instructions), "hot": hot[0] if hot else None,
                         "read_only": sass.count(instructions, READ_ONLY), "loads": sass.count(instructions, LOAD)}
    return found


def measure(mirgpu, scratch):
    """{(example, kernel, sm): {compiler: facts}}."""
    rows = {}
    nvptx = peers.rustc_nvptx()
    for name, kernels in examples().items():
        unchecked = peers.SOURCES / f"unchecked/{name}.rs"
        for sm in TARGETS:
            base.say(f"measuring {name} for sm_{sm}")
            made = {}
            for compiler, make in (("safe", lambda ptx: ours(mirgpu, source_of(name), sm, ptx)),
                                   ("unchecked", lambda ptx: ours(mirgpu, unchecked, sm, ptx) if unchecked.exists() else None),
                                   ("plain", lambda ptx: peers.nvcc(peers.SOURCES / f"{name}.cu", sm, ptx, fmad=False)),
                                   ("fused", lambda ptx: peers.nvcc(peers.SOURCES / f"{name}.cu", sm, ptx, fmad=True))):
                ptx = scratch / f"{name}-{sm}-{compiler}.ptx"
                make(ptx)
                made[compiler] = facts(ptx, sm, kernels) if ptx.exists() else {}
            renamed = {f"{name}_{kernel}": about for kernel, about in kernels.items()}
            made["rustc"] = facts(own_copy(nvptx, scratch, name, sm), sm, renamed, relocatable=True) if nvptx else {}
            for kernel in kernels:
                rows[name, kernel, sm] = {c: made[c].get(f"{name}_{kernel}" if c == "rustc" else kernel) for c in made}
    return rows


def own_copy(ptx, scratch, name, sm):
    copy = scratch / f"{name}-{sm}-rustc.ptx"
    copy.write_bytes(pathlib.Path(ptx).read_bytes())
    return copy


def ratio(row, compiler, what, peer="plain"):
    """That of `compiler` to `peer`; None where one of them has no number."""
    ours_, theirs = row.get(compiler), row.get(peer)
    if not ours_ or not theirs or not ours_[what] or not theirs[what]:
        return None
    return ours_[what] / theirs[what]


def mean(ratios):
    known = [r for r in ratios if r]
    return math.exp(sum(map(math.log, known)) / len(known)) if known else None


def number(value, digits=1):
    return "–" if value is None else f"{value:.{digits}f}"


def cell(row, compiler, what, digits=1):
    return number(row[compiler][what], digits) if row.get(compiler) and row[compiler][what] is not None else "–"


def table(rows, sm):
    lines = [f"### sm_{sm}", "",
             "| kernel | registers, nvcc | | instructions, nvcc | hot loop: safe | unchecked | nvcc | fused | rustc | safe : nvcc | unchecked : nvcc "
             "| read-only loads, nvcc | local bytes, nvcc |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|---|"]
    for (name, kernel, at), row in rows.items():
        if at != sm:
            continue
        safe, plain = row["safe"], row["plain"]
        title = kernel if kernel == name else f"{name}: {kernel}"
        lines.append(f"| {title} | {safe['registers']}, {plain['registers']} | {number(ratio(row, 'safe', 'registers'), 2)} "
                     f"| {safe['instructions']}, {plain['instructions']} | " + " | ".join(cell(row, c, "hot") for c in ("safe", "unchecked", "plain", "fused", "rustc"))
                     + f" | {number(ratio(row, 'safe', 'hot'), 2)} | {number(ratio(row, 'unchecked', 'hot'), 2)} "
                     f"| {safe['read_only']} of {safe['loads']}, {plain['read_only']} of {plain['loads']} | {safe['local']}, {plain['local']} |")
    return lines + [""]


def means(rows, only=None):
    """Geometric means by target; `only` names the examples that count."""
    lines = ["| target | safe : nvcc (at most 1.15) | unchecked : nvcc (at most 1.00) | rustc : nvcc | registers : nvcc (at most 1.00) |", "|---|---|---|---|---|"]
    for sm in TARGETS:
        here = [row for (name, _, at), row in rows.items() if at == sm and (only is None or name in only)]
        found = {"safe": mean(ratio(r, "safe", "hot") for r in here), "unchecked": mean(ratio(r, "unchecked", "hot") for r in here),
                 "rustc": mean(ratio(r, "rustc", "hot") for r in here), "registers": mean(ratio(r, "safe", "registers") for r in here)}
        marked = [number(value, 2) + ("" if value is None or name not in WANTED or value <= WANTED[name] + 0.004 else " (missed)")
                  for name, value in found.items()]
        lines.append(f"| sm_{sm} | " + " | ".join(marked) + " |")
    return lines + [""]


def causes(rows):
    """One line for each ratio above LIMIT, read-only load or local memory that nvcc has otherwise."""
    known, lines = examples(), []
    for (name, kernel, sm), row in rows.items():
        why = known[name][kernel].get("causes", {})
        found = {f"hot loop, {c}": ratio(row, c, "hot") for c in ("safe", "unchecked")}
        found["registers"] = ratio(row, "safe", "registers")
        for what, value in found.items():
            if value and value > LIMIT:
                key = what.split(",")[0]
                lines.append(f"- {name}: {kernel}, sm_{sm}, {what} {value:.2f}: {why.get(f'{key} sm_{sm}', why.get(key, '**no cause is named**'))}")
        if row["safe"]["local"] > row["plain"]["local"]:
            lines.append(f"- {name}: {kernel}, sm_{sm}, {row['safe']['local']} bytes of local memory: {why.get('local', '**no cause is named**')}")
        if row["plain"]["read_only"] and not row["safe"]["read_only"]:
            lines.append(f"- {name}: {kernel}, sm_{sm}, no read-only loads: {why.get('read-only', '**no cause is named**')}")
    return lines


def page(rows):
    names = [name for name in examples() if name != "loops"]
    lines = ["## Machine code on NVIDIA", "",
             "Static counts of what one `ptxas -O3` (CUDA 13.5) makes of our PTX and of that of others; no GPU ran. *nvcc* is `nvcc -O3 -fmad=false`, the",
             "like of Rust's rules for floating point; *fused* is plain `nvcc -O3`; *rustc* is rustc 1.96.0's own nvptx64 target with bounds checks;",
             "*unchecked* is our code of the same kernel with `get_unchecked`. *Hot loop* is instructions for each unit of work in the loop where a unit",
             "costs least: loops for the remainder and for what is out of bounds are others. NOPs do not count. Sources: `bench/peers/`.", "",
             "### Geometric means over the examples", "", *means(rows, names), "### Geometric means with the loops of `bench/peers/loops.rs`", "",
             *means(rows)]
    for sm in TARGETS:
        lines += table(rows, sm)
    lines += ["### Units of work", ""]
    lines += [f"- {name}: {kernel}: {about['unit']}, {about['each']} of `{about['opcodes']}`" for name, kernels in examples().items()
              for kernel, about in kernels.items() if "unit" in about]
    lines += ["", f"### Above {LIMIT:.2f}", ""] + (causes(rows) or ["Nothing."])
    return "\n".join(lines) + "\n"


def section():
    """The text of this part of the page."""
    mirgpu = build.build("release", ["mirgpu_driver"]) / "bin/mirgpu"
    with tempfile.TemporaryDirectory() as scratch:
        return page(measure(mirgpu, pathlib.Path(scratch)))
