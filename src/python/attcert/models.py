"""Models: layers, inputs made of text, and whole networks."""

import operator
import os
from typing import Any, Optional, Union

import numpy

from .answers import Gradient, Prediction
from .arguments import Path, Size, choice, integer, named, path
from .arrays import Array, Doubles, as_double, as_numpy, pointer
from .choices import Engine, Execution, Function, Kind, Mask, Positions, Power
from .datasets import Dataset, DatasetQuestion
from .layers import Layer
from .library import Handle, call, checked, created
from .network import Asked, ask_gradient, ask_prediction, ask_robustness
from .pairs import is_name
from .progress import Progress
from .results import Certificate, found
from .robustness import Robustness
from .run import Run, Words
from .tokens import Tokens, of_file, of_ids, of_text

Source = Union[Path, bytes, Array]
Hidden = Union[Array, Tokens]


class Model:
    """A transformer, opened by attcert.load."""

    def __init__(self, spec: Path, seed: int = 0):
        self._spec, self._seed = os.fsdecode(path("model", spec)), integer("seed", seed, 0)
        self._handle = created("model_open", "model_close", os.fsencode(self._spec), self._seed)

    def __repr__(self) -> str:
        return f"<attcert: model {self._spec}, {self.layers} layers of {self.heads} heads, d = {self.dim}>"

    def _size(self, name: bytes) -> int:
        size: int = call("model_size", self._handle, name)
        return size

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

    @property
    def arguments(self) -> list[str]:
        """The options of the command line that name it."""
        seed = ["--seed", str(self._seed)] if self._spec.startswith("random:") else []
        return ["--model", self._spec, *seed]

    def _index(self, index: Any) -> int:
        if not 0 <= integer("layer", index) < self.layers:
            raise ValueError(f"layer {index}: expected one of 0 to {self.layers - 1}")
        return operator.index(index)

    @named
    def layer(self, index: int, mask: Optional[Mask] = None, head: Optional[int] = None) -> Layer:
        """The attention of a layer; mask: None for the model's own; head: one head alone."""
        place, handle = self._index(index), self._handle
        if not is_name(mask):
            raise ValueError(f"mask: of {type(mask).__name__}, expected none or causal")

        def fill(problem: Handle) -> None:
            checked("problem_load_layer", problem, handle, place)

        return Layer({}, mask=mask, head=head, load=fill, stored=[*self.arguments, "--layer", str(place)])

    # ---- inputs

    @named
    def tokens(self, source: Optional[Source] = None, tokens: Optional[int] = None, offset: int = 0,
               tokenizer: Optional[Path] = None, special_tokens: bool = True, *, text: Optional[str] = None) -> Tokens:
        """The tokens of an input. source: the path of a text file, or a list or array of ids; or text, itself.

        Of a text: `tokens` of them (special ones included; None: all), from token `offset` on. special_tokens: [CLS],
        [SEP] or their like go around the text, as in the input that the model was made for; False: the text alone, as
        `attcert certify` has it. tokenizer: a folder or file; None: the model folder's, bytes for random models."""
        if (source is None) == (text is None):
            raise TypeError("tokens: expected a source, the path of a text file or ids, or text=\"..\", one of them")
        if text is not None:
            found = of_text(self._handle, text, tokens, offset, tokenizer, special_tokens)
        elif isinstance(source, (str, bytes, os.PathLike)):
            found = of_file(self._handle, os.fsdecode(source), tokens, offset, tokenizer, special_tokens)
        else:
            ids = [integer("source", value) for value in numpy.ravel(as_numpy("source", source))]
            found = of_ids(self._handle, ids, tokenizer)
        found.tokenizer = tokenizer
        return found

    @named
    def hidden(self, text: Union[Source, Tokens], tokens: Optional[int] = None, offset: int = 0,
               tokenizer: Optional[Path] = None, special_tokens: bool = True) -> Doubles:
        """(n, d): the hidden states that enter layer 0. text: what `tokens` returns, or what it takes."""
        taken = text if isinstance(text, Tokens) else self.tokens(text, tokens, offset, tokenizer, special_tokens)
        x = numpy.empty((len(taken), self.dim))
        checked("model_hidden_states", pointer(x), self._handle, call("tokens_ids", taken.handle), len(taken))
        return x

    @named
    def layer_input(self, index: int, hidden: Array) -> Doubles:
        """(n, d): the input of a layer's attention, from the hidden states (n, d) that enter layer 0."""
        place, states = self._index(index), self._states(hidden)
        x = numpy.empty(states.shape)
        checked("model_layer_input", pointer(x), self._handle, place, pointer(states), states.shape[0])
        return x

    @named
    def function_input(self, index: int, hidden: Array, function: Function = "block") -> Doubles:
        """(n, d): the input of a function of a layer (`certify`), from the hidden states (n, d) that enter layer 0."""
        return self._of_function("model_function_input", index, hidden, function)

    @named
    def value(self, index: int, x: Array, function: Function = "attention") -> Doubles:
        """f(x), (n, d), of the functions of `certify` at x (n, d), in plain double: nothing is certified."""
        return self._of_function("model_function_value", index, x, function)

    def _of_function(self, name: str, index: Any, x: Any, function: Any) -> Doubles:
        place, states = self._index(index), self._states(x)
        y = numpy.empty(states.shape)
        checked(name, pointer(y), self._handle, choice("function", function, Function).encode(), place, pointer(states),
                states.shape[0])
        return y

    def _states(self, hidden: Any) -> Doubles:
        if isinstance(hidden, (str, os.PathLike)):
            raise TypeError(f"hidden: {hidden!r}, expected an array (n, {self.dim}), Tokens or ids; a model's `tokens` "
                            "reads a text")
        states = as_double("hidden", hidden)
        if states.shape[1] != self.dim:
            raise ValueError(f"hidden: shape {states.shape}, expected (n, {self.dim})")
        return states

    def _input(self, hidden: Any) -> tuple[Doubles, Optional[Tokens]]:
        """Hidden states, and the Tokens that they are of; of ids in a row, too."""
        if not isinstance(hidden, (str, os.PathLike, Tokens)):
            array = as_numpy("hidden", hidden)
            if array.ndim == 1 and array.dtype.kind in "iu":
                hidden = self.tokens(array)
        if isinstance(hidden, Tokens):
            return self.hidden(hidden), hidden
        return self._states(hidden), None

    # ---- questions

    @named
    def certify(self, index: int, x: Array, function: Function = "attention", *, tolerance: Optional[float] = None,
                engine: Optional[Engine] = None, failure: Optional[float] = None, seed: Optional[int] = None,
                precision: Optional[int] = None, threads: Optional[int] = None, memory_limit: Optional[Size] = None,
                scratch: Optional[Path] = None, progress: Progress = None) -> Certificate:
        """Encloses the local Lipschitz constant of a function of layer `index` at x (n, d): "attention", with its
        output projection; "sublayer", that with the norm and the residual sum; "block", the whole layer; "network", all
        layers up to it; "logits", all layers from it on and the head, to its scores. x is what `function_input`
        returns, or any other. Options as in attcert.certify; heads that are not standard, and the other functions, have
        the engines "auto", "mpfr", "dense" and "random"."""
        run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
        return self._certify(run, self._index(index), x, choice("function", function, Function), None)

    def _certify(self, run: Run, index: int, x: Any, function: str, note: Optional[str]) -> Certificate:
        states = self._states(x)
        return found(run, "model_certify", Certificate, note, self._handle, function.encode(), index, pointer(states),
                     states.shape[0])

    def _asked(self, hidden: Any, words: Words, label: Any, kind: Any, norm: Any, mask: Any, bias: Any,
               mask_input: Any, architecture: Any, token: Any) -> Asked:
        states, tokens = self._input(hidden)
        return Asked(self._handle, states, tokens, words, label, kind, norm, mask, bias, mask_input, architecture,
                     token)

    @named
    def robust(self, hidden: Hidden, radius: float = 0.0, words: Words = "all", label: Union[int, str, None] = None,
               execution: Execution = "exact", relative: Optional[float] = None, attack: Optional[int] = None,
               ulp: Optional[int] = None, token: Optional[int] = None, architecture: Optional[str] = None,
               kind: Kind = "sequence", norm: Optional[Power] = None, mask: Optional[Array] = None,
               box: Optional[tuple[Array, Array]] = None, synonyms: Optional[dict[int, Any]] = None,
               enumerate: Optional[int] = None, *, bias: Optional[Array] = None, mask_input: Optional[Array] = None,
               memory_limit: Optional[Size] = None, progress: Progress = None) -> Robustness:
        """See attcert.robust."""
        asked = self._asked(hidden, words, label, kind, norm, mask, bias, mask_input, architecture, token)
        numbers = {"radius": radius, "relative": relative}
        whole = {"attack": attack, "ulp": ulp, "enumerate": enumerate}
        run = Run(memory_limit=memory_limit, progress=progress)
        return ask_robustness(run, asked, numbers, whole, choice("execution", execution, Execution), box,
                              self._rows_of(asked, synonyms))

    def _rows_of(self, asked: Asked, synonyms: Any) -> dict[int, Doubles]:
        """Rows as they are; of ids, what the model makes of each at that place."""
        if not isinstance(synonyms, dict) and synonyms is not None:
            raise TypeError(f"synonyms: of type {type(synonyms).__name__}, expected a dict of rows by a token's number")
        rows = {}
        for place, given in (synonyms or {}).items():
            rows[integer("synonyms", place)] = self._choices(asked.tokens, place, as_numpy("synonyms", given))
        return rows

    def _choices(self, tokens: Optional[Tokens], place: int, choices: Any) -> Doubles:
        if choices.ndim != 1:
            return as_double("synonyms", choices)
        if tokens is None or not numpy.issubdtype(choices.dtype, numpy.integer):
            raise ValueError(f"synonyms: at {place}, expected rows (k, {self.dim}), or ids where Tokens are given")
        ids = [token.id for token in tokens]
        if not 0 <= place < len(ids):
            raise ValueError(f"synonyms: place {place}, expected one of 0 to {len(ids) - 1}")
        return numpy.array([self.hidden([*ids[:place], int(one), *ids[place + 1:]])[place] for one in choices])

    @named
    def gradient(self, hidden: Hidden, words: Words = "all", label: Union[int, str, None] = None, *,
                 kind: Kind = "sequence", norm: Optional[Power] = None, mask: Optional[Array] = None,
                 bias: Optional[Array] = None, mask_input: Optional[Array] = None, token: Optional[int] = None,
                 architecture: Optional[str] = None) -> Gradient:
        """Encloses the margin of the model's answer and the norm of its gradient by the words that move (`attcert
        gradient`), dual to that of the ball that kind and norm name. Arguments as in attcert.robust."""
        asked = self._asked(hidden, words, label, kind, norm, mask, bias, mask_input, architecture, token)
        return ask_gradient(self.arguments, asked)

    @named
    def predict(self, hidden: Hidden, positions: Positions = "last", top: int = 5, token: Optional[int] = None,
                architecture: Optional[str] = None, *, mask: Optional[Array] = None, bias: Optional[Array] = None,
                progress: Progress = None) -> Prediction:
        """The model's answer at the hidden states (n, d) that enter layer 0, at Tokens or ids, certified: `attcert
        predict`.

        positions: "last", the answer at the one token that the head looks at, or "all", an answer at each token (the
        next one of a decoder, the label of a classifier of tokens). top: how many of the largest scores are told.
        token, architecture, mask, bias: as in attcert.robust. progress(stage, done), or True: a bar by tqdm."""
        asked = self._asked(hidden, "all", None, "sequence", None, mask, bias, None, architecture, token)
        run = Run(progress=progress)
        return ask_prediction(run, asked, choice("positions", positions, Positions), integer("top", top, 1))

    @named
    def robust_dataset(self, dataset: Path, radius: Optional[float] = None, *, output: Optional[Path] = None,
                       kind: Kind = "sequence", norm: Optional[Power] = None, execution: Execution = "exact",
                       relative: Optional[float] = None, attack: Optional[int] = None, ulp: Optional[int] = None,
                       architecture: Optional[str] = None, token: Optional[int] = None,
                       tokenizer: Optional[Path] = None, special_tokens: bool = True, jobs: Optional[int] = None,
                       memory_limit: Optional[Size] = None) -> Dataset:
        """`robust` of every labelled input of a CSV file with the columns text (or token_ids) and label (`attcert
        robust --dataset`); radius None: the largest one is searched. output: a file of rows, which an interrupted run
        goes on with; None: they are in the result alone. jobs: how many inputs at a time; None: one a processor. Other
        arguments as in attcert.robust and `tokens`. ValueError: inputs that could not be read, too, by number."""
        question = DatasetQuestion(dataset, output, radius, relative, kind, norm, attack, jobs, memory_limit)
        return question.ask(self.arguments, {
            "architecture": architecture, "token": None if token is None else integer("token", token, 0),
            "ulp": None if ulp is None else integer("ulp", ulp, 0), "tokenizer": tokenizer,
            "execution": None if execution == "exact" else choice("execution", execution, Execution),
            "special-tokens": None if special_tokens else "off"})


@named
def load(spec: Path, seed: int = 0) -> Model:
    """Opens a model: a Hugging Face folder of a supported type, of two towers "DIR:text" or "DIR:vision", or
    "random:bert", "random:gpt2[:d,heads,layers]" with `seed`. ValueError: no such model, or one whose attention is
    another function."""
    return Model(spec, seed)
