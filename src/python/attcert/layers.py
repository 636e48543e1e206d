"""A layer and what can be asked of it."""

import numpy

from . import library
from .arrays import as_double, as_numpy, pointer
from .library import Handle, call, checked
from .results import Ball, Certificate, Check, found
from .run import Run, words_text

_VECTORS = ("query.bias", "key.bias", "value.bias", "output.bias")


def _pairs(name, values, boolean, square):
    """A mask or bias of pairs as an array (m,), (n, m) or (heads, n, m), of booleans or of numbers; square: n is m."""
    array = as_numpy(name, values)
    if boolean and array.dtype != bool:
        raise ValueError(f"{name}: dtype {array.dtype}, expected booleans, True where a key takes part")
    fits = array.shape[-1:] == array.shape[max(0, array.ndim - 2):][:1] or not square
    if array.ndim not in ((1, 2, 3) if boolean else (2, 3)) or not fits:
        n, m = "n", "n" if square else "m"
        raise ValueError(f"{name}: shape {array.shape}, expected {f'({m},), ' if boolean else ''}({n}, {m}) or "
                         f"(heads, {n}, {m})")
    return array if boolean else as_double(name, array.reshape(-1, array.shape[-1])).reshape(array.shape)


def _score_bias(mask, bias, n=None):
    """What is added to scores, -inf where the mask is False, rows of one head after the other; n: of tokens that ask
    those of a context; None: their own. None: nothing."""
    if mask is None and bias is None:
        return None
    added = 0.0 if bias is None else _pairs("bias", bias, False, n is None)
    allowed = numpy.True_ if mask is None else _pairs("mask", mask, True, n is None)
    if allowed.ndim == 1:
        allowed = numpy.broadcast_to(allowed, (allowed.size if n is None else n, allowed.size))
    try:
        both = numpy.where(allowed, added, -numpy.inf)
    except ValueError:
        raise ValueError(f"mask and bias: shapes {allowed.shape} and {added.shape} do not fit each other") from None
    return both.reshape(-1, both.shape[-1])


