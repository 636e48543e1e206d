"""What a run on a layer found."""

import math
from ctypes import byref, c_void_p
from typing import Any, NamedTuple, Optional, TypeVar

from . import library
from .arrays import Doubles, copied
from .library import Handle, text_of
from .picture import enclosure_svg
from .reports import Report, end_of, outward
from .run import Run


class Bound(NamedTuple):
    """A bound of the theory: `value` is rounded outward, NaN where there is none; `applies` says where it holds, or why
    there is none; `is_lower`: it bounds a constant on the ball from below."""

    value: float
    is_lower: bool
    title: str
    applies: str


_NORMS = {"queries": "||D_X f||_2", "context": "||D_Z f||_2", "both": "||[D_X f, D_Z f]||_2"}
_Result = TypeVar("_Result", bound="Certificate")


class Certificate(Report):
    """An enclosure lower <= ||D_X f||_2 <= upper of a layer's local Lipschitz constant (l2 norms), proved for the
    stored numbers in exact arithmetic.

    lower, upper      float, rounded outward
    estimate          float, by power iteration: not certified
    vector            (n, d) array, the direction whose image certifies `lower`; None: read from JSON, which has none
    relative_width    float, rounded up
    engine, plan      str, the engine of the upper end, and what was planned
    failure_log2      float, log2 of the probability, over the random bits of the engine random, that `upper` is wrong;
                      -inf: it holds without exception
    tolerance_met     bool, true when none was asked
    incomplete        str, why the run ended early; None: it did not
    bounds            dict of Bound by name ("T1"), of attcert.bounds
    note              str, how the input and a module were understood; None: as they are"""

    vector: Optional[Doubles] = None
    note: Optional[str] = None

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text or report)
        told = self.to_dict()
        ends = told["lipschitz"]
        self.lower: float = end_of(ends["lower_hex"], False)
        self.upper: float = end_of(ends["upper_hex"], True)
        self.estimate: float = math.nan if told["estimate"] is None else float(told["estimate"])
        self.relative_width: float = math.nan if ends["relative_width"] is None else float(ends["relative_width"])
        self.engine: str = told["engine"]
        self.plan: str = told["plan"]
        self.failure_log2: float = told.get("probability", {}).get("failure_log2", -math.inf)
        self.precision: int = told["precision_bits"]
        self.tolerance_met: bool = told["tolerance_met"]
        self.incomplete: Optional[str] = told.get("incomplete")
        self.bounds = {bound["id"]: _bound(bound) for bound in told.get("bounds", [])}

    @classmethod
    def _of(cls: type[_Result], handle: Handle, note: Optional[str] = None) -> _Result:
        """Of a result of the library."""
        made = cls(text_of("result_json", handle) or "", text_of("result_text", handle) or "")
        made.vector, made.note = copied("result_vector", handle), note
        return made

    def rows(self) -> list[dict[str, Any]]:
        """One row, with a column for each bound."""
        told = self.to_dict()
        sides = {name: told["layer"].get(name) for name in ("n", "d", "heads", "head_dim", "mask")}
        return [{**sides, "lower": self.lower, "upper": self.upper, "relative_width": self.relative_width,
                 "estimate": self.estimate, "engine": self.engine, "failure_log2": self.failure_log2,
                 **{name: bound.value for name, bound in self.bounds.items()}}]

    def _repr_html_(self) -> str:
        """The enclosure, the estimate and the bounds on a logarithmic axis, and the report."""
        marks = {name: bound.value for name, bound in self.bounds.items()}
        return enclosure_svg(self._summary(), (self.lower, self.upper), self.estimate, marks, self._text)

    def _summary(self) -> str:
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


def _bound(told: dict[str, Any]) -> Bound:
    value = told.get("upper", told.get("lower"))
    return Bound(math.nan if value is None else value, "lower" in told or told["title"].startswith("lower bound"),
                 told["title"], told["applies"])


class Check(Certificate):
    """A certificate, and what it says of an estimate.

    verdict      "inside", "below" or "above" the enclosure
    consistent   bool, whether the estimate can be true
    gap          float, its relative distance from the enclosure, rounded up
    slack        float, the distance at which it counts as consistent
    within_rounding_of  str, the finest format whose rounding explains the gap, such as "float32"; None: inside, or none
    direction    (lower, upper), the certified value of the vector that was given; None: none was"""

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text)
        told = self.to_dict()["check"]
        self.verdict: str = told["verdict"]
        self.consistent: bool = told["consistent"]
        self.gap: float = math.inf if told["relative_gap"] is None else told["relative_gap"]
        self.slack: float = told["slack"]
        self.within_rounding_of: Optional[str] = told["within_rounding_of"]
        ends = told.get("vector")
        self.direction = None if ends is None else (float(ends["lower"]), float(ends["upper"]))

    def rows(self) -> list[dict[str, Any]]:
        """One row, the verdict in it."""
        told = self.to_dict()["check"]
        return [{**row, **{name: told[name] for name in ("verdict", "consistent", "relative_gap", "slack")},
                 "checked": told["estimate"]} for row in super().rows()]

    def _summary(self) -> str:
        return f"the estimate is {self.verdict}, {'consistent' if self.consistent else 'refuted'}, {super()._summary()}"


class Ball(Certificate):
    """A certificate at X, and an enclosure of the largest local constant of the ball around it:
    ||f(Y) - f(Z)|| <= ball_upper ||Y - Z|| for all Y, Z in it.

    ball_lower, ball_upper   float, rounded outward; NaN where memory did not reach for it (`ball_missing` says why)
    ball_input               (n, d) array, an input of the ball whose constant is at least ball_lower; None as `vector`
    theorem                  str, what the upper end rests on
    radius                   float"""

    ball_input: Optional[Doubles] = None

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text)
        told = self.to_dict().get("ball", {})
        self.radius: float = told.get("radius", math.nan)
        self.ball_missing: Optional[str] = None
        known = "lower_hex" in told
        self.ball_lower = end_of(told["lower_hex"], False) if known else math.nan
        self.ball_upper = end_of(told["upper_hex"], True) if known else math.nan
        self.theorem: Optional[str] = told.get("upper_by")

    @classmethod
    def _of(cls: type[_Result], handle: Handle, note: Optional[str] = None) -> _Result:
        made: Any = super()._of(handle, note)
        made.ball_input = copied("result_ball_input", handle)
        made.ball_missing = text_of("result_ball_missing", handle)
        return made  # type: ignore[no-any-return]

    def rows(self) -> list[dict[str, Any]]:
        """One row, the ball's ends in it."""
        return [{**row, "radius": self.radius, "ball_lower": self.ball_lower, "ball_upper": self.ball_upper,
                 "theorem": self.theorem} for row in super().rows()]

    def _summary(self) -> str:
        ends = f"{outward(self.ball_lower, False)} <= sup ||D_X' f||_2 <= {outward(self.ball_upper, True)}"
        return f"{ends} within {self.radius!r}, at X: {super()._summary()}"


def found(run: Run, name: str, kind: type[_Result], note: Optional[str], *arguments: Any) -> _Result:
    """Runs a function of the library that makes a result; what kind it is, and its note. ResourceError: ended early,
    with the object as its certificate."""
    result = c_void_p()

    def taken() -> _Result:
        return kind._of(Handle("a result", result.value, "result_free"), note)

    try:
        run.call(name, byref(result), *arguments, allowed=(library.OK, library.NEGATIVE))
    except library.ResourceError as reason:
        if result.value:
            reason.certificate = taken()
        raise
    return taken()
