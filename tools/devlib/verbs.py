# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The verbs of ./dev: one module each, with `add_arguments(parser)` and `run(arguments) -> exit code`.

A verb that fails says so in one line; a command that failed has already shown its own output.
"""
import argparse
import importlib

from . import base, rust

VERBS = {
    "setup": ("packages", "install the packages and tools that building and testing need"),
    "build": ("build", "configure and build a preset"),
    "exporter": ("exporter", "build the exporter, the device sysroot and the device crates into the cache"),
    "install": ("install", "install mirgpu below a prefix"),
    "demo": ("demo", "build, compile the examples for three targets, run them, print a table"),
    "test": ("testing", "build everything and run the tests"),
    "conformance": ("conformance", "run Rust's own tests of core"),
    "fuzz": ("fuzz", "fuzz the readers and lowering, an hour unless told otherwise"),
    "update": ("update", "re-export goldens and examples, rewrite generated expectations"),
    "fmt": ("fmt", "format C++ and Rust sources"),
    "lint": ("lint", "check formatting, clang-tidy, spelling, layering"),
    "bench": ("bench", "measure, and write docs/performance.md"),
    "mutate": ("mutate", "apply each deliberate fault in a copy; the tests must notice"),
    "doctor": ("doctor", "show which tools were found"),
}


def main(argv):
    parser = argparse.ArgumentParser(prog="./dev", description="Build, test and measure mirgpu.")
    subparsers = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    modules = {}
    for verb, (module, text) in VERBS.items():
        if argv[:1] == [verb]:  # import only what runs
            modules[verb] = importlib.import_module(f".{module}", __package__)
        sub = subparsers.add_parser(verb, help=text, description=text[0].upper() + text[1:] + ".")
        if verb in modules:
            modules[verb].add_arguments(sub)
    arguments = parser.parse_args(argv)
    try:
        return modules[arguments.verb].run(arguments) or 0
    except base.Failed as problem:
        base.say(f"error: {problem}")
        return 1
    except rust.NoRustc as problem:
        base.say(f"error: {problem}")
        return 1
    except KeyboardInterrupt:
        return 130
