"""Makes the picture of docs/ratings.md:  python -m benchmarks.pictures

Plain SVG from a simulated league, seeded: the same picture each time.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from arbiter.ratings import intervals
from arbiter.ratings.deals import Deals, Group
from arbiter.ratings.points import least_squares
from benchmarks.leagues import league

WIDTH, HEIGHT = 720, 380
LEFT, RIGHT, TOP, BOTTOM = 70, 110, 30, 50
BLOCKS = (10, 20, 40, 80, 160, 320, 640, 1280)
TRUTH = np.array([-1.5, -0.9, 0.0, 0.3, 2.1])
COLOURS = ("#1b7837", "#7fbf7b", "#888888", "#af8dc3", "#762a83")
SPAN = 4.0


def first(deals: Deals, blocks: int) -> Deals:
    """The first blocks of a league."""
    [group] = deals.groups
    rows = group.block < blocks
    part = Group(group.bots[rows], group.points[rows], group.block[rows])
    return Deals(deals.names, (part,), blocks)


def shrinking() -> str:
    """Five bots' intervals as blocks come in, and where the truth is."""
    made = league(np.random.default_rng(12), 5, 4, BLOCKS[-1], truth=TRUTH)
    step = (WIDTH - LEFT - RIGHT) / (len(BLOCKS) - 1)

    def y(points: float) -> float:
        inside = min(SPAN, max(-SPAN, points))
        return TOP + (SPAN - inside) / (2 * SPAN) * (HEIGHT - TOP - BOTTOM)

    parts = [_text(LEFT - 45, TOP - 12, "points per deal against the field (lower is better)")]
    for points in range(-4, 5, 2):
        parts.append(_line(LEFT - 10, y(points), WIDTH - RIGHT + 20, y(points), "#dddddd"))
        parts.append(_text(LEFT - 45, y(points) + 4, f"{points:+d}" if points else "0"))
    for bot, colour in enumerate(COLOURS):
        level = y(float(made.truth[bot]))
        parts.append(
            _line(LEFT - 10, level, WIDTH - RIGHT + 20, level, colour, 'stroke-dasharray="4"')
        )
        parts.append(_text(WIDTH - RIGHT + 26, level + 4, f"bot {bot + 1}: truth", colour))
    for place, blocks in enumerate(BLOCKS):
        found = least_squares(first(made.deals, blocks))
        halves = intervals.half_widths(found)
        assert halves is not None
        at = LEFT + place * step
        parts.append(_text(at - 12, HEIGHT - BOTTOM + 20, str(blocks)))
        for bot, colour in enumerate(COLOURS):
            value, half, x = float(found.values[bot]), float(halves[bot]), at + 7 * (bot - 2)
            parts.append(_line(x, y(value - half), x, y(value + half), colour, 'stroke-width="3"'))
            parts.append(f'<circle cx="{x:.1f}" cy="{y(value):.1f}" r="4" fill="{colour}"/>')
    parts.append(_text(LEFT, HEIGHT - 10, "blocks played (four deals each)"))
    return _svg(parts)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, more: str = "") -> str:
    ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
    return f'<line {ends} stroke="{colour}" {more}/>'


def _text(x: float, y: float, text: str, colour: str = "#333333") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}">{text}</text>'


def _svg(parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
    style = 'font-family="sans-serif" font-size="13">'
    back = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    return "\n".join([head + style, back, *parts, "</svg>\n"])


if __name__ == "__main__":
    target = Path(__file__).parents[1] / "docs" / "intervals.svg"
    target.write_text(shrinking(), encoding="utf-8")
