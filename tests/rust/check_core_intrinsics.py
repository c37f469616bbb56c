#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every intrinsic of rustc 1.96's core has a lowering, a body of core's own, or a row that refuses it with a reason.

Maps from: `#[rustc_intrinsic]` functions in library/core/src/intrinsics and the tables in lowering/core_intrinsics*.cpp and
exporter/src/callee.rs. To: one test an intrinsic, last line `N passed, N failed`."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from devlib import rust  # noqa: E402

WIDTH = re.compile(r"_?f(16|32|64|128)$")


def declared(folder):
    """{name: whether it has a body} of the intrinsics that the files of `folder` declare."""
    found = {}
    for path in sorted(folder.glob("*.rs")):
        text = re.sub(r"//[^\n]*", "", path.read_text(encoding="utf-8"))
        for attribute in re.finditer(r"#\[rustc_intrinsic\]", text):
            rest = text[attribute.end():]
            function = re.search(r"\bfn (\w+)", rest)
            depth = 0
            for i in range(function.end(), len(rest)):
                depth += rest[i] in "([<"
                depth -= rest[i] in ")]" or (rest[i] == ">" and rest[i - 1] not in "-=")
                if depth <= 0 and rest[i] in ";{":
                    found[function[1]] = rest[i] == "{"
                    break
    return found


def rows(pattern, paths):
    return {name for path in paths for name in re.findall(pattern, path.read_text(encoding="utf-8"))}


def main():
    try:
        core = rust.find_rustc()[2] / "library/core/src/intrinsics"
    except rust.NoRustc as problem:
        print(f"skipped: {str(problem).splitlines()[0]}")
        print("0 passed, 0 failed, 1 skipped")
        return 0
    tables = sorted((ROOT / "lowering").glob("core_intrinsics_*.cpp"))
    handled = rows(r'\{"(\w+)",', tables)
    handled |= rows(r'"(\w+)"', [ROOT / "intrinsics/math.cpp"])
    folded = rows(r'"(\w+)"', [ROOT / "exporter/src/callee.rs"])
    intrinsics = {**declared(core), **declared(core / "simd")}
    without = [name for name, has_body in intrinsics.items() if not has_body]
    passed = failed = 0
    for name, has_body in sorted(intrinsics.items()):
        good = has_body or name in handled or name in folded or (WIDTH.search(name) and WIDTH.sub("", name) in handled)
        passed, failed = passed + bool(good), failed + (not good)
        if not good:
            print(f"FAILED {name}: core has no body for it, and no table of lowering/ has a row")
    if len(intrinsics) < 290 or len(without) < 240:
        failed += 1
        print(f"FAILED only {len(intrinsics)} intrinsics were found, {len(without)} of them without a body: is this how core declares them?")
    for name in sorted(handled - set(intrinsics)):
        if name.startswith("simd_"):
            failed += 1
            print(f"FAILED {name}: has a row, but core does not know it")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


raise SystemExit(main())