def _dtype_name(dtype):
    """"float32" of "float32", numpy.float32, numpy.dtype("float32") and torch.float32."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    return name.removeprefix("torch.")


class Layer:
    """A layer of multi-head self-attention, made by attcert.layer, attcert.layer_of or attcert.load(...).layer.

    For H heads of dimension k on tokens of dimension d:

    f(X)_i = W_O [y_i^1; ...; y_i^H] + b_O,   y_i^h = sum_j P_ij^h v_j^h,   P^h = softmax(q^h k^h^T / sqrt(k)).

    Every method takes the input x, (n, d) or (1, n, d); options are those of attcert.certify. With context, (m, d_z) or
    (1, m, d_z), which certify, check and forward take, keys and values are of its tokens (cross-attention)."""

    def __init__(self, arrays, heads=1, mask="none", head=None, load=None, pairs=(None, None)):
        self._arrays = {name: as_double(name, a, name in _VECTORS) for name, a in arrays.items() if a is not None}
        self._heads, self._mask, self._head, self._load, self._pairs = heads, mask, head, load, pairs

    def _tokens(self, name, values):
        """The array (n, ..) of an input or of what has its shape."""
        return as_double(name, values)

    def _problem(self, x, tokens=None, context=None, by=None):
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
        values = self._tokens("input", x)
        asked = None if context is None else self._tokens("context", context)
        added = _score_bias(*self._pairs, None if context is None else len(values))
        problem.borrowed = values, asked, added, self._arrays
        for name, array in ((b"input", values), (b"context", asked), (b"score.bias", added)):
            if array is not None:
                checked("problem_set_array", problem, name, pointer(array), *array.shape)
        if by is not None:
            checked("problem_set_by", problem, by.encode())
        if tokens is not None:
            checked("problem_set_tokens", problem, tokens.handle)
        shape = tuple(getattr(x, "shape", ()))
        return problem, f"input {shape} taken as {values.shape}" if len(shape) == 3 else None

    def _asked(self, x, tokens=None, context=None, by=None):
        """As _problem, for what is certified."""
        return self._problem(x, tokens, context, by)

    def certify(self, x, tokens=None, context=None, by=None, **options) -> Certificate:
        """See attcert.certify."""
        problem, note = self._asked(x, tokens, context, by)
        return found(Run(**options), "problem_certify", lambda handle: Certificate(handle, note), problem)

    def bounds(self, x, radius=0.0, tokens=None, **options) -> Certificate:
        """See attcert.bounds."""
        problem, note = self._asked(x, tokens)
        return found(Run(**options), "problem_bounds", lambda handle: Certificate(handle, note), problem, float(radius))

    def check(self, x, estimate, vector=None, slack=None, dtype=None, tokens=None, context=None, by=None,
              **options) -> Check:
        """See attcert.check."""
        if slack is not None and dtype is not None:
            raise ValueError("slack and dtype contradict each other: expected one of them")
        problem, note = self._asked(x, tokens, context, by)
        u = None if vector is None else self._tokens("vector", vector)
        rows, columns = (0, 0) if u is None else u.shape
        function, allowed = "problem_check", float(slack or 0.0)
        if dtype is not None:  # a name, or what has one: numpy.float32, torch.float32
            function, allowed = "problem_check_dtype", _dtype_name(dtype).encode()
        return found(Run(**options), function, lambda handle: Check(handle, note), problem,
                     float(estimate).hex().encode(), allowed, pointer(u), rows, columns)

    def ball(self, x, radius, kind="sequence", words="all", tokens=None, **options) -> Ball:
        """See attcert.ball."""
        problem, note = self._asked(x, tokens)
        return found(Run(**options), "problem_ball", lambda handle: Ball(handle, float(radius), note), problem,
                     float(radius), kind.encode(), words_text(words).encode())

    def forward(self, x, context=None) -> numpy.ndarray:
        """f(X), or f(X, Z) of a context, (n, out), in plain double: nothing is certified."""
        problem, _ = self._problem(x, context=context)
        y = numpy.empty(self._output_shape(problem))
        checked("problem_forward", pointer(y), problem)
        return y

    def jvp(self, x, dx) -> numpy.ndarray:
        """J dx, (n, out), in plain double; dx as x."""
        problem, _ = self._problem(x)
        dx, dy = self._as_input("dx", dx, problem), numpy.empty(self._output_shape(problem))
        checked("problem_jvp", pointer(dy), problem, pointer(dx))
        return dy

    def vjp(self, x, dy) -> numpy.ndarray:
        """J^T dy, (n, d), in plain double; dy (n, out)."""
        problem, _ = self._problem(x)
        dy = self._tokens("dy", dy)
        if dy.shape != self._output_shape(problem):
            raise ValueError(f"dy: shape {dy.shape}, expected {self._output_shape(problem)}")
        dx = numpy.empty(self._input_shape(problem))
        checked("problem_vjp", pointer(dx), problem, pointer(dy))
        return dx

    def jacobian(self, x) -> numpy.ndarray:
        """J, (n out, n d), in plain double."""
        problem, _ = self._problem(x)
        (n, out), (_, d) = self._output_shape(problem), self._input_shape(problem)
        jacobian = numpy.empty((n * out, n * d))
        checked("problem_jacobian", pointer(jacobian), problem)
        return jacobian

    @staticmethod
    def _size(problem, name):
        return call("problem_size", problem, name)

    def _output_shape(self, problem):
        return self._size(problem, b"tokens"), self._size(problem, b"out_dim")

    def _input_shape(self, problem):
        return self._size(problem, b"tokens"), self._size(problem, b"dim")

    def _as_input(self, name, values, problem):
        array = self._tokens(name, values)
        if array.shape != self._input_shape(problem):
            raise ValueError(f"{name}: shape {array.shape}, expected {self._input_shape(problem)}")
        return array


def layer(q, k, v, heads=1, o=None, q_bias=None, k_bias=None, v_bias=None, o_bias=None, mask="none",
          head=None, bias=None) -> Layer:
    """A layer of its weights: q, k, v (H k, d), o (out, H k) or None for the heads' outputs side by side, biases
    (H k,) and (out,) or None; `heads` is H, mask "none" or "causal", `head` one head alone, without o.

    mask may be booleans instead, True where a key takes part (as in torch's scaled_dot_product_attention;
    torch.nn.MultiheadAttention's mean the opposite), of shape (n,), (n, n) or (heads, n, n); bias is added to the
    scores, of shape (n, n) or (heads, n, n), -inf for a key that takes no part. Such a layer has certify, check, bounds
    and forward. Of a context of m tokens the shapes are (m,), (n, m) and (heads, n, m), and k and v have d_z columns."""
    named = isinstance(mask, str) or mask is None
    arrays = {"query.weight": q, "key.weight": k, "value.weight": v, "output.weight": o, "query.bias": q_bias,
              "key.bias": k_bias, "value.bias": v_bias, "output.bias": o_bias}
    return Layer(arrays, heads, mask if named else "none", head, pairs=(None if named else mask, bias))
