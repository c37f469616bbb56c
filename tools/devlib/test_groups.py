# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The groups of tests. Each takes a Context and adds to its totals."""
import dataclasses
import json
import pathlib
import re
import sys
from xml.etree import ElementTree as xml

from . import base, conformance, demo, examples_check, fuzz, goldens, math_check, reference, rust, support, test_command_line, toolchain
from .test_result import Totals


@dataclasses.dataclass
class Context:
    folder: pathlib.Path  # the build
    filter: str | None
    exporter: dict | None
    totals: Totals

    @property
    def mirgpu(self):
        return self.folder / "bin/mirgpu"

    @property
    def test_folder(self):
        """The filter's folder below tests/, if it names one."""
        name = (self.filter or "").removeprefix("tests/").strip("/")
        return name if name and (base.ROOT / "tests" / name).is_dir() else None

    def selects(self, group):
        """Whether the filter may leave anything of a group; unit and text filter their own tests."""
        if not self.filter:
            return True
        folder = self.test_folder
        if folder:
            top = folder.split("/")[0]
            return group == {"unit": "unit", "export": "export", "rust": "rust crates", "fuzz": "fuzz", "math": "math", "differential": "differential",
                             "conformance": "coretests"}.get(top, "text")
        return group in ("unit", "text") or self.filter in group


def wants_exporter(test_filter):
    return any(test_filter in group for group in ("export", "goldens", "rust crates", "references", "math", "differential", "coretests"))


def unit(context):
    """The doctest cases."""
    binary, report = context.folder / "bin/mirgpu_unit_tests", context.folder / "unit.xml"
    if not binary.exists():
        context.totals.add("mirgpu_unit_tests", False, "was not built")
        return
    wanted = []
    if context.test_folder:
        wanted = [f"--source-file=*tests/{context.test_folder}/*"]
    elif context.filter:
        wanted = [f"--test-case=*{context.filter}*"]
        if any(context.filter in p.name for p in (base.ROOT / "tests/unit").rglob("*.cpp")):
            wanted = [f"--source-file=*{context.filter}*"]
    report.unlink(missing_ok=True)
    done = base.run([binary, "--reporters=junit", f"--out={report}", *wanted], check=False, env=toolchain.environment())
    try:
        # A test that ends a child process on purpose leaves the child's report before the parent's.
        last = report.read_text(encoding="utf-8", errors="replace").rpartition("<?xml")[2]
        cases = list(xml.fromstring("<?xml" + last).iter("testcase"))
    except (OSError, xml.ParseError):
        context.totals.add("mirgpu_unit_tests", False, f"ended with {done.returncode} and no report")
        return
    for case in cases:
        problem = case.find("failure") if case.find("failure") is not None else case.find("error")
        context.totals.add(case.get("name"), problem is None, "" if problem is None else f"{problem.get('message')}\n{problem.text or ''}")
    if done.returncode and all(c.find("failure") is None and c.find("error") is None for c in cases):
        context.totals.add("mirgpu_unit_tests", False, f"ended with {done.returncode}")


def text(context):
    """lit over tests/{mir,ptx,gcn,diagnostics,run}."""
    report = context.folder / "lit.json"
    report.unlink(missing_ok=True)
    wanted = [context.test_folder] if context.test_folder else goldens.FOLDERS
    folders = [base.ROOT / "tests" / f for f in wanted if list((base.ROOT / "tests" / f).rglob("*.rs"))]
    name_filter = [] if context.test_folder or not context.filter else ["--filter", re.escape(context.filter)]
    if name_filter and not [s for s in goldens.sources() if context.filter in str(s.relative_to(base.ROOT))]:
        return
    if not folders:
        return
    command = [*toolchain.lit(), "-v", "-o", report, *name_filter, *folders]
    base.run(command, check=False, env=dict(toolchain.environment(), MIRGPU_BUILD=str(context.folder)))
    if not report.exists():
        context.totals.add("lit", False, "gave no report")
        return
    for test in json.loads(report.read_text(encoding="utf-8"))["tests"]:
        name = test["name"].removeprefix("mirgpu :: ")
        if test["code"] in ("UNSUPPORTED", "SKIPPED"):
            context.totals.skip(name, "needs what this machine lacks (see its REQUIRES line)")
        elif test["code"] != "EXCLUDED":
            context.totals.add(name, test["code"] in ("PASS", "XFAIL", "FLAKYPASS"), test["code"].lower())


def goldens_group(context):
    """The support matrix is what the tests give, serialized MIR beside tests and examples what the exporter writes now."""
    context.totals.add("docs/support.md", support.is_current(), "stale; ./dev update")
    if not context.exporter:
        context.totals.skip("stale serialized MIR", "no exporter")
        return
    good, bad = goldens.check(context.exporter)
    for source in good:
        context.totals.add(str(source), True)
    for source, why in bad:
        context.totals.add(str(source.relative_to(base.ROOT)), False, f"{why}; ./dev update {source.stem}")


