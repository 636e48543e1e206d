"""What a line of proofs/wp/goals.txt may say, so that it does not take goals away: its area is one that its folder allows,
as some are asked less, and its options are of these:
  -warn-unsigned-overflow        more goals
  -wp-prop=-NAME,...             in a lemma file: lemmas, which lemma_order.py wants proved in another one
  -wp-skip-fct=NAME,...          functions that another file proves"""
import json
import re
from pathlib import Path

# Patterns of files by area. Lemma files have no other goals, the kernel may round, and only the first four areas must be
# called by proofs (proofs/wp/gate); a theorem file goes with what it calls.
AREAS = {
    "interval": r"src/(interval|report)/.*|proofs/wp/(interval|storage)_theorem\.c",
    "enclosure": r"src/certify/enclosure/.*|proofs/wp/\w+_theorem\.c",
    "spectrum": r"src/spectrum/.*|proofs/wp/entropy_theorem\.c",
    "certificate": r"src/(base|linalg|certify/engine|certify/explicit|randomized)/.*|proofs/wp/\w+_theorem\.c",
    "kernel": r"src/kernel/.*|proofs/wp/kernel_theorem\.c",
    "parser": r"src/model/format/.*",
    "robust": r"src/robust/.*|proofs/wp/range\.c",
    "lemma": r"proofs/wp/lemmas\w*\.c",
}


def _names(option):
    """Of an option -NAME=..., without the sign that takes them out."""
    return option.partition("=")[2].split(",")


def _faults(area, file, goals, options, elsewhere):
    if not re.fullmatch(AREAS.get(area, "(?!)"), file):
        yield f"{file} is no file of an area {area}"
    if not re.fullmatch("[1-9][0-9]*", goals):
        yield f"{file} has no number of goals, but {goals}"
    for option in options:
        if area == "lemma" and option.startswith("-wp-prop="):
            for name in _names(option):
                if not re.fullmatch(r"-[A-Za-z_]\w*", name):
                    yield f"{file} has {option.partition('=')[0]}={name}, which takes more out than a lemma"
        elif area != "lemma" and option.startswith("-wp-skip-fct="):
            for name in _names(option):
                if name not in elsewhere:
                    yield f"{file} skips {name}, which no other file proves"
        elif area == "lemma" or option != "-warn-unsigned-overflow":
            yield f"{file} has the option {option}, which is not allowed"


def faults(files, table):
    """Of printed files with their results beside, and the lines of the table."""
    functions = {Path(file.path).stem: json.loads(Path(file.path).with_suffix(".json").read_text())["functions"]
                 for file in files}
    seen = set()
    for line in table:
        if not line.strip() or re.match(r"#|open |tested ", line):
            continue
        area, path, goals, *options = line.split()
        name = re.sub(r"\.c$", "", path).replace("/", "_")
        if path in seen:
            yield f"{path} stands there twice"
        seen.add(path)
        elsewhere = {function for other, proved in functions.items() if other != name for function in proved}
        yield from _faults(area, path, goals, options, elsewhere)
