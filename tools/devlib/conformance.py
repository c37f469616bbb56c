# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev conformance [FILTER]`: Rust's own tests of `core` (rustc 1.96's library/coretests), each `#[test]` as a kernel of one thread. They run on
the CPU device, and compile for an NVIDIA and an AMD target; ptxas assembles the PTX. tests/conformance/not_passing.txt names each that does not
pass, with its cause; a difference from that list is a failure, and `--update` writes it anew."""
import collections
import dataclasses
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import tempfile

from . import base, build, packages, rust, toolchain

TARGETS = ("host", "sm_90", "gfx1100")
SUBSET = 8  # each 8th test: 300 of them
LIST = base.ROOT / "tests/conformance/not_passing.txt"
RECIPE = "library/coretests without benches, with a heap; 1"
HEAD = """\
# Tests of rustc 1.96's library/coretests that do not pass, one a line: target, path, cause. Written by `./dev conformance --update`.
# The cause is the compiler's diagnostic, or what the launch gave.
"""


def add_arguments(parser):
    parser.add_argument("filter", nargs="?", help="part of a test's path")
    parser.add_argument("--target", help=f"comma-separated (default {','.join(TARGETS)})")
    parser.add_argument("--update", action="store_true", help="write tests/conformance/not_passing.txt anew")
    parser.add_argument("--subset", action="store_true", help=f"each {SUBSET}th test alone")
    parser.add_argument("--preset", default="ci", help="of CMakePresets.json (default ci)")


def run(arguments):
    packages.setup(minimal=False)
    why = packages.setup_exporter()
    if why:
        raise base.Failed(why)
    rust.build_toolchain()
    folder = build.build(arguments.preset, ["mirgpu_conformance"])
    targets = arguments.target.split(",") if arguments.target else TARGETS
    results = {target: run_tests(folder, target, arguments.filter, SUBSET if arguments.subset else 1) for target in targets}
    print(summary(results))
    if arguments.update:
        update_list(results)
        return 0
    problems = differences(results)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


# ---- The serialized tests ----------------------------------------------------------------------------------------------------

def exported():
    """The path of the tests' serialized MIR, exported if the exporter, its sysroot or the device crates are new."""
    rustc, _, src = rust.find_rustc()
    description = rust.build_toolchain()
    digest = hashlib.sha256((json.dumps(description, sort_keys=True) + RECIPE).encode()).hexdigest()[:16]
    root = rust.cache_root() / "conformance"
    done = root / digest / "coretests.mir.json"
    if done.exists():
        os.utime(done.parent)
        return done
    with rust.locked(root / "lock"):
        if not done.exists():
            with tempfile.TemporaryDirectory(prefix="build.", dir=root) as temporary:
                export(pathlib.Path(temporary), rustc, src / "library", description)
                os.replace(pathlib.Path(temporary) / "out", done.parent)
            rust.forget_old(root, keep=1)
    return done


def export(work, rustc, library, description):
    """Compiles a copy of library/coretests with the exporter; leaves `work`/out/coretests.mir.json."""
    crate = work / "coretests"
    shutil.copytree(library / "coretests", crate, ignore=shutil.ignore_patterns("benches"))
    text = (crate / "Cargo.toml").read_text(encoding="utf-8")
    start, _, rest = text.partition("[[bench]]")
    (crate / "Cargo.toml").write_text(start + rest[rest.index("\n["):] + "\n[workspace]\n", encoding="utf-8")
    shutil.copy(library / "Cargo.lock", crate)
    (work / "out").mkdir()
    out = work / "out/coretests.mir.json"
    quoted = {key: shlex.quote(str(value)) for key, value in description.items() if isinstance(value, str)}
    wrapper = work / "rustc"
    # The heap's allocator is in the device crate, which the tests do not name.
    heap = ["--mirgpu-heap", "-Zunstable-options", *(f"--extern=force:{c['name']}={c['rmeta']}" for c in description["device"]),
            *(f"-L{folder}" for folder in description["search"])]
    wrapper.write_text("#!/bin/sh\n"
                       'case " $* " in *" --target "*|*" --target="*) ;; *) exec ' + shlex.quote(rustc) + ' "$@";; esac\n'
                       f'case " $* " in *" --test "*) set -- "$@" --mirgpu-out={shlex.quote(str(out))} {shlex.join(heap)};; esac\n'
                       f'exec {quoted["exporter"]} --sysroot={quoted["sysroot"]} --mirgpu-remap={shlex.quote(str(crate))}="<coretests>" '
                       f'--mirgpu-remap={shlex.quote(str(library.parent))}="<rust-src>" "$@"\n', encoding="utf-8")
    wrapper.chmod(0o755)
    env = {k: v for k, v in os.environ.items() if k not in ("RUSTFLAGS", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "MIRGPU_OUT")}
    env.update(RUSTC=str(wrapper), RUSTC_BOOTSTRAP="1", MIRGPU_EXPORT="1", RUSTFLAGS="--cap-lints=allow")
    base.run([rust.find_cargo(rustc), "check", "--quiet", "--release", "--test", "coretests", "--target", description["host"], "--target-dir", work / "target"],
             cwd=crate, env=env, note="Rust's tests of core: two minutes, once")
    if not out.exists():
        raise base.Failed("the exporter wrote no coretests.mir.json")


