"""Whether an input of a ball changes a network's answer."""

import math
from typing import Any, Optional

from .arrays import Doubles
from .labels import ROW, Labels
from .picture import enclosure_svg
from .reports import Report, flat, interval, outward
from .tokens import Tokens


class Robustness(Labels, Report):
    """Whether an input of a ball changes a network's answer.

    verdict          "certified" (none does, proved), "refuted" (`counterexample` does) or "undecided"
    head             str, what reads the last hidden states: "sequence classification, token 0: .."
    token            int, the one whose scores these are
    label, rival     int, the answer and the class that is closest; multi-label: the one asked about (None: all) and the
                     one whose sign is closest to changing
    label_name, rival_name  str, of config.json's id2label, or None
    signs            of multi-label classifiers: {label: whether its score is positive}, else None
    margin           (lower, upper), of the answer's logit over the rival's at the input
    gradient         (lower, upper), of the norm of the margin's gradient there
    certified        float, a radius within which no input changes the answer, rounded down; 0: none
    refuted          float, a radius within which one does, rounded up; infinity: none was found
    first_order      float, margin / ||gradient||: an estimate
    counterexample   (n, d) array, or None
    tokens           Tokens that were asked about, or None"""

    def __init__(self, report: str, text: str = "", verdict: Optional[str] = None,
                 counterexample: Optional[Doubles] = None, tokens: Optional[Tokens] = None):
        super().__init__(report, text or report)
        told = self.to_dict()
        self.counterexample, self.tokens = counterexample, tokens
        self._take(told)
        self.head: str = told["head"]
        self.gradient = interval(told.get("gradient_norm", (None, None)))
        self.certified, self.refuted = _radii(told)
        self.first_order = math.inf if told["first_order_radius"] is None else float(told["first_order_radius"])
        signs = {of["label"]: of["positive"] for of in told["answer"]} if "answer" in told else None
        self.signs: Optional[dict[int, Optional[bool]]] = signs
        self.verdict: str = verdict if verdict is not None else _verdict(told, self.certified, self.refuted)

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        told = self.to_dict()
        return [{"verdict": self.verdict, "certified": self.certified, "refuted": self.refuted,
                 **flat(told, "token", *ROW, "gradient_norm")}]

    def _repr_html_(self) -> str:
        """The certified and the refuted radius on a logarithmic axis, and the report."""
        return enclosure_svg(self._summary(), (self.certified, self.refuted), self.first_order, {}, self._text)

    def _summary(self) -> str:
        label = "signs" if self.label is None else self.label if self.label_name is None else self.label_name
        flips = f", flips within {outward(self.refuted, True)}" if math.isfinite(self.refuted) else ""
        return f"{self.verdict}, label {label} within {outward(self.certified, False)}{flips}"


def _radii(told: dict[str, Any]) -> tuple[float, float]:
    """The certified radius and the refuted one; of a box or of choices 1 and 0, where they are there."""
    certified, refuted = told["radius_certified"], told["radius_refuted"]
    for region in ("box", "synonyms"):
        if f"{region}_certified" in told:
            certified = 1.0 if told[f"{region}_certified"] else None
            refuted = 0.0 if told[f"{region}_refuted"] else None
    return 0.0 if certified is None else float(certified), math.inf if refuted is None else float(refuted)


def _verdict(told: dict[str, Any], certified: float, refuted: float) -> str:
    """Of a report, as the exit status of `attcert robust` has it."""
    if certified > 0.0:
        return "certified"
    return "refuted" if math.isfinite(refuted) and (told["radius"] is not None or refuted == 0.0) else "undecided"
