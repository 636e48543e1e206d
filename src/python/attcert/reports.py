"""What all results share: the report of the command line, as text, as JSON, in one line and as rows."""

import json
import math
import sys
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any


class Report:
    """A result: str() is the report of the command line for people, repr() one line."""

    def __init__(self, report: str, text: str):
        self._json, self._text = report, text

    def to_json(self) -> str:
        """The report of the command line, JSON of the schema attcert/COMMAND/1; attcert.from_json reads it."""
        return self._json

    def to_dict(self) -> dict[str, Any]:
        """The same, parsed."""
        report: dict[str, Any] = json.loads(self._json)
        return report

    def rows(self) -> list[dict[str, Any]]:
        """Rows of numbers and names, as pandas.DataFrame takes them; here one."""
        raise NotImplementedError

    def _summary(self) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<attcert: {self._summary()}>"


def outward(value: float, up: bool) -> str:
    """The number with 12 significant digits, rounded up or down: what is printed is an end as well."""
    if not math.isfinite(value) or value == 0.0:
        return repr(value)
    exact = Decimal(value)
    unit = Decimal(1).scaleb(exact.adjusted() - 11)
    rounded = exact.quantize(unit, ROUND_CEILING if up else ROUND_FLOOR, Context(prec=40))
    return f"{float(rounded):.12g}"


def end_of(hexadecimal: str, up: bool) -> float:
    """The double at or outward of a nonnegative end as reports write it, such as "0x1.8p-3"."""
    if "p" not in hexadecimal:
        return float(hexadecimal)
    digits, _, exponent = hexadecimal[2:].partition("p")
    whole, _, part = digits.partition(".")
    mantissa, power = int(whole + part, 16), int(exponent) - 4 * len(part)
    if mantissa == 0:
        return 0.0
    top = mantissa.bit_length() + power
    if top > sys.float_info.max_exp:
        return math.inf if up else sys.float_info.max
    if top < -1073:
        return math.ulp(0.0) if up else 0.0
    exact = Fraction(mantissa) * Fraction(2) ** power
    nearest = float(exact)
    if (Fraction(nearest) < exact) if up else (Fraction(nearest) > exact):
        return math.nextafter(nearest, math.inf if up else 0.0)
    return nearest


def interval(ends: Any) -> tuple[float, float]:
    """The ends of an enclosure in a report; null is none."""
    low, high = ends
    return -math.inf if low is None else low, math.inf if high is None else high


def flat(report: dict[str, Any], *names: str) -> dict[str, Any]:
    """Entries of a report as those of a row: pairs as NAME_lower and NAME_upper."""
    row: dict[str, Any] = {}
    for name in names:
        value = report.get(name)
        if isinstance(value, (list, tuple)) and len(value) == 2:
            row[f"{name}_lower"], row[f"{name}_upper"] = interval(value)
        else:
            row[name] = value
    return row
