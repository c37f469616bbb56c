#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the crates under rust/ with the stable toolchain in PATH.

Maps from: the cargo workspace. To: its unit tests and doctests (the compile_fail ones are the macros' error tests), and one test each
for: no warning anywhere (consumer crate and examples), formatted, documentation without a broken link. Last line `N passed, N failed`;
what a missing tool leaves out is named in a line `skipped: …`.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

RUST = pathlib.Path(__file__).resolve().parents[2] / "rust"


def cargo(*arguments, **environment):
    """Runs cargo in the workspace; returns (it went well, all that it wrote)."""
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTFLAGS", "MIRGPU_EXPORT")} | environment
    done = subprocess.run(["cargo", *arguments], cwd=RUST, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode == 0, done.stdout


def main():
    if not shutil.which("cargo"):
        print("skipped: no cargo in PATH, the Rust crates cannot be tested")
        print("0 passed, 0 failed")
        return 0
    passed = failed = 0
    right, text = cargo("test", "--locked", "--workspace")
    for ok, bad in re.findall(r"test result: \w+\. (\d+) passed; (\d+) failed", text):
        passed, failed = passed + int(ok), failed + int(bad)
    if not right:
        failed += not failed
        print(text)
    elif passed < 40:
        failed += 1
        print(f"{text}\ncargo ran {passed} tests alone: this check reads its output wrongly")
    checks = [("a warning", ("check", "--locked", "--workspace", "--all-targets", "--target-dir", "target/deny"), {"RUSTFLAGS": "-Dwarnings"}),
              ("documentation", ("doc", "--locked", "--workspace", "--no-deps"), {"RUSTDOCFLAGS": "-Dwarnings"})]
    if cargo("fmt", "--version")[0]:
        checks.append(("formatting: run `cargo fmt` in rust/", ("fmt", "--check"), {}))
    else:
        print("skipped: no `cargo fmt`, the crates' formatting cannot be checked")
    for what, arguments, environment in checks:
        right, text = cargo(*arguments, **environment)
        passed, failed = passed + right, failed + (not right)
        if not right:
            print(f"{what}\n{text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
