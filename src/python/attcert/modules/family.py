"""What is known of a class of modules: Family, and how its parameters are read."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Optional
from typing import Any

import numpy

from ..arrays import as_double
from .part import Part


@dataclass(frozen=True)
class Family:
    """Classes with the same parameters and the same function.

    name          for `assume`
    part          what such a module consists of
    read          read(parameters, module): the weights as arguments of attcert.layer, with `heads`, and `size`, the
                  dimension of a head
    run           run(module, x, mask): its output (n, out) at the tensor x (n, d), without what `meaning` leaves out;
                  mask (1, 1, n, n) is added to the scores
    mask          mask(module, given): "none" or "causal". ValueError: it is not what the module does
    upcasts       whether the module may compute scores and weights of attention in float32
    meaning       what is certified where that is not all that the module computes
    cross         cross(module, x, context): the same where keys and values are of a context; None: it has none"""

    name: str
    part: Part
    read: Callable[..., Any]
    run: Callable[..., Any]
    mask: Callable[..., Any]
    upcasts: bool = True
    meaning: Optional[str] = None
    cross: Optional[Callable[..., Any]] = None


class Parameters:
    """The parameters of a module by name; `unread` are those that nobody asked for."""

    def __init__(self, module: Any) -> None:
        self._module = module
        self._read: set[str] = set()
        self._named = dict(module.named_parameters())

    def __call__(self, name: str) -> Any:
        """The parameter, or None."""
        self._read.add(name)
        if name in self._named:
            return self._named[name]
        value = self._module  # named_parameters lists a tensor that has two names once
        for part in name.split("."):
            value = getattr(value, part, None)
        return value

    def linear(self, prefix: str = "", **names: str) -> Any:
        """The weights and biases of linear maps, q="query" as the arguments q and q_bias of attcert.layer."""
        found = {}
        for part, name in names.items():
            found[part], found[f"{part}_bias"] = self(f"{prefix}{name}.weight"), self(f"{prefix}{name}.bias")
        return found

    @property
    def unread(self) -> Any:
        """The names of the others."""
        return sorted(set(self._named) - self._read)


def first_output(result: Any) -> Any:
    """The output of a batch of one, (n, out), of what a module returns: a tensor, or a tuple that begins with it."""
    return (result[0] if isinstance(result, (tuple, list)) else result)[0]


def called_with_mask(module: Any, x: Any, mask: Any) -> Any:
    """Runs a module of (x, attention_mask)."""
    return first_output(module(x[None], attention_mask=mask))


def thirds(name: str, whole: Any) -> Any:
    """q, k and v of a parameter that holds them one after the other."""
    if whole is None:
        return {}
    side = whole.shape[0] // 3
    return {f"{part}{name}": whole[i * side:(i + 1) * side] for i, part in enumerate("qkv")}


def rescaled(arrays: Any, square: int, divisor: int = 1) -> Any:
    """The layer whose scores are those of `arrays` times sqrt(square) / divisor, which q takes.

    ValueError: this is no power of two, so that q would have to be rounded."""
    root = round(square**0.5)
    factor = Fraction(root, divisor)
    powers = all(n & (n - 1) == 0 for n in (factor.numerator, factor.denominator))
    if root * root != square or not powers:
        raise ValueError(f"its scores are those of the layer times sqrt({square}) / {divisor}, expected a power of two")
    scaled = dict(arrays)
    for name in ("q", "q_bias"):
        if arrays.get(name) is not None:
            exact = as_double(name, arrays[name], name == "q_bias")
            scaled[name] = exact * float(factor)
            if not numpy.array_equal(scaled[name] / float(factor), exact):
                raise ValueError(f"{name}: too small or too large to be multiplied by {factor}")
    return scaled


def never_masked(module: Any, given: Optional[str]) -> Any:
    """The mask of a module that cannot be given one."""
    if given == "causal":
        raise ValueError("mask: it takes no mask, expected none")
    return "none"


def always_causal(module: Any, given: Optional[str]) -> Any:
    """The mask of a module that lets no token see a later one."""
    if given == "none":
        raise ValueError("mask: it is causal, expected causal")
    return "causal"


def given_by_caller(module: Any, given: Optional[str]) -> Any:
    """The mask of a module that is called with one: that of its configuration, where it says."""
    decoder, causal = getattr(module, "is_decoder", False), getattr(module, "is_causal", None)
    if decoder and causal is False:
        raise ValueError("is_decoder without is_causal: cross-attention, expected self-attention")
    if causal and given == "none":
        raise ValueError("is_causal: its tokens see no later ones, expected mask=\"causal\"")
    if given is None and (decoder or causal):
        raise ValueError("a decoder's attention, which a model calls with a mask: expected mask=\"causal\" or "
                         "mask=\"none\"")
    return given or "none"


def explicit(module: Any, given: Optional[str]) -> Any:
    """The mask of a module of which models use both kinds."""
    if given is None:
        raise ValueError("models call it with and without a causal mask: expected mask=\"causal\" or mask=\"none\"")
    return given
