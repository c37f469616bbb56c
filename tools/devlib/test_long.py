# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `./dev test --long` adds: 2,000 random programs, all of Rust's coretests, g++, ASan and UBSan, TSan, more inputs for the fuzz targets, math functions in full, clang-tidy, mutations."""
import shutil

from . import build, conformance, fuzz, lint, math_check, mutate, test_groups, tsan


RANDOM_PROGRAMS = 2000


def run(context):
    context.totals.run("differential, long", random_programs, context)
    context.totals.run("coretests, every target", coretests, context)
    context.totals.run("g++", gcc, context)
    context.totals.run("asan", asan, context)
    context.totals.run("tsan", tsan.run, context)
    context.totals.run("long fuzz", long_fuzz, context)
    context.totals.run("math, every target", math_check.run_long, context)
    context.totals.run("clang-tidy", tidy, context)
    context.totals.run("mutations", mutations, context)


def random_programs(context):
    test_groups.differential(context, RANDOM_PROGRAMS, seed=1000)


def coretests(context):
    """All of Rust's tests of core: run on the CPU device, compiled for the GPUs."""
    if not context.exporter:
        context.totals.skip("coretests", "no exporter")
        return
    conformance.check(context, conformance.TARGETS, every=1)


def gcc(context):
    """Builds with g++ and runs the unit tests."""
    if not shutil.which("g++"):
        context.totals.skip("g++", "was not found")
        return
    test_groups.unit(test_groups.Context(build.build("gcc"), context.filter, None, context.totals))


def asan(context):
    """Unit and text tests under ASan and UBSan."""
    inner = test_groups.Context(build.build("asan"), context.filter, None, context.totals)
    test_groups.unit(inner)
    test_groups.text(inner)


def long_fuzz(context):
    fuzz.test(context, runs=20000)


def tidy(context):
    done = lint.clang_tidy(lint.all_sources())
    context.totals.add("clang-tidy", done)


def mutations(context):
    for name, problem in mutate.mutate(None):
        context.totals.add(name, not problem, problem)
