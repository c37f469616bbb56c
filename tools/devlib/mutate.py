# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev mutate [NAME]`: applies each tests/mutations/*.patch to a copy of the tree, rebuilds, and runs the tests that its header names; they
must fail. A patch begins with
    # tests: FILTER
    # what is wrong, in a line
The copy and its build folder stay in build/mutate, so that the next run compiles only what a patch touches; edits during a run do not matter."""
import filecmp
import re
import shutil
import subprocess
import sys

from . import base, build, packages, toolchain

HOME = build.folder_of("mutate")
PRISTINE, COPY, BUILD = HOME / "pristine", HOME / "tree", HOME / "build"


def add_arguments(parser):
    parser.add_argument("name", nargs="?", help="part of a patch's name")


def run(arguments):
    packages.setup(minimal=False)
    passed = failed = 0
    for name, problem in mutate(arguments.name):
        if problem:
            print(f"FAILED {name}: {problem}")
            failed += 1
        else:
            print(f"ok {name}")
            passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


def tree_files():
    """Every file that git knows or would add."""
    done = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=base.ROOT, capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (base.ROOT / name).is_file()]


def mirror(source, names, to):
    """Makes `to` hold exactly `names` of `source`; files that are equal already keep their time stamps."""
    for name in names:
        copy = to / name
        if copy.exists() and filecmp.cmp(source / name, copy, shallow=False):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / name, copy)
        shutil.copymode(source / name, copy)
    wanted = set(names)
    for path in sorted(to.rglob("*")):
        if path.is_file() and str(path.relative_to(to)) not in wanted:
            path.unlink()


def take_snapshot():
    """The tree as it is now, so that edits during a run do not matter."""
    names = tree_files()
    mirror(base.ROOT, names, PRISTINE)
    mirror(PRISTINE, names, COPY)
    return names


def dev(*arguments):
    """Runs ./dev in the copy; the copy builds in a folder of its own."""
    env = dict(toolchain.environment(), MIRGPU_BUILD_ROOT=str(BUILD), MIRGPU_WERROR="OFF", PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run([sys.executable, str(COPY / "dev"), *arguments], cwd=COPY, env=env, check=False, capture_output=True, text=True)


def header(patch):
    """The filter of the tests that must notice a patch."""
    text = patch.read_text(encoding="utf-8")
    tests = re.search(r"^# tests: (.+)$", text, re.M)
    if not tests:
        raise base.Failed(f"{patch.name} has no line `# tests: FILTER`")
    return tests[1].strip()


def one(patch, names):
    """Why the suite did not notice; empty if it did. The copy is as it was afterwards."""
    test_filter = header(patch)
    applied = subprocess.run(["patch", "-p1", "--no-backup-if-mismatch", "-i", str(patch)], cwd=COPY, capture_output=True, text=True, check=False)
    try:
        if applied.returncode != 0:
            return f"the patch does not apply:\n{applied.stdout}"
        built = dev("build", "--preset", "ci")
        if built.returncode != 0:
            return f"the fault does not compile:\n{built.stdout[-2000:]}{built.stderr[-2000:]}"
        tested = dev("test", test_filter, "--no-exporter")
        last = tested.stdout.rstrip().splitlines()[-1] if tested.stdout.strip() else ""
        counts = re.match(r"(\d+) passed, (\d+) failed", last)
        if not counts:
            return f"the tests `{test_filter}` gave no counts:\n{tested.stdout[-1000:]}{tested.stderr[-1000:]}"
        return "" if int(counts[2]) else f"the tests `{test_filter}` pass all the same ({last})"
    finally:
        mirror(PRISTINE, names, COPY)


def mutate(name_filter):
    """For each patch (name, why it was not noticed or empty). The tests must pass without any patch first."""
    patches = [p for p in sorted((base.ROOT / "tests/mutations").glob("*.patch")) if not name_filter or name_filter in p.name]
    names = take_snapshot()
    base.say("mutate: building the tree as it is")
    built = dev("build", "--preset", "ci")
    if built.returncode != 0:
        raise base.Failed(f"the tree does not build:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")
    for test_filter in sorted({header(p) for p in patches}):
        clean = dev("test", test_filter, "--no-exporter")
        if clean.returncode != 0:
            raise base.Failed(f"the tests `{test_filter}` fail without any fault:\n{clean.stdout[-2000:]}{clean.stderr[-2000:]}")
    for patch in patches:
        base.say(f"mutate: {patch.name}")
        yield patch.name, one(patch, names)
