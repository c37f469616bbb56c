#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The heap's layout in rust/mirgpu-device/src/heap.rs against support/heap_layout.h: fields of the header in order, and the constants that
both sides know. Last line `N passed, N failed`."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUST = (ROOT / "rust/mirgpu-device/src/heap.rs").read_text(encoding="utf-8")
CPP = (ROOT / "support/heap_layout.h").read_text(encoding="utf-8")


def rust_fields():
    body = re.search(r"#\[repr\(C\)\]\npub struct HeapHeader \{(.*?)\n\}", RUST, re.S)[1]
    return [(name.replace("_", ""), kind) for name, kind in re.findall(r"pub (\w+): (\w+),", body)]


def cpp_fields():
    body = re.search(r"struct HeapHeader \{(.*?)\n\};", CPP, re.S)[1]
    return [(name.lower(), kind.removesuffix("_t").replace("uint", "u")) for kind, name in re.findall(r"(\w+) (\w+);", body)]


def rust_constant(name):
    text = re.search(rf"const {name}: \w+ = ([^;]+);", RUST)[1]
    known = {n: rust_constant(n) for n in re.findall(r"[A-Z]+(?:_[A-Z]+)*", text)}
    return eval(text.replace("/", "//"), {}, known)  # pylint: disable=eval-used


def cpp_constant(name):
    text = re.search(rf"\b{name} = ([^,;]+)[,;]", CPP)[1]
    known = {n: cpp_constant(n) for n in re.findall(r"\bk\w+", text)}
    return eval(re.sub(r"(\d)u\b", r"\1", text), {}, known)  # pylint: disable=eval-used


PAIRS = [("CHUNK", "kHeapChunkBytes"), ("WORDS", "kHeapBitmapWords"), ("KIND_SHIFT", "kHeapKindShift"), ("COUNT_MASK", "kHeapCountMask"),
         ("HEAD", "kHeapRunHead"), ("TAIL", "kHeapRunTail")]

checks = [("HeapHeader", rust_fields() == cpp_fields() and len(rust_fields()) == 4)]
checks += [(f"{rust} is {cpp}", rust_constant(rust) == cpp_constant(cpp)) for rust, cpp in PAIRS]
for what, good in checks:
    if not good:
        print(f"FAILED {what}")
failed = sum(not good for _, good in checks)
print(f"{len(checks) - failed} passed, {failed} failed")
raise SystemExit(1 if failed else 0)
