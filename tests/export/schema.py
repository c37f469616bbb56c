# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a value against docs/mir_format.schema.json.

Only the keywords that the schema uses are known, and `x-index`, which names the table that an integer must be an index of. An
unknown keyword is an error, so that the schema cannot say more than is checked.
"""
import re

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
IGNORED = {"$schema", "$id", "title", "$comment", "$defs"}


class Mismatch(Exception):
    """Says where in the file, and what is wrong."""


class Checker:
    """One schema applied to one file."""

    def __init__(self, schema, program):
        self.schema, self.program = schema, program
        self.keywords = {name.removeprefix("key_").replace("_", "-") if name == "key_x_index" else name.removeprefix("key_"):
                         getattr(self, name) for name in dir(self) if name.startswith("key_")}

    def check(self):
        """Raises Mismatch at the first difference."""
        self.value(self.schema, self.program, "$")

    def value(self, schema, value, at):
        """Checks `value`, which stands at `at`."""
        if schema is False:
            raise Mismatch(f"{at}: not expected here")
        for keyword, argument in schema.items():
            if keyword == "$ref":
                self.value(self.schema["$defs"][argument.removeprefix("#/$defs/")], value, at)
            elif keyword not in IGNORED:
                self.keywords[keyword](argument, value, at, schema)

    def key_type(self, name, value, at, _):
        """`type`"""
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if not (is_integer if name == "integer" else isinstance(value, TYPES[name])):
            raise Mismatch(f"{at}: expected {name}, found {value!r:.60}")

    def key_const(self, wanted, value, at, _):
        """`const`"""
        if value != wanted or isinstance(value, bool) != isinstance(wanted, bool):
            raise Mismatch(f"{at}: expected {wanted!r}, found {value!r:.60}")

    def key_enum(self, wanted, value, at, _):
        """`enum`"""
        if not isinstance(value, str) or value not in wanted:
            raise Mismatch(f"{at}: {value!r:.60} is none of {wanted}")

    def key_minimum(self, least, value, at, _):
        """`minimum`"""
        if value < least:
            raise Mismatch(f"{at}: {value} is below {least}")

    def key_x_index(self, table, value, at, _):
        """`x-index`"""
        if value >= len(self.program[table]):
            raise Mismatch(f"{at}: {value} is no index of {table}")

    def key_pattern(self, pattern, value, at, _):
        """`pattern`"""
        if not re.search(pattern, value):
            raise Mismatch(f"{at}: {value!r:.60} does not match {pattern}")

    def key_minItems(self, least, value, at, _):  # pylint: disable=invalid-name
        """`minItems`"""
        if len(value) < least:
            raise Mismatch(f"{at}: {len(value)} items, expected {least}")

    def key_prefixItems(self, schemas, value, at, _):  # pylint: disable=invalid-name
        """`prefixItems`"""
        for i, (schema, item) in enumerate(zip(schemas, value)):
            self.value(schema, item, f"{at}[{i}]")

    def key_items(self, schema, value, at, whole):
        """`items`"""
        start = len(whole.get("prefixItems", []))
        for i, item in enumerate(value[start:], start):
            self.value(schema, item, f"{at}[{i}]")

    def key_properties(self, schemas, value, at, _):
        """`properties`"""
        for key, schema in schemas.items():
            if key in value:
                self.value(schema, value[key], f"{at}.{key}")

    def key_required(self, keys, value, at, _):
        """`required`"""
        for key in keys:
            if key not in value:
                raise Mismatch(f"{at}: lacks `{key}`")

    def key_allOf(self, schemas, value, at, _):  # pylint: disable=invalid-name
        """`allOf`"""
        for schema in schemas:
            self.value(schema, value, at)

    def key_not(self, schema, value, at, _):
        """`not`"""
        try:
            self.value(schema, value, at)
        except Mismatch:
            return
        raise Mismatch(f"{at}: matches what it must not")

    def key_anyOf(self, schemas, value, at, _):  # pylint: disable=invalid-name
        """`anyOf`"""
        deepest = None
        for schema in schemas:
            try:
                return self.value(schema, value, at)
            except Mismatch as mismatch:
                # The alternative that got furthest is the one that was meant.
                if deepest is None or len(str(mismatch).split(":")[0]) > len(str(deepest).split(":")[0]):
                    deepest = mismatch
        raise deepest

    key_oneOf = key_anyOf
