# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random Rust types for the differential tests: every enum encoding, packed, over-aligned and nested layouts.

A type is a value of one of the classes below. Each knows its Rust text and how to write a random constant of itself. All are `Copy`,
so that a value may be read many times and lies in a buffer as bytes.
"""
import dataclasses

INT_BITS = (8, 16, 32, 64, 128)


def wrap(value, bits, signed):
    """`value` modulo 2^bits, in the range of the type."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


@dataclasses.dataclass(frozen=True)
class Int:
    bits: int
    signed: bool

    def text(self):
        return f"{'i' if self.signed else 'u'}{self.bits}"

    def limits(self):
        return (-(1 << (self.bits - 1)), (1 << (self.bits - 1)) - 1) if self.signed else (0, (1 << self.bits) - 1)

    def constant(self, rng):
        low, high = self.limits()
        value = rng.choice([0, 1, low, high, low + 1, high - 1, rng.randint(0, 20), rng.randint(low, high), 1 << rng.randrange(self.bits)])
        value = wrap(value, self.bits, self.signed)
        if value == low and self.signed:
            return f"{self.text()}::MIN"
        return f"({value}{self.text()})" if value < 0 else f"{value}{self.text()}"


@dataclasses.dataclass(frozen=True)
class Bool:
    def text(self):
        return "bool"

    def constant(self, rng):
        return rng.choice(["true", "false"])


@dataclasses.dataclass(frozen=True)
class Char:
    def text(self):
        return "char"

    def constant(self, rng):
        code = rng.choice([0, 0x41, 0x7F, 0xD7FF, 0xE000, 0x10FFFF, rng.randrange(0xD800)])
        return f"'\\u{{{code:x}}}'"


@dataclasses.dataclass(frozen=True)
class Float:
    bits: int

    def text(self):
        return f"f{self.bits}"

    def constant(self, rng):
        ty = self.text()
        special = ["INFINITY", "NEG_INFINITY", "NAN", "MAX", "MIN_POSITIVE", "EPSILON"]
        if rng.random() < 0.2:
            return f"{ty}::{rng.choice(special)}"
        value = rng.choice([0.0, -0.0, 1.0, -1.5, 0.1, 255.0, -129.75, 3.0e9, rng.uniform(-1000, 1000)])
        return f"({value!r}{ty})" if str(value).startswith("-") else f"{value!r}{ty}"


@dataclasses.dataclass(frozen=True)
class NonZero:
    of: Int

    def text(self):
        return f"core::num::NonZero<{self.of.text()}>"

    def constant(self, rng):
        low, high = self.of.limits()
        value = rng.choice([1, high, low or 1, rng.randint(1, min(high, 200))])
        literal = f"{self.of.text()}::MIN" if value == low else f"{value}{self.of.text()}"
        return f"match core::num::NonZero::new({literal}) {{ Some(v) => v, None => panic!() }}"


@dataclasses.dataclass(frozen=True)
class Tuple:
    items: tuple

    def text(self):
        return "(" + "".join(t.text() + ", " for t in self.items) + ")"

    def constant(self, rng):
        return "(" + "".join(t.constant(rng) + ", " for t in self.items) + ")"


@dataclasses.dataclass(frozen=True)
class Array:
    of: object
    count: int

    def text(self):
        return f"[{self.of.text()}; {self.count}]"

    def constant(self, rng):
        if self.count and rng.random() < 0.2:
            return f"[{self.of.constant(rng)}; {self.count}]"
        return "[" + ", ".join(self.of.constant(rng) for _ in range(self.count)) + "]"


@dataclasses.dataclass(frozen=True)
class Option:
    of: object

    def text(self):
        return f"Option<{self.of.text()}>"

    def constant(self, rng):
        return "None" if rng.random() < 0.35 else f"Some({self.of.constant(rng)})"

    def variants(self):
        return [Variant("None", "unit", ()), Variant("Some", "tuple", (("0", self.of),))]

    def path(self, variant):
        return variant.name


@dataclasses.dataclass(frozen=True)
class Result:
    ok: object
    err: object

    def text(self):
        return f"Result<{self.ok.text()}, {self.err.text()}>"

    def constant(self, rng):
        return f"Ok({self.ok.constant(rng)})" if rng.random() < 0.5 else f"Err({self.err.constant(rng)})"

    def variants(self):
        return [Variant("Ok", "tuple", (("0", self.ok),)), Variant("Err", "tuple", (("0", self.err),))]

    def path(self, variant):
        return variant.name


