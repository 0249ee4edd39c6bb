"""Drawings as SVG text, in whole pixels: the phase graph and the floor plan are made of these. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

FONT = "Roboto, 'Helvetica Neue', Arial, sans-serif"
INK, PALE, PAPER = "#1c2430", "#6b7684", "#ffffff"
Point = tuple[int, int]


def picture(width: int, height: int, title: str, parts: Iterable[str]) -> str:
    """The whole drawing, on white paper so that it reads on a dark page too."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="{FONT}" role="img">'
    )
    paper = box(0, 0, width, height, fill=PAPER, stroke="none", radius=0)
    return "\n".join((head, f"<title>{escape(title)}</title>", paper, *parts, "</svg>", ""))


def box(x: int, y: int, w: int, h: int, *, fill: str = PAPER, stroke: str = PALE, radius: int = 5) -> str:
    """A rectangle."""
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{radius}" fill="{fill}" stroke="{stroke}"/>'


def text(
    x: int, y: int, words: str, size: int = 12, *, color: str = INK, bold: bool = False, anchor: str = "start"
) -> str:
    """One line of words; `y` is its baseline. `anchor`: which end stands at `x` (start, middle, end)."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{x}" y="{y}" font-size="{size}" fill="{color}" text-anchor="{anchor}"{weight}>{escape(words)}</text>'
    )


def arrow(points: Sequence[Point], color: str = INK, width: str = "1.5") -> str:
    """A line through these points, with a head at its end, that runs to the right or downward."""
    way = " ".join(f"{x},{y}" for x, y in points)
    (x, y), (x_before, _) = points[-1], points[-2]
    long, half = (7, 4) if float(width) < 3 else (13, 8)
    if x != x_before:
        head = f"{x},{y} {x - long},{y - half} {x - long},{y + half}"
    else:
        head = f"{x},{y} {x - half},{y - long} {x + half},{y - long}"
    return (
        f'<polyline points="{way}" fill="none" stroke="{color}" stroke-width="{width}" stroke-linejoin="round"/>'
        f'<polygon points="{head}" fill="{color}"/>'
    )