def script_counts(context, command, name):
    """Runs a script of tests whose last line is `N passed, N failed[, N skipped]`; it names what it skips in lines of its own."""
    done = base.run(command, capture=True, check=False, env=toolchain.environment())
    lines = done.stdout.rstrip().splitlines()
    counts = re.fullmatch(r"(\d+) passed, (\d+) failed(?:, \d+ skipped)?", lines[-1]) if lines else None
    if not counts or int(counts[2]) or done.returncode:
        base.say(done.stdout.rstrip())
    if not counts:
        context.totals.add(name, False, f"ended with {done.returncode} and no counts")
        return
    for line in lines:
        if line.startswith("skipped: "):
            context.totals.skip(name, line.removeprefix("skipped: "))
    context.totals.add_counts(int(counts[1]), int(counts[2]) or (1 if done.returncode else 0))


def export(context):
    """The exporter's own tests: determinism, format, refusals."""
    script = base.ROOT / "tests/export/run.py"
    if not context.exporter:
        context.totals.skip("tests/export", "no exporter")
    elif script.exists():
        script_counts(context, [sys.executable, script], "tests/export")


def declarations(context):
    """The Rust declarations of intrinsics against the table."""
    script = base.ROOT / "tests/rust/check_declarations.py"
    if script.exists():
        script_counts(context, [sys.executable, script], "declarations")


def rust_crates(context):
    """The crates by the Rust in PATH: their own tests, no warning in a user's crate, references against rustc."""
    for script in sorted((base.ROOT / "tests/rust").glob("check_*.py")):
        if script.name != "check_declarations.py":
            script_counts(context, [sys.executable, script], script.stem)


def cargo_environment(rustc):
    env = dict(toolchain.environment(), RUSTC=rustc)
    for name in ("RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "MIRGPU_EXPORT", "RUSTC_BOOTSTRAP"):
        env.pop(name, None)
    return env


def references(context):
    """Expected values of run tests are what stock rustc computes."""
    paths = list(reference.tests())
    try:
        rustc = rust.find_rustc()[0]
    except rust.NoRustc as problem:
        context.totals.skip("references", str(problem).splitlines()[0])
        return
    differing = reference.check(rustc, host_device_crate(rustc), update=False)
    for path in paths:
        name = str(path.relative_to(base.ROOT))
        context.totals.add(name, name not in differing, "stock rustc gives another result; ./dev update")


def host_device_crate(rustc):
    """(libmirgpu_device.rlib, folder of its dependencies), compiled by stock rustc."""
    target = rust.cache_root() / "rust-host"
    base.run([rust.find_cargo(rustc), "build", "--release", "--manifest-path", base.ROOT / "rust/Cargo.toml", "-p", "mirgpu-device", "--target-dir", target],
             env=cargo_environment(rustc))
    return target / "release/libmirgpu_device.rlib", target / "release/deps"


def examples(context):
    """Every example on every target, and its results on the CPU device."""
    examples_check.run(context)
    for row in demo.demo(context.folder, "cpu"):
        context.totals.add(f"{row['kernel']} on cpu", row["result"] == "right", row["error"])
    for kernel, row in demo.run_on_fibers(context.folder).items():
        context.totals.add(f"{kernel} on cpu by T3", row["right"], row.get("error", ""))
    host = context.folder / "bin/mirgpu-cpp-host"
    if host.exists():
        done = base.run([host, context.folder / "demo/saxpy.mgpu", context.folder / "demo/reduce.mgpu"], check=False)
        context.totals.add("cpp_host", done.returncode == 0, f"exit code {done.returncode}")


def command_line(context):
    """Exit codes and texts of `mirgpu` that no text test covers."""
    test_command_line.run(context)


def fuzz_targets(context):
    """Inputs that were found, and 2,000 new ones for each fuzz target."""
    fuzz.test(context, runs=2000)


def differential(context, programs=100, seed=1):
    """Random programs by stock rustc and through mirgpu."""
    if not context.exporter:
        context.totals.skip("tests/differential", "no exporter")
        return
    script_counts(context, [sys.executable, base.ROOT / "tests/differential/run.py", "--mirgpu", context.mirgpu, f"--programs={programs}",
                            f"--seed={seed}"], "tests/differential")


def coretests(context):
    """Rust's own tests of core, each 8th, on the CPU device."""
    if not context.exporter:
        context.totals.skip("coretests", "no exporter")
        return
    conformance.check(context)


def second_run(context):
    """Building again does nothing."""
    done = base.run(["cmake", "--build", context.folder], capture=True)
    context.totals.add("build", "no work to do" in done.stdout, "a second build has work to do")
    if context.exporter:
        before = (rust.cache_root() / "exporter/current.json").stat().st_mtime_ns
        rust.build_toolchain()
        context.totals.add("exporter", (rust.cache_root() / "exporter/current.json").stat().st_mtime_ns == before, "is described anew")


GROUPS = {
    "unit": unit,
    "text": text,
    "command line": command_line,
    "examples": examples,
    "declarations": declarations,
    "export": export,
    "goldens": goldens_group,
    "references": references,
    "math": math_check.run,
    "rust crates": rust_crates,
    "differential": differential,
    "coretests": coretests,
    "fuzz": fuzz_targets,
    "second run": second_run,
}
