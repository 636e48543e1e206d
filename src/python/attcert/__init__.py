"""Rigorous two-sided enclosures of the local Lipschitz constant of an attention layer.

    import attcert
    r = attcert.certify(x, q, k, v, heads=12, o=wo, mask="causal", tolerance=1e-6)
    r.lower, r.upper, r.estimate, r.vector

    attcert.certify(x, q, k, v, context=z, by="both")   # cross-attention
    attcert.certify(multihead_attention, x)          # torch.nn.MultiheadAttention and others: attcert.layer_of
    attcert.check(x, q, k, v, estimate=9.41, vector=u)
    attcert.bounds(x, q, k, v)                       # the bounds T1 - T10 of the theory
    attcert.ball(x, q, k, v, radius=1e-2)            # the largest constant of a ball around x
    attcert.norm(lambda x: a @ x, lambda y: a.T @ y, a.shape)   # of any operator, from products with it
    attcert.load("DIR").layer(3).certify(x)
    attcert.load("DIR").certify(3, x, "block")       # a whole layer, or network: Model.certify
    attcert.robust(attcert.load("DIR"), hidden, radius=0.1)
    attcert.load("DIR").predict(hidden, "all")       # the answer at each token, certified: Model.predict
    m = attcert.load("DIR"); attcert.robust(m, m.tokens("review.txt"), words=["film"])

Arrays are numpy's, or anything with __array__ or __dlpack__ (PyTorch); float64, float32, float16 and bfloat16 are taken
exactly; arrays that hold more than numbers (a mask) are refused. Bad input raises ValueError with the message of the
command line; what memory does not reach for, ResourceError; Ctrl-C, or an exception of the progress function, ends a
run. Long calls release the interpreter's lock.

The claim: the weights and inputs are exactly the numbers given; the enclosure is of the mathematical function in exact
arithmetic."""

from .layers import Layer, layer
from .library import AttcertError, FaultError, ResourceError, version
from .models import Answer, Model, Prediction, Robustness, load
from .modules import is_module, layer_of
from .norms import Norm, norm
from .results import Ball, Bound, Certificate, Check
from .tokens import Token, Tokens

__version__ = version()
__all__ = ["Answer", "AttcertError", "Ball", "Bound", "Certificate", "Check", "FaultError", "Layer", "Model", "Norm",
           "Prediction", "ResourceError", "Robustness", "Token", "Tokens", "ball", "bounds", "certify", "check",
           "layer", "layer_of", "load", "norm", "robust", "version"]

_WEIGHTS = ("heads", "o", "q_bias", "k_bias", "v_bias", "o_bias", "mask", "head", "bias", "assume")


def _taken(arguments, options):
    """The layer and the input of (x, q, k, v) or (module, x) or (layer, x), without their options."""
    own = {name: options.pop(name) for name in _WEIGHTS if name in options}
    first = arguments[0] if arguments else None
    if isinstance(first, Layer) or is_module(first):
        if len(arguments) != 2:
            raise TypeError(f"{len(arguments)} arguments, expected a layer and its input")
        if isinstance(first, Layer):
            if own:
                raise TypeError(f"'{next(iter(own))}' belongs to the layer, which is made already")
            return first, arguments[1]
        return layer_of(first, **own), arguments[1]
    if len(arguments) != 4:
        raise TypeError(f"{len(arguments)} arguments, expected (x, q, k, v), (module, x) or (layer, x)")
    return layer(*arguments[1:], **own), arguments[0]


