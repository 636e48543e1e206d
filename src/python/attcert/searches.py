"""Inputs of a ball that are the worst, and constants along sequences and radii."""

from typing import Any, Optional, Sequence, Union

import numpy

from .arguments import Path, Size, choice, integer, named, number, path, size
from .arrays import Array, Doubles
from .choices import Assumed, Engine, Kind, Mask, Power
from .datasets import rows_of
from .functions import taken
from .layers import Layer
from .models import Model
from .modules import Module
from .program import Question
from .reports import Report
from .results import Certificate
from .run import Words, words_text
from .spectra import write_layer


class Worst(Certificate):
    """A certificate at the worst input that a search found in the ball of tokens of length at most `radius`.

    input           (n, d) array, that input; None: read from JSON
    on_ball         (lower, upper), of the Lipschitz constant on the ball; the upper end is the smallest bound of the
                    theory, infinite where none is there
    radius          float"""

    input: Optional[Doubles] = None

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text)
        told = self.to_dict()["worst"]
        ends = told["lipschitz_on_ball"]
        self.radius: float = told["radius"]
        self.on_ball = (float(ends["lower"]), float("inf") if ends.get("upper") is None else float(ends["upper"]))

    def _summary(self) -> str:
        return f"worst found within {self.radius!r}: {super()._summary()}"


class Sweep(Report):
    """Certificates along sequences of a text or radii of a ball: rows() has a row for each. `columns` names what they
    hold."""

    def __init__(self, report: str, text: str, rows: list[dict[str, Any]]):
        super().__init__(report, text)
        self._rows = rows
        self.columns = list(rows[0]) if rows else []

    def rows(self) -> list[dict[str, Any]]:
        """The rows of `attcert sweep`."""
        return self._rows

    def _summary(self) -> str:
        return f"{len(self._rows)} rows of {', '.join(self.columns[:4])}, .."


def _write_run(question: Question, engine: Any, tolerance: Any, failure: Any, seed: Any, precision: Any, threads: Any,
               memory_limit: Any, scratch: Any) -> None:
    """The options of a run."""
    question.option("engine", None if engine is None else choice("engine", engine, Engine))
    question.numbers(tolerance=tolerance, failure=failure)
    question.integers(seed_of_bits=seed, precision=precision, threads=threads)
    question.option("memory-limit", None if memory_limit is None else size("memory_limit", memory_limit))
    question.option("scratch", None if scratch is None else path("scratch", scratch))


@named
def worst(q: Union[Array, Layer, Module], k: Optional[Array] = None, v: Optional[Array] = None, *, tokens: int,
          radius_of_inputs: float, starts: Optional[int] = None, steps: Optional[int] = None,
          seed_of_starts: Optional[int] = None, heads: Optional[int] = None, o: Optional[Array] = None,
          q_bias: Optional[Array] = None, k_bias: Optional[Array] = None, v_bias: Optional[Array] = None,
          o_bias: Optional[Array] = None, mask: Optional[Mask] = None, head: Optional[int] = None,
          assume: Optional[Assumed] = None, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
          failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
          threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None) -> Worst:
    """Searches the inputs of `tokens` tokens of length at most radius_of_inputs, and certifies the worst that it found:
    a lower bound of the Lipschitz constant on that ball (`attcert worst`).

    worst(q, k, v, tokens=.., radius_of_inputs=..), worst(layer, ..) or worst(module, ..); weights as in attcert.layer.
    starts: random ones, beside the constructions of the theory (4); steps of each ascent (300); the rest as in
    attcert.certify."""
    weights = {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias, "v_bias": v_bias, "o_bias": o_bias,
               "mask": mask, "head": head, "assume": assume}
    one, _ = taken("worst", q, k, v, None, weights) if k is None else taken("worst", None, q, k, v, weights)
    with Question("worst") as question:
        write_layer(question, one)
        question.integers(tokens=tokens, starts=starts, steps=steps, seed_of_starts=seed_of_starts)
        question.numbers(radius_of_inputs=radius_of_inputs)
        _write_run(question, engine, tolerance, failure, seed, precision, threads, memory_limit, scratch)
        arrays = {"save-input": question.file("x.npy"), "vector-out": question.file("u.npy")}
        for name, file in arrays.items():
            question.option(name, file)
        found = Worst(question.answer())
        found.input, found.vector = (numpy.load(file) for file in arrays.values())
        return found


@named
def sweep(model: Model, layer: int, text: Path, *, n: Union[int, Sequence[int], None] = None,
          sequences: Optional[int] = None, tokens: Optional[int] = None,
          radius: Optional[Sequence[float]] = None, count: Optional[int] = None, kind: Kind = "sequence",
          norm: Optional[Power] = None, words: Words = "all", mask: Optional[Mask] = None, head: Optional[int] = None,
          offset: int = 0, tokenizer: Optional[Path] = None, output: Optional[Path] = None,
          plot: Optional[Path] = None, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
          failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
          threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None) -> Sweep:
    """Certifies the attention of a model's layer at many inputs of a text file (`attcert sweep`).

    n, sequences           lengths (first, last) or (first, last, step) or one, and how many sequences of each (10)
    tokens, radius, count  or of one input of so many tokens balls of radii (first, last), count of them (13), evenly by
                           their logarithms; kind, norm and words as in attcert.ball and attcert.robust
    output                 a file of rows, which an interrupted sweep goes on with; plot: a picture, .svg or .png"""
    if not isinstance(model, Model):
        raise TypeError(f"model: {model!r}, expected an attcert.Model: attcert.load(..)")
    with Question("sweep") as question:
        kept = question.file("rows.csv") if output is None else output
        question.extend(model.layer(layer)._stored or [])
        question.option("text", path("text", text))
        question.option("output", kept)
        question.option("plot", plot)
        question.option("tokenizer", tokenizer)
        question.option("mask", None if mask is None else choice("mask", mask, Mask))
        question.integers(sequences=sequences, tokens=tokens, offset=offset or None, heads=head)
        if n is not None:
            lengths = [n] if not isinstance(n, (tuple, list, range)) else list(n)
            question.option("n", ":".join(str(integer("n", one, 1)) for one in lengths))
        if radius is not None:
            first, last = (repr(number("radius", one)) for one in radius)
            question.option("radius", f"{first}:{last}:log" + ("" if count is None else f":{integer('count', count)}"))
            question.option("ball", choice("kind", kind, Kind))
            question.option("norm", None if norm is None else choice("norm", norm, Power))
            question.option("words", words_text(words))
        _write_run(question, engine, tolerance, failure, seed, precision, threads, memory_limit, scratch)
        told = question.answer(None)
        with open(kept, encoding="utf-8") as file:
            header = file.readline().removeprefix("# ").strip()
        return Sweep(header, told, rows_of(kept))
