"""A lemma is proved from those that stand before it in some file proofs/wp/lemmas*.c, never, by way of another file, from
itself. The same name may stand for different statements in different files: a lemma is its name and its text."""
import json
import re
from pathlib import Path

SCRIPTS = Path("proofs/wp/session/script")
# A script may instantiate any lemma (Wp.lemma), whatever stands before: no such step is allowed.
TACTICS = {"Wp.induction", "Wp.unfold"}


def _lemmas(file):
    return [(found.name, found.text) for found in file.definitions if found.kind == "lemma"]


def _proved(path):
    return set(json.loads(Path(path).with_suffix(".json").read_text())["lemmas"])


def _founded(sequences):
    """The lemmas that are proved from such as are proved before them: the least set that is closed."""
    founded, known = set(), -1
    while known < len(founded):
        known = len(founded)
        for sequence, proved in sequences.values():
            for lemma in sequence:
                if lemma[0] in proved:
                    founded.add(lemma)
                elif lemma not in founded:
                    break
    return founded


def _circle(lemma, sequences, founded):
    """Lemmas that are proved from one another, with their files; this one is proved, by way of others, from the first."""
    chain = []
    while lemma not in [met for met, _ in chain]:
        path, sequence = next((path, sequence) for path, (sequence, proved) in sequences.items()
                              if lemma in sequence and lemma[0] in proved)
        chain.append((lemma, Path(path).name))
        lemma = next(before for before in sequence if before not in founded)
    circle = chain[[met for met, _ in chain].index(lemma):]
    first = circle.index(min(circle))
    return circle[first:] + circle[:first]


def faults(files, scripts=SCRIPTS):
    """Of files, those named proofs_wp_lemmas* with their results beside."""
    sequences = {file.path: (_lemmas(file), _proved(file.path)) for file in files
                 if Path(file.path).name.startswith("proofs_wp_lemmas")}
    anywhere = {lemma for sequence, proved in sequences.values() for lemma in sequence if lemma[0] in proved}
    names, founded = {name for name, _ in anywhere}, _founded(sequences)
    used = {lemma: Path(file.path).name for file in files for lemma in _lemmas(file)}
    for lemma, file in used.items():
        if lemma not in anywhere:
            others = ", though another of this name is" if lemma[0] in names else ""
            yield f"lemma {lemma[0]} ({file}) is proved in no lemma file{others}"
    circles = {frozenset(circle): circle for circle in
               (_circle(lemma, sequences, founded) for lemma in sorted(anywhere - founded))}
    for circle in circles.values():
        yield "lemmas are proved from each other: " + ", ".join(
            f"{name} ({file}) from {circle[(i + 1) % len(circle)][0][0]}" for i, ((name, _), file) in enumerate(circle))
    for script in sorted(Path(scripts).glob("*.json")):
        for tactic in sorted(set(re.findall(r'"tactic": *"([^"]*)"', script.read_text())) - TACTICS):
            yield f"{script} uses {tactic}, which may be a lemma that is not proved before"
