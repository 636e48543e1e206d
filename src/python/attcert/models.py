"""Models: layers, inputs made of text, and whole networks."""

import json
import math
import operator
import os

import numpy

from . import library
from .arrays import as_double, copied, pointer
from .layers import Layer
from .library import Handle, call, checked, created, text_of
from .results import Certificate, found, outward
from .run import Run, words_text
from .tokens import Tokens, of_ids, of_text


class Model:
    """A transformer, opened by attcert.load."""

    def __init__(self, spec, seed=0):
        self._handle = created("model_open", "model_close", os.fsencode(spec), seed)

    def _size(self, name):
        return call("model_size", self._handle, name)

    @property
    def dim(self) -> int:
        """Numbers a token."""
        return self._size(b"dim")

    @property
    def heads(self) -> int:
        """Heads a layer."""
        return self._size(b"heads")

    @property
    def layers(self) -> int:
        """Layers, counted from 0."""
        return self._size(b"layers")

    def layer(self, index, mask=None, head=None) -> Layer:
        """The attention of a layer; mask: None for the model's own; head: one head alone."""
        if not 0 <= index < self.layers:
            raise ValueError(f"layer {index}: expected one of 0 to {self.layers - 1}")
        if mask is not None and not isinstance(mask, str):
            raise ValueError(f"mask: of {type(mask).__name__}, expected none or causal")
        handle = self._handle

        def fill(problem):
            checked("problem_load_layer", problem, handle, index)

        return Layer({}, mask=mask, head=head, load=fill)

    def tokens(self, source, tokens=None, offset=0, tokenizer=None, special_tokens=True) -> Tokens:
        """The tokens of an input. source: the path of a text file, or a list or array of ids.

        Of a text: `tokens` of them (special ones included; None: all), from token `offset` on. special_tokens: [CLS],
        [SEP] or their like go around the text, as in the input that the model was made for; False: the text alone, as
        `attcert certify` has it. tokenizer: a folder or file; None: the model folder's, bytes for random models."""
        if isinstance(source, (str, bytes, os.PathLike)):
            return of_text(self._handle, source, tokens, offset, tokenizer, special_tokens)
        return of_ids(self._handle, [operator.index(value) for value in numpy.ravel(source)], tokenizer)

    def hidden(self, text, tokens=None, offset=0, tokenizer=None, special_tokens=True) -> numpy.ndarray:
        """(n, d): the hidden states that enter layer 0. text: what `tokens` returns, or what it takes."""
        taken = text if isinstance(text, Tokens) else self.tokens(text, tokens, offset, tokenizer, special_tokens)
        x = numpy.empty((len(taken), self.dim))
        checked("model_hidden_states", pointer(x), self._handle, call("tokens_ids", taken.handle), len(taken))
        return x

    def layer_input(self, index, hidden) -> numpy.ndarray:
        """(n, d): the input of a layer's attention, from the hidden states (n, d) that enter layer 0."""
        states = self._states(hidden)
        x = numpy.empty(states.shape)
        checked("model_layer_input", pointer(x), self._handle, index, pointer(states), states.shape[0])
        return x

    def function_input(self, index, hidden, function="block") -> numpy.ndarray:
        """(n, d): the input of a function of a layer (`certify`), from the hidden states (n, d) that enter layer 0."""
        states = self._states(hidden)
        x = numpy.empty(states.shape)
        checked("model_function_input", pointer(x), self._handle, function.encode(), index, pointer(states),
                states.shape[0])
        return x

    def certify(self, index, x, function="attention", **options) -> Certificate:
        """Encloses the local Lipschitz constant of a function of layer `index` at x (n, d): "attention", with its output
        projection; "sublayer", that with the norm and the residual sum; "block", the whole layer; "network", all layers
        up to it; "logits", all layers from it on and the head, to its scores. x is what `function_input` returns, or any other. Options as in attcert.certify; heads that are not
        standard, and the other functions, have the engines "auto", "mpfr", "dense" and "random"."""
        if not 0 <= index < self.layers:
            raise ValueError(f"layer {index}: expected one of 0 to {self.layers - 1}")
        return self._certify(index, x, function, None, options)

    def _certify(self, index, x, function, note, options):
        states = self._states(x)
        return found(Run(**options), "model_certify", lambda handle: Certificate(handle, note), self._handle,
                     function.encode(), index, pointer(states), states.shape[0])

    def value(self, index, x, function="attention") -> numpy.ndarray:
        """f(x), (n, d), of the same functions at x (n, d), in plain double: nothing is certified."""
        if not 0 <= index < self.layers:
            raise ValueError(f"layer {index}: expected one of 0 to {self.layers - 1}")
        states = self._states(x)
        y = numpy.empty(states.shape)
        checked("model_function_value", pointer(y), self._handle, function.encode(), index, pointer(states),
                states.shape[0])
        return y

    def _states(self, hidden):
        states = as_double("hidden", hidden)
        if states.shape[1] != self.dim:
            raise ValueError(f"hidden: shape {states.shape}, expected (n, {self.dim})")
        return states

    def robust(self, hidden, radius=0.0, words="all", label=None, execution="exact", relative=None, attack=None,
               ulp=None, token=None, architecture=None, kind="sequence", norm=None, mask=None, box=None, synonyms=None,
               enumerate=None, **options) -> "Robustness":
        """See attcert.robust."""
        tokens = hidden if isinstance(hidden, Tokens) else None
        states = self._states(hidden if tokens is None else self.hidden(tokens))
        if token is not None and token < 0:
            raise ValueError(f"token: {token}, expected an index from 0")
        question = created("robustness_new_of", "robustness_free", self._handle, pointer(states), *states.shape,
                           None if architecture is None else architecture.encode(), -1 if token is None else token)
        numbers = {"radius": radius, "relative": relative, "attack": attack, "ulp": ulp, "enumerate": enumerate}
        texts = {"ball": kind, "words": words_text(words), "execution": execution}
        if norm is not None:
            texts["norm"] = str(norm)
        (texts if isinstance(label, str) else numbers)["label"] = label
        for name, value in numbers.items():
            if value is not None:
                checked("robustness_set_number", question, name.encode(), float(value))
        if tokens is not None:
            checked("robustness_set_tokens", question, tokens.handle)
        for name, value in texts.items():
            checked("robustness_set_text", question, name.encode(), value.encode())
        self._set_inputs(question, states, tokens, mask, box, synonyms or {})
        answers = {library.OK: "certified", library.NEGATIVE: "refuted", library.UNDECIDED: "undecided"}
        status = Run(**options).call("robustness_decide", question, allowed=answers)
        return Robustness(question, answers[status], tokens)

    def _set_inputs(self, question, states, tokens, mask, box, synonyms):
        if mask is not None:
            moves = numpy.ascontiguousarray(mask)
            if moves.dtype != bool or moves.ndim != 2:
                raise ValueError(f"mask: {moves.dtype} of shape {moves.shape}, expected booleans (n, d)")
            checked("robustness_set_mask", question, moves.ctypes.data, *moves.shape)
        if box is not None:
            low, high = (as_double("box", end) for end in box)
            if low.shape != high.shape:
                raise ValueError(f"box: shapes {low.shape} and {high.shape}, expected the same")
            checked("robustness_set_box", question, pointer(low), pointer(high), *low.shape)
        for place, choices in synonyms.items():
            rows = self._choices(tokens, place, numpy.asarray(choices))
            checked("robustness_set_choices", question, operator.index(place), pointer(rows), *rows.shape)

    def _choices(self, tokens, place, choices):
        """Rows as they are; of ids, what the model makes of each at that place."""
        if choices.ndim != 1:
            return as_double("synonyms", choices)
        if tokens is None or not numpy.issubdtype(choices.dtype, numpy.integer):
            raise ValueError(f"synonyms: at {place}, expected rows (k, {self.dim}), or ids where Tokens are given")
        ids = [token.id for token in tokens]
        if not 0 <= place < len(ids):
            raise ValueError(f"synonyms: place {place}, expected one of 0 to {len(ids) - 1}")
        return numpy.array([self.hidden([*ids[:place], int(one), *ids[place + 1:]])[place] for one in choices])

    def predict(self, hidden, positions="last", top=5, token=None, architecture=None, **options) -> "Prediction":
        """The model's answer at the hidden states (n, d) that enter layer 0, or at Tokens, certified: `attcert predict`.

        positions: "last", the answer at the one token that the head looks at, or "all", an answer at each token (the next
        one of a decoder, the label of a classifier of tokens). top: how many of the largest scores are told. token,
        architecture: as in attcert.robust. Options: progress(stage, done)."""
        tokens = hidden if isinstance(hidden, Tokens) else None
        states = self._states(hidden if tokens is None else self.hidden(tokens))
        if token is not None and (token < 0 or positions == "all"):
            raise ValueError(f"token: {token}, expected an index from 0, and not all positions")
        if positions not in _POSITIONS:
            raise ValueError(f"positions: {positions!r}, expected 'last' or 'all'")
        question = created("prediction_new", "prediction_free", self._handle, pointer(states), *states.shape,
                           None if architecture is None else architecture.encode(),
                           _POSITIONS[positions] if token is None else token)
        if tokens is not None:
            checked("prediction_set_tokens", question, tokens.handle)
        if operator.index(top) < 1:
            raise ValueError(f"top: {top}, expected at least 1")
        Run(**options).call("prediction_decide", question, top, allowed=(library.OK, library.UNDECIDED))
        return Prediction(question, tokens)


