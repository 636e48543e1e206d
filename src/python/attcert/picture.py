"""The enclosure of a number beside an estimate and bounds, as a picture for notebooks."""

import html
import math

_WIDTH, _MARGIN, _AXIS = 640, 30, 62


def enclosure_svg(caption: str, ends: tuple[float, float], estimate: float, bounds: dict[str, float],
                  report: str) -> str:
    """HTML of an SVG with a logarithmic axis (one of no length where a number is 0), above a report that unfolds."""
    numbers = [value for value in (*ends, estimate, *bounds.values()) if 0.0 < value < math.inf]
    least, most = (min(numbers), max(numbers)) if numbers else (1.0, 1.0)
    first, last = math.floor(math.log10(least)), math.floor(math.log10(most)) + 1

    def place(value: float) -> float:
        share = (math.log10(value) - first) / (last - first) if 0.0 < value < math.inf else float(value > 0.0)
        return _MARGIN + share * (_WIDTH - 2 * _MARGIN)

    step = max(1, (last - first) // 8)
    parts = [f'<line x1="{_MARGIN}" y1="{_AXIS}" x2="{_WIDTH - _MARGIN}" y2="{_AXIS}" stroke="currentColor"/>']
    for power in range(first, last + 1, step):
        at = place(10.0**power)
        parts.append(f'<line x1="{at:.1f}" y1="{_AXIS}" x2="{at:.1f}" y2="{_AXIS + 5}" stroke="currentColor"/>'
                     f'<text x="{at:.1f}" y="{_AXIS + 18}" text-anchor="middle">1e{power}</text>')
    left, right = place(ends[0]), place(ends[1])
    parts.append(f'<rect x="{left - 1:.1f}" y="{_AXIS - 14}" width="{max(right - left, 0.0) + 2:.1f}" height="14" '
                 f'fill="#0b6bcb"><title>certified: {ends[0]!r} to {ends[1]!r}</title></rect>')
    if math.isfinite(estimate):
        at = place(estimate)
        parts.append(f'<path d="M{at:.1f} {_AXIS + 1} l-4 7 h8 z" fill="#c2410c"><title>estimate, not certified: '
                     f'{estimate!r}</title></path>')
    rows = [-math.inf] * 3
    for name, value in sorted(bounds.items(), key=lambda item: item[1] if item[1] == item[1] else math.inf):
        if math.isfinite(value):
            at = place(value)
            row = next((i for i, end in enumerate(rows) if at - end > 24), 0)
            rows[row] = at
            parts.append(f'<line x1="{at:.1f}" y1="{_AXIS - 12}" x2="{at:.1f}" y2="{_AXIS}" stroke="#555"/>'
                         f'<text x="{at:.1f}" y="{_AXIS - 16 - 13 * row}" text-anchor="middle">{html.escape(name)}'
                         f'<title>{value!r}</title></text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {_AXIS + 24}" '
            f'style="max-width:{_WIDTH}px" font-size="11" font-family="sans-serif" fill="currentColor">'
            f'<title>{html.escape(caption)}</title>{"".join(parts)}</svg>'
            f'<details><summary>{html.escape(caption)}</summary><pre>{html.escape(report)}</pre></details>')