@dataclasses.dataclass(frozen=True)
class Variant:
    name: str
    shape: str  # unit, tuple or struct
    fields: tuple  # (name, type)
    discriminant: int | None = None

    def declare(self):
        if self.shape == "unit":
            text = self.name
        elif self.shape == "tuple":
            text = f"{self.name}({', '.join(t.text() for _, t in self.fields)})"
        else:
            text = f"{self.name} {{ {', '.join(f'{n}: {t.text()}' for n, t in self.fields)} }}"
        return text if self.discriminant is None else f"{text} = {self.discriminant}"

    def build(self, path, values):
        """The expression or pattern with `values` for the fields."""
        if self.shape == "unit":
            return path
        if self.shape == "tuple":
            return f"{path}({', '.join(values)})"
        return f"{path} {{ {', '.join(f'{n}: {v}' for (n, _), v in zip(self.fields, values))} }}"


@dataclasses.dataclass(frozen=True)
class Enum:
    name: str
    repr: str  # inside #[repr(…)], or empty
    cases: tuple

    def text(self):
        return self.name

    def variants(self):
        return list(self.cases)

    def path(self, variant):
        return f"{self.name}::{variant.name}"

    def constant(self, rng):
        variant = rng.choice(self.cases)
        return variant.build(self.path(variant), [t.constant(rng) for _, t in variant.fields])

    def declare(self):
        attribute = f"#[repr({self.repr})]\n" if self.repr else ""
        return f"{attribute}#[derive(Clone, Copy, Debug)]\npub enum {self.name} {{ {', '.join(v.declare() for v in self.cases)} }}\n"

    def is_plain(self):
        """Whether `as` casts it to an integer."""
        return all(v.shape == "unit" for v in self.cases)


@dataclasses.dataclass(frozen=True)
class Struct:
    name: str
    repr: str
    tuple_like: bool
    fields: tuple

    def text(self):
        return self.name

    def build(self, values):
        if self.tuple_like:
            return f"{self.name}({', '.join(values)})"
        return f"{self.name} {{ {', '.join(f'{n}: {v}' for (n, _), v in zip(self.fields, values))} }}"

    def constant(self, rng):
        return self.build([t.constant(rng) for _, t in self.fields])

    def is_packed(self):
        return "packed" in self.repr

    def declare(self):
        attribute = f"#[repr({self.repr})]\n" if self.repr else ""
        if self.tuple_like:
            body = f"({', '.join('pub ' + t.text() for _, t in self.fields)});"
        else:
            body = f" {{ {', '.join(f'pub {n}: {t.text()}' for n, t in self.fields)} }}"
        return f"{attribute}#[derive(Clone, Copy, Debug)]\npub struct {self.name}{body}\n"


@dataclasses.dataclass(frozen=True)
class Union:
    """Two views of the same bytes; only the first is compared."""
    name: str
    whole: Int
    part: object

    def text(self):
        return self.name

    def constant(self, rng):
        return f"{self.name} {{ whole: {self.whole.constant(rng)} }}"

    def declare(self):
        return (f"#[repr(C)]\n#[derive(Clone, Copy)]\npub union {self.name} {{ pub whole: {self.whole.text()}, pub part: {self.part.text()} }}\n"
                f"impl core::fmt::Debug for {self.name} {{ fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{\n"
                f"    // SAFETY: every value is made of `whole`, or of `part` over it.\n    f.write_fmt(format_args!(\"{self.name}({{}})\", unsafe {{ self.whole }})) }} }}\n")


SCALARS = [Int(b, s) for b in INT_BITS for s in (False, True)] + [Bool(), Bool(), Char(), Char(), Float(32), Float(64)]


