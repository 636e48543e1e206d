"""A layer and what can be asked of it."""

from collections.abc import Callable, Iterable
from typing import Any, Optional

import numpy

from .arguments import Path, Size, choice, integer, named, number
from .arrays import Array, Doubles, as_double, pointer
from .choices import By, Engine, Format, Kind, Mask
from .library import Handle, ResourceError, call, checked
from .pairs import is_name, score_bias
from .progress import Progress
from .results import Ball, Certificate, Check, found
from .run import Run, Words, words_text
from .tokens import Tokens

_VECTORS = ("query.bias", "key.bias", "value.bias", "output.bias")


def _dtype_name(dtype: Any) -> str:
    """"float32" of "float32", numpy.float32, numpy.dtype("float32") and torch.float32."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", dtype)
    return choice("dtype", str(name).removeprefix("torch."), Format)


class Layer:
    """A layer of multi-head self-attention, made by attcert.layer, attcert.layer_of or attcert.load(...).layer.

    For H heads of dimension k on tokens of dimension d:

    f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,   y_i^h = sum_j P_ij^h v_j^h,   P^h = softmax(q^h k^h^T / sqrt(k)).

    Every method takes the input x, (n, d) or (1, n, d); options are those of attcert.certify. With context, (m, d_z) or
    (1, m, d_z), which certify, check and forward take, keys and values are of its tokens (cross-attention)."""

    def __init__(self, arrays: dict[str, Any], heads: int = 1, mask: Optional[str] = "none", head: Optional[int] = None,
                 load: Optional[Callable[[Handle], None]] = None, pairs: tuple[Any, Any] = (None, None),
                 stored: Optional[list[str]] = None):
        self._arrays = {name: as_double(name, a, name in _VECTORS) for name, a in arrays.items() if a is not None}
        self._heads, self._head = integer("heads", heads), None if head is None else integer("head", head)
        self._mask, self._load, self._pairs, self._stored = mask, load, pairs, stored

    def __repr__(self) -> str:
        parts = ["layer"] if self._stored is None else [f"layer {self._stored[-1]} of {self._stored[1]}"]
        query = self._arrays.get("query.weight")
        if query is not None:
            parts.append(f"d = {query.shape[1]}, {self._heads} heads of dimension {query.shape[0] // self._heads}")
        if self._head is not None:
            parts.append(f"head {self._head} alone")
        pairs = "of pairs" if self._pairs[0] is not None else self._mask
        return f"<attcert: {', '.join(parts)}, mask {'as the model has it' if pairs is None else pairs}>"

    def _tokens(self, name: str, values: Any) -> Doubles:
        """The array (n, ..) of an input or of what has its shape."""
        return as_double(name, values)

    def _problem(self, x: Any, tokens: Optional[Tokens] = None, context: Any = None,
                 by: Any = None) -> tuple[Handle, Optional[str]]:
        """A new problem, and how x, of these Tokens, was understood; it borrows this layer's arrays, x and context."""
        if by is not None and context is None:
            raise ValueError("by: expected a context with it")
        problem = Handle("a problem", call("problem_new"), "problem_free")
        if self._load is not None:
            self._load(problem)
        else:
            checked("problem_set_heads", problem, self._heads)
        for name, array in self._arrays.items():
            checked("problem_set_array", problem, name.encode(), pointer(array), *array.shape)
        if self._mask is not None:
            checked("problem_set_mask", problem, self._mask.encode())
        if self._head is not None:
            checked("problem_set_head", problem, self._head)
        asked = None if context is None else self._tokens("context", context)
        added = score_bias(*self._pairs, None if context is None else len(self._tokens("input", x)))
        problem.borrowed = None, asked, added, self._arrays
        note = self._set_input(problem, x)
        for part, given in ((b"context", asked), (b"score.bias", added)):
            if given is not None:
                checked("problem_set_array", problem, part, pointer(given), *given.shape)
        if by is not None:
            checked("problem_set_by", problem, choice("by", by, By).encode())
        if tokens is not None:
            checked("problem_set_tokens", problem, _given(tokens).handle)
        return problem, note

    def _set_input(self, problem: Handle, x: Any) -> Optional[str]:
        """x becomes the problem's input, in place of one before; how it was understood."""
        values = self._tokens("input", x)
        checked("problem_set_array", problem, b"input", pointer(values), *values.shape)
        problem.borrowed = values, *problem.borrowed[1:]
        shape = tuple(getattr(x, "shape", ()))
        return f"input {shape} taken as {values.shape}" if len(shape) == 3 else None

    def _asked(self, x: Any, tokens: Optional[Tokens] = None, context: Any = None,
               by: Any = None) -> tuple[Handle, Optional[str]]:
        """As _problem, for what is certified."""
        return self._problem(x, tokens, context, by)

    # ---- what is certified, with the options of a run

    def _certify(self, run: Run, x: Any, tokens: Optional[Tokens], context: Any, by: Any) -> Certificate:
        problem, note = self._asked(x, tokens, context, by)
        return found(run, "problem_certify", Certificate, note, problem)

    def _bounds(self, run: Run, x: Any, radius: float, tokens: Optional[Tokens]) -> Certificate:
        problem, note = self._asked(x, tokens)
        return found(run, "problem_bounds", Certificate, note, problem, number("radius", radius))

    def _check(self, run: Run, x: Any, estimate: Any, vector: Any, slack: Optional[float], dtype: Any,
               tokens: Optional[Tokens], context: Any, by: Any) -> Check:
        if slack is not None and dtype is not None:
            raise ValueError("slack and dtype contradict each other: expected one of them")
        text = estimate if isinstance(estimate, str) else number("estimate", estimate).hex()
        allowed = number("slack", 0.0 if slack is None else slack) if dtype is None else _dtype_name(dtype).encode()
        problem, note = self._asked(x, tokens, context, by)
        u = None if vector is None else self._tokens("vector", vector)
        rows, columns = (0, 0) if u is None else u.shape
        return found(run, "problem_check" if dtype is None else "problem_check_dtype", Check, note, problem,
                     text.encode(), allowed, pointer(u), rows, columns)

    def _ball(self, run: Run, x: Any, radius: float, kind: Any, words: Words, tokens: Optional[Tokens]) -> Ball:
        asked = number("radius", radius), choice("kind", kind, Kind).encode(), words_text(words).encode()
        problem, note = self._asked(x, tokens)
        ball = found(run, "problem_ball", Ball, note, problem, *asked)
        ball.radius = asked[0]
        return ball

    @named
    def certify(self, x: Array, tokens: Optional[Tokens] = None, context: Optional[Array] = None,
                by: Optional[By] = None, *, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
                failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
                threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
                progress: Progress = None) -> Certificate:
        """See attcert.certify."""
        run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
        return self._certify(run, x, tokens, context, by)

    @named
    def certify_many(self, inputs: Iterable[Array], *, tolerance: Optional[float] = None,
                     engine: Optional[Engine] = None, failure: Optional[float] = None, seed: Optional[int] = None,
                     precision: Optional[int] = None, threads: Optional[int] = None,
                     memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
                     progress: Progress = None) -> list[Certificate]:
        """The certificates of several inputs, each with an n of its own, in their order; of a stored layer the weights
        are read once. An exception says which input it is of, input 0 being the first."""
        found_ones: list[Certificate] = []
        problem: Optional[Handle] = None
        for x in inputs:
            run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
            try:
                if self._load is None:
                    found_ones.append(self._certify(run, x, None, None, None))
                    continue
                if problem is None:
                    problem, note = self._asked(x)
                else:
                    note = self._set_input(problem, x)
                found_ones.append(found(run, "problem_certify", Certificate, note, problem))
            except (ValueError, TypeError, ResourceError) as error:
                error.args = f"input {len(found_ones)}: {error}", *error.args[1:]
                raise
        return found_ones

    @named
    def bounds(self, x: Array, radius: float = 0.0, tokens: Optional[Tokens] = None, *,
               tolerance: Optional[float] = None, engine: Optional[Engine] = None, failure: Optional[float] = None,
               seed: Optional[int] = None, precision: Optional[int] = None, threads: Optional[int] = None,
               memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
               progress: Progress = None) -> Certificate:
        """See attcert.bounds."""
        run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
        return self._bounds(run, x, radius, tokens)

    @named
    def check(self, x: Array, estimate: "float | str", vector: Optional[Array] = None, slack: Optional[float] = None,
              dtype: Any = None, tokens: Optional[Tokens] = None, context: Optional[Array] = None,
              by: Optional[By] = None, *, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
              failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
              threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
              progress: Progress = None) -> Check:
        """See attcert.check."""
        run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
        return self._check(run, x, estimate, vector, slack, dtype, tokens, context, by)

    @named
    def ball(self, x: Array, radius: float, kind: Kind = "sequence", words: Words = "all",
             tokens: Optional[Tokens] = None, *, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
             failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
             threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
             progress: Progress = None) -> Ball:
        """See attcert.ball."""
        run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
        return self._ball(run, x, radius, kind, words, tokens)

    # ---- values in plain double: nothing is certified

    def forward(self, x: Array, context: Optional[Array] = None) -> Doubles:
        """f(X), or f(X, Z) of a context, (n, out), in plain double: nothing is certified."""
        problem, _ = self._problem(x, context=context)
        y = numpy.empty(_output_shape(problem))
        checked("problem_forward", pointer(y), problem)
        return y

    def jvp(self, x: Array, dx: Array) -> Doubles:
        """J dx, (n, out), in plain double; dx as x."""
        problem, _ = self._problem(x)
        moved, dy = self._shaped("dx", dx, _input_shape(problem)), numpy.empty(_output_shape(problem))
        checked("problem_jvp", pointer(dy), problem, pointer(moved))
        return dy

    def vjp(self, x: Array, dy: Array) -> Doubles:
        """J^T dy, (n, d), in plain double; dy (n, out)."""
        problem, _ = self._problem(x)
        back, dx = self._shaped("dy", dy, _output_shape(problem)), numpy.empty(_input_shape(problem))
        checked("problem_vjp", pointer(dx), problem, pointer(back))
        return dx

    def jacobian(self, x: Array) -> Doubles:
        """J, (n out, n d), in plain double."""
        problem, _ = self._problem(x)
        (n, out), (_, d) = _output_shape(problem), _input_shape(problem)
        jacobian = numpy.empty((n * out, n * d))
        checked("problem_jacobian", pointer(jacobian), problem)
        return jacobian

    def _shaped(self, name: str, values: Any, shape: tuple[int, int]) -> Doubles:
        array = self._tokens(name, values)
        if array.shape != shape:
            raise ValueError(f"{name}: shape {array.shape}, expected {shape}")
        return array


