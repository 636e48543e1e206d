"""Whose scores an answer compares, as reports of networks say it."""

from typing import Any, Optional

from .reports import interval


class Labels:
    """token, label, rival, label_name, rival_name and margin of a report, as the classes that have them describe."""

    token: Optional[int]
    label: Optional[int]
    rival: Optional[int]
    label_name: Optional[str]
    rival_name: Optional[str]
    margin: tuple[float, float]

    def _take(self, told: dict[str, Any]) -> None:
        self.token, self.label, self.rival = told["token"], told["label"], told["rival"]
        self.label_name, self.rival_name = told["label_name"], told["rival_name"]
        self.margin = interval(told["margin"])


ROW = ("label", "label_name", "rival", "rival_name", "margin")  # in rows
