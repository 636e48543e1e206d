"""Questions about a layer: of weights, of a module, or of attcert.layer."""

from typing import Any, Optional, Union

from .arguments import Path, Size, named
from .arrays import Array
from .choices import Assumed, By, Engine, Kind, Mask
from .layers import Layer, layer
from .modules import Module, is_module, layer_of
from .progress import Progress
from .results import Ball, Certificate, Check
from .run import Run, Words
from .tokens import Tokens

Asked = Union[Array, Layer, Module]


def taken(function: str, x: Any, q: Any, k: Any, v: Any, weights: dict[str, Any]) -> tuple[Layer, Any]:
    """The layer and the input of (x, q, k, v) or (module, x) or (layer, x); weights: the other arguments of a layer."""
    own = {name: value for name, value in weights.items() if value is not None}
    if isinstance(x, Layer) or is_module(x):
        if k is not None or v is not None:
            raise TypeError(f"{function}: {2 + (k is not None) + (v is not None)} arguments, expected a layer and its "
                            "input")
        if not isinstance(x, Layer):
            for name in own:
                if name not in ("mask", "head", "assume"):
                    raise TypeError(f"{name}: of a module, which has its own, expected mask, head or assume")
            return layer_of(x, **own), q
        if own:
            raise TypeError(f"'{next(iter(own))}' belongs to the layer, which is made already")
        return x, q
    if k is None or v is None:
        count = 2 + (k is not None) + (v is not None)
        raise TypeError(f"{function}: {count} arguments, expected (x, q, k, v), (module, x) or (layer, x)")
    if "assume" in own:
        raise TypeError("assume: of weights, expected a module with it")
    return layer(q, k, v, **own), x


@named
def certify(x: Asked, q: Array, k: Optional[Array] = None, v: Optional[Array] = None, *, heads: Optional[int] = None,
            o: Optional[Array] = None, q_bias: Optional[Array] = None, k_bias: Optional[Array] = None,
            v_bias: Optional[Array] = None, o_bias: Optional[Array] = None, mask: Union[Mask, Array, None] = None,
            head: Optional[int] = None, bias: Optional[Array] = None, assume: Optional[Assumed] = None,
            context: Optional[Array] = None, by: Optional[By] = None, tokens: Optional[Tokens] = None,
            tolerance: Optional[float] = None, engine: Optional[Engine] = None, failure: Optional[float] = None,
            seed: Optional[int] = None, precision: Optional[int] = None, threads: Optional[int] = None,
            memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
            progress: Progress = None) -> Certificate:
    """Encloses the local Lipschitz constant ||D_X f||_2 of a layer at x.

    certify(x, q, k, v, heads=1, o=None, q_bias=None, k_bias=None, v_bias=None, o_bias=None, mask="none", head=None,
            bias=None)                               mask also an array, bias of scores: see attcert.layer
    certify(module, x, mask=None, head=None, assume=None)   a torch module, of a class in attcert.layer_of's list
    certify(layer, x)                                of attcert.layer or attcert.load(...).layer
    certify(.., context=z, by="queries")             cross-attention: keys and values are of the tokens z, (m, d_z)

    x (n, d) or (1, n, d); weights as in attcert.layer. Options: tolerance (relative width to reach; None: what the
    engine gives), engine ("auto", "mpfr", "dense", "deflated", "pointwise", "random"), failure (the probability that
    random starts mislead the engine random; 2^-100), seed (of its random bits; None: the system's), precision (bits),
    threads, memory_limit (bytes, or text such as "2G"), scratch (a folder for what memory does not hold), progress (a
    function of (stage, done), or True for a bar by tqdm), tokens (the Tokens that x is of, for the report), context and
    by: of what the derivative is, "queries" (x), "context" (z) or "both", whose vector has the rows of x, then those of
    z, zeros behind the shorter ones; of a module they are for torch.nn.MultiheadAttention.

    ValueError, TypeError: bad input. ResourceError: memory did not reach; its `certificate` is the best valid
    enclosure."""
    one, at = taken("certify", x, q, k, v, {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias,
                                            "v_bias": v_bias, "o_bias": o_bias, "mask": mask, "head": head,
                                            "bias": bias, "assume": assume})
    run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
    return one._certify(run, at, tokens, context, by)


