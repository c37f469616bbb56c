# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev bench [PART...]`: measures and writes docs/performance.md; no number in it is written by hand. Each part owns the text between its
two markers in the page, so that one may be measured alone. A missed ratio is marked, never an error.

A part is a module here with `section() -> text`."""
import importlib
import re

from . import base, packages

PAGE = base.ROOT / "docs/performance.md"
HEAD = "# Performance\n\nWritten by `./dev bench`; no number is written by hand.\n"
PARTS = {
    "compile": ("bench_compile", "how long compiling takes"),
    "cpu": ("bench_cpu", "the CPU device against OpenMP"),
    "code": ("bench_code", "machine code on NVIDIA against other compilers'"),
}


def add_arguments(parser):
    parser.add_argument("part", nargs="*", help="; ".join(f"{name}: {what}" for name, (_, what) in PARTS.items()) + " (default: all)")
    parser.add_argument("--no-write", action="store_true", help="print alone")


def sections(page):
    """{part: text} of the page as it is."""
    return {name: text for name, text in re.findall(r"<!-- BEGIN (\w+) -->\n(.*?)<!-- END \1 -->\n", page, re.S)}


def whole(texts):
    """The page, its parts in the order of PARTS."""
    return HEAD + "".join(f"\n<!-- BEGIN {name} -->\n{texts[name].strip()}\n<!-- END {name} -->\n" for name in PARTS if name in texts)


def run(arguments):
    unknown = [name for name in arguments.part if name not in PARTS]
    if unknown:
        raise base.Failed(f"no part is called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    packages.setup(minimal=False)
    texts = sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    for name, (module, _) in PARTS.items():
        if arguments.part and name not in arguments.part:
            continue
        texts[name] = importlib.import_module(f".{module}", __package__).section()
        print(texts[name])
        if not arguments.no_write:
            base.write_if_changed(PAGE, whole(texts))
    return 0
