"""Which function of a program calls which, and what ran, from objects built with -O0 -ffunction-sections
-fdata-sections --coverage: each function is then a section of its own, and the relocations of a section name what it
calls or takes the address of, tables of pointers included. Needs objdump and gcov."""
import json
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Function:
    name: str
    file: str  # where it is written, a header for what that defines
    first: int
    last: int
    ran: bool = False


@dataclass
class Calls:
    objects: list
    edges: dict = field(default_factory=dict)  # (object, section): set of (object, section), or of names outside
    functions: dict = field(default_factory=dict)  # (object, section): Function
    named: dict = field(default_factory=dict)  # function's name: list of (object, section)

    def note_what_ran(self):
        """Since the objects were built, or the counts of runs (*.gcda) removed."""
        found = _functions(self.objects)
        for (path, _), function in self.functions.items():
            function.ran = found[path, function.name].ran

    def reached(self, roots, cut):
        """The nodes that the functions named lead to, and the names outside the program."""
        left = [node for root in roots for node in self.named[root]]
        nodes, outside = set(left), set()
        while left:
            for target in self.edges.get(left.pop(), ()):
                if isinstance(target, str):
                    outside.add(target)
                elif target not in nodes and not (target in self.functions and self.functions[target].name in cut):
                    nodes.add(target)
                    left.append(target)
        return nodes, outside


def _run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


SYMBOL = re.compile(r"[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ (?:\.hidden )?(\S+)$")
RELOCATION = re.compile(r"[0-9a-f]+ R_\S+\s+(\S+?)(?:[-+]0x[0-9a-f]+)?$")


def _read_object(path):
    """The sections of its symbols, and the names that the relocations of each section mention."""
    sections, exported, mentioned, where = {}, {}, {}, None
    for line in _run("objdump", "-tr", str(path)).splitlines():
        heading = re.match(r"RELOCATION RECORDS FOR \[(.*)\]:", line)
        symbol, relocation = SYMBOL.match(line), RELOCATION.match(line)
        if heading:
            where = heading[1]
        elif where and relocation:
            mentioned.setdefault(where, set()).add(relocation[1])
        elif symbol and symbol[2] != "*UND*":
            sections[symbol[3]] = symbol[2]
            if symbol[1][0] in "gu" or symbol[1][1] == "w":
                exported[symbol[3]] = symbol[2]
    return sections, exported, mentioned


def _functions(objects):
    """What gcov says of the functions of each object: where they are written, and whether they ran."""
    found = {}
    for path, line in zip(objects, _run("gcov", "-t", "-j", *map(str, objects)).splitlines(), strict=True):
        for entry in json.loads(line)["files"]:
            for f in entry["functions"]:
                span = f["start_line"], f["end_line"]
                found[path, f["name"]] = Function(f["name"], entry["file"], *span, f["execution_count"] > 0)
    return found


def read(folder):
    """Of the objects in the folder and below it."""
    objects = {path: _read_object(path) for path in sorted(Path(folder).rglob("*.o"))}
    exported = {name: (path, section) for path, (_, names, _) in objects.items() for name, section in names.items()}
    functions, calls = _functions(objects), Calls(list(objects))
    for path, (sections, _, mentioned) in objects.items():
        for name, section in sections.items():
            if (path, name) in functions and section.startswith(".text"):
                calls.functions[path, section] = functions[path, name]
                calls.named.setdefault(name, []).append((path, section))
        for section, names in mentioned.items():
            targets = ((path, sections[name]) if name in sections else exported.get(name, name) for name in names)
            calls.edges[path, section] = set(targets)
    return calls