@named
def bounds(x: Asked, q: Array, k: Optional[Array] = None, v: Optional[Array] = None, *, radius: float = 0.0,
           heads: Optional[int] = None, o: Optional[Array] = None, q_bias: Optional[Array] = None,
           k_bias: Optional[Array] = None, v_bias: Optional[Array] = None, o_bias: Optional[Array] = None,
           mask: Union[Mask, Array, None] = None, head: Optional[int] = None, bias: Optional[Array] = None,
           assume: Optional[Assumed] = None, tokens: Optional[Tokens] = None, tolerance: Optional[float] = None,
           engine: Optional[Engine] = None, failure: Optional[float] = None, seed: Optional[int] = None,
           precision: Optional[int] = None, threads: Optional[int] = None, memory_limit: Optional[Size] = None,
           scratch: Optional[Path] = None, progress: Progress = None) -> Certificate:
    """As certify, with the theory's bounds T1 - T10 in `bounds`, on the ball of `radius` around 0 for each token; 0:
    the smallest that holds the tokens."""
    one, at = taken("bounds", x, q, k, v, {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias,
                                           "v_bias": v_bias, "o_bias": o_bias, "mask": mask, "head": head,
                                           "bias": bias, "assume": assume})
    run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
    return one._bounds(run, at, radius, tokens)


@named
def check(x: Asked, q: Array, k: Optional[Array] = None, v: Optional[Array] = None, *, estimate: Union[float, str],
          vector: Optional[Array] = None, slack: Optional[float] = None, dtype: Any = None,
          heads: Optional[int] = None, o: Optional[Array] = None, q_bias: Optional[Array] = None,
          k_bias: Optional[Array] = None, v_bias: Optional[Array] = None, o_bias: Optional[Array] = None,
          mask: Union[Mask, Array, None] = None, head: Optional[int] = None, bias: Optional[Array] = None,
          assume: Optional[Assumed] = None, context: Optional[Array] = None, by: Optional[By] = None,
          tokens: Optional[Tokens] = None, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
          failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
          threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
          progress: Progress = None) -> Check:
    """As certify, and sets someone else's estimate beside the enclosure: a number, or the decimal or hexadecimal text
    of one. vector: the direction it came from, of the shape of x; slack: the relative distance at which it still counts
    as consistent, 0 unless given; or dtype, "float64", "float32", "float16" or "bfloat16" (or numpy's or torch's),
    which it was computed in: what the rounding of that format explains, by a model that is no bound (`attcert check
    --dtype`)."""
    one, at = taken("check", x, q, k, v, {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias,
                                          "v_bias": v_bias, "o_bias": o_bias, "mask": mask, "head": head,
                                          "bias": bias, "assume": assume})
    run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
    return one._check(run, at, estimate, vector, slack, dtype, tokens, context, by)


@named
def ball(x: Asked, q: Array, k: Optional[Array] = None, v: Optional[Array] = None, *, radius: float,
         kind: Kind = "sequence", words: Words = "all", heads: Optional[int] = None, o: Optional[Array] = None,
         q_bias: Optional[Array] = None, k_bias: Optional[Array] = None, v_bias: Optional[Array] = None,
         o_bias: Optional[Array] = None, mask: Union[Mask, Array, None] = None, head: Optional[int] = None,
         bias: Optional[Array] = None, assume: Optional[Assumed] = None, tokens: Optional[Tokens] = None,
         tolerance: Optional[float] = None, engine: Optional[Engine] = None, failure: Optional[float] = None,
         seed: Optional[int] = None, precision: Optional[int] = None, threads: Optional[int] = None,
         memory_limit: Optional[Size] = None, scratch: Optional[Path] = None, progress: Progress = None) -> Ball:
    """As certify, and encloses the largest local constant of all inputs within `radius` of x. kind: "sequence"
    (Frobenius norm), "token" (every token by at most radius) or "entry" (every number); words: the tokens that
    move, "all", a number, or a list of numbers and, where the Tokens are given, of words that occur once."""
    one, at = taken("ball", x, q, k, v, {"heads": heads, "o": o, "q_bias": q_bias, "k_bias": k_bias,
                                         "v_bias": v_bias, "o_bias": o_bias, "mask": mask, "head": head,
                                         "bias": bias, "assume": assume})
    run = Run(tolerance, engine, failure, seed, precision, threads, memory_limit, scratch, progress)
    return one._ball(run, at, radius, kind, words, tokens)
