# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev fuzz [TARGET]`: libFuzzer over the readers and over lowering, sanitised (fuzz/). Seeds are the checked-in programs, cut down to what
one kernel reaches; what was found before lies in tests/fuzz/found. The corpus of earlier runs is kept in the build folder."""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from . import base, build, program_cut, toolchain

TARGETS = ("reader", "lowering", "module")
MAX_BYTES = 32 << 10  # fuzz/harness.h
SEEDS_A_FEATURE = 2
# A run of the tests is decided by its seed and its number of inputs alone; the timeout is for an input that would never end.
FIXED = ["-seed=1", "-timeout=120", "-rss_limit_mb=4096", "-malloc_limit_mb=2048", f"-max_len={MAX_BYTES}", "-len_control=0",
         "-mutate_depth=2", "-detect_leaks=0", "-print_final_stats=0", "-verbosity=0"]


def add_arguments(parser):
    parser.add_argument("target", nargs="?", choices=TARGETS, help="one target; without it all, each its share of the time")
    parser.add_argument("--seconds", type=int, default=3600, help="how long in all (default 3600)")


def missing():
    """Why the targets cannot be built, or None."""
    clang = str(toolchain.compilers()[0])
    where = subprocess.run([clang, "-print-runtime-dir"], capture_output=True, text=True, check=False).stdout.strip()
    folders = [pathlib.Path(where), pathlib.Path(where).parent / "linux"]
    if any(list(folder.glob("libclang_rt.fuzzer*.a")) for folder in folders if where):
        return None
    return f"{clang} has no libFuzzer (Debian: libclang-rt-22-dev)"


def binary(target):
    return build.folder_of("fuzz") / f"bin/fuzz_{target}"


def found(target):
    """Inputs that once failed, minimised."""
    return sorted((base.ROOT / "tests/fuzz/found" / target).glob("*"))


def program_seeds(folder):
    """One small program for each kernel of the tests and examples, as far as one fits, and for each function that uses what few before did:
    one use may stand where lowering leaves it out."""
    uses = collections.Counter()
    for source in sorted(p for top in ("tests", "examples") for p in (base.ROOT / top).rglob("*.mir.json") if "fuzz" not in p.parts):
        program = json.loads(source.read_text(encoding="utf-8"))
        name = f"{source.parent.name}-{source.name.split('.')[0]}"
        for kernel in range(len(program["kernels"])):
            if text := program_cut.cut_to_size(program, kernel, MAX_BYTES):
                (folder / f"{name}-{kernel}.mir.json").write_text(text, encoding="utf-8")
        for number, function in enumerate(program["functions"] if program["kernels"] else []):
            used = program_cut.features(function["body"]) if function["body"] else set()
            is_new = any(uses[feature] < SEEDS_A_FEATURE for feature in used)
            rooted = program_cut.with_kernel_for(program, number) if is_new else None
            if rooted and (text := program_cut.cut_to_size(rooted, 0, MAX_BYTES // 2)):
                uses.update(used)
                (folder / f"{name}-function-{number}.mir.json").write_text(text, encoding="utf-8")


def module_seeds(folder, mirgpu, programs):
    """Small modules, made of small programs."""
    for number, program in enumerate(sorted(programs.iterdir())[::6]):
        for target in ("sm_90", "sm_80,gfx1100"):
            name = folder / f"{program.name}.{target}.mgpu"
            subprocess.run([mirgpu, "compile", program, f"--target={target}", "-o", name], capture_output=True, check=False)
            if name.exists() and name.stat().st_size > MAX_BYTES:
                name.unlink()


def make_seeds(folder, mirgpu):
    """A folder of seeds for each target, below `folder`; returns it by target."""
    folders = {target: folder / target for target in TARGETS}
    for path in folders.values():
        path.mkdir(parents=True)
    program_seeds(folders["reader"])
    for path in folders["reader"].iterdir():
        shutil.copy(path, folders["lowering"])
    module_seeds(folders["module"], mirgpu, folders["reader"])
    for target, seeds in folders.items():
        for path in found(target):
            shutil.copy(path, seeds / f"found-{path.name}")
    return folders


def artifacts(target):
    """Where inputs that fail are kept."""
    return build.folder_of("fuzz") / "artifacts" / target


def fuzz(target, corpus, kept, limit):
    """(whether nothing failed, share of accepted inputs as text, what to tell); an input that fails goes to the folder `kept`."""
    kept.mkdir(parents=True, exist_ok=True)
    command = [binary(target), *FIXED, *limit, f"-artifact_prefix={kept}/", *corpus]
    env = dict(os.environ, ASAN_OPTIONS="detect_stack_use_after_return=0:allocator_may_return_null=1", UBSAN_OPTIONS="print_stacktrace=1")
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False, env=env)
    share = re.search(r"inputs: (\d+), accepted: \d+ \([\d.]+%\)", done.stdout)
    artifact = re.search(r"Test unit written to (\S+)", done.stdout)
    if done.returncode == 0:
        return True, share[0] if share else "", ""
    again = f"\n  the input: {artifact[1]}\n  again: {binary(target)} {artifact[1]}" if artifact else ""
    return False, share[0] if share else "", done.stdout[-6000:] + again


def test(context, runs):
    """A group of ./dev test: what was found before, then `runs` inputs for each target."""
    why = missing()
    if why:
        context.totals.skip("fuzz targets", why)
        return
    build.build("fuzz", ["mirgpu_fuzz"])

    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        folders = make_seeds(pathlib.Path(temporary), context.mirgpu)
        count = {target: len(list(folders[target].iterdir())) for target in TARGETS}
        results = pool.map(lambda target: fuzz(target, [folders[target]], artifacts(target), [f"-runs={runs + count[target]}"]), TARGETS)
        for target, (good, share, report) in zip(TARGETS, results):
            base.say(f"fuzz_{target}: {count[target]} seeds, {share}")
            context.totals.add(f"{runs} inputs for fuzz_{target}", good and count[target] > 0, report or "no seeds")


def run(arguments):
    why = missing()
    if why:
        raise base.Failed(why)
    mirgpu = build.build("release", ["mirgpu_driver"]) / "bin/mirgpu"
    build.build("fuzz", ["mirgpu_fuzz"])
    targets = [arguments.target] if arguments.target else TARGETS
    seeds = build.folder_of("fuzz") / "seeds"
    shutil.rmtree(seeds, ignore_errors=True)
    folders = make_seeds(seeds, mirgpu)
    failed = False
    for target in targets:
        corpus = build.folder_of("fuzz") / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        seconds = max(1, arguments.seconds // len(targets))
        good, share, report = fuzz(target, [corpus, folders[target]], artifacts(target), [f"-max_total_time={seconds}", "-seed=0"])
        base.say(f"fuzz_{target}: {'nothing found' if good else 'FAILED'}; {share}\n{report}".rstrip())
        failed |= not good
    return 1 if failed else 0
