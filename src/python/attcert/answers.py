"""A network's certified answers at an input."""

import math
from typing import Any, Optional

from .labels import ROW, Labels
from .reports import Report, flat, interval
from .tokens import Tokens


class Answer(Labels):
    """A network's answer at one token.

    token            int, the one whose scores these are
    decided          bool, whether the answer is certain
    label, rival     int, the largest score's and the closest other one; multi-label: None, and the one whose sign is
                     closest to changing
    label_name, rival_name  str, of config.json's id2label, or None
    margin           (lower, upper), of the label's score over the largest other; multi-label: of the smallest from 0
    scores           [(label, (lower, upper))], the largest first
    signs            of multi-label classifiers: {label: True, False or None, where it is open}, else None"""

    def __init__(self, report: dict[str, Any]):
        self._take(report)
        self.decided: bool = report["decided"]
        self.scores = [(int(score["label"]), interval(score["score"])) for score in report["scores"]]
        signs = {score["label"]: score["positive"] for score in report["scores"] if "positive" in score}
        self.signs: Optional[dict[int, Optional[bool]]] = signs or None

    def __repr__(self) -> str:
        return f"<attcert: token {self.token}, label {self.label}, {'certain' if self.decided else 'undecided'}>"


class Prediction(Report):
    """A network's certified answers at an input.

    decided          bool, whether each of them is certain
    head             str, what reads the last hidden states
    answers          [Answer], one, or one for each token
    tokens           Tokens that were asked about, or None"""

    def __init__(self, report: str, text: str = "", tokens: Optional[Tokens] = None):
        super().__init__(report, text or report)
        self.tokens = tokens
        told = self.to_dict()
        self.decided: bool = told["decided"]
        self.head: str = told["head"]
        self.answers = [Answer(answer) for answer in told["answers"]]

    def rows(self) -> list[dict[str, Any]]:
        """A row for each answer."""
        return [flat(answer, "token", "decided", *ROW)
                for answer in self.to_dict()["answers"]]

    def _summary(self) -> str:
        certain = sum(answer.decided for answer in self.answers)
        return f"{certain} of {len(self.answers)} answers certain"


class Gradient(Labels, Report):
    """A network's margin at an input and the norm of its gradient by the words that move, enclosed.

    head             str, what reads the last hidden states
    token            int, the one whose scores these are
    label, rival     int, the answer and the class that is closest, as Robustness has them
    label_name, rival_name  str, of config.json's id2label, or None
    margin           (lower, upper), of the answer's score over the rival's
    gradient         (lower, upper), of the norm of the margin's gradient
    first_order      float, margin / gradient: an estimate of the radius that changes the answer"""

    def __init__(self, report: str, text: str = ""):
        super().__init__(report, text or report)
        told = self.to_dict()
        self._take(told)
        self.head: str = told["head"]
        self.gradient = interval(told["gradient_norm"])
        self.first_order = self.margin[0] / self.gradient[1] if self.gradient[1] > 0.0 else math.inf

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [flat(self.to_dict(), "token", *ROW, "gradient_norm")]

    def _summary(self) -> str:
        low, high = self.gradient
        return f"label {self.label}, margin {self.margin[0]:.6g}, {low:.6g} <= ||gradient|| <= {high:.6g}"
