"""The norm of any operator, from products with it."""

from collections.abc import Callable
from ctypes import byref, c_double
from typing import Any, NamedTuple, Optional

import numpy

from . import library
from .arguments import Size, integer, named, number
from .arrays import Array, Doubles
from .progress import Progress
from .run import Run


class Norm(NamedTuple):
    """lower <= ||A||_2 <= upper (floats, rounded outward). The upper end holds but for an event of probability at most
    `failure` over random bits of the library, whatever A is; `claim` says so in words. `tolerance_met`: true where none
    was asked."""

    lower: float
    upper: float
    failure: float
    tolerance_met: bool
    claim: str


@named
def norm(apply: Callable[[Doubles], Array], apply_transposed: Callable[[Doubles], Array], shape: tuple[int, int],
         error: Optional[float] = None, failure: float = 2.0**-100, *, tolerance: Optional[float] = None,
         seed: Optional[int] = None, memory_limit: Optional[Size] = None, progress: Progress = None) -> Norm:
    """Encloses the l2 norm of a matrix A of `shape` (rows, columns) that is known by products alone, at about the price
    of a power iteration.

    apply(x)              (rows, k) array A x of a (columns, k) array of float64, such as lambda x: a @ x
    apply_transposed(y)   (columns, k) array A^T y of a (rows, k) array
    error                 a number e with ||computed - A x|| <= e ||x|| for every column, and so for A^T; None: the
                          claim is about exact products
    failure               probability, over the library's random bits, that the upper end is wrong

    Options: tolerance (asked of upper / lower - 1; None: 1e-2), seed (of the random bits; None: the system's),
    memory_limit (bytes, or "2G"), progress(stage, done), or True. What a product raises ends the run and is raised."""
    for name, given in (("apply", apply), ("apply_transposed", apply_transposed)):
        if not callable(given):
            raise TypeError(f"{name}: of type {type(given).__name__}, expected a function of an array")
    try:
        rows, columns = (integer("shape", side, 1) for side in shape)
    except (TypeError, ValueError):
        raise TypeError(f"shape: {shape!r}, expected (rows, columns)") from None
    run = Run(tolerance, None, failure, seed, None, None, memory_limit, None, progress)

    def multiply(_: Any, y: Any, x: Any, count: int, transposed: bool) -> int:
        sides = (rows, columns) if transposed else (columns, rows)
        try:
            given = numpy.ctypeslib.as_array(x, (count, sides[0])).T
            found = numpy.asarray((apply_transposed if transposed else apply)(given), dtype=numpy.float64)
            if found.shape != (sides[1], count):
                raise ValueError(f"product: shape {found.shape}, expected {(sides[1], count)}")
            numpy.ctypeslib.as_array(y, (count, sides[1]))[:] = found.T
            return 0
        except BaseException as raised:  # noqa: B902 -- run.call raises it
            run.raised = raised
            return 1

    lower, upper = c_double(), c_double()
    slack = 0.0 if error is None else number("error", error)
    status = run.call("operator_norm", byref(lower), byref(upper), rows, columns, library.Product(multiply), None,
                      slack, allowed=(library.OK, library.NEGATIVE))
    of = "in exact arithmetic of the products" if error is None else f"for products within {error!r} ||x||"
    bits = "of the system" if seed is None else "of a seed that was not chosen by looking at results"
    claim = f"||A||_2 is enclosed {of}; the upper end holds but for an event of probability at most {failure!r} over " \
            f"random bits {bits}; nothing is assumed about A"
    return Norm(lower.value, upper.value, failure, status == library.OK, claim)
