# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cuts serialized MIR (docs/mir_format.md) down to what one kernel reaches.

Maps from: a program as parsed JSON, the index of a kernel. To: a program with that kernel alone, its tables dense again. Spans are not
followed: the first few stand for all, so that tables of spans and files do not outweigh the rest. One walk serves twice: `ref(table, id)`
first collects what is reached, then gives each its new index.
"""
import collections
import json

SPANS = 4  # that are kept
TABLES = ("types", "allocs", "statics", "vtables", "functions")


class Walk:
    """Copies a part of a program; every id goes through `ref`."""

    def __init__(self, ref, spans):
        self.ref, self.spans = ref, spans

    def span(self, span):
        return None if span is None or not self.spans else span % self.spans

    def opt(self, table, index):
        return None if index is None else self.ref(table, index)

    def ty(self, index):
        return self.ref("types", index)

    def generics(self, args):
        return [dict(a, ty=self.ty(a["ty"])) for a in args]

    # ---- tables
    def types(self, t):
        t = dict(t)
        for key in ("elem", "pointee", "output", "base", "inner", "discr_ty"):
            if key in t:
                t[key] = self.ty(t[key])
        if "inputs" in t:
            t["inputs"] = [self.ty(i) for i in t["inputs"]]
        if "args" in t:
            t["args"] = self.generics(t["args"])
        if "function" in t:
            t["function"] = self.opt("functions", t["function"])
        if t["unsized"]:
            t["unsized"] = dict(t["unsized"], tail=self.ty(t["unsized"]["tail"]))
        t["variants"] = [dict(v, fields=[dict(f, ty=self.ty(f["ty"])) for f in v["fields"]]) for v in t["variants"]]
        t["span"] = self.span(t["span"])
        return t

    def allocs(self, a):
        a = dict(a)
        if a["kind"] == "memory":
            a["relocs"] = [[offset, self.ref("allocs", target)] for offset, target in a["relocs"]]
        else:
            a[a["kind"]] = self.ref(a["kind"] + "s", a[a["kind"]])
        return a

    def statics(self, s):
        return dict(s, ty=self.ty(s["ty"]), init=self.opt("allocs", s["init"]), span=self.span(s["span"]))

    def vtables(self, v):
        def entry(e):
            if not isinstance(e, dict):
                return e
            (key, value), = e.items()
            table = {"drop": "functions", "method": "functions", "super": "vtables"}.get(key)
            return {key: self.opt(table, value) if table else value}
        return dict(v, ty=self.ty(v["ty"]), entries=[entry(e) for e in v["entries"]], alloc=self.opt("allocs", v["alloc"]))

    def functions(self, f):
        return dict(f, inputs=[self.ty(i) for i in f["inputs"]], output=self.ty(f["output"]), span=self.span(f["span"]),
                    body=f["body"] and self.body(f["body"]))

    def kernels(self, k):
        return dict(k, function=self.ref("functions", k["function"]), params=[dict(p, ty=self.ty(p["ty"])) for p in k["params"]])

    # ---- bodies
    def body(self, b):
        def scope(s):
            inlined = s["inlined"]
            if inlined:
                inlined = dict(inlined, function=self.opt("functions", inlined["function"]), call_site=self.span(inlined["call_site"]))
            return dict(s, span=self.span(s["span"]), inlined=inlined)

        def debug(d):
            value, fragment = d["value"], d["fragment"]
            value = {"place": self.place(value["place"])} if "place" in value else {"const": self.constant(value["const"])}
            if fragment:
                fragment = dict(fragment, ty=self.ty(fragment["ty"]), projection=[self.element(e) for e in fragment["projection"]])
            return dict(d, span=self.span(d["span"]), value=value, fragment=fragment)
        return dict(b, locals=[dict(x, ty=self.ty(x["ty"]), span=self.span(x["span"])) for x in b["locals"]], scopes=[scope(s) for s in b["scopes"]],
                    debug=[debug(d) for d in b["debug"]],
                    blocks=[dict(x, statements=[self.statement(s) for s in x["statements"]], terminator=self.terminator(x["terminator"]))
                            for x in b["blocks"]])

    def element(self, e):
        if e[0] == "field":
            return [e[0], e[1], self.ty(e[2])]
        return [e[0], self.ty(e[1])] if e[0] in ("opaque_cast", "unwrap_unsafe_binder") else e

    def place(self, p):
        return [p[0], *(self.element(e) for e in p[1:])]

    def constant(self, c):
        value = c["value"]
        if isinstance(value, dict):
            value = {k: [self.ref("allocs", v[0]), v[1]] if k in ("ptr", "slice", "indirect") else v for k, v in value.items()}
        return dict(c, ty=self.ty(c["ty"]), value=value, span=self.span(c["span"]))

    def operand(self, o):
        if o[0] in ("copy", "move"):
            return [o[0], self.place(o[1])]
        return [o[0], self.constant(o[1])] if o[0] == "const" else o

    def statement(self, s):
        head, kind, rest = [self.span(s[0]), s[1]], s[2], s[3:]
        if kind == "assign":
            rest = [self.place(rest[0]), self.rvalue(rest[1])]
        elif kind == "set_discriminant":
            rest = [self.place(rest[0]), rest[1]]
        elif kind in ("assume", "copy_nonoverlapping"):
            rest = [self.operand(o) for o in rest]
        return [*head, kind, *rest]

    def rvalue(self, r):
        kind, rest = r[0], list(r[1:])
        if kind in ("use", "repeat"):
            rest[0] = self.operand(rest[0])
        elif kind in ("ref", "raw_ptr"):
            rest[1] = self.place(rest[1])
        elif kind == "thread_local_ref":
            rest[0] = self.ref("statics", rest[0])
        elif kind == "cast":
            rest[1:] = [self.operand(rest[1]), self.ty(rest[2]), self.cast_extra(rest[3])]
        elif kind in ("binary", "unary"):
            rest[1:] = [self.operand(o) for o in rest[1:]]
        elif kind in ("discriminant", "copy_for_deref"):
            rest[0] = self.place(rest[0])
        elif kind == "aggregate":
            rest = [self.ty(rest[0]), rest[1], rest[2], [self.operand(o) for o in rest[3]]]
        elif kind == "wrap_unsafe_binder":
            rest = [self.operand(rest[0]), self.ty(rest[1])]
        return [kind, *rest]

    def cast_extra(self, extra):
        if not extra:
            return extra
        if "function" in extra:
            return {"function": self.ref("functions", extra["function"])}
        to = extra["to"]
        return dict(extra, to={"vtable": self.ref("vtables", to["vtable"])} if "vtable" in to else to)

    def location(self, at):
        return self.ref("allocs", at) if isinstance(at, int) else at

    def callee(self, k):
        k = dict(k)
        for key, walk in (("ty", self.ty), ("args", self.generics), ("operand", self.operand), ("value", self.constant)):
            if key in k:
                k[key] = walk(k[key])
        for key in ("function", "fallback"):
            if key in k:
                k[key] = self.opt("functions", k[key])
        return k

    def terminator(self, t):
        head, kind, rest = [self.span(t[0]), t[1]], t[2], list(t[3:])
        if kind == "switch_int":
            rest[:2] = [self.operand(rest[0]), self.ty(rest[1])]
        elif kind == "drop":
            rest[:2] = [self.place(rest[0]), self.callee(rest[1])]
        elif kind in ("call", "tail_call"):
            c = dict(rest[0])
            c.update(callee=self.callee(c["callee"]), args=[self.operand(o) for o in c["args"]], fn_span=self.span(c["fn_span"]),
                     caller_location=self.location(c["caller_location"]))
            if "dest" in c:
                c["dest"] = self.place(c["dest"])
            rest = [c]
        elif kind == "assert":
            c = rest[0]
            rest = [dict(c, cond=self.operand(c["cond"]), msg=dict(c["msg"], operands=[self.operand(o) for o in c["msg"]["operands"]]),
                         caller_location=self.location(c["caller_location"]))]
        elif kind == "inline_asm":
            c = rest[0]
            rest = [dict(c, operands=[self.asm_operand(o) for o in c["operands"]], line_spans=[self.span(s) for s in c["line_spans"]])]
        return [*head, kind, *rest]

    def asm_operand(self, o):
        o = dict(o)
        walks = {"place": lambda p: p and self.place(p), "out": lambda p: p and self.place(p), "in": self.operand,
                 "function": lambda f: self.ref("functions", f), "static": lambda s: self.ref("statics", s),
                 "value": self.constant if o["kind"] == "const" else self.operand}
        for key, walk in walks.items():
            if key in o:
                o[key] = walk(o[key])
        return o


def spans_of(program):
    """The first spans, none with a call site, and the files that they need."""
    spans = [[*s[:5], None] for s in program["spans"][:SPANS]]
    files = sorted({s[0] for s in spans})
    return [[files.index(s[0]), *s[1:]] for s in spans], [program["files"][f] for f in files]


def cut(program, kernel, bodies):
    """The program with kernel number `kernel` alone. Of the functions that it reaches the nearest `bodies` keep theirs."""
    reached = {table: set() for table in TABLES}
    number_of = {}  # of a function, in order of discovery
    todo = collections.deque()

    def collect(table, index):
        if index not in reached[table]:
            reached[table].add(index)
            if table == "functions":
                number_of[index] = len(number_of)
            todo.append((table, index))
        return index

    def entry(table, index):
        keeps = table != "functions" or number_of[index] < bodies
        return program[table][index] if keeps else dict(program[table][index], body=None)

    spans, files = spans_of(program)
    walk = Walk(collect, len(spans))
    walk.kernels(program["kernels"][kernel])
    while todo:
        table, index = todo.popleft()
        getattr(walk, table)(entry(table, index))
    order = {table: {old: new for new, old in enumerate(sorted(reached[table]))} for table in TABLES}
    walk = Walk(lambda table, index: order[table][index], len(spans))
    result = dict(program, files=files, spans=spans, kernels=[walk.kernels(program["kernels"][kernel])], tests=[])
    for table in TABLES:
        result[table] = [getattr(walk, table)(entry(table, old)) for old in order[table]]
    return result


def without_debug(program):
    """The program without the variables that a debugger would show."""
    functions = [dict(f, body=f["body"] and dict(f["body"], debug=[])) for f in program["functions"]]
    return dict(program, functions=functions)


def features(value, found=None):
    """The words of the format in a function's body: kinds of statements, operands, callees, casts, names of intrinsics."""
    found = set() if found is None else found
    if isinstance(value, dict):
        for key, item in value.items():
            if key in ("kind", "name") and isinstance(item, str) and "kind" in value:
                found.add(item)
            features(item, found)
    elif isinstance(value, list):
        found.update(word for word in value[:3] if isinstance(word, str) and word.islower())
        for item in value:
            features(item, found)
    return found


