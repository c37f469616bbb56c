# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev bench compile`: MIR to PTX in one warm process of ours, one whole `mirgpu` process, and LLVM's own `opt -O3` and `llc -O3` as two
processes on the IR that our passes start from, in one run on one machine."""
import json
import os
import pathlib
import platform
import statistics
import subprocess
import tempfile
import time

from . import base, build, demo, rust, toolchain

RUNS = 50


def median_ms(command, env=None):
    """The median wall time of RUNS runs of a command or of several after another."""
    commands = command if isinstance(command[0], list) else [command]
    times = []
    for i in range(RUNS + 1):
        start = time.perf_counter()
        for one in commands:
            subprocess.run([str(c) for c in one], check=True, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if i:  # the first run fills the page cache
            times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def in_process(folder, mirs, scratch):
    """{stage/example: median ms} of the benchmark binary, which also leaves each example's expanded IR in `scratch`."""
    done = base.run([folder / "bin/mirgpu_bench", f"--expanded-ir={scratch}", *mirs, "--benchmark_format=json"], capture=True)
    rows = json.loads(done.stdout)["benchmarks"]
    return {row["run_name"].split("/iterations")[0]: row["real_time"] for row in rows if row.get("aggregate_name") == "median"}


def measure(folder, name, mir, inside, scratch):
    """One row of the table."""
    ir, bc, ptx = scratch / f"{name}.ll", scratch / f"{name}.bc", scratch / f"{name}.ptx"
    mirgpu = folder / "bin/mirgpu"
    opt, llc = toolchain.llvm_tool("opt"), toolchain.llvm_tool("llc")
    base.say(f"measuring {name}: {RUNS} runs each")
    peer = median_ms([[opt, "-O3", "-mcpu=sm_90", ir, "-o", bc], [llc, "-O3", "-mcpu=sm_90", bc, "-o", ptx]])
    whole = median_ms([mirgpu, "compile", mir, "--target=sm_90", "--emit=ptx", "-o", ptx])
    return {"name": name, "kb": mir.stat().st_size / 1024, "peer": peer, "whole": whole,
            **{stage: inside[f"{stage}/{name}"] for stage in ("mir_to_ptx", "read", "lower", "emit")}}


def export_times(scratch):
    """{example: median ms of an export}, or None without an exporter."""
    current = rust.cache_root() / "exporter/current.json"
    if not current.exists():
        return None
    tools = json.loads(current.read_text(encoding="utf-8"))
    times = {}
    for name, mir in demo.examples():
        samples = []
        for _ in range(5):
            start = time.perf_counter()
            rust.export(mir.with_name(name + ".rs"), scratch / "export.mir.json", toolchain=tools, cwd=scratch, rustc_args=["--cap-lints=allow"])
            samples.append((time.perf_counter() - start) * 1000)
        times[name] = statistics.median(samples)
    return times


def machine():
    cpu = platform.processor() or platform.machine()
    info = pathlib.Path("/proc/cpuinfo")
    if info.exists():
        cpu = next((line.split(":", 1)[1].strip() for line in info.read_text(encoding="utf-8").splitlines() if line.startswith("model name")), cpu)
    load = os.getloadavg()[0]
    version = subprocess.run([str(toolchain.llvm_tool("llc")), "--version"], capture_output=True, text=True, check=True).stdout
    llvm = next(line.strip() for line in version.splitlines() if "LLVM version" in line)
    return f"{cpu}, {os.cpu_count()} cores, {llvm}, load average {load:.1f} at the start"


def mark(good):
    return "" if good else " (missed)"


def page(rows, exports, about):
    lines = [f"Machine: {about}.", "", f"## MIR to PTX (sm_90, -O3), median of {RUNS}, milliseconds", "",
             "*In-process* is one warm process, from the file's bytes to PTX text. *mirgpu* is the whole process. *opt + llc* are LLVM's own tools as",
             "two processes on the IR that our passes start from; they read no MIR.", "",
             "| example | MIR KB | in-process | opt + llc | ratio | mirgpu process | against opt + llc |", "|---|---|---|---|---|---|---|"]
    for r in rows:
        ratio = r["peer"] / r["mir_to_ptx"]
        wanted = r["name"] != "vecadd" or ratio >= 5
        lines.append(f"| {r['name']} | {r['kb']:.0f} | {r['mir_to_ptx']:.2f} | {r['peer']:.1f} | {ratio:.1f}x{mark(wanted)} | {r['whole']:.1f} | "
                     f"{r['peer'] / r['whole']:.2f}x{mark(r['whole'] <= r['peer'])} |")
    lines += ["", "## Stages, in-process, milliseconds", "", "| example | read | lower | emit |", "|---|---|---|---|"]
    lines += [f"| {r['name']} | {r['read']:.2f} | {r['lower']:.2f} | {r['emit']:.2f} |" for r in rows]
    lines += ["", "## Export, one process, milliseconds (median of 5; at most 500)", ""]
    if exports is None:
        lines.append("Not measured: the exporter was not built.")
    else:
        lines += ["| example | ms |", "|---|---|"] + [f"| {name} | {ms:.0f}{mark(ms <= 500)} |" for name, ms in exports.items()]
    return "\n".join(lines) + "\n"


def section():
    """The text of this part of the page."""
    folder = build.build("release", ["mirgpu_driver", "mirgpu_bench"])
    about = machine()
    found = demo.examples()
    with tempfile.TemporaryDirectory() as scratch:
        inside = in_process(folder, [mir for _, mir in found], scratch)
        rows = [measure(folder, name, mir, inside, pathlib.Path(scratch)) for name, mir in found]
        return page(rows, export_times(pathlib.Path(scratch)), about)
