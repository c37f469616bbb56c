# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`./dev lint [--all]`: formatting, layering, spelling, shell scripts, clang-tidy on what changed (with --all on everything), and a report of
large files. Tools that are not installed are named."""
import re
import shutil
import subprocess

from . import base, build, toolchain

FOLDERS = ("support", "mir_reader", "intrinsics", "lowering", "codegen", "runtime", "driver", "examples", "bench", "fuzz", "tests/unit")
LONG_FILE = 600


def add_arguments(parser):
    parser.add_argument("--all", action="store_true", help="clang-tidy on every file")


def all_sources(suffixes=(".cpp",)):
    return [p for folder in FOLDERS for p in sorted((base.ROOT / folder).rglob("*")) if p.suffix in suffixes]


def changed_sources():
    """Sources that differ from the main branch or are new."""
    done = subprocess.run(["git", "status", "--porcelain"], cwd=base.ROOT, capture_output=True, text=True, check=False)
    names = [line[3:].split(" -> ")[-1] for line in done.stdout.splitlines()]
    done = subprocess.run(["git", "diff", "--name-only", "HEAD~1"], cwd=base.ROOT, capture_output=True, text=True, check=False)
    names += done.stdout.split()
    wanted = {(base.ROOT / name).resolve() for name in names}
    return [p for p in all_sources() if p.resolve() in wanted or any(p.is_relative_to(w) for w in wanted if w.is_dir())]


def formatting():
    """clang-format finds nothing to change."""
    files = all_sources((".cpp", ".h", ".hpp"))
    done = base.run([toolchain.llvm_tool("clang-format"), "--dry-run", "--Werror", *files], check=False, quiet=True)
    return done.returncode == 0


def layering():
    """Lowering names no vendor; support includes no LLVM; the runtime links none."""
    rules = [("lowering", r"nvvm|amdgcn|nvptx|amdgpu", "names a vendor"), ("support", r'#include [<"]llvm/', "includes LLVM"),
             ("runtime", r'#include [<"]llvm/', "includes LLVM")]
    good = True
    for folder, pattern, what in rules:
        for path in sorted((base.ROOT / folder).rglob("*")):
            if path.suffix not in (".h", ".hpp", ".cpp"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if re.search(pattern, line, re.I) and not line.lstrip().startswith("//"):
                    print(f"{path.relative_to(base.ROOT)}:{number}: {what}: {line.strip()}")
                    good = False
    return good


def first_lines():
    """Every source begins with the licence line."""
    good = True
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=base.ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in listed:
        path = base.ROOT / name
        if path.suffix in (".h", ".hpp", ".cpp", ".py", ".rs", ".cmake", ".sh") and path.is_file():
            if "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception" not in path.read_text(encoding="utf-8", errors="replace")[:200]:
                print(f"{name}:1: has no licence line")
                good = False
    return good


def optional_tool(name, arguments):
    """Runs a tool that Debian has; true if it is not installed, which is said."""
    if not shutil.which(name):
        base.say(f"{name} is not installed: skipped (apt-get install {name})")
        return True
    return base.run([name, *arguments], cwd=base.ROOT, check=False).returncode == 0


def clang_tidy(files):
    """clang-tidy on `files`, with compile commands without precompiled headers. Tests are left out: their macros are doctest's."""
    known = [f for f in files if f.suffix == ".cpp" and "unit" not in f.parts]
    if not known:
        return True
    folder = build.folder_of("tidy")
    if not (folder / "compile_commands.json").exists():
        cc, cxx = toolchain.compilers()
        base.run(["cmake", "--preset", "release", "-B", folder, "-DMIRGPU_PCH=OFF", "-DMIRGPU_TESTS=OFF", "-DMIRGPU_FUZZ=ON",
                  f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}"], cwd=base.ROOT)
    return base.run([toolchain.llvm_tool("clang-tidy"), "-p", folder, "--quiet", *known], check=False).returncode == 0


def size_report():
    """The largest files; above the limit they are a review question, no error."""
    sized = sorted(((len(p.read_text(encoding="utf-8").splitlines()), p) for p in all_sources((".cpp", ".h", ".hpp"))), reverse=True)
    for lines, path in sized[:5]:
        print(f"{lines:6} {path.relative_to(base.ROOT)}{'   above ' + str(LONG_FILE) if lines > LONG_FILE else ''}")


def run(arguments):
    results = {"clang-format": formatting(), "layering": layering(), "licence lines": first_lines(),
               "shellcheck": optional_tool("shellcheck", [".ci/run", "tests/expect_exit.sh"]),
               "codespell": optional_tool("codespell", ["--skip=build,*.json,*.lock,target", "-L", "crate,ser,fo,nd", "."])}
    results["clang-tidy"] = clang_tidy(all_sources() if arguments.all else changed_sources())
    size_report()
    for name, good in results.items():
        print(f"{'ok  ' if good else 'FAIL'} {name}")
    return 0 if all(results.values()) else 1
