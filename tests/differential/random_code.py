# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random expressions and statements over the types of random_types.py. What they do is defined and does not panic.

A scope is a list of variables; `Scope.paths(type)` finds the places of a type below them. Results of floating-point arithmetic never
reach their bits, since the bits of a NaN are not promised.
"""
import dataclasses

from random_types import Array, Bool, Char, Enum, Float, Int, NonZero, Option, Result, Struct, Tuple, Union

USIZE = Int(64, False)  # `usize` is written through casts


@dataclasses.dataclass
class Variable:
    name: str
    type: object
    mutable: bool = False


def places(text, ty, depth, packed=False):
    """The (text, type, whether in a packed struct) of a place and of those below it, enum payloads excluded."""
    yield text, ty, packed
    if depth == 0:
        return
    if isinstance(ty, Tuple):
        parts = [(f"{text}.{i}", t) for i, t in enumerate(ty.items)]
    elif isinstance(ty, Struct):
        parts = [(f"{text}.{n}", t) for n, t in ty.fields]
        packed = packed or ty.is_packed()
    elif isinstance(ty, Array):
        parts = [(f"{text}[{i}]", ty.of) for i in {0, ty.count - 1} if 0 <= i < ty.count]
    else:
        return
    for part, t in parts:
        yield from places(part, t, depth - 1, packed)


class Code:
    """Writes the code of one program; `fuel` bounds its size."""

    def __init__(self, rng, pool, fuel):
        self.rng, self.pool, self.fuel = rng, pool, fuel
        self.count = 0

    def fresh(self, letter="v"):
        self.count += 1
        return f"{letter}{self.count}"

    # --- expressions -------------------------------------------------------------------------------------------------------------------

    def paths(self, scope, ty):
        return [text for v in scope for text, t, _ in places(v.name, v.type, 3) if t == ty]

    def leaf(self, scope, ty):
        found = self.paths(scope, ty)
        if found and self.rng.random() < 0.75:
            return self.rng.choice(found)
        return ty.constant(self.rng)

    def expr(self, scope, ty, depth=3):
        self.fuel -= 1
        if depth <= 0 or self.fuel < 0:
            return self.leaf(scope, ty)
        roll = self.rng.random()
        if roll < 0.15:
            return self.leaf(scope, ty)
        if roll < 0.22:
            return f"(if {self.expr(scope, Bool(), depth - 1)} {{ {self.expr(scope, ty, depth - 1)} }} else {{ {self.expr(scope, ty, depth - 1)} }})"
        if roll < 0.34:
            matched = self.match(scope, ty, depth - 1)
            if matched:
                return matched
        if roll < 0.38:
            name = self.fresh("t")
            inner = self.any_type(scope)
            value = self.expr(scope, inner, depth - 1)
            return f"{{ let {name}: {inner.text()} = {value}; {self.expr([*scope, Variable(name, inner)], ty, depth - 1)} }}"
        if roll < 0.42:
            return f"pick({self.expr(scope, Bool(), depth - 1)}, {self.expr(scope, ty, depth - 1)}, {self.leaf(scope, ty)})"
        if roll < 0.45:
            indexed = [v for v in scope if isinstance(v.type, Array) and v.type.of == ty and v.type.count]
            if indexed:
                v = self.rng.choice(indexed)
                return f"{v.name}[({self.expr(scope, USIZE, depth - 1)} % {v.type.count}) as usize]"
        if roll < 0.48:
            found = self.paths(scope, Option(ty))
            if found:
                return f"{self.rng.choice(found)}.unwrap_or({self.expr(scope, ty, depth - 1)})"
        return getattr(self, "of_" + type(ty).__name__.lower())(scope, ty, depth - 1)

    def any_type(self, scope):
        """A type that is worth having a value of."""
        if scope and self.rng.random() < 0.4:
            v = self.rng.choice(scope)
            return self.rng.choice([t for _, t, _ in places(v.name, v.type, 2)])
        return self.pool.any(0) if self.rng.random() < 0.7 or not self.pool.declared else self.rng.choice(self.pool.declared)

    def match(self, scope, ty, depth):
        """A match on some enum in scope, with an arm for each variant or a wildcard; None if there is no enum."""
        rng = self.rng
        found = [(text, t, packed) for v in scope for text, t, packed in places(v.name, v.type, 2) if isinstance(t, (Enum, Option, Result))]
        if not found:
            return None
        subject, of, packed = rng.choice(found)
        by_reference = not packed and rng.random() < 0.3
        arms, variants = [], of.variants()
        rng.shuffle(variants)
        keep = rng.randint(1, min(len(variants), 6))
        for variant in variants[:keep]:
            names = [self.fresh("b") for _ in variant.fields]
            bound = [Variable(f"(*{n})" if by_reference else n, t) for n, (_, t) in zip(names, variant.fields)]
            patterns = list(names)
            guard = f" if {self.expr([*scope, *bound], Bool(), depth - 1)}" if not packed and rng.random() < 0.25 else ""  # a guard borrows
            arms.append(f"{variant.build(of.path(variant), patterns)}{guard} => {self.expr([*scope, *bound], ty, depth - 1)}")
        arms.append(f"_ => {self.expr(scope, ty, depth - 1)}")
        return f"match {'&' if by_reference else ''}{subject} {{ {', '.join(arms)} }}"

    def of_int(self, scope, ty, depth):
        rng, t = self.rng, ty.text()
        a = lambda: self.expr(scope, ty, depth)
        small = lambda: f"({self.expr(scope, Int(32, False), depth)} % {ty.bits})"
        kind = rng.randrange(24)
        if kind < 4:
            return f"({a()}).wrapping_{rng.choice(['add', 'sub', 'mul'])}({a()})"
        if kind == 4:
            return f"({a()} {rng.choice(['&', '|', '^'])} {a()})"
        if kind == 5:
            return f"({a()}).wrapping_{rng.choice(['div', 'rem', 'div_euclid', 'rem_euclid'])}({a()} | 1)"
        if kind == 6:
            return f"({a()} {rng.choice(['<<', '>>'])} {small()})"
        if kind == 7:
            return f"({a()}).{rng.choice(['rotate_left', 'rotate_right', 'wrapping_shl', 'wrapping_shr'])}({small()})"
        if kind == 8:
            return f"({a()}).{rng.choice(['swap_bytes()', 'reverse_bits()', 'wrapping_neg()', 'to_be()'])}"
        if kind == 9:
            return f"(({a()}).{rng.choice(['count_ones', 'leading_zeros', 'trailing_zeros', 'leading_ones', 'count_zeros'])}() as {t})"
        if kind == 10:
            return f"({a()}).saturating_{rng.choice(['add', 'sub', 'mul'])}({a()})"
        if kind == 11:
            return f"({a()}).checked_{rng.choice(['add', 'sub', 'mul', 'div', 'rem'])}({a()}).unwrap_or({self.leaf(scope, ty)})"
        if kind == 12:
            value, over = self.fresh("w"), self.fresh("o")
            return (f"{{ let ({value}, {over}) = ({a()}).overflowing_{rng.choice(['add', 'sub', 'mul'])}({a()}); "
                    f"if {over} {{ !{value} }} else {{ {value} }} }}")
        if kind < 16:
            other = rng.choice([Int(b, s) for b in (8, 16, 32, 64, 128) for s in (False, True)] + [Float(32), Float(64), Bool(), Char()])
            if isinstance(other, Char):
                return f"({self.expr(scope, other, depth)} as u32 as {t})"
            return f"({self.expr(scope, other, depth)} as {t})"
        if kind == 16:
            other = rng.choice([Int(32, True), Int(64, False), Char(), Bool(), ty])
            return f"(({{ {self.expr(scope, other, depth)} }}).cmp(&{{ {self.expr(scope, other, depth)} }}) as i8 as {t})"
        if kind == 17:
            plain = [(text, e) for v in scope for text, e, _ in places(v.name, v.type, 2) if isinstance(e, Enum) and e.is_plain()]
            if plain:
                return f"({rng.choice(plain)[0]} as {t})"
        if kind == 18:
            arrays = [v for v in scope if isinstance(v.type, Array) and isinstance(v.type.of, Int) and v.type.count]
            if arrays:
                v = rng.choice(arrays)
                return f"{v.name}.iter().fold({a()}, |s, x| s.wrapping_mul(31) ^ (*x as {t}))"
        if kind == 19 and rng.random() < 0.3:
            return f"(core::any::type_name::<Option<{self.pool.scalar().text()}>>().len() as {t})"
        if kind == 19 and self.pool.declared:
            other = rng.choice(self.pool.declared)
            return f"(core::mem::{rng.choice(['size_of', 'align_of'])}::<{other.text()}>() as {t})"
        if kind == 20:
            other = self.any_type(scope)
            return f"(hash::<{other.text()}>(&{{ {self.leaf(scope, other)} }}) as {t})"
        if kind == 21:
            return f"({a()}).{rng.choice(['min', 'max'])}({a()})"
        if kind == 22:
            found = [text for v in scope for text, u, _ in places(v.name, v.type, 2) if isinstance(u, Union)]
            if found:
                return f"(unsafe {{ {rng.choice(found)}.whole }} as {t})"
            nonzero = self.paths(scope, NonZero(ty))
            if nonzero:
                return f"{rng.choice(nonzero)}.get()"
        if kind == 23:
            return f"(call_through(TABLE[({self.expr(scope, USIZE, depth)} % 4) as usize], {self.expr(scope, Int(64, False), depth)}) as {t})"
        return f"({a()}).wrapping_add({self.leaf(scope, ty)})"

    def of_bool(self, scope, _ty, depth):
        rng = self.rng
        kind = rng.randrange(9)
        if kind < 3:
            ty = rng.choice([Int(b, s) for b in (8, 16, 32, 64, 128) for s in (False, True)] + [Char(), Float(32), Float(64)])
            return f"({self.expr(scope, ty, depth)} {rng.choice(['==', '!=', '<', '<=', '>', '>='])} {self.expr(scope, ty, depth)})"
        if kind < 5:
            return f"({self.expr(scope, Bool(), depth)} {rng.choice(['&&', '||', '^', '&', '|', '=='])} {self.expr(scope, Bool(), depth)})"
        if kind == 5:
            return f"!{self.expr(scope, Bool(), depth)}"
        found = [(text, t) for v in scope for text, t, packed in places(v.name, v.type, 2) if isinstance(t, (Enum, Option, Result)) and not packed]
        if found:
            text, of = rng.choice(found)
            if kind == 6:
                return f"(core::mem::discriminant(&{text}) == core::mem::discriminant(&{{ {self.leaf(scope, of)} }}))"
            variant = rng.choice(of.variants())
            return f"matches!({text}, {variant.build(of.path(variant), ['_'] * len(variant.fields))})"
        return f"({{ {self.expr(scope, Char(), depth)} }}).is_ascii_{rng.choice(['digit', 'alphabetic', 'uppercase'])}()"

    def of_char(self, scope, _ty, depth):
        kind = self.rng.randrange(4)
        if kind == 0:
            return f"({self.expr(scope, Int(8, False), depth)} as char)"
        if kind == 1:
            return f"char::from_u32({self.expr(scope, Int(32, False), depth)} % 0x120000).unwrap_or({self.leaf(scope, Char())})"
        if kind == 2:
            return f"({{ {self.expr(scope, Char(), depth)} }}).to_ascii_{self.rng.choice(['uppercase', 'lowercase'])}()"
        return f"({self.expr(scope, Char(), depth)}).{self.rng.choice(['min', 'max'])}({self.leaf(scope, Char())})"

    def of_float(self, scope, ty, depth):
        rng = self.rng
        a = lambda: self.expr(scope, ty, depth)
        kind = rng.randrange(9)
        if kind < 4:
            return f"({a()} {rng.choice(['+', '-', '*', '/'])} {a()})"
        if kind == 4:
            return f"(-{a()})"
        if kind == 5:
            return f"({a()}).{rng.choice(['abs', 'floor', 'ceil', 'trunc', 'round', 'round_ties_even', 'sqrt', 'signum'])}()"
        if kind == 6:
            return f"({a()}).{rng.choice(['min', 'max', 'copysign'])}({a()})"
        other = rng.choice([Int(b, s) for b in (8, 16, 32, 64, 128) for s in (False, True)] + [Float(96 - ty.bits)] * 6)
        return f"({self.expr(scope, other, depth)} as {ty.text()})"

    def of_nonzero(self, scope, ty, depth):
        return f"match core::num::NonZero::new({self.expr(scope, ty.of, depth)}) {{ Some(n) => n, None => {ty.constant(self.rng)} }}"

    def of_tuple(self, scope, ty, depth):
        return "(" + "".join(self.expr(scope, t, depth) + ", " for t in ty.items) + ")"

    def of_array(self, scope, ty, depth):
        if self.rng.random() < 0.3:
            return f"[{self.expr(scope, ty.of, depth)}; {ty.count}]"
        return "[" + ", ".join(self.expr(scope, ty.of, depth) for _ in range(ty.count)) + "]"

    def of_struct(self, scope, ty, depth):
        found = self.paths(scope, ty)
        if found and not ty.tuple_like and ty.fields and self.rng.random() < 0.3:
            name, of = self.rng.choice(ty.fields)
            return f"{ty.name} {{ {name}: {self.expr(scope, of, depth)}, ..{self.rng.choice(found)} }}"
        return ty.build([self.expr(scope, t, depth) for _, t in ty.fields])

    def of_enum(self, scope, ty, depth):
        variant = self.rng.choice(ty.variants())
        return variant.build(ty.path(variant), [self.expr(scope, t, depth) for _, t in variant.fields])

    of_result = of_enum

    def of_option(self, scope, ty, depth):
        rng, found = self.rng, self.paths(scope, ty)
        if found and rng.random() < 0.5:
            value = rng.choice(found)
            name = self.fresh("x")
            bound = [*scope, Variable(name, ty.of)]
            kind = rng.randrange(4)
            if kind == 0:
                return f"{value}.map(|{name}| {self.expr(bound, ty.of, depth)})"
            if kind == 1:
                return f"{value}.and_then(|{name}| {self.expr(bound, ty, depth)})"
            if kind == 2:
                return f"{value}.or({self.leaf(scope, ty)})"
            return f"(|| -> {ty.text()} {{ let {name} = {value}?; Some({self.expr(bound, ty.of, depth)}) }})()"
        if isinstance(ty.of, Int) and rng.random() < 0.4:
            return f"({self.expr(scope, ty.of, depth)}).checked_{rng.choice(['add', 'sub', 'mul'])}({self.leaf(scope, ty.of)})"
        return self.of_enum(scope, ty, depth)

    def of_union(self, scope, ty, depth):
        return f"{ty.name} {{ whole: {self.expr(scope, ty.whole, depth)} }}"

    # --- statements --------------------------------------------------------------------------------------------------------------------

    def mutable_places(self, scope):
        return [(text, t, packed) for v in scope if v.mutable for text, t, packed in places(v.name, v.type, 2)]

    def block(self, scope, depth, count):
        scope, lines = list(scope), []
        for _ in range(count):
            lines += self.statement(scope, depth)
        return lines

    def indented(self, scope, depth, count):
        return ["    " + line for line in self.block(scope, depth, count)]

    def statement(self, scope, depth):
        """The lines of one statement; what it declares is added to `scope`."""
        kinds = ["let", "let", "let", "assign", "assign"]
        if depth > 0 and self.fuel > 0:
            kinds += ["if_", "match_mut", "for_", "while_", "loop_", "iterate", "borrow", "slices", "closure", "dynamic", "guard", "let_else", "raw", "statics", "copy", "functions", "drop_dynamic"]
        return getattr(self, "do_" + self.rng.choice(kinds))(scope, depth)

    def do_let(self, scope, _depth):
        ty, name, mutable = self.any_type(scope), self.fresh(), self.rng.random() < 0.6
        line = f"let {'mut ' if mutable else ''}{name}: {ty.text()} = {self.expr(scope, ty)};"
        scope.append(Variable(name, ty, mutable))
        return [line]

    def do_assign(self, scope, depth):
        found = self.mutable_places(scope)
        if not found:
            return self.do_let(scope, depth)
        place, ty, packed = self.rng.choice(found)
        if isinstance(ty, Int) and self.rng.random() < 0.4:
            return [f"{place} {self.rng.choice(['^=', '|=', '&='])} {self.expr(scope, ty)};"]
        if not packed and self.rng.random() < 0.2:
            new = self.fresh("new")
            return [f"let {new}: {ty.text()} = {self.expr(scope, ty)};", f"let _ = core::mem::replace(&mut {place}, {new});"]
        return [f"{place} = {self.expr(scope, ty)};"]

    def do_if_(self, scope, depth):
        lines = [f"if {self.expr(scope, Bool())} {{", *self.indented(scope, depth - 1, 2)]
        if self.rng.random() < 0.6:
            lines += ["} else {", *self.indented(scope, depth - 1, 2)]
        return [*lines, "}"]

    def do_match_mut(self, scope, depth):
        """Writes through the payload of an enum."""
        found = [(p, t) for p, t, packed in self.mutable_places(scope) if isinstance(t, (Enum, Option, Result)) and not packed]
        if not found:
            return self.do_let(scope, depth)
        place, of = self.rng.choice(found)
        lines = [f"match &mut {place} {{"]
        for variant in [v for v in of.variants() if v.fields][:3]:
            names = [self.fresh("m") for _ in variant.fields]
            inner = [*(v for v in scope if not place.startswith(v.name)), *(Variable(f"(*{n})", t, True) for n, (_, t) in zip(names, variant.fields))]
            lines += [f"    {variant.build(of.path(variant), names)} => {{"]
            lines += [f"        (*{n}) = {self.expr(inner, t)};" for n, (_, t) in zip(names, variant.fields) if self.rng.random() < 0.7]
            lines += ["    }"]
        return [*lines, "    _ => {}", "}"]

    def do_for_(self, scope, depth):
        name = self.fresh("i")
        bounds = self.rng.choice(["0..5u64", "0..=3u64", "(1..7u64).rev()", "(0..20u64).step_by(6)"])
        inner = [*scope, Variable(name, Int(64, False))]
        lines = [f"for {name} in {bounds} {{", *self.indented(inner, depth - 1, 2)]
        if self.rng.random() < 0.3:
            lines.append(f"    if {self.expr(inner, Bool(), 2)} {{ {self.rng.choice(['break', 'continue'])}; }}")
        return [*lines, "}"]

    def do_while_(self, scope, depth):
        name = self.fresh("n")
        inner = [*scope, Variable(name, Int(32, False))]
        return [f"let mut {name}: u32 = {self.expr(scope, Int(32, False), 2)} % 6;", f"while {name} > 0 && {self.expr(inner, Bool(), 2)} {{",
                f"    {name} -= 1;", *self.indented(inner, depth - 1, 1), "}"]

    def do_loop_(self, scope, depth):
        ty, name, counter, label = self.any_type(scope), self.fresh(), self.fresh("n"), self.fresh("'l")
        inner = [*scope, Variable(counter, Int(32, False))]
        lines = [f"let mut {counter}: u32 = 0;", f"let {name}: {ty.text()} = {label}: loop {{", f"    {counter} += 1;",
                 *self.indented(inner, depth - 1, 1),
                 f"    if {counter} > 4 || {self.expr(inner, Bool(), 2)} {{ break {label} {self.expr(inner, ty, 2)}; }}", "};"]
        scope.append(Variable(name, ty))
        return lines

    def array_of(self, scope, mutable):
        found = [v for v in scope if isinstance(v.type, Array) and (v.mutable or not mutable)]
        return self.rng.choice(found) if found else None

    def make_array(self, scope):
        ty, name = Array(self.rng.choice([Int(32, False), Int(8, True), self.pool.any(1)]), self.rng.randint(2, 6)), self.fresh("a")
        line = f"let mut {name}: {ty.text()} = {self.expr(scope, ty)};"
        scope.append(Variable(name, ty, True))
        return [line], scope[-1]

    def do_iterate(self, scope, depth):
        lines, array = self.make_array(scope)
        rng, item, other = self.rng, self.fresh("e"), self.fresh("k")
        inner = [v for v in scope if v is not array]
        by_item = [*inner, Variable(f"(*{item})", array.type.of, True)]
        kind = rng.randrange(4)
        if kind == 0:
            return [*lines, f"for {item} in {array.name}.iter_mut() {{ *{item} = {self.expr(by_item, array.type.of, 2)}; }}"]
        if kind == 1:
            numbered = [*by_item, Variable(f"({other} as u64)", Int(64, False))]
            return [*lines, f"for ({other}, {item}) in {array.name}.iter_mut().enumerate() {{ *{item} = {self.expr(numbered, array.type.of, 2)}; }}"]
        if kind == 2:
            total = self.fresh("s")
            lines += [f"let {total}: u64 = {array.name}.iter().rev().zip({array.name}.iter()).map(|({item}, {other})| hash({item}) ^ hash({other}).rotate_left(9)).fold(7, |s, x| s.wrapping_mul(5).wrapping_add(x));"]
            scope.append(Variable(total, Int(64, False)))
            return lines
        total = self.fresh("s")
        adapter = rng.choice([f"windows({rng.randint(1, 3)})", f"chunks({rng.randint(1, 3)})"])
        lines += [f"let {total}: u64 = {array.name}.{adapter}.map(|w| w.iter().fold(w.len() as u64, |s, x| s.rotate_left(7) ^ hash(x))).fold(0u64, |s, x| s.wrapping_add(x));"]
        scope.append(Variable(total, Int(64, False)))
        return lines

    def do_borrow(self, scope, depth):
        found = [(p, t) for p, t, packed in self.mutable_places(scope) if not packed]
        if not found:
            return self.do_let(scope, depth)
        place, ty = self.rng.choice(found)
        name = self.fresh("r")
        inner = [*(v for v in scope if not place.startswith(v.name)), Variable(f"(*{name})", ty, True)]
        return ["{", f"    let {name}: &mut {ty.text()} = &mut {place};", *self.indented(inner, depth - 1, 2), f"    touch({name});", "}"]

    def do_slices(self, scope, depth):
        lines, array = self.make_array(scope)
        rng, first, last, rest = self.rng, self.fresh("p"), self.fresh("q"), self.fresh("rest")
        others = [v for v in scope if v is not array]
        kind = rng.randrange(4)
        if kind == 0:
            inner = [*others, Variable(f"(*{first})", array.type.of, True), Variable(f"(*{last})", array.type.of, True)]
            return [*lines, f"if let [{first}, {rest} @ .., {last}] = &mut {array.name}[..] {{", f"    core::mem::swap({first}, {last});",
                    f"    *{first} = {self.expr(inner, array.type.of, 2)};", f"    {rest}.reverse();", "}"]
        if kind == 1:
            at = rng.randint(0, array.type.count)
            return [*lines, "{", f"    let ({first}, {last}) = {array.name}.split_at_mut({at});",
                    f"    if let (Some({first}), Some({last})) = ({first}.first_mut(), {last}.last_mut()) {{ core::mem::swap({first}, {last}); }}", "}"]
        if kind == 2:
            names = [self.fresh("d") for _ in range(array.type.count)]
            scope += [Variable(n, array.type.of) for n in names[:2]]
            pattern = f"[{names[0]}, {names[1]}, ..]" if rng.random() < 0.5 else f"[.., {names[1]}, {names[0]}]"
            return [*lines, f"let {pattern} = {array.name};"]
        name = self.fresh("s")
        low = rng.randint(0, array.type.count)
        scope.append(Variable(name, Int(64, False)))
        return [*lines, f"let {name}: u64 = match &{array.name}[{low}..] {{ [] => 3, [x] => hash(x), [x, y] => hash(x).wrapping_sub(hash(y)), [x, .., y] => hash(y) ^ (hash(x) >> 1) }};"]

    def do_closure(self, scope, depth):
        found = [(v.name, v.type) for v in scope if v.mutable and "(" not in v.name]
        if not found:
            return self.do_let(scope, depth)
        captured, ty = self.rng.choice(found)
        name, argument, result = self.fresh("c"), self.fresh("x"), self.fresh("sum")
        inner = [*(v for v in scope if v.name != captured), Variable(argument, Int(32, True)), Variable(captured, ty, True)]
        move = "move " if self.rng.random() < 0.3 else ""
        lines = [f"let mut {name} = {move}|{argument}: i32| -> u64 {{ {captured} = {self.expr(inner, ty, 2)}; hash(&{captured}) ^ ({argument} as u64) }};",
                 f"let {result}: u64 = {self.rng.choice([f'{name}(3) ^ {name}(-4)', f'twice(&mut {name})', f'once({name})'])};"]
        scope.append(Variable(result, Int(64, False)))
        return lines

    def do_dynamic(self, scope, depth):
        name, result = self.fresh("d"), self.fresh("sum")
        word = lambda: self.expr(scope, Int(64, False), 2)
        lines = [f"let ({name}a, {name}b, {name}c) = (Adder({word()}), Mixer {{ a: {self.expr(scope, Int(8, False), 2)}, b: {self.expr(scope, Int(128, False), 2)} }}, Nothing);",
                 f"let {name}: &dyn Operation = if {self.expr(scope, Bool(), 2)} {{ &{name}a }} else if {self.expr(scope, Bool(), 2)} {{ &{name}b }} else {{ &{name}c }};",
                 f"let {result}: u64 = {name}.apply({word()}).wrapping_add(core::mem::size_of_val({name}) as u64) ^ {name}.name().len() as u64;"]
        scope.append(Variable(result, Int(64, False)))
        return lines

    def do_guard(self, scope, depth):
        """Values whose drop is seen."""
        log, name = self.fresh("log"), self.fresh("g")
        lines = [f"let {log} = core::cell::Cell::new(1u64);", "{", f"    let {name} = Guard(&{log}, {self.expr(scope, Int(64, False), 2)});",
                 f"    let {name}o = if {self.expr(scope, Bool(), 2)} {{ Some(Guard(&{log}, 5)) }} else {{ None }};",
                 f"    let {name}p = ({name}, Guard(&{log}, 9));", f"    if {self.expr(scope, Bool(), 2)} {{ drop({name}o); }}",
                 f"    if {self.expr(scope, Bool(), 2)} {{ drop({name}p.0); }}", "}", f"let {log}: u64 = {log}.get();"]
        scope.append(Variable(log, Int(64, False)))
        return lines

    def do_let_else(self, scope, depth):
        found = [(text, t) for v in scope for text, t, _ in places(v.name, v.type, 2) if isinstance(t, Option)]
        if not found:
            return self.do_let(scope, depth)
        value, ty = self.rng.choice(found)
        name, outer = self.fresh("y"), self.fresh()
        scope.append(Variable(outer, ty.of))
        return [f"let {outer}: {ty.of.text()} = 'b: {{ let Some({name}) = {value} else {{ seen += 1; break 'b {ty.of.constant(self.rng)} }}; {name} }};"]

    def do_raw(self, scope, depth):
        """Raw pointers: arithmetic, reads and writes within an array."""
        lines, array = self.make_array(scope)
        pointer, at = self.fresh("ptr"), self.rng.randrange(array.type.count)
        value = self.expr([v for v in scope if v is not array], array.type.of, 2)
        return [*lines, "// SAFETY: the index is inside of the array.",
                "unsafe {", f"    let {pointer} = {array.name}.as_mut_ptr();", f"    {pointer}.add({at}).write({value});",
                f"    *{pointer} = {pointer}.add({at}).read();",
                f"    if size_of_val(&*{pointer}) != 0 {{ seen = seen.wrapping_add({pointer}.add({at}).offset_from({pointer}) as u64); }}",
                f"    let {pointer} = core::ptr::with_exposed_provenance_mut::<{array.type.of.text()}>({pointer}.expose_provenance());",
                f"    seen ^= ({pointer} as usize % align_of_val(&*{pointer})) as u64 ^ hash(&*{pointer});", "}"]

    def do_copy(self, scope, depth):
        """Copies between arrays, by elements and by bytes, and arithmetic without checks."""
        lines, array = self.make_array(scope)
        other, count = self.fresh("to"), self.rng.randint(0, array.type.count)
        return [*lines, f"let mut {other} = {array.name};", "// SAFETY: both arrays have as many elements.", "unsafe {",
                f"    core::ptr::copy_nonoverlapping({array.name}.as_ptr(), {other}.as_mut_ptr().add({array.type.count - count}), {count});",
                f"    core::ptr::copy({other}.as_ptr(), {other}.as_mut_ptr().add({array.type.count - count}), {count});",
                f"    seen = seen.wrapping_add((seen % 1000).unchecked_mul({array.type.count}).unchecked_add(1));", "}", f"seen ^= hash(&{other});"]

    def do_functions(self, scope, depth):
        """Function pointers of every origin."""
        name, argument = self.fresh("f"), self.fresh("x")
        body = self.expr([Variable(argument, Int(64, False))], Int(64, False), 2)
        return [f"let {name}: fn(u64) -> u64 = |{argument}: u64| -> u64 {{ {body} }};",
                f"let {name}u: unsafe fn(u64) -> u64 = if {self.expr(scope, Bool(), 2)} {{ {name} }} else {{ double }};",
                f"let {name}r: for<'a> fn(&'a u64) -> &'a u64 = identity;", f"let {name}s: fn(&'static u64) -> &'static u64 = {name}r;",
                "// SAFETY: both are safe functions.",
                f"seen ^= unsafe {{ {name}u(seen) }} ^ *{name}s(&77) ^ (core::hint::black_box({name}) as *const () == core::ptr::null()) as u64;"]

    def do_drop_dynamic(self, scope, depth):
        """Drop through a vtable."""
        log, name = self.fresh("log"), self.fresh("g")
        lines = [f"let {log} = core::cell::Cell::new(seen);", "{",
                 f"    let mut {name} = core::mem::ManuallyDrop::new(Guard(&{log}, {self.expr(scope, Int(64, False), 2)}));",
                 f"    let mut {name}n = Nothing;",
                 f"    let {name}d: *mut dyn Operation = if {self.expr(scope, Bool(), 2)} {{ &mut *{name} }} else {{ &mut {name}n }};",
                 "    // SAFETY: nothing else drops it.", f"    unsafe {{ seen ^= (*{name}d).apply(seen); core::ptr::drop_in_place({name}d) }};", "}",
                 f"seen ^= {log}.get();"]
        return lines

    def do_statics(self, scope, depth):
        name = self.fresh("z")
        scope.append(Variable(name, Int(64, False)))
        index = self.expr(scope[:-1], Int(8, False), 2)
        return [f"let {name}: u64 = WORDS[({index} & 7) as usize].0 ^ WORDS[({index} % 8) as usize].1.len() as u64 ^ hash(&CONSTANT) ^ hash(&STATIC);"]
