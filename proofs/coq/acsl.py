"""What spec/ and the headers of src/ declare in ACSL: axioms, functions, predicates; and what each rests on."""
import re
from dataclasses import dataclass
from pathlib import Path

ROOTS = ("spec", "src")
KEYWORD = re.compile(r"axiomatic\s+(?P<block>\w+)\s*\{|(?P<close>\})|(?:logic|predicate|lemma|axiom|type|inductive)\b")
HEADER = re.compile(r"(?P<kind>\w+)\s+(?:[\w\s*]*[\s*])?(?P<name>\w+)\s*(?:\{[^}]*\})?\s*(?P<next>[(=;:]|reads\b)")


class Fault(Exception):
    """A text that cannot be read, or a name that is not declared once."""


@dataclass(eq=False)
class Declaration:
    path: Path
    block: str  # the axiomatic block that it is in, "" for none
    kind: str
    name: str
    text: str  # laid out as it is there, without comments
    applied: bool  # its name is used with arguments
    defined: bool  # its text says what it is; else axioms of its block do


def closure(first, known, uses):
    """Itself, if it is not among the known, and what it uses, and what that uses, ..., each when it is first needed."""
    found = [] if first in known else [first]
    known.update(found)
    for each in found:  # grows meanwhile
        for used in uses(each):
            if used not in known:
                known.add(used)
                found.append(used)
    return found


def _after_parameters(text, begin):
    depth = 0
    for place in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[place + 1 :].lstrip()
    raise Fault(f"parentheses without end: {text}")


def _declaration(path, block, text, column):
    header = HEADER.match(text)
    if not header:
        raise Fault(f"{path}: cannot read {text}")
    applied = header["next"] == "("
    rest = _after_parameters(text, header.end() - 1) if applied else header["next"]
    lines = [line[column:] if line[:column].isspace() else line for line in text.split("\n")]
    laid_out = "\n".join(line.rstrip() for line in lines if line.strip())
    return Declaration(path, block, header["kind"], header["name"], laid_out, applied, rest[:1] in ("=", ":"))


def _declarations(path, annotation):
    """Those of one annotation; none where it is a contract."""
    begins, block = [], ""
    for match in KEYWORD.finditer(annotation):
        if annotation[: match.start()].rstrip()[-1:] not in ("", ";", "{", "}"):
            continue
        frames = match["block"] or match["close"]
        begins.append((match.start(), None if frames else block))
        if frames:
            block = match["block"] or ""
    if not begins or annotation[: begins[0][0]].strip():
        return
    ends = [begin for begin, _ in begins[1:]] + [len(annotation)]
    for (begin, inside), end in zip(begins, ends):
        if inside is not None:
            column = begin - (annotation.rfind("\n", 0, begin) + 1)
            yield _declaration(path, inside, annotation[begin:end], column)


class Specification:
    """All declarations, from the top folder."""

    def __init__(self):
        self.of_name, included = {}, {}
        for path in sorted(path for root in ROOTS for kind in ("*.acsl", "*.h") for path in Path(root).rglob(kind)):
            text = path.read_text()
            names = re.findall(r'^#include "(.*)"', text, re.M)
            included[path] = [Path(root, name) for root in ROOTS for name in names]
            for annotation in re.findall(r"/\*@(.*?)\*/", text, re.S):
                # Three columns for what opens the annotation.
                for declaration in _declarations(path, re.sub(r"//[^\n]*", "", "   " + annotation)):
                    self.of_name.setdefault(declaration.name, []).append(declaration)
        self.seen = {path: set(closure(path, set(), lambda file: included.get(file, []))) for path in included}

    def axioms(self):
        return {name for name, found in self.of_name.items() if any(each.kind == "axiom" for each in found)}

    @staticmethod
    def _only(name, found):
        if len(found) != 1:
            raise Fault(f"{name} is declared {len(found)} times: {' '.join(str(each.path) for each in found)}")
        return found[0]

    def _axioms_of(self, declaration):
        if declaration.defined or declaration.kind == "type":
            return
        for found in self.of_name.values():
            for other in found:
                if (other.kind, other.path, other.block) == ("axiom", declaration.path, declaration.block):
                    if re.search(rf"\b{declaration.name}\b", other.text):
                        yield other

    def _uses(self, declaration):
        """What it uses, as it comes; what is not defined with its axioms."""
        for match in re.finditer(r"(?<![\\\w])([A-Za-z_]\w*)(\s*[({])?", declaration.text):
            name, applied = match[1], bool(match[2])
            found = [each for each in self.of_name.get(name, []) if each.applied == applied]
            seen = [each for each in found if each.path in self.seen[declaration.path]]
            if applied or found:
                used = self._only(name, seen or found)
                if used is not declaration:
                    yield used
                    yield from self._axioms_of(used)

    def say(self, names):
        """For each name a list of texts: its own, and those of what it rests on that no earlier name does."""
        known = set()
        first = [self._only(name, self.of_name.get(name, [])) for name in names]
        return [[each.text for each in closure(declaration, known, self._uses)] for declaration in first]
