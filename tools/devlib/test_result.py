# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts of tests. Invariant: what did not run is named, and a group that could not start is a failure, never a silence."""
import time

from . import base


class Totals:
    """The counts of all groups, and one line for each group."""

    def __init__(self):
        self.passed, self.failed, self.skipped = 0, 0, []
        self.group = None
        self.before = (0, 0, 0)

    def add(self, name, good, why=""):
        """One test. A failure is named at once."""
        if good:
            self.passed += 1
            return
        self.failed += 1
        base.say(f"FAILED {self.group}: {name}{': ' + why if why else ''}")

    def add_counts(self, passed, failed):
        self.passed += passed
        self.failed += failed

    def skip(self, name, why):
        self.skipped.append(f"{self.group}: {name} ({why})" if self.group else f"{name} ({why})")

    def run(self, name, group, context):
        """Runs one group and prints its counts."""
        self.group = name
        before, start = (self.passed, self.failed, len(self.skipped)), time.monotonic()
        base.say(f"== {name}")
        try:
            group(context)
        except (base.Failed, OSError) as problem:
            self.add("could not run", False, str(problem))
        skipped = len(self.skipped) - before[2]
        base.say(f"== {name}: {self.passed - before[0]} passed, {self.failed - before[1]} failed"
                 + (f", {skipped} skipped" if skipped else "") + f"  ({time.monotonic() - start:.1f} s)")
        self.group = None

    def is_empty(self):
        return not (self.passed or self.failed or self.skipped)

    def finish(self):
        """Names what was skipped, prints the last line, gives the exit code."""
        for text in self.skipped:
            print(f"skipped: {text}")
        print(f"{self.passed} passed, {self.failed} failed" + (f", {len(self.skipped)} skipped" if self.skipped else ""), flush=True)
        return 1 if self.failed else 0
