# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lit's test format for tests/lit.cfg.py. A module of its own: lit's workers receive tests pickled, by their class's module."""
import pathlib

import lit.formats
import lit.Test
import lit.TestRunner


class RustTest(lit.formats.ShTest):
    """A shell test in a Rust comment, with %mir for the file beside it. A test that runs kernels is executed twice: by the tier that the CPU
    device chooses, and by T3, which admits every kernel; both must pass."""

    def execute(self, test, lit_config):
        source = pathlib.Path(test.getSourcePath())
        serialized = source.with_suffix(".mir.json")
        text = source.read_text(encoding="utf-8")
        if "RUN:" not in text:
            return lit.Test.Result(lit.Test.UNRESOLVED, f"{source.name} has no RUN line")
        if "%mir " in text and not serialized.exists():
            return lit.Test.Result(lit.Test.FAIL, f"{serialized.name} is missing: ./dev update {source.stem}")
        substitutions = [(r"%mir\b", str(serialized))]
        result = lit.TestRunner.executeShTest(test, lit_config, False, substitutions)
        if "%mirgpu run" not in text or result.code not in (lit.Test.PASS, lit.Test.FLAKYPASS):
            return result
        fibers = (r"%mirgpu run(?!.*--tier)", "%mirgpu run --tier=T3")
        return lit.TestRunner.executeShTest(test, lit_config, False, [fibers, *substitutions])