class TypePool:
    """Makes the types of one program; `declared` holds those that need a declaration, in order."""

    def __init__(self, rng):
        self.rng = rng
        self.declared = []

    def name(self, letter):
        return f"{letter}{len(self.declared)}"

    def scalar(self):
        return self.rng.choice(SCALARS)

    def any(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            if rng.random() < 0.25:
                return NonZero(Int(rng.choice(INT_BITS), rng.random() < 0.5))
            return self.scalar()
        if self.declared and rng.random() < 0.25:
            return rng.choice(self.declared)
        kind = rng.choices(["enum", "option", "struct", "tuple", "array", "result", "union", "unit"], [8, 5, 5, 3, 3, 2, 1, 0.3])[0]
        return getattr(self, kind)(depth)

    def unit(self, _depth):
        return Tuple(())

    def option(self, depth):
        return Option(self.any(depth - 1))

    def result(self, depth):
        return Result(self.any(depth - 1), self.any(depth - 1))

    def tuple(self, depth):
        return Tuple(tuple(self.any(depth - 1) for _ in range(self.rng.randint(1, 4))))

    def array(self, depth):
        return Array(self.any(min(depth - 1, 1)), self.rng.choice([0, 1, 2, 3, 4, 5]))

    def union(self, _depth):
        whole = Int(self.rng.choice((32, 64)), False)
        part = self.rng.choice([Array(Int(8, False), whole.bits // 8), Int(16, True), Int(whole.bits, True)])
        return self.keep(Union(self.name("U"), whole, part))

    def struct(self, depth):
        rng = self.rng
        representation = rng.choices(["", "C", "C, packed", "packed(2)", "align(16)", "C, align(8)", "transparent"], [6, 2, 1, 1, 1, 1, 1])[0]
        fields = tuple((f"f{i}", self.any(depth - 1)) for i in range(1 if representation == "transparent" else rng.randint(0, 5)))
        if "packed" in representation and any(over_aligned(t) for _, t in fields):
            representation = "C"
        tuple_like = bool(fields) and rng.random() < 0.3
        if tuple_like:
            fields = tuple((str(i), t) for i, (_, t) in enumerate(fields))
        return self.keep(Struct(self.name("S"), representation, tuple_like, fields))

    def variant(self, index, depth, discriminant):
        shape = self.rng.choice(["unit", "tuple", "tuple", "struct"])
        count = 0 if shape == "unit" else self.rng.randint(1, 3)
        fields = tuple((str(i) if shape == "tuple" else f"f{i}", self.any(depth - 1)) for i in range(count))
        return Variant(f"V{index}", shape, fields, discriminant)

    def enum(self, depth):
        rng = self.rng
        style = rng.choices(["rust", "repr", "C", "plain", "niche"], [5, 3, 1, 2, 4])[0]
        if style == "niche":  # one variant with data that has a niche, the others without or with small data
            data = rng.choice([Bool(), Char(), NonZero(Int(rng.choice(INT_BITS), False)), Option(Bool()), self.any(depth - 1)])
            fields = [("0", data)] + ([("1", self.scalar())] if rng.random() < 0.5 else [])
            rng.shuffle(fields)
            fields = tuple((str(i), t) for i, (_, t) in enumerate(fields))
            cases = [Variant("V0", "tuple", fields)] + [Variant(f"V{i + 1}", "unit", ()) for i in range(rng.randint(1, 5))]
            rng.shuffle(cases)
            return self.keep(Enum(self.name("E"), "", tuple(cases)))
        representation, discriminants = "", [None] * 40
        if style in ("repr", "C"):
            base = Int(rng.choice((8, 16, 32, 64)), rng.random() < 0.5) if style == "repr" else Int(32, True)
            representation = rng.choice([base.text(), base.text(), f"C, {base.text()}"]) if style == "repr" else "C"
            low, high = base.limits()
            pool = {0, 1, low, high, *(rng.randint(low, high) for _ in range(8))} if style == "repr" and rng.random() < 0.7 else set()
            if pool:
                discriminants = rng.sample(sorted(pool), min(len(pool), 8))
        count = rng.choice([1, 2, 3, 4, 6]) if discriminants[0] is None else rng.randint(2, min(6, len(discriminants)))
        if style == "plain":
            count = rng.choice([1, 2, 3, 7, 30])
            cases = [Variant(f"V{i}", "unit", ()) for i in range(count)]
        else:
            cases = [self.variant(i, depth, discriminants[i]) for i in range(count)]
        return self.keep(Enum(self.name("E"), representation, tuple(cases)))

    def keep(self, ty):
        self.declared.append(ty)
        return ty


def over_aligned(ty):
    """Whether a `repr(align)` type lies in `ty`; rustc refuses it in a packed one."""
    if isinstance(ty, Struct):
        return "align" in ty.repr or any(over_aligned(t) for _, t in ty.fields)
    if isinstance(ty, (Enum, Option, Result)):
        return any(over_aligned(t) for v in ty.variants() for _, t in v.fields)
    if isinstance(ty, Tuple):
        return any(map(over_aligned, ty.items))
    return isinstance(ty, Array) and over_aligned(ty.of)
