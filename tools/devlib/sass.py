# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what nvdisasm prints of a cubin: functions as basic blocks, their natural loops, and counts of instructions. NOPs (padding) do not
count, nor does the branch to itself that ends a function."""
import dataclasses
import functools
import re
import subprocess

SECTION = re.compile(r"^\s*\.section\s+\.text\.([^,\s]+),")
LABEL = re.compile(r"^(\.L_x?_?\w+):")
LINE = re.compile(r"^\s*/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;")
TARGET = re.compile(r"`\((\.L\w+)\)")
TABLE = re.compile(r'BRANCH_TARGETS ([^"]*)"')


@dataclasses.dataclass
class Instruction:
    text: str

    @functools.cached_property
    def words(self):
        """The text without its guard."""
        return re.sub(r"^@!?U?P\w+\s+", "", self.text)

    @property
    def opcode(self):
        return self.words.split()[0]

    @property
    def guarded(self):
        return self.text.startswith("@")

    @property
    def jumps(self):
        return self.opcode.split(".")[0] in ("BRA", "BRX", "JMP", "BRXU", "BSYNC")

    @property
    def ends(self):
        return self.opcode.split(".")[0] in ("EXIT", "RET", "KILL")

    def targets(self):
        table = TABLE.search(self.text)
        return [t.strip() for t in table[1].split(",")] if table else TARGET.findall(self.text)


@dataclasses.dataclass
class Block:
    instructions: list
    labels: list
    next: set = dataclasses.field(default_factory=set)


class Function:
    """One function of a cubin; `loops` are its natural loops, as {header block: set of blocks}."""

    def __init__(self, items):
        self.blocks = self._blocks(items)
        self._link()
        self.loops = self._loops()

    @staticmethod
    def _blocks(items):
        blocks = [Block([], [])]
        for kind, what in items:
            if kind == "label":
                if blocks[-1].instructions:
                    blocks.append(Block([], []))
                blocks[-1].labels.append(what)
                continue
            instruction = Instruction(what)
            if instruction.opcode == "NOP":
                continue
            blocks[-1].instructions.append(instruction)
            if instruction.jumps or instruction.ends:
                blocks.append(Block([], []))
        return [b for b in blocks if b.instructions or b.labels]

    def _link(self):
        at = {label: i for i, block in enumerate(self.blocks) for label in block.labels}
        for i, block in enumerate(self.blocks):
            last = block.instructions[-1] if block.instructions else None
            # BRA.DIV leaves for where a warp that has parted does one lane's part at a time: no part of a loop.
            if last and last.jumps and not last.opcode.startswith("BRA.DIV"):
                block.next |= {at[t] for t in last.targets() if t in at}
            # `BRA P1, label` depends on a predicate too, without a guard.
            conditional = last and (last.guarded or last.opcode.startswith("BRA.DIV") or re.match(r"BRA\S*\s+!?U?P\d", last.words))
            if i + 1 < len(self.blocks) and (not last or not (last.jumps or last.ends) or conditional):
                block.next.add(i + 1)
        self._link_meetings(at)

    def _link_meetings(self, at):
        """BSYNC goes where the BSSY says that reached it with the same barrier register."""
        reached = [{} for _ in self.blocks]
        todo = [0] if self.blocks else []
        while todo:
            i = todo.pop()
            state = {register: set(labels) for register, labels in reached[i].items()}
            for x in self.blocks[i].instructions:
                if x.opcode.startswith("BSSY"):
                    state[x.words.split()[1].rstrip(",")] = set(x.targets())
                elif x.opcode.startswith("BSYNC"):
                    self.blocks[i].next |= {at[t] for t in state.get(x.words.split()[1], ()) if t in at}
            for j in self.blocks[i].next:
                grown = False
                for register, labels in state.items():
                    grown |= not labels <= reached[j].setdefault(register, set())
                    reached[j][register] |= labels
                if grown or not hasattr(self.blocks[j], "visited"):
                    self.blocks[j].visited = True
                    todo.append(j)

    def _dominators(self):
        everything, todo = set(), [0]
        while todo:
            i = todo.pop()
            if i not in everything:
                everything.add(i)
                todo += self.blocks[i].next
        before = {i: [p for p in everything if i in self.blocks[p].next] for i in everything}
        dominators = {i: set(everything) for i in everything}
        dominators[0] = {0}
        changed = True
        while changed:
            changed = False
            for i in sorted(everything - {0}):
                new = set.intersection(*(dominators[p] for p in before[i])) | {i}
                changed |= new != dominators[i]
                dominators[i] = new
        return dominators, before

    def _loops(self):
        if not self.blocks:
            return {}
        dominators, before = self._dominators()
        loops = {}
        for i in sorted(dominators):
            block = self.blocks[i]
            for header in block.next & dominators[i]:
                if header == i and len(block.instructions) == 1:
                    continue  # the end of a function
                body, todo = {header, i}, [i]
                while todo:
                    at = todo.pop()
                    if at == header:
                        continue
                    todo += [p for p in before[at] if p not in body]
                    body |= set(before[at])
                loops.setdefault(header, set()).update(body)
        return loops

    def own(self, header):
        """The instructions of a loop that are in none of the loops inside it."""
        inner = set().union(*(b for h, b in self.loops.items() if h != header and b < self.loops[header]))
        return [x for i in sorted(self.loops[header] - inner) for x in self.blocks[i].instructions]

    @property
    def instructions(self):
        return [x for i, block in enumerate(self.blocks) for x in block.instructions
                if not (x.jumps and not x.guarded and len(block.instructions) == 1 and block.next == {i})]


def count(instructions, pattern):
    """How many of `instructions` have an opcode that `pattern` matches from its start."""
    return sum(1 for x in instructions if re.match(pattern, x.opcode))


def functions(nvdisasm, cubin):
    """{name: Function} of a cubin."""
    text = subprocess.run([str(nvdisasm), "-c", str(cubin)], capture_output=True, text=True, check=True).stdout
    items, current = {}, None
    for line in text.splitlines():
        if section := SECTION.match(line):
            current = items.setdefault(section[1], [])
        elif current is None:
            continue
        elif label := LABEL.match(line):
            current.append(("label", label[1]))
        elif code := LINE.match(line):
            current.append(("instruction", code[2]))
    return {name: Function(found) for name, found in items.items()}


def hottest(function, pattern, per_unit):
    """(instructions per unit of work, units an iteration) of the loop in which a unit costs least: the main loop, as against remainders and
    loops that run when something is out of bounds. None if no loop does work. A unit is `per_unit` opcodes that `pattern` matches."""
    best = None
    for header in function.loops:
        own = function.own(header)
        units = count(own, pattern) / per_unit
        if units and (best is None or len(own) / units < best[0]):
            best = (len(own) / units, units)
    return best
