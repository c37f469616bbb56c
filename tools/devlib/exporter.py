# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev exporter`: the exporter, the device sysroot and the device crates, in the cache root; `current.json` there describes them."""
from . import base, packages, rust


def add_arguments(parser):
    del parser


def run(arguments):
    del arguments
    why = packages.setup_exporter()
    if why:
        raise base.Failed(why)
    base.say(f"exporter: {rust.build_toolchain()['exporter']}")
    return 0
