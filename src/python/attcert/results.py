"""What a run found."""

import json
import math
from ctypes import byref, c_void_p
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import NamedTuple, Optional

from . import library
from .arrays import copied
from .library import Handle, call, text_of


def outward(value: float, up: bool) -> str:
    """The number with 12 significant digits, rounded up or down: what is printed is an end as well."""
    if not math.isfinite(value) or value == 0.0:
        return repr(value)
    exact = Decimal(value)
    unit = Decimal(1).scaleb(exact.adjusted() - 11)
    rounded = exact.quantize(unit, ROUND_CEILING if up else ROUND_FLOOR, Context(prec=40))
    return f"{float(rounded):.12g}"


class Bound(NamedTuple):
    """A bound of the theory: `value` is rounded outward, NaN where there is none; `applies` says where it holds, or why
    there is none; `is_lower`: it bounds a constant on the ball from below."""

    value: float
    is_lower: bool
    title: str
    applies: str


_NORMS = {"queries": "||D_X f||_2", "context": "||D_Z f||_2", "both": "||[D_X f, D_Z f]||_2"}


class Certificate:
    """An enclosure lower <= ||D_X f||_2 <= upper of a layer's local Lipschitz constant (l2 norms), proved for the
    stored numbers in exact arithmetic.

    lower, upper      float, rounded outward
    estimate          float, by power iteration: not certified
    vector            (n, d) array, the direction whose image certifies `lower`
    relative_width    float, rounded up
    engine, plan      str, the engine of the upper end, and what was planned
    failure_log2      float, log2 of the probability, over the random bits of the engine random, that `upper` is wrong;
                      -inf: it holds without exception
    tolerance_met     bool, true when none was asked
    incomplete        str, why the run ended early; None: it did not
    bounds            dict of Bound by name ("T1"), of attcert.bounds
    ball              Ball, of attcert.ball; None otherwise
    note              str, how the input and a module were understood; None: as they are"""

    def __init__(self, handle, note=None):
        get = lambda name: call("result_" + name, handle)  # noqa: E731
        self.lower: float = get("lower")
        self.upper: float = get("upper")
        self.estimate: float = get("estimate")
        self.relative_width: float = get("relative_width")
        self.vector = copied("result_vector", handle)
        self.engine: str = text_of("result_engine", handle)
        self.plan: str = text_of("result_plan", handle)
        self.failure_log2: float = get("failure_log2")
        self.precision: int = get("precision")
        self.tolerance_met: bool = get("tolerance_met")
        self.incomplete: Optional[str] = text_of("result_incomplete", handle)
        self.note = note
        self.bounds = {
            text_of("result_bound_id", handle, i): Bound(
                call("result_bound_value", handle, i), call("result_bound_is_lower", handle, i),
                text_of("result_bound_title", handle, i), text_of("result_bound_applies", handle, i))
            for i in range(get("bound_count"))
        }
        self._json = text_of("result_json", handle)
        self._text = text_of("result_text", handle)

    def to_json(self) -> str:
        """The report of the command line, JSON of the schema attcert/COMMAND/1."""
        return self._json

    def to_dict(self) -> dict:
        """The same, parsed."""
        return json.loads(self._json)

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<attcert: {self._summary()}>"

    def _summary(self):
        by = self.to_dict().get("layer", {}).get("context", {}).get("by", "queries")
        parts = [f"{outward(self.lower, False)} <= {_NORMS[by]} <= {outward(self.upper, True)}",
                 f"width {self.relative_width:.2g}", f"engine {self.engine}"]
        if math.isfinite(self.failure_log2):
            parts.append(f"but for probability 2^{outward(self.failure_log2, True)}")
        if not self.tolerance_met:
            parts.append("tolerance not met")
        if self.incomplete is not None:
            parts.append(f"ended early: {self.incomplete}")
        if self.note is not None:
            parts.append(self.note)
        return ", ".join(parts)


class Check(Certificate):
    """A certificate, and what it says of an estimate.

    verdict      "inside", "below" or "above" the enclosure
    consistent   bool, whether the estimate can be true
    gap          float, its relative distance from the enclosure, rounded up
    slack        float, the distance at which it counts as consistent
    within_rounding_of   str, the finest format whose rounding explains the gap, such as "float32"; None: inside, or none
    direction    (lower, upper), the certified value of the vector that was given; None: none was"""

    def __init__(self, handle, note=None):
        super().__init__(handle, note)
        self.verdict: str = text_of("result_verdict", handle)
        self.consistent: bool = call("result_consistent", handle)
        self.gap: float = call("result_gap", handle)
        self.slack: float = call("result_slack", handle)
        self.within_rounding_of = text_of("result_within_rounding_of", handle)
        ends = call("result_direction_lower", handle), call("result_direction_upper", handle)
        self.direction = None if math.isnan(ends[0]) else ends

    def _summary(self):
        return f"the estimate is {self.verdict}, {'consistent' if self.consistent else 'refuted'}, {super()._summary()}"


class Ball(Certificate):
    """A certificate at X, and an enclosure of the largest local constant of the ball around it:
    ||f(Y) - f(Z)|| <= ball_upper ||Y - Z|| for all Y, Z in it.

    ball_lower, ball_upper   float, rounded outward; NaN where memory did not reach for it (`ball_missing` says why)
    ball_input               (n, d) array, an input of the ball whose constant is at least ball_lower
    theorem                  str, what the upper end rests on
    radius                   float"""

    def __init__(self, handle, radius, note=None):
        super().__init__(handle, note)
        self.radius = radius
        self.ball_lower: float = call("result_ball_lower", handle)
        self.ball_upper: float = call("result_ball_upper", handle)
        self.ball_missing = text_of("result_ball_missing", handle)
        self.theorem = text_of("result_ball_theorem", handle)
        self.ball_input = copied("result_ball_input", handle)

    def _summary(self):
        ends = f"{outward(self.ball_lower, False)} <= sup ||D_X' f||_2 <= {outward(self.ball_upper, True)}"
        return f"{ends} within {self.radius!r}, at X: {super()._summary()}"


def found(run, name, kind, *arguments):
    """Runs a function of the library that makes a result; kind(handle) makes it an object. ResourceError: ended early,
    with the object as its certificate."""
    result = c_void_p()
    negative = library.NEGATIVE
    try:
        run.call(name, byref(result), *arguments, allowed=(library.OK, negative))
    except library.ResourceError as reason:
        if result.value:
            reason.certificate = kind(Handle("a result", result.value, "result_free"))
        raise
    return kind(Handle("a result", result.value, "result_free"))
