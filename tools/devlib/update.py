# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev update [FILTER]`: serialized MIR of tests and examples, expected values that stock rustc gives, and blocks under `// GOLDEN:`.
Hand-written CHECK lines are never touched. Look at `git diff` afterwards."""
from . import base, build, goldens, math_check, packages, reference, rust, support, test_groups


def add_arguments(parser):
    parser.add_argument("filter", nargs="?", help="part of a path")


def run(arguments):
    why = packages.setup_exporter()
    if why:
        raise base.Failed(why)
    packages.setup(minimal=False)
    tools = rust.build_toolchain()
    rustc = rust.find_rustc()[0]
    changed = [base.ROOT / name for name in reference.check(rustc, test_groups.host_device_crate(rustc), update=True)]
    exported, failed = goldens.update(tools, arguments.filter)
    changed += exported
    folder = build.build("release", ["mirgpu_driver", "math_tools"])
    mirgpu = folder / "bin/mirgpu"
    changed += goldens.update_blocks(mirgpu, arguments.filter)
    if support.update():
        changed.append(base.ROOT / "docs/support.md")
    if math_check.update(test_groups.Context(folder, None, tools, None)):
        changed.append(base.ROOT / "docs/math.md")
    for path in changed:
        print(f"updated {path.relative_to(base.ROOT)}")
    for path in failed:
        print(f"does not export: {path.relative_to(base.ROOT)}")
    return 1 if failed else 0
