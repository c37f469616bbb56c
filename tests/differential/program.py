# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Renders one random program as a Rust module: types, `Input`, `Output` and `run(&Input) -> Output`; and a crate of several."""
import pathlib
import random

from random_code import Code, Variable
from random_types import Enum, Int, Struct, TypePool, Union

HERE = pathlib.Path(__file__).parent
FUEL = 220  # expressions in a program, about


def value_impl(ty):
    """`impl Value` of a declared type."""
    if isinstance(ty, Union):
        make, fold = f"{ty.name} {{ whole: Value::make(source) }}", "unsafe { self.whole }.fold(sink);"
    elif isinstance(ty, Struct):
        make = ty.build(["Value::make(source)"] * len(ty.fields))
        fold = "".join(f"{{ let field = self.{n}; field.fold(sink); }} " for n, _ in ty.fields)
    else:
        arms, folds = [], []
        for index, variant in enumerate(ty.cases):
            names = [f"b{i}" for i in range(len(variant.fields))]
            pattern = "_" if index == len(ty.cases) - 1 else str(index)
            arms.append(f"{pattern} => {variant.build(ty.path(variant), ['Value::make(source)'] * len(names))}")
            folds.append(f"{variant.build(ty.path(variant), names)} => {{ sink.word({100 + index}); {' '.join(f'{n}.fold(sink);' for n in names)} }}")
        make = f"match source.word() % {len(ty.cases)} {{ {', '.join(arms)} }}"
        fold = f"match *self {{ {', '.join(folds)} }}"
    return (f"impl Value for {ty.name} {{\n    fn make(source: &mut Source) -> Self {{ let _ = &source; {make} }}\n"
            f"    fn fold(&self, sink: &mut Sink) {{ let _ = &sink; {fold} }}\n}}\n")


def program(seed):
    """The text of one program's module."""
    rng = random.Random(seed)
    pool = TypePool(rng)
    inputs = tuple((f"i{k}", pool.any(3)) for k in range(rng.randint(2, 4)))
    while not any(isinstance(t, Enum) for t in pool.declared):
        pool.enum(2)
    outputs = tuple((f"o{k}", pool.any(2) if rng.random() < 0.5 else rng.choice(pool.declared)) for k in range(rng.randint(2, 4)))
    input_type = Struct("Input", "", False, (*inputs, ("word", Int(64, False))))
    output_type = Struct("Output", "", False, (*outputs, ("early", Int(64, False))))
    constant, static = pool.any(2), pool.any(2)
    code = Code(rng, pool, FUEL)
    scope = [Variable("(*input)", input_type), Variable("early", Int(64, False), True)]
    lines = ["let mut early: u64 = 0;", "let mut seen: u64 = 0;"]
    for _ in range(rng.randint(4, 9)):
        lines += code.statement(scope, 2)
    results = [f"{name}: {code.expr(scope, ty, 3)}" for name, ty in outputs]
    lines.append(f"Output {{ {', '.join(results)}, early: early ^ seen.wrapping_mul(97) ^ hash(input) }}")
    parts = [t.declare() + value_impl(t) for t in [*pool.declared, input_type, output_type]]
    parts.append(f"const CONSTANT: {constant.text()} = {constant.constant(rng)};\nstatic STATIC: {static.text()} = {static.constant(rng)};\n")
    body = "".join(f"    {line}\n" for line in lines)
    return "".join(parts) + f"pub fn run(input: &Input) -> Output {{\n{body}}}\n"


ALLOW = "#![allow(warnings, arithmetic_overflow, unconditional_panic, unconditional_recursion)]\n"


def crate(seeds):
    """The modules of `seeds`, shared by the host program and the kernels."""
    return "".join(f"pub mod p{seed} {{\nuse super::*;\n{program(seed)}}}\n" for seed in seeds)


def kernels(seeds):
    """A crate with a kernel for each program."""
    prelude = (HERE / "prelude.rs").read_text(encoding="utf-8")
    entries = "".join(
        f"    #[kernel]\n    pub fn k{s}(inputs: &[p{s}::Input], mut outputs: DisjointSlice<p{s}::Output>) {{\n"
        f"        let i = thread::index_1d();\n        if let Some(out) = outputs.get_mut(i) {{ *out = p{s}::run(&inputs[i.get()]); }}\n    }}\n" for s in seeds)
    return (f"{ALLOW}use mirgpu_device::prelude::*;\n{prelude}{crate(seeds)}#[gpu_module]\nmod kernels {{\n    use super::*;\n{entries}}}\n")


def host(seeds):
    """The host program: `make FOLDER` writes the inputs, `check FOLDER TAG` reads the outputs and holds them against its own."""
    prelude = (HERE / "prelude.rs").read_text(encoding="utf-8")
    main = (HERE / "host.rs").read_text(encoding="utf-8")
    calls = "".join(f"    harness!(mode, folder, tag, {s}, p{s});\n" for s in seeds)
    return f"{ALLOW}{prelude}{crate(seeds)}{main.replace('    // PROGRAMS', calls)}"
