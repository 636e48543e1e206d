"""Questions about a whole network's answer at an input."""

from dataclasses import dataclass
from typing import Any, Optional

import numpy

from . import library
from .answers import Gradient, Prediction
from .arguments import choice, integer, number
from .arrays import Doubles, as_booleans, as_double, copied, pointer
from .choices import Kind, Power
from .library import Handle, checked, created, text_of
from .pairs import pairs_array
from .program import Question
from .robustness import Robustness
from .run import Run, Words, words_text
from .tokens import Tokens

_ANSWERS = {library.OK: "certified", library.NEGATIVE: "refuted", library.UNDECIDED: "undecided"}

# As `token` of attcert_prediction_new: what the head looks at by itself, or each.
_POSITIONS = {"last": -1, "all": -2}


@dataclass
class Asked:
    """A model at an input, and which changes of it count; the arguments of attcert.robust."""

    model: Handle
    states: Doubles
    tokens: Optional[Tokens]
    words: Words
    label: Any
    kind: Any
    norm: Any
    mask: Any
    bias: Any
    mask_input: Any
    architecture: Any
    token: Any

    def __post_init__(self) -> None:
        self.words, self.kind = words_text(self.words), choice("kind", self.kind, Kind)
        self.norm = None if self.norm is None else choice("norm", self.norm, Power)
        if self.token is not None:
            self.token = integer("token", self.token, 0)
        if self.label is not None and not isinstance(self.label, str):
            self.label = integer("label", self.label, 0)
        if not isinstance(self.architecture, (str, type(None))):
            raise TypeError(f"architecture: {self.architecture!r}, expected the name of a class")
        if self.mask_input is not None:
            self.mask_input = as_booleans("mask_input", self.mask_input, "True where an entry moves")
            if self.mask_input.shape != self.states.shape:
                raise ValueError(f"mask_input: shape {self.mask_input.shape}, expected {self.states.shape}")
        n = len(self.states)
        for name, boolean in (("mask", True), ("bias", False)):
            given = getattr(self, name)
            if given is not None:
                array = pairs_array(name, given, boolean, True)
                if array.shape[-1] != n:
                    expected = f"({n},), ({n}, {n})" if boolean else f"({n}, {n})"
                    hint = "; the entries that move are mask_input" if boolean else ""
                    raise ValueError(f"{name}: shape {array.shape}, expected {expected} or (heads, {n}, {n}){hint}")
                setattr(self, name, array)

    def open(self, kind: str, token: int = -1) -> Handle:
        """A question of the library of this kind, "robustness" or "prediction"."""
        name = "robustness_new_of" if kind == "robustness" else "prediction_new"
        question = created(name, f"{kind}_free", self.model, pointer(self.states), *self.states.shape,
                           None if self.architecture is None else self.architecture.encode(),
                           token if self.token is None else self.token)
        if self.tokens is not None:
            checked(f"{kind}_set_tokens", question, self.tokens.handle)
        if self.mask is not None or self.bias is not None:
            (mask, masks), (bias, biases) = (_of_heads(pairs, len(self.states)) for pairs in (self.mask, self.bias))
            checked(f"{kind}_set_pairs", question, mask, masks, bias, biases)
        return question


def _of_heads(pairs: Any, n: int) -> tuple[Any, int]:
    """Pairs for the library, and of how many heads; of keys alone: the same for every token."""
    if pairs is None:
        return None, 0
    square = numpy.ascontiguousarray(numpy.broadcast_to(pairs, (n, n)) if pairs.ndim == 1 else pairs)
    return numpy.ctypeslib.as_ctypes(square), square.size // (n * n)


def ask_robustness(run: Run, asked: Asked, numbers: dict[str, Any], whole: dict[str, Any], execution: str, box: Any,
                   synonyms: dict[int, Doubles]) -> Robustness:
    """attcert_robustness_decide, of numbers by the names of attcert_robustness_set_number, a box and rows by place."""
    question = asked.open("robustness")
    given = {**{name: number(name, value) for name, value in numbers.items() if value is not None},
             **{name: integer(name, value, 0) for name, value in whole.items() if value is not None}}
    texts = {"ball": asked.kind, "words": asked.words, "execution": execution, "norm": asked.norm}
    if isinstance(asked.label, str):
        texts["label"] = asked.label
    elif asked.label is not None:
        given["label"] = asked.label
    for name, value in given.items():
        checked("robustness_set_number", question, name.encode(), float(value))
    for name, text in texts.items():
        if text is not None:
            checked("robustness_set_text", question, name.encode(), text.encode())
    if asked.mask_input is not None:
        checked("robustness_set_mask", question, asked.mask_input.ctypes.data, *asked.mask_input.shape)
    if box is not None:
        low, high = _ends(box)
        checked("robustness_set_box", question, pointer(low), pointer(high), *low.shape)
    for place, rows in synonyms.items():
        checked("robustness_set_choices", question, place, pointer(rows), *rows.shape)
    status = run.call("robustness_decide", question, allowed=_ANSWERS)
    return Robustness(text_of("robustness_json", question) or "", text_of("robustness_text", question) or "",
                      _ANSWERS[status], copied("robustness_counterexample", question), asked.tokens)


def _ends(box: Any) -> tuple[Doubles, Doubles]:
    if not isinstance(box, (tuple, list)) or len(box) != 2:
        raise TypeError("box: expected (low, high), two arrays (n, d)")
    low, high = (as_double("box", end) for end in box)
    if low.shape != high.shape:
        raise ValueError(f"box: shapes {low.shape} and {high.shape}, expected the same")
    return low, high


def ask_prediction(run: Run, asked: Asked, positions: str, top: int) -> Prediction:
    """attcert_prediction_decide."""
    if asked.token is not None and positions == "all":
        raise ValueError(f"token: {asked.token}, expected an index from 0, and not all positions")
    question = asked.open("prediction", _POSITIONS[positions])
    run.call("prediction_decide", question, top, allowed=(library.OK, library.UNDECIDED))
    return Prediction(text_of("prediction_json", question) or "", text_of("prediction_text", question) or "",
                      asked.tokens)


def write_changes(question: Question, asked: Any) -> None:
    """The options of which changes of an input count; asked: what has these attributes of Asked."""
    question.option("words", asked.words)
    question.option("label", asked.label)
    question.option("ball", asked.kind)
    question.option("norm", asked.norm)
    question.option("architecture", asked.architecture)
    question.option("token", asked.token)
    for name in ("mask", "bias", "mask_input"):
        question.array(name.replace("_", "-"), getattr(asked, name), False)


def ask_gradient(model: list[str], asked: Asked) -> Gradient:
    """`attcert gradient`; model: the options that name it."""
    with Question("gradient") as question:
        question.extend(model)
        if asked.tokens is None:
            question.array("hidden", asked.states)
        else:
            question.option("token-ids", ",".join(str(one) for one in asked.tokens.ids))
            question.option("tokenizer", asked.tokens.tokenizer)
        write_changes(question, asked)
        return Gradient(question.answer())
