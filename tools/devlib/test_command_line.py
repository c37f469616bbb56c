# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`mirgpu`'s command line: exit codes, messages that name the option, help, JSON, traces, files written."""
import json
import re
import subprocess
import tempfile
import pathlib

from . import base, demo, toolchain


def run(context):
    with tempfile.TemporaryDirectory() as folder:
        for test in (usage_errors, world_errors, help_texts, outputs, json_errors, npy_files, checks, inspection):
            test(Checker(context, pathlib.Path(folder)))


class Checker:
    """Runs mirgpu and adds one test for each expectation."""

    def __init__(self, context, folder):
        self.context, self.folder = context, folder
        mirs = dict(demo.examples())
        self.saxpy = mirs.get("saxpy")

    def mirgpu(self, *arguments, env=None):
        return subprocess.run([str(self.context.mirgpu), *map(str, arguments)], capture_output=True, text=True, check=False, cwd=self.folder,
                              env=dict(toolchain.environment(), **(env or {})))

    def expect(self, code, *arguments, stdout="", stderr="", env=None):
        """The exit code, and text in the outputs."""
        done = self.mirgpu(*arguments, env=env)
        good = done.returncode == code and stdout in done.stdout and stderr in done.stderr
        why = "" if good else f"exit code {done.returncode}, expected {code}\n{done.stdout[-600:]}{done.stderr[-600:]}"
        self.context.totals.add("mirgpu " + " ".join(str(a).removeprefix(str(base.ROOT) + "/") for a in arguments), good, why)
        return done

    def add(self, name, good, why=""):
        self.context.totals.add(name, good, why)


def usage_errors(t):
    t.expect(2)
    t.expect(2, "frobnicate", stderr="`frobnicate`")
    t.expect(2, "compile", stderr="needs an input")
    t.expect(2, "compile", "a.mir.json", "--targt=sm_90", stderr="did you mean `--target`?")
    t.expect(2, "compile", "a.mir.json", "--target=sm_91", stderr="unknown target `sm_91`")
    t.expect(2, "compile", "a.mir.json", "--target=sm_90,sm_90", stderr="twice")
    t.expect(2, "compile", "a.mir.json", "--emit=exe", stderr="`--emit`")
    t.expect(2, "compile", "a.mir.json", "--target=host", "--emit=ptx", stderr="--target=sm_90")
    t.expect(2, "compile", "a.mir.json", "--target=sm_90", "--emit=cubin", stderr="ptxas")
    t.expect(2, "compile", "a.mir.json", "-O7", stderr="`-O`")
    t.expect(2, "compile", "a.mir.json", "-o", stderr="`-o`")
    t.expect(2, "compile", "a.mir.json", "--ftz=yes", stderr="takes no value")
    t.expect(2, "compile", "a.mir.json", "--", "x", stderr="`--`")
    t.expect(2, "run", "a.mir.json", stderr="--grid")
    t.expect(2, "run", "a.mir.json", "--grid=0", "--block=1", stderr="`--grid`")
    t.expect(2, "run", "a.mir.json", "--grid=1,1,1,1", "--block=1", stderr="`--grid`")
    t.expect(2, "run", "a.mir.json", "--grid=1", "--block=1", "--schedule=random", stderr="`--schedule`")
    t.expect(2, "--explain", "MG9999", stderr="MG9999")
    t.expect(2, "compile", t.saxpy, "--target=sm_90", "--kernel=nope", "-o", "x.mgpu", stderr="has no kernel `nope`; it has saxpy")
    empty = json.loads(t.saxpy.read_text(encoding="utf-8"))
    empty["kernels"] = []
    (t.folder / "empty.mir.json").write_text(json.dumps(empty), encoding="utf-8")
    t.expect(1, "compile", "empty.mir.json", "--target=sm_90", "-o", "x.mgpu", stderr="has no kernels: mark a function with `#[kernel]`")


