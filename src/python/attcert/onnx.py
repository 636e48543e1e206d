"""Networks of ONNX files, such as exported vision transformers."""

import os
from dataclasses import dataclass
from typing import Any, Optional, Union

from .answers import Gradient, Prediction
from .arguments import Path, Size, choice, integer, named, path, size
from .arrays import Array, as_double, as_numpy
from .choices import Kind, Power
from .datasets import Dataset, DatasetQuestion
from .network import write_changes
from .program import Question
from .robustness import Robustness


@dataclass
class _Changes:
    """Which changes of an input count, as write_changes reads them."""

    label: Any
    kind: Any
    norm: Any
    mask_input: Any
    words: Any = None
    mask: Any = None
    bias: Any = None
    architecture: Any = None
    token: Any = None

    def __post_init__(self) -> None:
        self.kind = choice("kind", self.kind, Kind)
        self.norm = None if self.norm is None else choice("norm", self.norm, Power)
        if self.label is not None and not isinstance(self.label, str):
            self.label = integer("label", self.label, 0)


class OnnxNetwork:
    """A network of an ONNX file, from one input to one output, made by attcert.from_onnx. What is not understood is
    refused by name, by the first question. Inputs are arrays of the network's numbers, of any shape."""

    def __init__(self, file: Path):
        self._file = os.fsdecode(path("file", file))
        if not os.path.isfile(self._file):
            raise ValueError(f"file: {self._file!r}: no such file, expected an ONNX network")

    def __repr__(self) -> str:
        return f"<attcert: network {self._file}>"

    def _question(self, command: str, x: Any) -> Question:
        question = Question(command)
        question.option("onnx", self._file)
        flat = as_numpy("x", x).reshape(1, -1)
        question.array("input", as_double("x", flat))
        return question

    @named
    def robust(self, x: Array, radius: float = 0.0, label: Union[int, str, None] = None, *, kind: Kind = "sequence",
               norm: Optional[Power] = None, mask_input: Optional[Array] = None, relative: Optional[float] = None,
               attack: Optional[int] = None, memory_limit: Optional[Size] = None) -> Robustness:
        """Whether an input within `radius` of x changes the answer; 0: searches for the largest that is certified.
        Arguments as in attcert.robust."""
        changes = _Changes(label, kind, norm, mask_input)
        with self._question("robust", x) as question:
            write_changes(question, changes)
            question.numbers(radius=radius or None, relative=relative)
            question.option("search", bool(radius == 0.0))
            question.integers(attack=attack)
            question.option("memory-limit", None if memory_limit is None else size("memory_limit", memory_limit))
            return Robustness(question.answer())

    @named
    def gradient(self, x: Array, label: Union[int, str, None] = None, *, kind: Kind = "sequence",
                 norm: Optional[Power] = None, mask_input: Optional[Array] = None) -> Gradient:
        """Encloses the margin at x and the norm of its gradient (`attcert gradient`)."""
        changes = _Changes(label, kind, norm, mask_input)
        with self._question("gradient", x) as question:
            write_changes(question, changes)
            return Gradient(question.answer())

    @named
    def predict(self, x: Array, top: int = 5) -> Prediction:
        """The answer at x, certified (`attcert predict`)."""
        with self._question("predict", x) as question:
            question.integers(top=top)
            return Prediction(question.answer())

    @named
    def robust_dataset(self, dataset: Path, radius: Optional[float] = None, *, output: Optional[Path] = None,
                       kind: Kind = "sequence", norm: Optional[Power] = None, relative: Optional[float] = None,
                       attack: Optional[int] = None, jobs: Optional[int] = None,
                       memory_limit: Optional[Size] = None) -> Dataset:
        """`robust` of every input of a CSV file label,v1,..,vN, or of a folder of .npy files with a labels.csv; as
        Model.robust_dataset."""
        question = DatasetQuestion(dataset, output, radius, relative, kind, norm, attack, jobs, memory_limit)
        return question.ask(["--onnx", self._file], {})


@named
def from_onnx(file: Path) -> OnnxNetwork:
    """The network of an ONNX file. ValueError: no such file."""
    return OnnxNetwork(file)
