"""Which predicates proofs establish, and which they only ever assume.

A predicate is assumed where it stands, not denied, in a precondition of a proved function, as such or in the definition
of another one; it is established by a proved function that does not assume it and states it, in a postcondition, an
assertion or an invariant, in the same way. What is handed on from a precondition is not established."""
from collections import defaultdict

import printed

# Which way a name stands in a statement: STATED, DENIED, or, as in an equivalence, both.
STATED, DENIED, BOTH = 1, 2, 3
STATEMENTS = ("assert", "invariant", "ensures")


def _turned(way):
    return (way & STATED) << 1 | (way & DENIED) >> 1


def _outside(tokens):
    """(place, token) of those outside brackets and before the first quantifier."""
    depth = 0
    for i, token in enumerate(tokens):
        depth -= token in printed.CLOSING
        if depth == 0:
            if token in printed.BINDERS:
                return
            yield i, token
        depth += token in printed.OPENING


def _parts(tokens, way):
    """(tokens, way) of the parts that a statement is made from by its outermost operator; none if it has none."""
    if tokens[0] == "(" and printed.closing(tokens, 0) == len(tokens) - 1:
        return [(tokens[1:-1], way)]
    if tokens[0] in printed.BINDERS:
        end = next(i for i in range(len(tokens)) if tokens[i] == ";" and _balanced(tokens[:i]))
        return [(tokens[3:end] if tokens[0] == "\\let" else (), BOTH), (tokens[end + 1:], way)]
    first = {}
    for i, token in _outside(tokens):
        first.setdefault(token, i)
    if "?" in first:
        at, other = alternatives(tokens)
        return [(tokens[:at], BOTH), (tokens[at + 1:other], way), (tokens[other + 1:], way)]
    for operator, left, right in (("<==>", BOTH, BOTH), ("==>", _turned(way), way), ("||", way, way), ("^^", BOTH, BOTH),
                                  ("&&", way, way)):
        if operator in first:
            return [(tokens[:first[operator]], left), (tokens[first[operator] + 1:], right)]
    if tokens[0] == "!":
        return [(tokens[1:], _turned(way))]
    if tokens[0] in ("\\at", "\\old") and printed.closing(tokens, 1) == len(tokens) - 1:
        return [(tokens[2:-3] if tokens[0] == "\\at" else tokens[2:-1], way)]
    return []


def _balanced(tokens):
    return sum((token in printed.OPENING) - (token in printed.CLOSING) for token in tokens) == 0


def alternatives(tokens):
    """The places of the question mark and the colon of `CONDITION ? ... : ...`, or None, None."""
    question, waiting = None, 0
    for i, token in _outside(tokens):
        if token == "?":
            question, waiting = (i, 0) if question is None else (question, waiting + 1)
        elif token == ":" and question is not None:
            if waiting == 0:
                return question, i
            waiting -= 1
    return None, None


class Predicates:
    """Of some files: what each says of others."""

    def __init__(self, files):
        self.definitions = defaultdict(dict)
        for file in files:
            for found in file.definitions:
                if found.kind in ("predicate", "inductive"):
                    self.definitions[found.name][found.text] = found
        self.within = {name: self._direct(found.body for found in of_name.values())
                       for name, of_name in self.definitions.items()}

    def _named(self, tokens, way, found):
        if not tokens:
            return
        parts = _parts(tokens, way)
        for part, its_way in parts:
            self._named(part, its_way, found)
        if not parts:
            for i, token in enumerate(tokens):
                if token in self.definitions:
                    found[token] |= way if i == 0 else BOTH

    def _direct(self, statements):
        found = defaultdict(int)
        for statement in statements:
            self._named(statement, STATED, found)
        return found

    def stated(self, statements):
        """The predicates that stand there without being denied, in definitions, too."""
        direct = self._direct(map(_unnamed, statements))
        left = [(name, way) for name in direct for way in (STATED, DENIED) if direct[name] & way]
        found = set(left)
        while left:
            name, way = left.pop()
            for other, its_way in self.within[name].items():
                its_way = its_way if way == STATED else _turned(its_way)
                new = {(other, one) for one in (STATED, DENIED) if its_way & one} - found
                found |= new
                left += new
        return {name for name, way in found if way == STATED}


def _unnamed(clause):
    while clause[1:2] == (":",) and printed.NAME.match(clause[0]):
        clause = clause[2:]
    return clause


def _statements(function):
    """What its proof states: postconditions, and in its body assertions and invariants."""
    yield from function.clauses_of("ensures")
    for annotation in function.annotations:
        for kind, tokens in printed.clauses(annotation):
            if kind == "loop" and tokens[:1] == ("invariant",):
                yield tokens[1:]
            elif kind in STATEMENTS:
                yield tokens


def table(files, proved):
    """For each assumed predicate the proved functions that establish it, sorted."""
    predicates, assumed, found = Predicates(files), set(), defaultdict(set)
    contracts = {(f.name, str(f.clauses), str(f.annotations)): f for file in files for f in file.functions.values()}
    for f in contracts.values():
        if f.name in proved:
            needed = predicates.stated(f.clauses_of("requires"))
            assumed |= needed
            for name in predicates.stated(_statements(f)) - needed:
                found[name].add(f.name)
    return {name: sorted(found[name]) for name in sorted(assumed)}


def only_assumed(files, found):
    """By such a table: the definitions of the predicates that no proved function establishes."""
    names = {name for name, functions in found.items() if not functions}
    return list(dict.fromkeys(d for file in files for d in file.definitions
                              if d.kind in ("predicate", "inductive") and d.name in names))
