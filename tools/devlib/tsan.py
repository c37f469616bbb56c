# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomics of kernels on the CPU device under ThreadSanitizer: tests/tsan/stress.rs, its code instrumented by `--sanitize=thread`, run by a mirgpu
built with the preset tsan. A kernel whose name begins with `racy_` must be reported, any other must not."""
import os
import re
import tempfile

from . import base, build, rust, toolchain

STRESS = base.ROOT / "tests/tsan/stress.rs"
SUPPRESSIONS = base.ROOT / "tests/unit/tsan.supp"
REPORTED = 66  # the exit code that TSAN_OPTIONS asks for
TRIES = 10  # of a racy kernel: its blocks may happen to follow each other


def kernels(text):
    """(name, whether it takes a buffer) of every kernel of the source."""
    return [(name, "out" in parameters) for name, parameters in re.findall(r"#\[kernel\]\n\s*pub fn (\w+)\(([^)]*)\)", text)]


def run(context):
    """Adds one test for each kernel."""
    if not context.exporter:
        context.totals.skip("ThreadSanitizer", "no exporter")
        return
    folder = build.build("tsan", ["mirgpu_driver"])
    env = dict(toolchain.environment(), TSAN_OPTIONS=f"suppressions={SUPPRESSIONS} exitcode={REPORTED} halt_on_error=1")
    with tempfile.TemporaryDirectory() as scratch:
        mir = os.path.join(scratch, "stress.mir.json")
        rust.export(STRESS, mir, toolchain=context.exporter)
        for name, has_buffer in kernels(STRESS.read_text(encoding="utf-8")):
            command = [folder / "bin/mirgpu", "run", mir, "--kernel", name, "--grid", "3", "--block", "256", "-O1", "--sanitize=thread",
                       *(["--arg", "out=u32[768]:zeros"] if has_buffer else [])]
            judge(context, name, command, env)


def judge(context, name, command, env):
    """Whether the command's exit code is what the kernel's name says."""
    racy = name.startswith("racy_")
    for _ in range(TRIES if racy else 1):
        done = base.run(command, check=False, capture=True, merge=True, env=env, quiet=True)
        if racy and done.returncode == REPORTED and "data race" in done.stdout:
            break
    good = done.returncode == (REPORTED if racy else 0)
    context.totals.add(name, good, f"ended with {done.returncode}\n{done.stdout[-2000:]}")
