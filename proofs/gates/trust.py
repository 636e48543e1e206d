"""Whatever proofs take for granted has its name in proofs/TRUST.md: axioms, and functions with a contract and without a
proof, but for the models of libraries (spec/*_model). All axioms stand in proofs/wp/smoke.c, where they are tried
together."""
import re
from pathlib import Path

import printed


def _named(name, trust):
    return f"`{name}`" in trust


def axioms(files, smoke, trust):
    tried = {definition.text for definition in smoke.definitions if definition.kind == "axiom"}
    found = {definition.text: definition.name for file in files for definition in file.definitions if definition.kind == "axiom"}
    for text, name in found.items():
        if not _named(name, trust):
            yield f"axiom {name} is not named in proofs/TRUST.md"
        if text not in tried:
            yield f"axiom {name} is not in proofs/wp/smoke.c"


def models():
    """The headers of libraries as the proofs see them."""
    return "\n".join(path.read_text() for path in sorted(Path("spec").glob("*_model/*.h")))


def is_model(name, headers):
    return re.search(rf"[ *]{name}\(", headers) is not None


def functions(files, proved, trust):
    headers = models()
    found = {function.name for file in files for function in file.functions.values() if printed.is_trusted(function, proved)}
    for name in sorted(found):
        if not is_model(name, headers) and not _named(name, trust):
            yield f"{name} is trusted, but proofs/TRUST.md does not name it"
