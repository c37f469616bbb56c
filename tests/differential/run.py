#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Differential tests: the same random programs by stock rustc for the host and through mirgpu for the CPU device.

    tests/differential/run.py [--programs N] [--seed S] [--mirgpu FILE] [--keep FOLDER] [--histogram]

Program k has seed S + k. Both sides get the same inputs as raw bytes, which the host program made; it reads the bytes that the kernel
wrote as values of its own types and holds them against what its own code gives: every field, every discriminant, NaNs as one. Prints a
line for each program that differs (its seed makes it again) and `N passed, N failed`; with --histogram also how often each kind of MIR
and each class of layout was met.
"""
import argparse
import collections
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1] / "tools"), str(HERE)]

import histogram  # noqa: E402
import program  # noqa: E402
from devlib import base, rust  # noqa: E402

BATCH = 20  # programs in one crate
LEVELS = ("0", "3")
VALUES = 64  # COUNT of host.rs


class Broken(Exception):
    """A step that failed for a whole batch."""


def run(command, **options):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False, **options)


def compile_host(seeds, folder, rustc):
    source = folder / "host.rs"
    source.write_text(program.host(seeds), encoding="utf-8")
    done = run([rustc, "--edition", "2024", "-Copt-level=1", "-Coverflow-checks=off", "-Cdebug-assertions=off", "--cap-lints", "allow", source,
                "-o", folder / "host"])
    if done.returncode:
        raise Broken(f"rustc refuses the host program:\n{done.stderr[:3000]}")


def export_kernels(seeds, folder, tools):
    source, mir = folder / "kernels.rs", folder / "kernels.mir.json"
    source.write_text(program.kernels(seeds), encoding="utf-8")
    command = rust.export_command(source, mir, tools, rustc_args=["--cap-lints=allow"])
    done = run(command, cwd=folder, env={**os.environ, "MIRGPU_EXPORT": "1"})
    if done.returncode:
        raise Broken(f"the exporter refuses the kernels:\n{done.stderr[:3000]}")
    return mir


def run_kernel(mirgpu, folder, module, seed, level):
    """Runs one program's kernel; the reason if it did not run."""
    done = run([mirgpu, "run", module, "--device=cpu", "--kernel", f"k{seed}", "--grid=2", f"--block={VALUES // 2}",
                "--arg", f"inputs=bytes:@{folder}/{seed}.in", "--arg", f"outputs=bytes:@{folder}/{seed}.out",
                f"--print=outputs=@{folder}/{seed}.O{level}"])
    return done.stderr.strip() if done.returncode else None


def run_batch(seeds, folder, options, tools, counts):
    """{seed: reason} of the programs that failed."""
    compile_host(seeds, folder, options.rustc)
    if run([folder / "host", "make", folder]).returncode:
        raise Broken("the host program does not write its inputs")
    mir = export_kernels(seeds, folder, tools)
    histogram.count(mir, counts)
    failed = {}
    for level in LEVELS:
        module = folder / f"kernels.O{level}.mgpu"
        done = run([options.mirgpu, "compile", mir, "--target=host", f"-O{level}", "-o", module])
        if done.returncode:
            raise Broken(f"mirgpu refuses the kernels at -O{level}:\n{done.stderr[:3000]}")
        for seed in seeds:
            if reason := run_kernel(options.mirgpu, folder, module, seed, level):
                failed[seed] = f"-O{level}: {reason}"
        checked = run([folder / "host", "check", folder, f"O{level}"]).stdout.splitlines()
        for line in checked:
            seed, _, verdict = line.partition(" ")
            if verdict != "ok":
                failed.setdefault(int(seed), f"-O{level}: {verdict}")
        if len(checked) != len(seeds):
            raise Broken(f"the host program checked {len(checked)} of {len(seeds)} programs")
    return failed


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mirgpu", default=base.ROOT / "build/ci/bin/mirgpu")
    parser.add_argument("--keep", type=pathlib.Path, help="leave sources, serialized MIR and buffers here")
    parser.add_argument("--histogram", action="store_true")
    return parser.parse_args()


def main():
    options = arguments()
    tools = rust.build_toolchain()
    options.rustc = rust.find_rustc()[0]
    counts, failed, total = collections.Counter(), {}, 0
    for first in range(options.seed, options.seed + options.programs, BATCH):
        seeds = list(range(first, min(first + BATCH, options.seed + options.programs)))
        total += len(seeds)
        with tempfile.TemporaryDirectory() as scratch:
            folder = options.keep / f"{first}" if options.keep else pathlib.Path(scratch)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                failed |= run_batch(seeds, folder, options, tools, counts)
            except Broken as broken:
                failed |= {seed: f"batch {seeds[0]} to {seeds[-1]}: {broken}" for seed in seeds[:1]}
    for seed, reason in sorted(failed.items()):
        print(f"program {seed}: {reason}")
    missing = histogram.report(counts, total, options.histogram)
    print(f"{total - len(failed)} passed, {len(failed) + missing} failed")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
