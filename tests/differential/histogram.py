# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the kinds of MIR and the classes of layouts in serialized MIR, and names those that never occurred.

The kinds are read from docs/mir_format.schema.json, so that a new one cannot be forgotten; tests/mir/not_generated.txt lists those that
no generated program has, each with its reason (`kind: reason` a line, `#` comments).
"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXCUSED = ROOT / "tests/mir/not_generated.txt"
MODULE = re.compile(r"\bp\d+(?=::)")
LEAST_NICHES = 0.3

LAYOUT_CLASSES = [
    "layout single variant", "layout empty", *(f"layout direct {s}{b}" for s in "iu" for b in (8, 16, 32, 64)),
    "layout niche bool", "layout niche char", "layout niche integer", "layout niche pointer", "layout niche at offset 0",
    "layout niche at another offset", "layout niche wraps", "layout niche untagged within the niche variants", "layout niche of one variant",
    "layout niche of several variants", "layout scalar", "layout pair", "layout memory", "layout zero-sized", "layout over-aligned", "layout packed",
]


def schema_words(definition):
    """The words that a tagged array or object of the schema may begin with: position and enumerators of each `const` and `enum`."""
    found = []
    for choice in definition["oneOf"] if "oneOf" in definition else definition.get("anyOf", []):
        items = choice.get("prefixItems", [])
        words = [w for item in items for w in ([item["const"]] if "const" in item else item.get("enum", []))
                 if isinstance(w, str)]
        if "properties" in choice and "kind" in choice["properties"]:
            kind = choice["properties"]["kind"]
            words = [kind["const"]] if "const" in kind else kind.get("enum", [])
        found += words
    return found


def wanted():
    """Every kind that a program may have, as `group word`."""
    schema = json.loads((ROOT / "docs/mir_format.schema.json").read_text(encoding="utf-8"))["$defs"]
    kinds = []
    for group in ("statement", "terminator", "rvalue", "projection", "operand", "callee"):
        kinds += [f"{group} {word}" for word in dict.fromkeys(schema_words(schema[group]))]
    asserts = json.dumps(schema["terminator"])
    start = asserts.index('"msg"')
    kinds += [f"assert {word}" for word in json.loads(asserts[asserts.index("[", asserts.index('"enum"', start)):asserts.index("]", start) + 1])]
    return kinds + LAYOUT_CLASSES


def count_place(place, counts):
    for element in place[1:]:
        counts[f"projection {element[0]}"] += 1


def count_operand(operand, counts):
    counts[f"operand {operand[0]}"] += 1
    if operand[0] in ("copy", "move"):
        count_place(operand[1], counts)
    elif operand[0] == "runtime_checks":
        counts[f"operand {operand[1]}"] += 1


def count_rvalue(rvalue, counts):
    kind = rvalue[0]
    counts[f"rvalue {kind}"] += 1
    if kind in ("ref", "raw_ptr", "cast", "binary", "unary"):
        counts[f"rvalue {rvalue[1]}"] += 1
    for part in rvalue[1:]:
        if isinstance(part, list) and part:
            if isinstance(part[0], int):
                count_place(part, counts)
            elif isinstance(part[0], str):
                count_operand(part, counts)
            else:
                for operand in part:
                    count_operand(operand, counts)


def count_terminator(terminator, counts):
    kind = terminator[2]
    counts[f"terminator {kind}"] += 1
    if kind == "switch_int":
        count_operand(terminator[3], counts)
    elif kind == "drop":
        counts[f"callee {terminator[4]['kind']}"] += 1
    elif kind in ("call", "tail_call"):
        counts[f"callee {terminator[3]['callee']['kind']}"] += 1
        for operand in terminator[3]["args"]:
            count_operand(operand, counts)
    elif kind == "assert":
        counts[f"assert {terminator[3]['msg']['kind']}"] += 1
        count_operand(terminator[3]["cond"], counts)


def niche_classes(ty, encoding):
    tag = encoding["tag"]
    valid = [int(v) for v in tag["valid"]]
    first, last, untagged = encoding["start_variant"], encoding["end_variant"], encoding["untagged"]
    if tag["prim"] == "pointer":
        yield "pointer"
    elif tag["bits"] == 8 and valid[0] == 0 and valid[1] < 2 + last - first + 1 and int(encoding["niche_start"]) == 2:
        yield "bool"
    elif tag["bits"] == 32 and int(encoding["niche_start"]) == 0x110000:
        yield "char"
    else:
        yield "integer"
    yield "at offset 0" if encoding["tag_offset"] == 0 else "at another offset"
    if int(encoding["niche_start"]) + (last - first) >= 1 << tag["bits"] or valid[0] > valid[1]:
        yield "wraps"
    if first <= untagged <= last:
        yield "untagged within the niche variants"
    yield "of one variant" if first == last else "of several variants"


def count_type(ty, types, counts):
    encoding = ty["encoding"]
    if encoding["kind"] == "direct":
        tag = encoding["tag"]
        counts[f"layout direct {'i' if tag.get('signed') else 'u'}{tag['bits']}"] += 1
    elif encoding["kind"] == "niche":
        for name in niche_classes(ty, encoding):
            counts[f"layout niche {name}"] += 1
    elif encoding["kind"] == "empty":
        counts["layout empty"] += 1
    elif ty["kind"] == "enum":
        counts["layout single variant"] += 1
    counts[f"layout {ty['repr']['kind']}"] += 1
    if ty["size"] == 0 and not ty["unsized"]:
        counts["layout zero-sized"] += 1
    widest = max((types[f["ty"]]["align"] for v in ty["variants"] for f in v["fields"]), default=ty["align"])
    if ty["kind"] == "struct" and ty["align"] != widest:
        counts["layout over-aligned" if ty["align"] > widest else "layout packed"] += 1


def count(mir, counts):
    """Adds what the file has to `counts`; `programs with a niche` among them."""
    program = json.loads(pathlib.Path(mir).read_text(encoding="utf-8"))
    niches = {module for ty in program["types"] if ty["encoding"]["kind"] == "niche" for module in MODULE.findall(ty["name"])}
    counts["programs with a niche"] += len(niches)
    for ty in program["types"]:
        count_type(ty, program["types"], counts)
    for function in program["functions"]:
        for block in (function["body"] or {"blocks": []})["blocks"]:
            for statement in block["statements"]:
                counts[f"statement {statement[2]}"] += 1
                if statement[2] == "assign":
                    count_place(statement[3], counts)
                    count_rvalue(statement[4], counts)
            count_terminator(block["terminator"], counts)


def excused():
    lines = EXCUSED.read_text(encoding="utf-8").splitlines() if EXCUSED.exists() else []
    return {line.partition(":")[0].strip() for line in lines if line.strip() and not line.startswith("#")}


def report(counts, programs, verbose):
    """Prints the kinds that never occurred and should have; returns how many, and one more if too few programs have niches. With `verbose`
    all counts."""
    kinds, reasons = wanted(), excused()
    if verbose:
        for kind in kinds:
            print(f"{counts[kind]:10} {kind}{'  (excused)' if kind in reasons else ''}")
    missing = [kind for kind in kinds if not counts[kind] and kind not in reasons]
    for kind in missing:
        print(f"no program has: {kind}")
    for kind in sorted(reasons - set(kinds)):
        print(f"tests/mir/not_generated.txt names `{kind}`, which is no kind")
    few = counts["programs with a niche"] < LEAST_NICHES * programs
    if few or verbose:
        print(f"{counts['programs with a niche']} of {programs} programs have a type of their own with a niche")
    return len(missing) + len(reasons - set(kinds)) + few
