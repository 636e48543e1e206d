"""Whether balls around the inputs of a labelled data set change a network's answers."""

import csv
from dataclasses import dataclass
from typing import Any, Optional

from .arguments import Path, Size, choice, path, size
from .choices import Kind, Power
from .program import Question
from .reports import Report


class Dataset(Report):
    """What was found of a data set.

    clean_accuracy, verified_accuracy, attacked_accuracy   float, shares of the inputs: whose answer is the label, is so
                     in the whole ball, is so where no input that changes it was found; None where a search has none
    mean_certified   float, mean of the certified radii, of a search; None otherwise
    verdicts         {verdict: how many}

    rows() has a row for each input, with the columns of `attcert robust --dataset`."""

    def __init__(self, report: str, text: str = "", rows: Optional[list[dict[str, Any]]] = None):
        super().__init__(report, text or report)
        told = self.to_dict()
        self._rows = [] if rows is None else rows
        self.clean_accuracy: Optional[float] = told.get("clean_accuracy")
        self.verified_accuracy: Optional[float] = told.get("verified_accuracy")
        self.attacked_accuracy: Optional[float] = told.get("attacked_accuracy")
        self.mean_certified: Optional[float] = told.get("mean_radius_certified")
        self.verdicts: dict[str, int] = told["verdicts"]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each input, in their order; none where it was read from JSON."""
        return self._rows

    def _summary(self) -> str:
        return f"{sum(self.verdicts.values())} inputs, " + ", ".join(f"{n} {name}" for name, n in self.verdicts.items())


@dataclass
class DatasetQuestion:
    """`attcert robust --dataset`: what is asked of every network."""

    dataset: Any
    output: Optional[Path]
    radius: Optional[float]
    relative: Optional[float]
    kind: Any
    norm: Any
    attack: Optional[int]
    jobs: Optional[int]
    memory_limit: Optional[Size]

    def ask(self, network: list[str], options: dict[str, Any]) -> Dataset:
        """The answer about the network that the options of the command line name, with more of them by name."""
        with Question("robust") as question:
            kept = question.file("rows.csv") if self.output is None else self.output
            question.extend(network)
            question.option("dataset", path("dataset", self.dataset))
            question.option("output", kept)
            question.numbers(radius=self.radius, relative=self.relative)
            question.option("ball", choice("kind", self.kind, Kind))
            question.option("norm", None if self.norm is None else choice("norm", self.norm, Power))
            question.integers(attack=self.attack, jobs=self.jobs)
            if self.memory_limit is not None:
                question.option("memory-limit", size("memory_limit", self.memory_limit))
            for name, value in options.items():
                question.option(name, value)
            return Dataset(question.answer(), "", rows_of(kept))


def rows_of(name: Path) -> list[dict[str, Any]]:
    """The rows of a CSV file of reports, whose first line is what they are of, by index where they have one."""
    with open(name, newline="", encoding="utf-8") as file:
        next(file)
        rows = [{key: _value(text) for key, text in row.items()} for row in csv.DictReader(file)]
    return sorted(rows, key=lambda row: int(row["index"])) if rows and "index" in rows[0] else rows


def _value(text: str) -> Any:
    """A number where it is one; None for nothing."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None
