"""What C says as `frama-c -print` writes it: the definitions of its annotations, and the contracts and bodies of its
functions. Symbols become ASCII ones, so that annotations as they are written in the sources are read, too."""
import functools
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

SYMBOLS = str.maketrans({
    "∀": "\\forall ", "∃": "\\exists ", "⇒": "==>", "⇔": "<==>", "∧": "&&", "∨": "||", "¬": "!", "≡": "==", "≢": "!=",
    "≤": "<=", "≥": ">=", "ℝ": "real ", "ℤ": "integer ", "𝔹": "boolean ", "∈": "\\in ", "∅": "\\empty ", "⊻": "^^",
    "λ": "\\lambda ", "π": "\\pi ",
})
TOKEN = re.compile(r'\\?[A-Za-z_]\w*|\d\w*(?:\.(?!\.)\w*)?(?:(?<=[eEpP])[+-]\d+)?|"(?:\\.|[^"\\])*"|' r"'(?:\\.|[^'\\])'|"
                   r"<==>|-->|<-->|==>|==|!=|<=|>=|<<|>>|&&|\|\||\^\^|->|\.\.\.?|\S")
NAME = re.compile(r"[A-Za-z_]\w*$")
CALL = re.compile(r"\b([A-Za-z_]\w*)\(")
# Of a declaration, too where a comment about an attribute has stood before the name.
DECLARED = re.compile(r"([A-Za-z_]\w*)\s*\((?!\s*[*(])(?!\s*\w+\s*\)\s*\()|\(\s*([A-Za-z_]\w*)\s*\)\s*\(")
# A type without a name has one of its own, with a number that depends on what stands before it.
UNNAMED = re.compile(r"(?:struct|union|enum) __anon(?:struct|union|enum)_(\w+?)_\d+\b")
BINDERS = {"\\forall", "\\exists", "\\lambda", "\\let"}
LOGIC = {"predicate", "logic", "lemma", "axiom", "inductive", "type"}
CONTRACT = {"requires", "ensures", "assigns", "terminates", "allocates", "frees", "decreases", "assumes", "complete",
            "disjoint", "exits"}
OPENING, CLOSING = set("([{"), set(")]}")
# Annotations, comments, literals, braces and semicolons, and what is between them.
PIECE = re.compile(r"/\*@(?P<block>.*?)\*/|//@(?P<line>[^\n]*)|(?P<comment>/\*.*?\*/|//[^\n]*|^#[^\n]*)|"
                   r'"(?:\\.|[^"\\\n])*"|' r"'(?:\\.|[^'\\\n])*'|[{};]|[^/\"'{};#]+|/|#", re.S | re.M)


@dataclass(frozen=True)
class Definition:
    kind: str  # of LOGIC; "check lemma" for what nothing rests on
    name: str
    tokens: tuple  # all of it
    parameters: tuple  # tokens between the parentheses
    body: tuple  # tokens after "=" or ":", or between the braces of an inductive definition
    axiomatic: str  # the block around it, or nothing

    @property
    def text(self):
        return " ".join(self.tokens)


@dataclass
class Function:
    name: str
    header: str
    clauses: list  # (kind, tokens without it): requires, ensures, assigns, ...
    body: str = None  # its code, without annotations
    annotations: list = field(default_factory=list)  # those of the body, tokens each

    def clauses_of(self, *kinds):
        return [tokens for kind, tokens in self.clauses if kind in kinds]

    def calls(self):
        return set(CALL.findall(self.body or ""))


@dataclass
class Printed:
    path: str
    definitions: list = field(default_factory=list)
    functions: dict = field(default_factory=dict)  # by name
    types: dict = field(default_factory=dict)  # the fields of a struct, by its name


@functools.lru_cache(maxsize=None)
def tokens_of(annotation):
    return tuple(TOKEN.findall(annotation.translate(SYMBOLS)))


def shown(tokens):
    """As one writes it."""
    text, before = "", ""
    for token in tokens:
        close = token in (")", "]", "}", ",", ";", ":", "->", ".") or before in ("", "(", "[", "{", "!", "->", ".")
        applied = token in ("(", "[", "{") and re.match(r"\\?\w|}", before)
        text += token if close or applied else " " + token
        before = token
    return text


def closing(tokens, start):
    """The place of the bracket that closes the one at start."""
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] in OPENING) - (tokens[i] in CLOSING)
        if depth == 0:
            return i
    raise ValueError("a bracket is not closed: " + " ".join(tokens[start:]))


def semicolon(tokens, start):
    """The place of the next one that is not a quantifier's, and stands in no bracket."""
    depth = bound = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i] in OPENING) - (tokens[i] in CLOSING)
        if depth == 0 and tokens[i] in BINDERS:
            bound += 1
        elif depth == 0 and tokens[i] == ";":
            if bound == 0:
                return i
            bound -= 1
    return len(tokens)


def split(tokens, operator):
    """At an operator that stands in no bracket and behind no quantifier."""
    parts, depth, bound = [[]], 0, False
    for token in tokens:
        depth += (token in OPENING) - (token in CLOSING)
        bound |= depth == 0 and token in BINDERS
        if depth == 0 and not bound and token == operator:
            parts.append([])
        else:
            parts[-1].append(token)
    return [tuple(part) for part in parts]


