#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the pages of docs/errors against the compiler.

Maps from: every code in support/diagnostics.cpp, its page, and the page's two Rust examples. To: one test that the page exists with the
code's title, one that the first example is refused with the page's code, one that the second compiles; last line `N passed, N failed`.
A page without examples must say that no program gets its error. Without an exporter the examples are named as skipped.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = "sm_75,gfx1100,host"


def codes():
    """{code: title} of the compiler's table."""
    text = (ROOT / "support/diagnostics.cpp").read_text(encoding="utf-8")
    return dict(re.findall(r'\{"(MG\d{4})", "([^"]+)"\}', text))


def find_mirgpu():
    """The newest driver among the build folders, or the one of $MIRGPU_BUILD."""
    named, root = os.environ.get("MIRGPU_BUILD"), pathlib.Path(os.environ.get("MIRGPU_BUILD_ROOT", ROOT / "build"))
    folders = [pathlib.Path(named)] if named else [root / "ci", root / "release"]
    built = [f / "bin/mirgpu" for f in folders if (f / "bin/mirgpu").exists()]
    return max(built, key=lambda p: p.stat().st_mtime, default=None)


def compile_text(mirgpu, folder, name, text):
    source = folder / f"{name}.rs"
    source.write_text(text, encoding="utf-8")
    env = dict(os.environ, RUSTC_BOOTSTRAP="1", MIRGPU_NO_COLOR="1") if "#![feature" in text else dict(os.environ, MIRGPU_NO_COLOR="1")
    done = subprocess.run([mirgpu, "compile", source, f"--target={TARGETS}", "-o", folder / "out.mgpu"], env=env, capture_output=True,
                          text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def check_examples(mirgpu, folder, code, examples):
    """[(name, good, output)]. Two equal keys are refused by the exporter already, in the same words without the code."""
    status, output = compile_text(mirgpu, folder, code.lower() + "_fails", examples[0])
    expected = "error: two kernels have the key" if code == "MG0402" else f"error[{code}]"
    results = [(f"{code} fails", status == 1 and expected in output, output)]
    status, output = compile_text(mirgpu, folder, code.lower() + "_fixed", examples[1])
    return results + [(f"{code} fixed", status == 0 and not output.strip(), output)]


def main():
    mirgpu, results = find_mirgpu(), []
    ready = mirgpu and "ok       exporter" in subprocess.run([mirgpu, "doctor"], capture_output=True, text=True, check=False).stdout
    if not ready:
        print("skipped: examples of docs/errors: no exporter")
    with tempfile.TemporaryDirectory() as folder:
        for code, title in codes().items():
            page = ROOT / f"docs/errors/{code}.md"
            text = page.read_text(encoding="utf-8") if page.exists() else ""
            results.append((f"{code} page", text.startswith(f"# {code}: {title}\n"), "no page with this title"))
            examples = re.findall(r"^```rust\n(.*?)^```$", text, re.M | re.S)
            if len(examples) != 2:
                results.append((f"{code} examples", not examples and "no program of today gets this error" in text, "wants two examples"))
            elif ready:
                results += check_examples(mirgpu, pathlib.Path(folder), code, examples)
    for name, good, output in results:
        if not good:
            print(f"FAIL {name}\n{output}")
    passed = sum(good for _, good, _ in results)
    print(f"{passed} passed, {len(results) - passed} failed")
    return 1 if passed < len(results) else 0


if __name__ == "__main__":
    sys.exit(main())
