"""What no proof establishes, side by side: the preconditions of the functions that code without a proof calls, and of the
theorems (proofs/wp/*_theorem.c); and the definitions of the predicates that proofs only ever assume (established.py), as
far as these preconditions speak of them. A precondition that cannot be fulfilled, or that is more than what callers see
to, would stand there."""
from pathlib import Path

import established
import printed

CALLS = Path("proofs/unproved_calls.txt")


def entries(files, proved):
    """Functions with preconditions, by name, that no proved code but a theorem calls, or unproved code does, too."""
    called_unproved = {word for line in CALLS.read_text().splitlines() for word in line.split()[1:]}
    found, called = {}, set()
    for file in files:
        theorem = Path(file.path).name.endswith("_theorem.c")
        for function in file.functions.values():
            if function.name not in proved:
                continue
            if not theorem:
                called |= function.calls()
            if function.body is not None and function.clauses_of("requires"):
                found[function.name] = function
    return {name: function for name, function in sorted(found.items()) if name in called_unproved or name not in called}


def _reached(words, files):
    """The predicates and functions of the logic that these words name, and those of their definitions."""
    within = {}
    for file in files:
        for definition in file.definitions:
            within.setdefault(definition.name, set()).update(definition.body)
    reached, left = set(), set(words)
    while left:
        word = left.pop()
        if word in within and word not in reached:
            reached.add(word)
            left |= within[word]
    return reached


def record(files, proved, table):
    """The lines of proofs/gates/preconditions.txt; of a table of predicates (established.py)."""
    functions = entries(files, proved)
    for name, function in functions.items():
        yield name
        yield from (f"  requires {printed.shown(tokens)}" for tokens in function.clauses_of("requires"))
    reached = _reached({word for f in functions.values() for clause in f.clauses_of("requires") for word in clause}, files)
    found = [definition for definition in established.only_assumed(files, table) if definition.name in reached]
    yield from ("predicate " + printed.shown(definition.tokens) for definition in sorted(found, key=lambda d: d.text))
