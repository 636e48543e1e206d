"""A name means one thing: what one file proves of it, another one takes for granted. So a predicate, a function of the
logic or an axiom has one definition for all files that know it (as many as there are kinds of arguments: those names are
overloaded), and a function of C one contract; functions of one name, static ones, take different arguments."""
import re
from collections import defaultdict
from pathlib import Path


def _arguments(definition, types):
    """The types of the arguments; those of a struct that another file defines otherwise, with its fields."""
    found, current = [], []
    for token in (*definition.parameters, ","):
        if token == ",":
            found.append(" ".join(types.get(word, word) for word in current[:-1]))
            current = []
        else:
            current.append(token)
    return tuple(found)


def faults(files):
    fields = defaultdict(set)
    for file in files:
        for name, text in file.types.items():
            fields[name].add(text)
    several = {name for name, texts in fields.items() if len(texts) > 1}
    found = defaultdict(lambda: defaultdict(list))
    for file in files:
        types = {name: f"{name} {{{file.types[name]}}}" for name in several & file.types.keys()}
        for definition in file.definitions:
            if definition.kind not in ("lemma", "check lemma"):
                found[definition.kind, definition.name, _arguments(definition, types)][definition.text].append(file.path)
        for function in file.functions.values():
            if function.clauses:
                # Static functions of one name may differ: those of a header have their parameters' names in common, too.
                unnamed = re.sub(r"\w+(?=\s*(\[[^]]*\]\s*)*[,)])", "", function.header)
                header = function.header if "static" in function.header.split() else unnamed
                text = " ; ".join(f"{kind} {' '.join(tokens)}" for kind, tokens in function.clauses)
                found["contract of", function.name, header][text].append(file.path)
    for (kind, name, _), texts in found.items():
        if len(texts) > 1:
            places = ", ".join(Path(paths[0]).name for paths in texts.values())
            yield f"the {kind} {name} is not the same in all files: {places}"
