# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/support.md: what the tests show to work, by back end. Made from the tests: each one's first comment and the targets of its RUN lines."""
import re

from . import base

FOLDERS = (("run", "Rust in kernels"), ("ptx", "NVIDIA code"), ("gcn", "AMD code"), ("host", "CPU code"), ("mir", "Lowering"), ("diagnostics", "Refused, with a diagnostic"))
HEADER = """# What is supported
Made from the tests by `./dev update`; `./dev test` fails if it is stale. *run*: the test runs it on the CPU device and compares the result (with stock rustc's where the test
has a reference); *code*: the test looks at the code for that target; *refused*: the test expects the diagnostic. Every example kernel
is also compiled for every target, assembled by ptxas or linked, and run on the CPU device against a plain reference. Math functions: [math.md](math.md).

"""


def cells(text):
    """(nvidia, amd, cpu) of one test."""
    runs = [line for line in text.splitlines() if line.startswith("// RUN:")]
    word = "refused" if any("%not" in line and " compile " in line for line in runs) else "code"
    found = {"nvidia": "", "amd": "", "cpu": ""}
    for line in runs:
        targets = ",".join(re.findall(r"--target=(\S+)", line))
        if "sm_" in targets:
            found["nvidia"] = word
        if "gfx" in targets:
            found["amd"] = word
        if "host" in targets:
            found["cpu"] = word
        if re.search(r"%mirgpu run ", line):
            found["cpu"] = "run"
    return found["nvidia"], found["amd"], found["cpu"]


def generate():
    """The text of docs/support.md."""
    parts = [HEADER]
    for folder, title in FOLDERS:
        rows = []
        for path in sorted((base.ROOT / "tests" / folder).rglob("*.rs")):
            text = path.read_text(encoding="utf-8")
            if "// RUN:" not in text:
                continue  # what tests include
            about = next((line[3:].strip() for line in text.splitlines()[1:] if line.startswith("// ")), "")
            name = path.relative_to(base.ROOT / "tests")
            rows.append(f"| {about} | {' | '.join(cells(text))} | [{name.stem}](../tests/{name}) |")
        if rows:
            parts.append(f"## {title}\n| what | NVIDIA | AMD | CPU | test |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n\n")
    return "".join(parts).rstrip() + "\n"


def update():
    """Rewrites the page; returns whether it changed."""
    return base.write_if_changed(base.ROOT / "docs/support.md", generate())


def is_current():
    """Whether the page is what the tests give."""
    page = base.ROOT / "docs/support.md"
    return page.exists() and page.read_text(encoding="utf-8") == generate()
