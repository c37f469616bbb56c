# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every verb of ./dev uses: the checkout's root, and commands that are shown and timed."""
import os
import pathlib
import shlex
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Failed(Exception):
    """A command of ours failed; its own output has already said why."""


def say(text):
    """One line of progress on standard error, so that standard output stays a verb's result."""
    print(text, file=sys.stderr, flush=True)


def run(command, cwd=None, env=None, note=None, capture=False, check=True, quiet=False, merge=False, prepare=None):
    """Runs `command`, printing it and the seconds it took. Returns the CompletedProcess; raises Failed on a bad exit. `capture` keeps
    standard output, with `merge` standard error too; otherwise both go to standard error. `prepare` runs in the child before the command."""
    command = [str(c) for c in command]
    if not quiet:
        say("+ " + shlex.join(command) + (f"   # {note}" if note else ""))
    start = time.monotonic()
    done = subprocess.run(command, cwd=cwd, env=env, check=False, text=True, stdout=subprocess.PIPE if capture else sys.stderr,
                          stderr=subprocess.STDOUT if merge else None, preexec_fn=prepare)
    if not quiet:
        say(f"  {time.monotonic() - start:.1f} s")
    if check and done.returncode != 0:
        if capture and done.stdout:
            say(done.stdout.rstrip())
        raise Failed(f"{shlex.join(command)} ended with {done.returncode}")
    return done


def write_if_changed(path, text):
    """Writes `text` unless the file holds it already, so that time stamps move only with the content."""
    path = pathlib.Path(path)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(path.name + f".{os.getpid()}.tmp")
    temporary.write_text(text, encoding="utf-8")
    os.replace(temporary, path)
    return True