def certify(*arguments, **options) -> Certificate:
    """Encloses the local Lipschitz constant ||D_X f||_2 of a layer at x.

    certify(x, q, k, v, heads=1, o=None, q_bias=None, k_bias=None, v_bias=None, o_bias=None, mask="none", head=None,
            bias=None)                               mask also an array, bias of scores: see attcert.layer
    certify(module, x, mask=None, head=None, assume=None)   a torch module, of a class in attcert.layer_of's list
    certify(layer, x)                                of attcert.layer or attcert.load(...).layer
    certify(.., context=z, by="queries")             cross-attention: keys and values are of the tokens z, (m, d_z)

    x (n, d) or (1, n, d); weights as in attcert.layer. Options: tolerance (relative width to reach; None: what the
    engine gives), engine ("auto", "mpfr", "dense", "deflated", "pointwise", "random"), failure (the probability that
    random starts mislead the engine random; 2^-100), seed (of its random bits; None: the system's), precision (bits),
    threads, memory_limit (bytes), scratch (a folder for what memory does not hold), progress(stage, done), tokens (the
    Tokens that x is of, for the report), context and by: of what the derivative is, "queries" (x), "context" (z) or
    "both", whose vector has the rows of x, then those of z, zeros behind the shorter ones; of a module they are for
    torch.nn.MultiheadAttention.

    ValueError: bad input. ResourceError: memory did not reach; its `certificate` is the best valid enclosure."""
    one, x = _taken(arguments, options)
    return one.certify(x, **options)


def bounds(*arguments, radius=0.0, **options) -> Certificate:
    """As certify, with the theory's bounds T1 - T10 in `bounds`, on the ball of `radius` around 0 for each token; 0:
    the smallest that holds the tokens."""
    one, x = _taken(arguments, options)
    return one.bounds(x, radius, **options)


def check(*arguments, estimate, vector=None, slack=None, dtype=None, **options) -> Check:
    """As certify, and sets someone else's estimate beside the enclosure. vector: the direction it came from, of
    the shape of x; slack: the relative distance at which it still counts as consistent, 0 unless given; or dtype,
    "float64", "float32", "float16" or "bfloat16", which it was computed in: what the rounding of that format explains,
    by a model that is no bound (`attcert check --dtype`)."""
    one, x = _taken(arguments, options)
    return one.check(x, estimate, vector, slack, dtype, **options)


def ball(*arguments, radius, kind="sequence", words="all", **options) -> Ball:
    """As certify, and encloses the largest local constant of all inputs within `radius` of x. kind: "sequence"
    (Frobenius norm), "token" (every token by at most radius) or "entry" (every number); words: the tokens that
    move, "all" or a list of numbers and, where the Tokens are given, of words that occur once."""
    one, x = _taken(arguments, options)
    return one.ball(x, radius, kind, words, **options)


def robust(model, hidden, radius=0.0, words="all", label=None, execution="exact", **options) -> Robustness:
    """Whether an input within `radius` of the hidden states (n, d) that enter layer 0 changes the model's answer;
    radius 0: searches for the largest that is certified. In place of the hidden states: Tokens, of the model's
    `tokens`. words: the tokens that move, "all" or a list of numbers and, of Tokens, of words that occur once; label:
    the class whose margin counts, number or name (multi-label: whose sign counts); execution: "exact", or every
    execution in "float64", "float32", "bfloat16" or "float16". Further options: token (the one to classify, of a
    classifier of tokens), architecture (the model's class, such as "GPT2LMHeadModel", where config.json names none or a
    bare model; by it the answer is the next token, a label, or the signs of several), kind (of
    ball, as in attcert.ball), norm (2, "inf" or 1: of all tokens together or of each, as kind says; None: 2, of entries
    "inf"), mask (booleans (n, d): the entries that move), relative, attack, ulp (attcert robust --help), memory_limit,
    progress. In place of a ball: box = (low, high), arrays (n, d) with the hidden states between them, or synonyms, a
    dict from a token's number to what may stand in its place: rows (k, d), or of Tokens a list of ids; certified is
    then 1 where every input of the box, or every combination, has the same answer; enumerate: how many combinations are
    enclosed one by one at most (beyond that by the hull of each token's rows). The hidden states are of tokens without
    padding."""
    return model.robust(hidden, radius, words, label, execution, **options)
