"""The table of links (proofs/chain/links.txt says what is in it), and whether its claims hold."""
import json
import re
from dataclasses import dataclass
from pathlib import Path

ENGINES = ("mpfr", "dense")
KINDS = ("C", "Coq", "trusted", "tested")


class Fault(Exception):
    """A claim that does not hold, or a line that cannot be read."""


@dataclass
class Link:
    engines: tuple
    what: str
    kind: str
    folders: list  # of (folder, names as the table has them)
    evidence: list
    line: int

    def patterns(self):
        return [f"{folder}/{name}" for folder, names in self.folders for name in names]


def _split(text, separator=None):
    return [part.strip() for part in text.split(separator) if part.strip()]


def _link(line, number):
    fields = [field.strip() for field in line.split(" | ")]
    if len(fields) != 5:
        raise Fault(f"line {number}: {len(fields)} fields, expected 5")
    engines, what, kind, files, evidence = fields
    if kind not in KINDS:
        raise Fault(f"line {number}: kind {kind}, expected one of {' '.join(KINDS)}")
    for engine in engines.split():
        if engine not in ENGINES:
            raise Fault(f"line {number}: engine {engine}, expected one of {' '.join(ENGINES)}")
    folders = []
    for group in _split(files, ";"):
        folder, colon, names = group.partition(":")
        if not colon or not names.strip():
            raise Fault(f"line {number}: files '{group}', expected FOLDER: NAME...")
        folders.append((folder.strip(), names.split()))
    found = _split(evidence, ";" if kind == "trusted" else None)
    if not engines or not folders or not found:
        raise Fault(f"line {number}: no engine, no file or no evidence")
    return Link(tuple(engines.split()), what, kind, folders, found, number)


def read(table):
    lines = enumerate(Path(table).read_text().splitlines(), 1)
    return [_link(line, number) for number, line in lines if line.strip() and not line.startswith("#")]


class Evidence:
    """What the records of the proofs, proofs/TRUST.md and the tests say; from the top folder."""

    def __init__(self):
        record = json.loads(Path("proofs/results/wp.json").read_text())
        proved = [entry for entry in record["files"] if entry["goals"] == entry["proved"]]
        self.functions = {entry["file"]: set(entry["functions"]) for entry in proved}
        theorems = json.loads(Path("proofs/results/coq.json").read_text())["theorems"]
        self.theorems = {entry["theorem"]: "proofs/coq/" + entry["file"] for entry in theorems}
        trust = Path("proofs/TRUST.md").read_text()
        self.trusted = set(re.findall(r"^\| \*\*([^*]+)\*\*", trust, re.M)) | set(re.findall(r"`(\w+)`", trust))

    def files_of(self, link):
        found = []
        for pattern in link.patterns():
            matches = sorted(str(path) for path in Path().glob(pattern))
            if not matches:
                raise Fault(f"no file {pattern}")
            found += matches
        return found

    def check(self, link):
        files = self.files_of(link)
        getattr(self, "_check_" + link.kind.lower())(link.evidence, files)

    def _check_c(self, names, files):
        for file in files:
            if file not in self.functions:
                raise Fault(f"{file} is not proved, or not to the end (proofs/results/wp.json)")
        for name in names:
            if not any(name in self.functions[file] for file in files):
                raise Fault(f"{name} is not proved in its files (proofs/results/wp.json)")

    def _check_coq(self, names, files):
        for name in names:
            if self.theorems.get(name) not in files:
                raise Fault(f"{name} is no theorem of its files (proofs/results/coq.json)")
        for file in files:
            if file.endswith(".v"):
                continue
            cited = " ".join(re.findall(r"\(Coq:([^)]*)\)", Path(file).read_text()))
            if not any(f"`{name}`" in cited for name in names):
                raise Fault(f"{file} cites none of the theorems (Coq: ...)")

    def _check_trusted(self, names, files):
        for name in names:
            if name not in self.trusted:
                raise Fault(f"proofs/TRUST.md has no entry {name}")

    def _check_tested(self, names, files):
        for name in names:
            path = Path(name)
            if path.parts[0] != "tests" or not re.fullmatch(r"test_\w+\.(c|sh)", path.name) or not path.is_file():
                raise Fault(f"{name} is no test")


def faults(links):
    """A line for each claim that does not hold."""
    evidence, found = Evidence(), []
    for link in links:
        try:
            evidence.check(link)
        except Fault as fault:
            found.append(f"line {link.line}, {link.what}: {fault}")
    for engine in ENGINES:
        if not any(engine in link.engines for link in links):
            found.append(f"no link of the engine {engine}")
    return found