# As `token` of attcert_prediction_new: what the head looks at by itself, or each.
_POSITIONS = {"last": -1, "all": -2}


class Answer:
    """A network's answer at one token.

    token            int, the one whose scores these are
    decided          bool, whether the answer is certain
    label, rival     int, the largest score's and the closest other one; multi-label: None, and the one whose sign is
                     closest to changing
    label_name, rival_name  str, of config.json's id2label, or None
    margin           (lower, upper), of the label's score over the largest other; multi-label: of the smallest from 0
    scores           [(label, (lower, upper))], the largest first
    signs            of multi-label classifiers: {label: True, False or None, where it is open}, else None"""

    def __init__(self, report):
        for name in ("token", "decided", "label", "rival", "label_name", "rival_name"):
            setattr(self, name, report[name])
        self.margin = _range(report["margin"])
        self.scores = [(score["label"], _range(score["score"])) for score in report["scores"]]
        signs = {score["label"]: score["positive"] for score in report["scores"] if "positive" in score}
        self.signs = signs or None

    def __repr__(self):
        return f"<attcert: token {self.token}, label {self.label}, {'certain' if self.decided else 'undecided'}>"


def _range(ends):
    """The ends of an enclosure; null is none."""
    return tuple(infinite if end is None else end for end, infinite in zip(ends, (-math.inf, math.inf)))


