# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev test [FILTER] [--long]`: sets up, builds, and runs every group of tests that FILTER leaves. Each group prints its counts; what was
skipped is named with the reason; the last line is `N passed, N failed`, with `, N skipped` if there are any."""
import os

from . import base, build, packages, rust, test_groups, test_long, toolchain
from .test_result import Totals


def add_arguments(parser):
    parser.add_argument("filter", nargs="?", help="a folder under tests/ or part of a test's name")
    parser.add_argument("--long", action="store_true", help="also g++, sanitizers, more fuzzing, clang-tidy, mutations")
    parser.add_argument("--preset", default="ci", help="of CMakePresets.json (default ci)")
    parser.add_argument("--no-exporter", action="store_true", help="leave out what needs Rust")


def prepare_exporter(arguments, totals):
    """The exporter's description, or None with a skip."""
    if arguments.no_exporter:
        totals.skip("exporter", "left out with --no-exporter")
        return None
    why = packages.setup_exporter()
    if why:
        totals.skip("exporter", why)
        return None
    return rust.build_toolchain()


def run(arguments):
    totals = Totals()
    packages.setup(minimal=False)
    folder = build.build(arguments.preset)
    context = test_groups.Context(folder, arguments.filter, None, totals)
    if not arguments.filter or test_groups.wants_exporter(arguments.filter):
        context.exporter = prepare_exporter(arguments, totals)
    elif not arguments.no_exporter and (rust.cache_root() / "exporter/current.json").exists():
        context.exporter = None  # built already; the text tests find it themselves
    if toolchain.ptxas() is None:
        totals.skip("ptxas", "was not found; ./dev setup says why")
    os.environ.update(toolchain.environment())
    for name, group in test_groups.GROUPS.items():
        if context.selects(name):
            totals.run(name, group, context)
    if arguments.long:
        test_long.run(context)
    if arguments.filter and totals.is_empty():
        raise base.Failed(f"no test matches `{arguments.filter}`")
    return totals.finish()
