"""What no proof establishes, side by side: the preconditions of the functions that code without a proof calls, and of the
theorems (proofs/wp/*_theorem.c); and the definitions of the predicates that proofs only ever assume (established.py), as
far as these preconditions speak of them. A precondition that cannot be fulfilled, or that is more than what callers see
to, would stand there."""
from pathlib import Path

import established
import printed


def _clause(kind, tokens):
    return f"  {kind} {printed.shown(tokens)}"


def _entries(files, proved, called_unproved):
    """Functions with preconditions, by name, that no proved code but a theorem calls, or unproved code does, too."""
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


def record(files, proved, called_unproved):
    """The lines of proofs/gates/preconditions.txt."""
    entries = _entries(files, proved, called_unproved)
    assumed = {definition.name: [] for definition in established.only_assumed(files, proved)}
    for definition in established.only_assumed(files, proved):
        assumed[definition.name].append(definition)
    reached, left = set(), [token for f in entries.values() for clause in f.clauses_of("requires") for token in clause]
    definitions = {}
    for file in files:
        for definition in file.definitions:
            if definition.kind in ("predicate", "inductive", "logic"):
                definitions.setdefault(definition.name, {})[definition.text] = definition
    while left:
        token = left.pop()
        if token in definitions and token not in reached:
            reached.add(token)
            left += [word for definition in definitions[token].values() for word in definition.body]
    for name, function in entries.items():
        yield name
        yield from (_clause("requires", tokens) for tokens in function.clauses_of("requires"))
    for name in sorted(reached & assumed.keys()):
        yield from ("predicate " + printed.shown(definition.tokens) for definition in sorted(assumed[name], key=lambda d: d.text))
