"""A definition that calls itself is an axiom without the word: `logic real f(real x) = f(x) + 1.0` is a contradiction. It
is taken where it is seen to end: an integer parameter n is less by a number in every call, `n - 1`, and the call stands
where a condition `n <= BOUND ? ... : ...`, or the like, says that n is above a number, or above a parameter that stays
the same; or the other way round, upward below a bound; or both, with no way back. All other recursion is refused, that of
predicates, which needs no such condition in any, of inductive ones and of definitions that call each other, too."""
import re
from collections import defaultdict

import established
import printed

NUMBER = re.compile(r"(0x[0-9a-fA-F]+|\d+)$")
FALSE = {"<=": ">", "<": ">=", ">": "<=", ">=": "<"}


def _leaves(tokens, path=()):
    """(tokens, conditions that hold there) of the alternatives of `CONDITION ? ... : ...`."""
    while tokens and tokens[0] == "(" and printed.closing(tokens, 0) == len(tokens) - 1:
        tokens = tokens[1:-1]
    question, colon = established.alternatives(tokens)
    if question is None:
        yield tokens, path
        return
    condition = tokens[:question]
    yield condition, path
    simple = len(condition) == 3 and condition[1] in FALSE
    yield from _leaves(tokens[question + 1:colon], (*path, condition) if simple else path)
    yield from _leaves(tokens[colon + 1:], (*path, (condition[0], FALSE[condition[1]], condition[2])) if simple else path)


def _calls(name, tokens):
    """The arguments of each call, None for a call without any."""
    for i, token in enumerate(tokens):
        if token == name:
            begin = i + 1
            if tokens[begin:begin + 1] == ("{",):
                begin = printed.closing(tokens, begin) + 1
            if tokens[begin:begin + 1] != ("(",):
                yield None
                continue
            yield printed.split(tokens[begin + 1:printed.closing(tokens, begin)], ",")


def _step(parameter, names, arguments, path):
    """-1 or 1, and the bound, where the argument for this parameter is nearer to a bound; or None."""
    argument = arguments[names.index(parameter)]
    if len(argument) != 3 or argument[0] != parameter or argument[1] not in "+-" or argument[2] != "1":
        return None
    way = 1 if argument[1] == "+" else -1
    for left, operator, bound in path:
        unchanged = bound in names and arguments[names.index(bound)] == (bound,)
        if left == parameter and operator == (">" if way < 0 else "<") and (NUMBER.match(bound) or unchanged):
            return way, bound
    return None


def _ends(definition):
    parameters = printed.split(definition.parameters, ",")
    names = [parameter[-1] for parameter in parameters]
    calls = [(arguments, path) for leaf, path in _leaves(definition.body) for arguments in _calls(definition.name, leaf)]
    if any(arguments is None or len(arguments) != len(names) for arguments, _ in calls):
        return False
    for parameter in (parameter[-1] for parameter in parameters if parameter[:-1] == ("integer",)):
        steps = {_step(parameter, names, arguments, path) for arguments, path in calls}
        if None not in steps and (len({way for way, _ in steps}) == 1 or {bound for _, bound in steps} == {"0"}):
            return True
    return False


def faults(files):
    found = {definition.text: definition for file in files for definition in file.definitions
             if definition.kind in ("predicate", "logic", "inductive")}
    named = defaultdict(set)
    for definition in found.values():
        named[definition.name].update(definition.body)
    for definition in found.values():
        if definition.kind == "inductive":
            yield f"{definition.name} is an inductive predicate"
        elif definition.name in definition.body and not _ends(definition):
            yield f"{definition.name} calls itself, and is not seen to end: {definition.text}"
    for name in sorted(named):
        others = {other for other in named[name] if other in named and other != name}
        reached, left = set(others), list(others)
        while left:
            new = {other for other in named[left.pop()] if other in named and other != name} - reached
            reached |= new
            left += new
        if any(name in named[other] for other in reached):
            yield f"{name} is defined by itself, by way of {', '.join(sorted(o for o in reached if name in named[o]))}"
