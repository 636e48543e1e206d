"""Which pairs of tokens take part, and what is added to their scores."""

from typing import Any, Optional

import numpy
from numpy.typing import NDArray

from .arrays import Doubles, as_booleans, as_double, as_numpy

TAKES_PART = "True where a key takes part"


def is_name(mask: Any) -> bool:
    """Whether a mask is "none" or "causal", or none; ValueError: neither that nor an array."""
    if mask is None or isinstance(mask, str):
        if mask not in (None, "none", "causal"):
            raise ValueError(f"mask: expected none, causal or booleans, {TAKES_PART}, got {mask!r}")
        return True
    if isinstance(mask, (bool, int, float)):
        raise ValueError(f"mask: {mask!r}, expected \"none\", \"causal\" or an array of booleans, {TAKES_PART}")
    return False


def pairs_array(name: str, values: Any, boolean: bool, square: bool) -> NDArray[Any]:
    """A mask or bias of pairs as an array (m,), (n, m) or (heads, n, m), of booleans or of numbers; square: n is m."""
    array = as_booleans(name, values, TAKES_PART) if boolean else as_numpy(name, values)
    fits = array.shape[-1:] == array.shape[max(0, array.ndim - 2):][:1] or not square
    if array.ndim not in ((1, 2, 3) if boolean else (2, 3)) or not fits:
        n, m = "n", "n" if square else "m"
        hint = "; the entries of an input that move are mask_input" if boolean and square else ""
        raise ValueError(f"{name}: shape {array.shape}, expected {f'({m},), ' if boolean else ''}({n}, {m}) or "
                         f"(heads, {n}, {m}){hint}")
    return array if boolean else as_double(name, array.reshape(-1, array.shape[-1])).reshape(array.shape)


def score_bias(mask: Any, bias: Any, n: Optional[int] = None) -> Optional[Doubles]:
    """What is added to scores, -inf where the mask is False, rows of one head after the other; n: of tokens that ask
    those of a context; None: their own. None: nothing."""
    if mask is None and bias is None:
        return None
    added = numpy.zeros(()) if bias is None else pairs_array("bias", bias, False, n is None)
    allowed = numpy.ones((), bool) if mask is None else pairs_array("mask", mask, True, n is None)
    if allowed.ndim == 1:
        allowed = numpy.broadcast_to(allowed, (allowed.size if n is None else n, allowed.size))
    try:
        both: Doubles = numpy.where(allowed, added, -numpy.inf)
    except ValueError:
        raise ValueError(f"mask and bias: shapes {allowed.shape} and {added.shape} do not fit each other") from None
    return both.reshape(-1, both.shape[-1])