def world_errors(t):
    t.expect(3, "compile", "not-there.mir.json", stderr="not-there.mir.json")
    (t.folder / "broken.mir.json").write_text('{"format":', encoding="utf-8")
    t.expect(3, "compile", "broken.mir.json", stderr="broken.mir.json")
    (t.folder / "later.mir.json").write_text('{"format":{"name":"mirgpu-mir","major":2,"minor":0}}', encoding="utf-8")
    t.expect(3, "compile", "later.mir.json", stderr="2")
    (t.folder / "broken.mgpu").write_bytes(b"\x7fMGPU\r\n\x1a")
    t.expect(3, "inspect", "broken.mgpu", stderr="broken.mgpu")
    t.expect(3, "run", "broken.mgpu", "--grid=1", "--block=1", stderr="broken.mgpu")
    (t.folder / "some.rs").write_text("", encoding="utf-8")
    t.expect(3, "compile", "some.rs", stderr="`/not/there`", env={"MIRGPU_EXPORTER": "/not/there"})
    if t.saxpy:
        t.expect(3, "compile", t.saxpy, "-o", "no/such/folder/x.mgpu", stderr="no/such/folder")
        t.expect(3, "run", t.saxpy, "--grid=1", "--block=1", "--device=cuda:7", stderr="cuda")


def help_texts(t):
    t.expect(0, "--help", stdout="examples:")
    t.expect(0, "--version", stdout="LLVM 22.1")
    for command in ("export", "compile", "run", "inspect", "doctor"):
        t.expect(0, command, "--help", stdout="examples:")
    t.expect(0, "--explain", "MG0101", stdout="MG0101")
    t.expect(0, "doctor", stdout="LLVM")


def outputs(t):
    if not t.saxpy:
        t.add("outputs", False, "no examples/saxpy/saxpy.mir.json")
        return
    t.expect(0, "compile", t.saxpy, "--emit=mir", "-o", "-", stdout="saxpy")
    t.expect(0, "compile", t.saxpy, "--target=sm_90", "--emit=ptx", "-o", "-", stdout=".entry saxpy")
    t.expect(0, "compile", t.saxpy, "--target=sm_80,sm_90", "--emit=ptx")
    t.add("one file a target", (t.folder / "saxpy.sm_80.ptx").exists() and (t.folder / "saxpy.sm_90.ptx").exists())
    t.expect(2, "compile", t.saxpy, "--target=sm_80,sm_90", "--emit=ptx", "-o", "-", stderr="`-o -`")
    t.expect(0, "compile", t.saxpy, "--target=sm_90,gfx1100,host", "-v", "--time-trace=trace.json", stderr="lower sm_90")
    t.add("time trace", any(e.get("name") == "lower" for e in json.loads((t.folder / "trace.json").read_text(encoding="utf-8"))["traceEvents"]))
    t.expect(0, "inspect", "saxpy.mgpu", stdout="gfx1100")
    t.expect(0, "inspect", "saxpy.mgpu", "--asm", stdout="s_endpgm")
    for kind in ("llvm-ir", "llvm-bc", "asm", "obj"):
        t.expect(0, "compile", t.saxpy, "--target=gfx1100,host", f"--emit={kind}")
    twice = [t.mirgpu("compile", t.saxpy, "--target=sm_90,gfx1100,host:x86-64-v3", "-o", name).returncode for name in ("one.mgpu", "two.mgpu")]
    t.add("compiling twice gives the same bytes", twice == [0, 0] and (t.folder / "one.mgpu").read_bytes() == (t.folder / "two.mgpu").read_bytes())


