"""The enclosure of a number beside an estimate and bounds, as a picture for notebooks."""

import html
import math

_WIDTH, _MARGIN, _AXIS, _ROWS, _BEYOND = 640, 30, 90, 5, 4


class _Axis:
    """A logarithmic axis of the powers of ten around the numbers that are positive, and of none of the bounds that are
    more than _BEYOND powers above the rest; what is outside is at its ends."""

    def __init__(self, numbers: list[float], bounds: list[float]):
        known = [value for value in numbers if 0.0 < value < math.inf] or [1.0]
        most = math.log10(max(known)) + _BEYOND
        known += [value for value in bounds if 0.0 < value < math.inf and math.log10(value) < most]
        self.first = math.floor(math.log10(min(known)))
        self.last = min(math.floor(math.log10(max(known))) + 1, 308)

    def place(self, value: float) -> float:
        """Where a number is."""
        share = (math.log10(value) - self.first) / (self.last - self.first) if 0.0 < value < math.inf else value > 0.0
        return _MARGIN + min(max(float(share), 0.0), 1.0) * (_WIDTH - 2 * _MARGIN)

    def is_beyond(self, value: float) -> bool:
        """Whether the axis ends before it."""
        return value > 10.0**self.last

    def draw(self) -> list[str]:
        """Its line and its powers."""
        parts = [f'<line x1="{_MARGIN}" y1="{_AXIS}" x2="{_WIDTH - _MARGIN}" y2="{_AXIS}" stroke="currentColor"/>']
        for power in range(self.first, self.last + 1, max(1, (self.last - self.first) // 8)):
            at = self.place(10.0**power) if power >= -323 else float(_MARGIN)
            parts.append(f'<line x1="{at:.1f}" y1="{_AXIS}" x2="{at:.1f}" y2="{_AXIS + 5}" stroke="currentColor"/>'
                         f'<text x="{at:.1f}" y="{_AXIS + 18}" text-anchor="middle">1e{power}</text>')
        return parts


def _draw_bounds(axis: _Axis, bounds: dict[str, float]) -> list[str]:
    """A mark for each, its name in the first row that has room."""
    parts, ends = [], [-math.inf] * _ROWS
    finite = {name: value for name, value in bounds.items() if math.isfinite(value)}
    for name, value in sorted(finite.items(), key=lambda item: item[1]):
        at = axis.place(value)
        row = next((i for i, end in enumerate(ends) if at - end > 24), ends.index(min(ends)))
        ends[row] = at
        parts.append(f'<line x1="{at:.1f}" y1="{_AXIS - 18}" x2="{at:.1f}" y2="{_AXIS}" stroke="#777"/>'
                     f'<text x="{at:.1f}" y="{_AXIS - 22 - 13 * row}" text-anchor="middle">{html.escape(name)}'
                     f'{"&#8594;" if axis.is_beyond(value) else ""}<title>{value!r}</title></text>')
    return parts


def enclosure_svg(caption: str, ends: tuple[float, float], estimate: float, bounds: dict[str, float],
                  report: str) -> str:
    """HTML of an SVG, the enclosure as a bar, the estimate as a triangle, above a report that unfolds."""
    axis = _Axis([*ends, estimate], list(bounds.values()))
    left, right = axis.place(ends[0]), axis.place(ends[1])
    parts = axis.draw() + _draw_bounds(axis, bounds)
    parts.append(f'<rect x="{left - 1:.1f}" y="{_AXIS - 14}" width="{max(right - left, 0.0) + 2:.1f}" height="14" '
                 f'fill="#0b6bcb"><title>certified: {ends[0]!r} to {ends[1]!r}</title></rect>')
    if math.isfinite(estimate):
        parts.append(f'<path d="M{axis.place(estimate):.1f} {_AXIS + 1} l-4 7 h8 z" fill="#c2410c">'
                     f'<title>estimate, not certified: {estimate!r}</title></path>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {_AXIS + 24}" '
            f'style="max-width:{_WIDTH}px" font-size="11" font-family="sans-serif" fill="currentColor">'
            f'<title>{html.escape(caption)}</title>{"".join(parts)}</svg>'
            f'<details><summary>{html.escape(caption)}</summary><pre>{html.escape(report)}</pre></details>')