def _definition(kind, tokens, begin, axiomatic):
    """The definition whose first token after its kind is the one at `begin`, and the place behind it."""
    name, parameters, i = "", (), begin
    while i < len(tokens) and tokens[i] not in ("=", ":", ";", "reads"):
        if tokens[i] in OPENING:
            end = closing(tokens, i)
            if kind == "inductive" and parameters:
                return Definition(kind, name, tokens[begin:end + 1], parameters, tokens[i + 1:end], axiomatic), end + 1
            if tokens[i] == "(":
                parameters = tokens[i + 1:end]
            i = end
        elif NAME.match(tokens[i]):
            name = tokens[i]
        i += 1
    end = semicolon(tokens, i)
    body = tokens[i + 1:end] if i < end and tokens[i] != "reads" else ()
    return Definition(kind, name, tokens[begin:end], parameters, body, axiomatic), end + 1


def _definitions(tokens, axiomatic=""):
    i = 0
    while i < len(tokens):
        kind = tokens[i]
        i += 1
        if kind in ("check", "admit") and tokens[i:i + 1] == ("lemma",):
            kind = "check lemma" if kind == "check" else "lemma"
            i += 1
        if kind == "axiomatic":
            end = closing(tokens, i + 1)
            yield from _definitions(tokens[i + 2:end], tokens[i])
            i = end + 1
        elif (kind in LOGIC or kind == "check lemma") and tokens[i] != "invariant":
            found, i = _definition(kind, tokens, i, axiomatic)
            yield found
        elif kind != ";":
            raise ValueError(f"'{kind}' begins no definition that is known: " + " ".join(tokens))


@functools.lru_cache(maxsize=None)
def definitions(tokens):
    return tuple(_definitions(tokens))


def clauses(tokens):
    """Of a contract or of another annotation: (keyword, tokens behind it). Those of behaviors are like the others."""
    i = 0
    while i < len(tokens):
        if tokens[i] == "behavior":
            i += 3
            continue
        end = semicolon(tokens, i)
        first = i + (tokens[i] in ("check", "admit"))
        yield tokens[first], tokens[first + 1:end]
        i = end + 1


def defines(tokens):
    return tokens[0] in LOGIC or tokens[0] == "axiomatic" or tokens[1:2] == ("lemma",)


class _Reader:
    """Goes through a file, with what it has read since the last declaration."""

    def __init__(self, path):
        self.printed = Printed(str(path))
        self.depth, self.code, self.contract, self.function, self.type = 0, "", (), None, None
        for piece in PIECE.finditer(UNNAMED.sub(r"\1", Path(path).read_text())):
            annotation = piece["block"] or piece["line"]
            if annotation and annotation.strip():
                self.annotation(tokens_of(annotation))
            elif not piece["comment"]:
                self.piece(piece[0])

    def annotation(self, tokens):
        if self.depth:
            if self.function:
                self.function.annotations.append(tokens)
        elif defines(tokens):
            self.printed.definitions += definitions(tokens)
        elif tokens[0] != "ghost":
            self.contract = list(clauses(tokens))
            unknown = {kind for kind, _ in self.contract} - CONTRACT
            if unknown:
                raise ValueError(f"no clause of a contract known as {unknown}: " + " ".join(tokens))

    def piece(self, text):
        if self.depth == 0 and text in ("{", ";"):
            self.declaration()
            self.depth = int(text == "{")
            return
        self.depth += (text == "{") - (text == "}")
        if self.depth == 0 and text == "}":
            if self.function:
                self.function.body = self.code
            elif self.type:
                self.printed.types[self.type] = " ".join(self.code.split())
            self.code = ""
        else:
            self.code += text

    def declaration(self):
        """The code before a brace or a semicolon. A later declaration without a contract keeps that of an earlier."""
        code, contract = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", self.code).strip(), self.contract
        self.code, self.contract, self.function, self.type = "", (), None, None
        name = DECLARED.search(code)
        if name and not code.startswith("typedef") and "=" not in code:
            name = name[1] or name[2]
            self.function = self.printed.functions.setdefault(name, Function(name, "", []))
            self.function.header = " ".join(code.split())
            self.function.clauses = contract or self.function.clauses
        elif "=" not in code:
            self.type = code


def read(path):
    return _Reader(path).printed


def read_all(folder):
    """The files that a folder holds as proofs/wp/check_file has printed them, but for those without a result."""
    return [read(path.with_suffix(".c")) for path in sorted(Path(folder).glob("*.json")) if path.with_suffix(".c").exists()]


def proved_functions(folder):
    """By the results in the folder."""
    results = [json.loads(path.read_text()) for path in Path(folder).glob("*.json") if path.with_suffix(".c").exists()]
    return {name for result in results for name in result["functions"]}


def is_trusted(function, proved):
    """What proofs take for granted: a contract without a body, unless another file proves it."""
    return bool(function.clauses) and function.body is None and function.name not in proved