def with_kernel_for(program, function):
    """The program with one more kernel, without parameters, that takes the address of `function`; None if it lacks the types for that. What a
    kernel takes the address of is lowered, whatever its signature."""
    types = list(enumerate(program["types"]))
    unit = next((i for i, t in types if t["kind"] == "tuple" and t["size"] == 0), None)
    pointer = next((i for i, t in types if t["kind"] in ("raw_ptr", "ref") and t["repr"]["kind"] == "scalar"), None)
    if unit is None or pointer is None:
        return None
    constant = {"ty": pointer, "value": {"ptr": [len(program["allocs"]), 0]}, "span": None}
    call = {"callee": {"kind": "intrinsic", "name": "black_box", "args": [{"ty": pointer}], "fallback": None, "ty": unit},
            "args": [["const", constant]], "dest": [1], "target": 1, "unwind": "unreachable", "fn_span": None, "caller_location": None}
    local = {"mutable": True, "span": None, "name": None}
    body = {"arg_count": 0, "locals": [dict(local, ty=unit), dict(local, ty=pointer)], "scopes": [{"parent": None, "span": None, "inlined": None}],
            "debug": [], "blocks": [{"cleanup": False, "statements": [], "terminator": [None, 0, "call", call]},
                                    {"cleanup": False, "statements": [], "terminator": [None, 0, "return"]}]}
    kernel = dict(program["functions"][program["kernels"][0]["function"]], symbol="root", def_path="root", abi="Rust", inputs=[], output=unit,
                  pass_modes=None, track_caller=False, spread_arg=None, span=None, body=body)
    return dict(program, allocs=[*program["allocs"], {"kind": "function", "function": function}], functions=[*program["functions"], kernel],
                kernels=[{"function": len(program["functions"]), "key": "root", "entry": "root", "params": [], "launch_bounds": None,
                          "contract": None}])


def cut_to_size(program, kernel, size):
    """The text of the largest cut of at most `size` bytes, or None. Variables for debuggers go first, then the bodies of distant functions."""
    def text(bodies, debug=False):
        part = cut(program, kernel, bodies)
        return json.dumps(part if debug else without_debug(part), separators=(",", ":"))
    for debug in (True, False):
        whole = text(len(program["functions"]), debug)
        if len(whole) <= size:
            return whole
    low, high, best = 1, len(program["functions"]), None  # low may fit, high does not
    while low < high:
        middle = (low + high) // 2
        part = text(middle)
        if len(part) <= size:
            low, best = middle + 1, part
        else:
            high = middle
    return best
