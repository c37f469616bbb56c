#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the C++ reference of the interpreter example against the Rust function that its kernel runs, compiled by rustc.

Maps from: hand-written and random programs, rows of random inputs (infinities and zeros among them). To: one test a program, last
line `N passed, N failed`. Every result is compared in its bits, NaNs as one value. Without a rustc the group is named as skipped.
"""
import math
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUSH, LOAD, ADD, SUB, MUL, MAX, DUP, SWAP, JUMP_IF_ZERO, JUMP, HALT = range(11)
WIDTH, ROWS, STEPS = 3, 16, 400
RANDOM_PROGRAMS = 100

# x^n by repeated multiplication, not below a floor; rows are (x, n, floor).
POWER = [(PUSH, 1.0), (LOAD, 1), (DUP, 0), (JUMP_IF_ZERO, 11), (PUSH, 1.0), (SUB, 0), (SWAP, 0), (LOAD, 0), (MUL, 0), (SWAP, 0),
         (JUMP, 2), (ADD, 0), (LOAD, 2), (MAX, 0), (HALT, 0)]
FAULTS = {"underflow": [(PUSH, 1.0), (ADD, 0), (HALT, 0)], "overflow": [(PUSH, 1.0), (JUMP, 0)], "no input": [(LOAD, WIDTH), (HALT, 0)],
          "no operation": [(PUSH, 1.0)], "out of steps": [(JUMP, 0)], "empty": [], "jump out": [(JUMP, 9)], "halt on nothing": [(HALT, 0)]}


def encoded(program):
    """The bytes of a `#[repr(C, u32)] enum Op` for each operation."""
    return b"".join(struct.pack("<If", tag, operand) if tag == PUSH else struct.pack("<IHxx", tag, operand) for tag, operand in program)


def random_program(rng):
    """Any operations in any order, rather more pushes than pops so that most get somewhere."""
    size = rng.randint(1, 24)
    tags = [rng.choice([PUSH, LOAD, LOAD, ADD, SUB, MUL, MAX, DUP, SWAP, JUMP_IF_ZERO, JUMP, HALT]) for _ in range(size)]
    operand = {PUSH: lambda: rng.choice([0.0, 1.0, -1.5, 1e30, 3.4e38, math.inf, -0.0]), LOAD: lambda: rng.randint(0, WIDTH - (rng.random() < 0.9)),
               JUMP: lambda: rng.randint(0, size), JUMP_IF_ZERO: lambda: rng.randint(0, size)}
    return [(tag, operand.get(tag, lambda: 0)()) for tag in tags]


def compile_both(folder):
    """The two programs; None for the Rust one without a rustc."""
    compiler = next(c for c in ("clang++-22", "clang++", "g++", "c++") if shutil.which(c))
    cpp = folder / "cpp"
    subprocess.run([compiler, "-std=c++20", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-I", ROOT, ROOT / "examples/interpreter/reference.cpp",
                    ROOT / "tests/rust/interpreter_reference.cpp", "-o", cpp], check=True)
    if not shutil.which("rustc"):
        return cpp, None
    rust = folder / "rust"
    subprocess.run(["rustc", "--edition=2024", "-O", "-Dwarnings", ROOT / "examples/interpreter/reference.rs", "-o", rust], check=True)
    return cpp, rust


def results(binary, program, data):
    """[(value, fault)] of each row, NaN as the word."""
    out = subprocess.run([binary, program, data, str(WIDTH), str(STEPS)], capture_output=True, check=True).stdout
    return [("nan" if math.isnan(struct.unpack("<f", bits)[0]) else bits.hex(), fault) for bits, fault in struct.iter_unpack("<4sI", out)]


def main():
    rng = random.Random(1)
    programs = {"power": POWER} | FAULTS | {f"random {i}": random_program(rng) for i in range(RANDOM_PROGRAMS)}
    passed = failed = 0
    seen = set()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        cpp, rust = compile_both(folder)
        if rust is None:
            print("skipped: no rustc in PATH, the Rust function cannot be compared")
            print("0 passed, 0 failed")
            return 0
        rows = [(rng.choice([0.0, -0.0, math.inf, rng.uniform(-3, 3)]), float(rng.randint(-1, 9)), rng.uniform(-1, 1)) for _ in range(ROWS)]
        (folder / "data").write_bytes(b"".join(struct.pack("<3f", *row) for row in rows))
        for name, program in programs.items():
            (folder / "program").write_bytes(encoded(program))
            ours, theirs = (results(binary, folder / "program", folder / "data") for binary in (cpp, rust))
            right = ours == theirs and len(ours) == ROWS
            seen |= {fault for _, fault in theirs}
            passed += right
            failed += not right
            if not right:
                print(f"{name}: {program}\n  C++  {ours}\n  Rust {theirs}")
    if seen != set(range(6)):
        print(f"the programs met the faults {sorted(seen)} alone")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
