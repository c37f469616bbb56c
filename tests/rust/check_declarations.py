#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the Rust declarations of the intrinsics against the compiler's table (DESIGN D8).

Maps from: `fn name(...) -> T = "id";` in rust/mirgpu-device/src and the rows {"id", sig<R(Args...)>(), ...} in intrinsics/*.cpp.
To: one test a row, last line `N passed, N failed`. Needs a C preprocessor, for rows that macros write; no headers, no build.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCALARS = {"bool", "u32", "i32", "u64", "i64", "f32", "f64"}


def rust_type(text):
    """The table's name of a Rust type; raises ValueError for one that the table has no word for."""
    text = text.strip()
    if text.startswith(("*mut ", "*const ")):
        return "ptr"
    if text not in SCALARS:
        raise ValueError(f"the type `{text}` has no counterpart in the table")
    return text


def stubs():
    """{id: (path, result, parameters, is unsafe, file:line)} of every stub."""
    found = {}
    for path in sorted((ROOT / "rust/mirgpu-device/src").rglob("*.rs")):
        source = path.read_text(encoding="utf-8")
        for block in re.finditer(r"stubs! \{ (safe|unsafe)\n(.*?)\n    \}", source, re.S):
            for fn in re.finditer(r'fn (\w+)\(([^)]*)\)(?:\s*->\s*([^=]+?))?\s*=\s*"([^"]+)";', block[2]):
                name, params, result, ident = fn.groups()
                line = source[:block.start(2) + fn.start()].count("\n") + 1
                place = f"{path.relative_to(ROOT)}:{line}"
                if ident in found:
                    raise SystemExit(f"{place}: `{ident}` is declared twice")
                types = [rust_type(p.split(":", 1)[1]) for p in params.split(",") if p.strip()]
                found[ident] = (f"{path.stem}::{name}", rust_type(result) if result else "void", types, block[1] == "unsafe", place)
    return found


def preprocessed(path):
    """The file with its own macros expanded; what it includes is left out."""
    for compiler in ("clang++-22", "clang++", "g++", "c++"):
        if shutil.which(compiler):
            break
    else:
        raise SystemExit("no C++ compiler was found to expand the tables' macros; one comes with: apt-get install clang-22")
    text = "".join(line for line in path.read_text(encoding="utf-8").splitlines(True) if not line.startswith("#include"))
    return subprocess.run([compiler, "-E", "-P", "-x", "c++", "-"], input=text, capture_output=True, text=True, check=True).stdout


def rows():
    """{id: (result, parameters, file)} of every row."""
    found = {}
    for path in sorted((ROOT / "intrinsics").glob("*.cpp")):
        text = path.read_text(encoding="utf-8")
        if "IntrinsicDef rows[]" not in text:
            continue
        expanded = re.sub(r'"\s*"', "", preprocessed(path))  # adjacent literals are one
        for row in re.finditer(r'\{\s*"([a-z0-9_:]+)"\s*,\s*sig<(\w+)\(([^)]*)\)>\(\)', expanded):
            ident, result, params = row.groups()
            if ident in found:
                raise SystemExit(f"{path.relative_to(ROOT)}: the row `{ident}` stands twice")
            found[ident] = (result, [p.strip() for p in params.split(",") if p.strip()], str(path.relative_to(ROOT)))
    return found


def faults(ident, stub, row):
    """What is wrong with one id."""
    if stub is None:
        yield f"{row[2]}: the row `{ident}` has no declaration in rust/mirgpu-device"
        return
    path, result, params, is_unsafe, place = stub
    if row is None:
        yield f"{place}: `{ident}` has no row in intrinsics/"
        return
    if path != ident:
        yield f"{place}: the id is `{ident}`, the path of the function `{path}`"
    if (result, params) != (row[0], row[1]):
        yield f"{place}: `{ident}` is declared {result}({', '.join(params)}), the row in {row[2]} says {row[0]}({', '.join(row[1])})"
    if ("ptr" in params) != is_unsafe:
        yield f"{place}: `{ident}` takes a pointer and is safe, or takes none and is unsafe"


def main():
    declared, table = stubs(), rows()
    if not declared or not table:
        raise SystemExit(f"found {len(declared)} declarations and {len(table)} rows: this check reads the sources wrongly")
    passed = failed = 0
    for ident in sorted(declared.keys() | table.keys()):
        wrong = list(faults(ident, declared.get(ident), table.get(ident)))
        for text in wrong:
            print(text)
        failed += bool(wrong)
        passed += not wrong
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