def json_errors(t):
    done = t.expect(2, "compile", "--error-format=json")
    message = json.loads(done.stderr.splitlines()[0])
    t.add("a usage error in JSON", message["level"] == "error" and message["$message_type"] == "diagnostic")
    bad = next(iter(sorted((base.ROOT / "tests/diagnostics").glob("*.mir.json"))), None)
    if bad is None:
        t.add("diagnostics in JSON", False, "no tests/diagnostics/*.mir.json")
        return
    done = t.expect(1, "compile", bad, "--target=sm_90", "--error-format=json", "-o", "x.mgpu")
    message = json.loads(done.stderr.splitlines()[0])
    span = message["spans"][0]
    t.add("a diagnostic in rustc's schema", message["code"]["code"].startswith("MG") and span["is_primary"] and span["text"] and message["rendered"]
          and span["byte_end"] > span["byte_start"] and span["file_name"].endswith(".rs"), json.dumps(message)[:400])
    t.add("a refused program writes nothing", not (t.folder / "x.mgpu").exists())


def launch(t, *arguments, code=0, **expected):
    return t.expect(code, "run", t.saxpy, "--grid=1", "--block=4", "--arg", "a=2", *arguments, **expected)


def npy_files(t):
    if not t.saxpy:
        return
    launch(t, "--arg", "x=f32[4]:iota", "--arg", "y=f32:[1,1,1,1]", "--print", "y", stdout="y = [1.0, 3.0, 5.0, 7.0]")
    launch(t, "--arg", "x=f32[4]:iota", "--arg", "y=f32:[1,1,1,1]", "--print", "y=@y.npy")
    written = (t.folder / "y.npy").read_bytes()
    t.add("a written NumPy file", written[:8] == b"\x93NUMPY\x01\x00" and b"'shape': (4,)" in written and len(written) % 64 == 16)
    launch(t, "--arg", "x=f32[4]:iota", "--arg", "y=f32:[1,1,1,1]", "--check", "y=@y.npy")
    launch(t, "--arg", "x=@y.npy", "--arg", "y=f32[4]:zeros", "--print", "y", stdout="y = [2.0, 6.0, 10.0, 14.0]")
    one, two = (launch(t, "--arg", "x=f32[4]:rand(7)", "--arg", "y=f32[4]:zeros", "--print", "y").stdout for _ in range(2))
    t.add("rand is a fixed sequence", one == two and one.startswith("y = [0."))
    (t.folder / "v2.npy").write_bytes(b"\x93NUMPY\x02\x00" + written[8:])
    launch(t, "--arg", "x=@v2.npy", "--arg", "y=f32[4]:zeros", code=3, stderr="version 2.0")


def checks(t):
    if not t.saxpy:
        return
    right = ("--arg", "x=f32[4]:iota", "--arg", "y=f32[4]:zeros")
    launch(t, *right, "--check", "y=f32:[0,2,4,6]")
    launch(t, *right, "--check", "y=f32:[0,2,4,7]", code=1, stderr="element 3 is 6.0, expected 7.0")
    launch(t, *right, "--check", "y=u32:[0,2,4,7]", code=2, stderr="elements are u32")
    launch(t, "--arg", "x=f32[4]:iota", code=2, stderr="as --arg y=f32[1024]:zeros")
    launch(t, *right, "--arg", "z=1", code=2, stderr="no parameter `z`")
    launch(t, "--arg", "x=u32[4]:iota", "--arg", "y=f32[4]:zeros", code=2,
           stderr="parameter `x` is a slice of f32; u32[…] gives u32 values: write f32[…] or bytes:@FILE")
    launch(t, "--arg", "x=f32[4]:iota", "--arg", "y=i32[4]:zeros", code=2, stderr="parameter `y` is a slice of f32; i32[…] gives i32 values")
    (t.folder / "raw").write_bytes(bytes(16))
    launch(t, "--arg", "x=bytes:@raw", "--arg", "y=f32[4]:iota", "--print", "y", stdout="y = [0.0, 1.0, 2.0, 3.0]")
    whole = ("run", t.saxpy, "--grid=1", "--block=4", *right)
    t.expect(2, *whole, "--arg", "a=u32:[2]", stderr="parameter `a` is a value of type f32; u32[…] gives u32 values")
    t.expect(2, *whole, "--arg", "a=1e39", stderr="`1e39` does not fit f32")
    t.expect(2, *whole, "--arg", "a=two", stderr="`two` is no number")
    launch(t, "--arg", "x=1", "--arg", "y=f32[4]:zeros", code=2, stderr="is a scalar")
    launch(t, *right, "--kernel", "nothing", code=2, stderr="nothing")
    launch(t, "--arg", "x=f32[2]:iota", "--arg", "y=f32[4]:zeros", code=1, stderr="index out of bounds")


