"""Questions about a model's answer as functions, and results read from their reports."""

import json
from collections.abc import Callable
from typing import Any, Optional, Union

from .answers import Gradient, Prediction
from .arguments import Path, Size, named
from .arrays import Array
from .choices import Execution, Kind, Positions, Power
from .datasets import Dataset
from .models import Hidden, Model
from .progress import Progress
from .reports import Report
from .results import Ball, Certificate, Check
from .robustness import Robustness
from .run import Words
from .searches import Worst
from .spectra import Spectrum


def _model(model: Any) -> Model:
    if not isinstance(model, Model):
        raise TypeError(f"model: {model!r}, expected an attcert.Model: attcert.load(..)")
    return model


@named
def robust(model: Model, hidden: Hidden, radius: float = 0.0, words: Words = "all",
           label: Union[int, str, None] = None, execution: Execution = "exact", *, relative: Optional[float] = None,
           attack: Optional[int] = None, ulp: Optional[int] = None, token: Optional[int] = None,
           architecture: Optional[str] = None, kind: Kind = "sequence", norm: Optional[Power] = None,
           mask: Optional[Array] = None, bias: Optional[Array] = None, mask_input: Optional[Array] = None,
           box: Optional[tuple[Array, Array]] = None, synonyms: Optional[dict[int, Any]] = None,
           enumerate: Optional[int] = None, memory_limit: Optional[Size] = None,
           progress: Progress = None) -> Robustness:
    """Whether an input within `radius` of the hidden states (n, d) that enter layer 0 changes the model's answer;
    radius 0: searches for the largest that is certified. In place of the hidden states: Tokens, of the model's
    `tokens`, or ids in a row. words: the tokens that move, "all", a number, or a list of numbers and, of Tokens, of
    words that occur once; label: the class whose margin counts, number or name (multi-label: whose sign counts);
    execution: "exact", or every execution in "float64", "float32", "bfloat16" or "float16".

    token             the one to classify, of a classifier of tokens
    architecture      the model's class, such as "GPT2LMHeadModel", where config.json names none or a bare model; by it
                      the answer is the next token, a label, or the signs of several
    kind, norm        of the ball, as in attcert.ball; norm 2, "inf" or 1: of all tokens together or of each, as kind
                      says; None: 2, of entries "inf"
    mask, bias        of every block's attention beside the model's own, as in attcert.layer: padding, for instance
    mask_input        booleans (n, d): the entries that move
    relative, attack, ulp   as in `attcert robust --help`; memory_limit, progress as in attcert.certify

    In place of a ball: box = (low, high), arrays (n, d) with the hidden states between them, or synonyms, a dict from a
    token's number to what may stand in its place: rows (k, d), or of Tokens a list of ids; certified is then 1 where
    every input of the box, or every combination, has the same answer; enumerate: how many combinations are enclosed one
    by one at most (beyond that by the hull of each token's rows)."""
    return _model(model).robust(hidden, radius, words, label, execution, relative, attack, ulp, token, architecture,
                                kind, norm, mask, box, synonyms, enumerate, bias=bias, mask_input=mask_input,
                                memory_limit=memory_limit, progress=progress)


@named
def predict(model: Model, hidden: Hidden, positions: Positions = "last", top: int = 5, *, token: Optional[int] = None,
            architecture: Optional[str] = None, mask: Optional[Array] = None, bias: Optional[Array] = None,
            progress: Progress = None) -> Prediction:
    """See Model.predict."""
    return _model(model).predict(hidden, positions, top, token, architecture, mask=mask, bias=bias, progress=progress)


@named
def gradient(model: Model, hidden: Hidden, words: Words = "all", label: Union[int, str, None] = None, *,
             kind: Kind = "sequence", norm: Optional[Power] = None, mask: Optional[Array] = None,
             bias: Optional[Array] = None, mask_input: Optional[Array] = None, token: Optional[int] = None,
             architecture: Optional[str] = None) -> Gradient:
    """See Model.gradient."""
    return _model(model).gradient(hidden, words, label, kind=kind, norm=norm, mask=mask, bias=bias,
                                  mask_input=mask_input, token=token, architecture=architecture)


@named
def robust_dataset(model: Model, dataset: Path, radius: Optional[float] = None, *, output: Optional[Path] = None,
                   kind: Kind = "sequence", norm: Optional[Power] = None, execution: Execution = "exact",
                   relative: Optional[float] = None, attack: Optional[int] = None, ulp: Optional[int] = None,
                   architecture: Optional[str] = None, token: Optional[int] = None,
                   tokenizer: Optional[Path] = None, special_tokens: bool = True,
                   jobs: Optional[int] = None, memory_limit: Optional[Size] = None) -> Dataset:
    """See Model.robust_dataset."""
    return _model(model).robust_dataset(dataset, radius, output=output, kind=kind, norm=norm,
                                        execution=execution, relative=relative, attack=attack, ulp=ulp,
                                        architecture=architecture, token=token, tokenizer=tokenizer,
                                        special_tokens=special_tokens, jobs=jobs, memory_limit=memory_limit)


_KINDS: dict[str, Callable[[str], Report]] = {
    "certify": Certificate, "ball": Ball, "bounds": Certificate, "check": Check, "worst": Worst, "robust": Robustness,
    "gradient": Gradient, "predict": Prediction, "spectrum": Spectrum, "dataset": Dataset}


def from_json(text: str) -> Report:
    """The result that a report of the command line, or to_json, tells of: Certificate, Check, Ball, Worst, Robustness,
    Gradient, Prediction, Spectrum or Dataset. Arrays, which reports leave out, are None. ValueError: no report."""
    try:
        told = json.loads(text)
        command = told["schema"].split("/")[1]
        kind = _KINDS["ball" if command == "certify" and "ball" in told else command]
    except (KeyError, IndexError, AttributeError, TypeError, ValueError):
        raise ValueError(f"report: expected JSON of a schema attcert/COMMAND/1, of {', '.join(_KINDS)}") from None
    return kind(text)