def _given(tokens: Any) -> Tokens:
    if not isinstance(tokens, Tokens):
        raise TypeError(f"tokens: of type {type(tokens).__name__}, expected Tokens, which a model's `tokens` makes")
    return tokens


def _size(problem: Handle, name: bytes) -> int:
    size: int = call("problem_size", problem, name)
    return size


def _output_shape(problem: Handle) -> tuple[int, int]:
    return _size(problem, b"tokens"), _size(problem, b"out_dim")


def _input_shape(problem: Handle) -> tuple[int, int]:
    return _size(problem, b"tokens"), _size(problem, b"dim")


@named
def layer(q: Array, k: Array, v: Array, heads: int = 1, o: Optional[Array] = None, q_bias: Optional[Array] = None,
          k_bias: Optional[Array] = None, v_bias: Optional[Array] = None, o_bias: Optional[Array] = None,
          mask: "Mask | Array | None" = "none", head: Optional[int] = None, bias: Optional[Array] = None) -> Layer:
    """A layer of its weights: q, k, v (H k, d), o (out, H k) or None for the heads' outputs side by side, biases
    (H k,) and (out,) or None; `heads` is H, mask "none" or "causal", `head` one head alone, without o.

    mask may be booleans instead, True where a key takes part (as in torch's scaled_dot_product_attention;
    torch.nn.MultiheadAttention's mean the opposite), of shape (n,), (n, n) or (heads, n, n); bias is added to the
    scores, of shape (n, n) or (heads, n, n), -inf for a key that takes no part. Such a layer has certify, check, bounds
    and forward. Of a context of m tokens the shapes are (m,), (n, m) and (heads, n, m); k and v have d_z columns."""
    plain = is_name(mask)
    arrays = {"query.weight": q, "key.weight": k, "value.weight": v, "output.weight": o, "query.bias": q_bias,
              "key.bias": k_bias, "value.bias": v_bias, "output.bias": o_bias}
    name = mask if isinstance(mask, str) else "none"
    return Layer(arrays, heads, name, head, pairs=(None if plain else mask, bias))