class Prediction:
    """A network's certified answers at an input.

    decided          bool, whether each of them is certain
    head             str, what reads the last hidden states
    answers          [Answer], one, or one for each token
    tokens           Tokens that were asked about, or None"""

    def __init__(self, handle, tokens=None):
        self.tokens = tokens
        self._json, self._text = text_of("prediction_json", handle), text_of("prediction_text", handle)
        report = json.loads(self._json)
        self.decided: bool = report["decided"]
        self.head: str = report["head"]
        self.answers = [Answer(answer) for answer in report["answers"]]

    def to_json(self) -> str:
        """The report of `attcert predict`, JSON of the schema attcert/predict/1."""
        return self._json

    def __str__(self):
        return self._text

    def __repr__(self):
        certain = sum(answer.decided for answer in self.answers)
        return f"<attcert: {certain} of {len(self.answers)} answers certain>"


class Robustness:
    """Whether an input of a ball changes a network's answer.

    verdict          "certified" (none does, proved), "refuted" (`counterexample` does) or "undecided"
    head             str, what reads the last hidden states: "sequence classification, token 0: .."
    token            int, the one whose scores these are
    label, rival     int, the answer and the class that is closest; multi-label: the one asked about (None: all) and the
                     one whose sign is closest to changing
    label_name, rival_name  str, of config.json's id2label, or None
    signs            of multi-label classifiers: {label: whether its score is positive}, else None
    margin           (lower, upper), of the answer's logit over the rival's at the input
    gradient         (lower, upper), of the norm of the margin's gradient there
    certified        float, a radius within which no input changes the answer, rounded down; 0: none
    refuted          float, a radius within which one does, rounded up; infinity: none was found
    first_order      float, margin / ||gradient||: an estimate
    counterexample   (n, d) array, or None
    tokens           Tokens that were asked about, or None"""

    def __init__(self, handle, verdict, tokens=None):
        number = lambda name: call("robustness_number", handle, name)  # noqa: E731
        self.verdict: str = verdict
        self.tokens = tokens
        self.margin = number(b"margin_lower"), number(b"margin_upper")
        self.gradient = number(b"gradient_lower"), number(b"gradient_upper")
        self.certified: float = number(b"certified")
        self.refuted: float = number(b"refuted")
        self.first_order: float = number(b"first_order")
        self.counterexample = copied("robustness_counterexample", handle)
        self._json, self._text = text_of("robustness_json", handle), text_of("robustness_text", handle)
        report = json.loads(self._json)
        for name in ("head", "token", "label", "rival", "label_name", "rival_name"):
            setattr(self, name, report[name])
        self.signs = {of["label"]: of["positive"] for of in report["answer"]} if "answer" in report else None

    def _label(self):
        return "signs" if self.label is None else self.label if self.label_name is None else self.label_name

    def to_json(self) -> str:
        """The report of `attcert robust`, JSON of the schema attcert/robust/1."""
        return self._json

    def __str__(self):
        return self._text

    def __repr__(self):
        flips = f", flips within {outward(self.refuted, True)}" if math.isfinite(self.refuted) else ""
        return f"<attcert: {self.verdict}, label {self._label()} within {outward(self.certified, False)}{flips}>"


def load(spec, seed=0) -> Model:
    """Opens a model: a Hugging Face folder of a supported type, of two towers "DIR:text" or "DIR:vision", or
    "random:bert", "random:gpt2[:d,heads,layers]" with `seed`. ValueError: no such model, or one whose attention is another function."""
    return Model(spec, seed)