# ---- Running -----------------------------------------------------------------------------------------------------------------

@dataclasses.dataclass
class Results:
    """Of one target: path of each test -> (outcome, cause), and the paths that are apart."""
    tests: dict
    ignored: set
    constant: set

    def passed(self):
        return [path for path, (outcome, _) in self.tests.items() if outcome in ("passed", "compiled")]

    def failing(self):
        return {path: cause for path, (outcome, cause) in self.tests.items() if outcome not in ("passed", "compiled")}


def run_tests(folder, target, name_filter=None, every=1):
    """Runs the tests on `target`; returns Results."""
    modules = folder / "conformance" / target
    shutil.rmtree(modules, ignore_errors=True)
    command = [folder / "bin/mirgpu_conformance", exported(), f"--target={target}", f"--every={every}", f"--folder={modules}",
               f"--workers={os.cpu_count() or 1}"]
    if name_filter:
        command.append(f"--filter={name_filter}")
    done = base.run(command, capture=True, env=toolchain.environment())
    results = Results({}, set(), set())
    for line in done.stdout.splitlines():
        kind, path, cause = (line.split("\t") + ["", ""])[:3]
        if kind == "ignored":
            results.ignored.add(path)
        elif kind == "constant":
            results.constant.add(path)
        elif kind in ("passed", "compiled", "refused", "failed"):
            results.tests[path] = (kind, cause)
    shutil.rmtree(modules, ignore_errors=True)
    return results


def summary(all_results):
    """Passed, failed and refused by module and target, as text."""
    lines = []
    for target, results in all_results.items():
        modules = collections.defaultdict(collections.Counter)
        for path, (outcome, _) in results.tests.items():
            for name in (path.split("::")[0], "all"):
                modules[name][outcome] += 1
        for path in results.ignored:
            for name in (path.split("::")[0], "all"):
                modules[name]["ignored"] += 1
        good = "passed" if target == "host" else "compiled"
        lines.append(f"\n{target:<22} {good:>8} {'failed':>8} {'refused':>8} {'ignored':>8} {'%':>7}")
        for name in sorted(modules, key=lambda n: (n == "all", n)):
            counts = modules[name]
            total = sum(counts.values())
            lines.append(f"{name:<22} {counts[good]:>8} {counts['failed']:>8} {counts['refused']:>8} {counts['ignored']:>8} {100 * counts[good] / total:>6.1f}%")
        constant = len(results.constant & set(results.passed()))
        lines.append(f"of these rustc evaluated {constant} whole: nothing of them is left for run time")
    return "\n".join(lines)


# ---- The list of those that do not pass --------------------------------------------------------------------------------------

def read_list():
    """{target: {path: cause}} of tests/conformance/not_passing.txt."""
    listed = collections.defaultdict(dict)
    if LIST.exists():
        for line in LIST.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                target, path, cause = line.split(" ", 2)
                listed[target][path] = cause
    return listed


def update_list(all_results):
    listed = read_list()
    for target, results in all_results.items():
        kept = {path: cause for path, cause in listed[target].items() if path not in results.tests}
        listed[target] = {**kept, **{path: cause or "no cause was given" for path, cause in results.failing().items()}}
    lines = [f"{target} {path} {cause}" for target in sorted(listed) for path, cause in sorted(listed[target].items())]
    base.write_if_changed(LIST, HEAD + "\n".join(lines) + "\n")


def differences(all_results):
    """What differs from the list, in words."""
    listed = read_list()
    problems = []
    for target, results in all_results.items():
        failing = results.failing()
        problems += [f"{target}: {path} does not pass: {cause}" for path, cause in failing.items() if path not in listed[target]]
        problems += [f"{target}: {path} passes, but tests/conformance/not_passing.txt lists it; ./dev conformance --update"
                     for path in results.passed() if path in listed[target]]
    return problems


def check(context, targets=("host",), every=SUBSET):
    """For `./dev test`: the subset on the CPU device, or all."""
    for target in targets:
        results = run_tests(context.folder, target, every=every)
        problems = differences({target: results})
        for problem in problems:
            context.totals.add("coretests", False, problem)
        context.totals.add_counts(len(results.tests) - len(problems), 0)
        base.say(summary({target: results}))