def inspection(t):
    if not t.saxpy:
        return
    source = (t.saxpy.parent / "saxpy.rs").read_text(encoding="utf-8").splitlines()
    number = next(i for i, line in enumerate(source, 1) if "*yi +=" in line)
    t.expect(2, "inspect", t.saxpy, "--format=xml", stderr="`--format`")
    t.expect(2, "inspect", t.saxpy, "--kernel=nope", stderr="has no kernel `nope`")
    t.expect(2, "inspect", "saxpy.mgpu", "--target=sm_90", stderr="compiled already")
    done = t.expect(0, "inspect", t.saxpy, "--target=sm_90,gfx942,host", "--format=json")
    module = json.loads(done.stdout)
    use = {row["target"]: row for row in module["resources"]}
    t.add("inspect: parameters in JSON", [p["name"] for p in module["kernels"][0]["parameters"]] == ["a", "x", "y"], done.stdout[:400])
    amd, host = use["gfx942"], use["host"]
    t.add("inspect: what AMD's metadata says", all(amd[key] > 0 for key in ("registers", "scalar_registers", "code_bytes"))
          and [amd[key] for key in ("accumulation_registers", "spill_bytes", "scalar_spills", "local_bytes", "shared_bytes")] == [0] * 5, str(amd))
    t.add("inspect: code and frame on the host", host["code_bytes"] > 0 and host["local_bytes"] is not None and host["registers"] is None, str(host))
    if toolchain.ptxas():
        t.add("inspect: what ptxas says", use["sm_90"]["registers"] > 0 and use["sm_90"]["spill_bytes"] == 0, str(use["sm_90"]))
    listing = t.expect(0, "inspect", t.saxpy, "--target=sm_90,gfx1100,host:x86-64-v3", "--asm", "--kernel=saxpy").stdout
    for target, store in (("sm_90, PTX", "st.global"), ("gfx1100, HSACO", "global_store"), ("host:x86-64-v3, shared object", "vmovss")):
        part = listing.partition(f"; {target}\n")[2].partition("\n; ")[0]
        heads = [line.strip() for line in part.splitlines() if line.startswith("  ") and "saxpy.rs:" in line and " | " in line]
        wanted = f"saxpy.rs:{number} | {source[number - 1].strip()}"
        t.add(f"inspect --asm, {target}: each line once, as it is written", len(set(heads)) == len(heads) and any(h.endswith(wanted) for h in heads)
              and all(h.partition(" | ")[2] == source[int(h.partition(" | ")[0].rpartition(":")[2]) - 1].strip() for h in heads), part)
        above = part[:part.rfind(store)].rpartition("saxpy.rs:")[2]  # the last store is that of `*yi`
        t.add(f"inspect --asm, {target}: the store below its line", store in part and int(re.match(r"\d+", above)[0]) == number, part)
    (t.folder / "elsewhere").mkdir()
    (t.folder / "elsewhere/saxpy.mgpu").write_bytes((t.folder / "saxpy.mgpu").read_bytes())
    done = t.expect(0, "inspect", "elsewhere/saxpy.mgpu", "--asm", stdout=f"saxpy.rs:{number}\n")
    t.add("inspect: a source that is not there is named", "; sources that are not on this machine: " in done.stdout and " | let " not in done.stdout)
