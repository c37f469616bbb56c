# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev bench cpu`: kernels without barriers on the CPU device against hand-written C++ with OpenMP, in one process on as many threads."""
import json
import os
import pathlib
import platform
import tempfile

from . import base, build

SIZES = (16 << 10, 1 << 20, 256 << 20)
WANTED = 1.3
# Why a ratio above WANTED is one.
CAUSES = {
    "stencil": "the thread loop is not vectorised: that a column in 32 bits does not wrap is not known before the loop",
    ("vecadd", 16 << 10): "the price of a launch through the queue, some microseconds",
    ("saxpy", 16 << 10): "the price of a launch through the queue, some microseconds",
    ("stencil", 16 << 10): "the price of a launch through the queue, and not vectorised as at other sizes",
}


def measure():
    """The rows that the benchmark prints."""
    folder = build.build("release", ["mirgpu_driver", "mirgpu_cpu_bench"])
    with tempfile.TemporaryDirectory() as scratch:
        module = pathlib.Path(scratch) / "cpu.mgpu"
        base.run([folder / "bin/mirgpu", "compile", base.ROOT / "bench/kernels/cpu.mir.json", "--target=host", "-o", module])
        done = base.run([folder / "bin/mirgpu_cpu_bench", module, *map(str, SIZES)], capture=True,
                        env={**os.environ, "OMP_PROC_BIND": "false"})
    return [json.loads(line) for line in done.stdout.splitlines()]


def size_text(count):
    return f"{count >> 20} MiB" if count >= 1 << 20 else f"{count >> 10} KiB"


def row_text(row):
    wall, cpu = row["ours_ms"] / row["peer_ms"], row["ours_cpu_ms"] / row["peer_cpu_ms"]
    remark = "" if row["same"] else "**results differ**"
    if wall > WANTED:
        remark += f"**above {WANTED}**: {CAUSES.get((row['kernel'], row['bytes']), CAUSES.get(row['kernel'], 'not looked into'))}"
    return (f"| {row['kernel']} | {size_text(row['bytes'])} | {row['ours_ms']:.4f} | {row['peer_ms']:.4f} | {wall:.2f} | "
            f"{row['ours_cpu_ms']:.4f} | {row['peer_cpu_ms']:.4f} | {cpu:.2f} | {remark} |")


def section():
    """The text of the page's part."""
    rows = measure()
    lines = [f"Machine: {platform.machine()}, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end.", "",
             "## Kernels on the CPU device (T0) against C++ with OpenMP",
             "", "Blocks of 256 threads; clang -O3 -march=native -fno-math-errno -ffp-contract=off; medians of launch to end, in milliseconds; "
             f"wall time wanted at most {WANTED} times the peer's. Results are compared bit for bit.", "",
             "| kernel | bytes of an array | ours | OpenMP | ratio | ours, CPU time | OpenMP, CPU time | ratio | |",
             "|---|---|---|---|---|---|---|---|---|"]
    return "\n".join(lines + [row_text(row) for row in rows]) + "\n"
