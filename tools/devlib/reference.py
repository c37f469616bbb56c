# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expected values from stock rustc: a run test with `// REFERENCE: FUNCTION input=[…] out=N` calls FUNCTION(&input, &mut out).

The same source is compiled for the host by an unmodified rustc, FUNCTION is called, and what it prints must be the test's
`// CHECK: out = […]` line. So no expected value of such a test is written by hand.
"""
import os
import pathlib
import re
import subprocess
import tempfile

from . import base

DIRECTIVE = re.compile(r"^// REFERENCE: (\w+) input=\[(.*)\] out=(\d+)$", re.M)
EXPECTED = re.compile(r"^// CHECK: out = .*$", re.M)


def tests():
    """The run tests that carry a REFERENCE directive."""
    for path in sorted((base.ROOT / "tests/run").glob("*.rs")):
        if DIRECTIVE.search(path.read_text(encoding="utf-8")):
            yield path


def expected_line(path, rustc, device):
    """The CHECK line that stock rustc's result asks for; `device` is (libmirgpu_device.rlib, folder of its dependencies)."""
    function, values, count = DIRECTIVE.search(path.read_text(encoding="utf-8")).groups()
    # A test may use unstable features; they are named at the crate's root, and a module may not repeat that.
    features = "".join(line + "\n" for line in re.findall(r"^#!\[feature\(.*\)\]$", path.read_text(encoding="utf-8"), re.M))
    main = (f'{features}#[path = "{path}"] #[allow(dead_code)] mod test;\n'
            f"fn main() {{ let mut out = vec![0; {count}]; test::{function}(&[{values}], &mut out); println!(\"// CHECK: out = {{out:?}}\"); }}\n")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "main.rs"
        source.write_text(main, encoding="utf-8")
        binary = pathlib.Path(folder) / "main"
        base.run([rustc, "--edition", "2024", "-O", "--cap-lints", "allow", "-o", binary, source, "--extern", f"mirgpu_device={device[0]}",
                  "-L", f"dependency={device[1]}"], quiet=True, env=dict(os.environ, RUSTC_BOOTSTRAP="1") if features else None)
        return subprocess.run([binary], check=True, capture_output=True, text=True).stdout.strip()


def check(rustc, device, update):
    """Compares (or with `update` rewrites) every test's CHECK line; returns the names of the tests that differed."""
    differing = []
    for path in tests():
        text = path.read_text(encoding="utf-8")
        line = expected_line(path, rustc, device)
        if EXPECTED.search(text).group(0) == line:
            continue
        differing.append(str(path.relative_to(base.ROOT)))
        if update:
            base.write_if_changed(path, EXPECTED.sub(lambda _match, new=line: new, text))
    return differing
