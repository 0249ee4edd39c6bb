"""Colors as numbers, and their contrast: of the dealer's screen and of the sign."""

from __future__ import annotations

Color = tuple[int, int, int]


def rgb(code: str) -> Color:
    """A color from its code: `#12161B`."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def blend(a: Color, b: Color, share: float) -> Color:
    """`share` of the way from color `a` to color `b`."""
    return (
        round(a[0] + (b[0] - a[0]) * share),
        round(a[1] + (b[1] - a[1]) * share),
        round(a[2] + (b[2] - a[2]) * share),
    )


def contrast(a: Color, b: Color) -> float:
    """Contrast of two colors, 1 to 21 (WCAG 2.2, relative luminance)."""
    light, dark = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (_linear(channel / 255) for channel in color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
