"""The look of a sign: colors, two fonts and a logo, from a folder with a `theme.toml` (docs/install.md).

Pure: the files of the folder come in. A theme that people could not read from eight meters, or that would run something in
the browser, is refused with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from ui.colors import contrast, rgb

COLORS = {
    "ground": "#07060d",
    "glow": "#78223a",
    "second_glow": "#18424a",
    "panel": "#1e1422",
    "text": "#f6efe0",
    "muted": "#a79fb4",
    "metal": "#e9c46a",
    "metal_light": "#fff3c4",
    "metal_deep": "#a8741a",
    "won": "#4d0f28",
}
"""The colors of a theme that names none: ivory and gold on wine."""
CONTRAST = {("text", "ground"): 70, ("text", "panel"): 70, ("metal", "ground"): 45, ("metal", "panel"): 45}
CONTRAST |= {("muted", "panel"): 45, ("ground", "metal"): 45, ("metal_light", "won"): 45, ("text", "won"): 45}
"""Color on color -> the least contrast of WCAG 2, in tenths."""
FONTS = {"figures": ("400", "700"), "words": ("400 900",)}
"""Use of a font -> the weights that the page has of it."""
FONT_MOST, LOGO_MOST = 2_000_000, 500_000
"""Bytes."""
_COLOR = re.compile(r"#[0-9a-f]{6}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_FONT = {b"\0\1\0\0": "font/ttf", b"OTTO": "font/otf", b"wOF2": "font/woff2"}
_PNG = b"\x89PNG\r\n\x1a\n"
_ACTIVE = re.compile(
    rb"<\s*(script|foreignobject|iframe|style|animate|set)\b|\son\w+\s*=|<!doctype|<!entity"
    rb"|(href|src)\s*=(?!\s*[\"']?\s*#)|url\((?!\s*[\"']?\s*#)",
    re.IGNORECASE,
)
"""Things in an SVG that run, load or hide something."""


class ThemeFault(Exception):
    """A theme cannot be used: the place, and why."""


Pages = Mapping[str, tuple[str, bytes]]
"""Files that the page asks for by path: type and bytes. Every theme has `/page/theme.css`."""


def theme_of(given: Mapping[str, Any], files: Mapping[str, bytes]) -> Pages:
    """The files of a theme by its theme.toml's object; {}: ivory and gold on wine. Raises ThemeFault.

    `files`: those that it names, by name, as far as they are there.
    """
    _known(given, ("colors", "fonts", "logo"), "theme.toml")
    colors = COLORS | _colors(given.get("colors", {}))
    for (upon, under), least in CONTRAST.items():
        found = int(10 * contrast(rgb(colors[upon]), rgb(colors[under])))
        if found < least:
            said = f"{found // 10}.{found % 10}"
            raise ThemeFault(f"colors.{upon}: {said} to 1 on {under}; at least {least // 10}.{least % 10} can be read")
    pages = dict(_fonts(given.get("fonts", {}), files))
    rules = [f"--{name.replace('_', '-')}: {color};" for name, color in colors.items()]
    faces = [_face(use, weight) for use in FONTS if f"/theme/{use}" in pages for weight in FONTS[use]]
    shown = []
    if "logo" in given:
        pages["/theme/logo"] = _logo(given["logo"], files)
        shown = ['#logo { display: block; background-image: url("/theme/logo"); }\n']
    css = "".join([*faces, *shown, ":root { ", " ".join(rules), " }\n"])
    return {**pages, "/page/theme.css": ("text/css; charset=utf-8", css.encode())}


def files_named(given: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """The files that a theme.toml names, and the most bytes of each. A value that is no name of a file is left out."""
    fonts = given.get("fonts", {})
    named = [(name, FONT_MOST) for name in (fonts.values() if isinstance(fonts, dict) else ())]
    for name, most in [*named, (given.get("logo"), LOGO_MOST)]:
        if isinstance(name, str) and _NAME.fullmatch(name):
            yield name, most


def _colors(given: Any) -> dict[str, str]:
    _known(given, COLORS, "colors")
    for name, color in given.items():
        if not isinstance(color, str) or not _COLOR.fullmatch(color):
            raise ThemeFault(f"colors.{name}: {color!a}; a color is # and six digits, such as #e9c46a")
    return dict(given)


def _fonts(given: Any, files: Mapping[str, bytes]) -> Iterator[tuple[str, tuple[str, bytes]]]:
    _known(given, FONTS, "fonts")
    for use, name in given.items():
        content = _file(f"fonts.{use}", name, files, FONT_MOST)
        if content[:4] not in _FONT:
            raise ThemeFault(f"fonts.{use}: {name} is no TrueType, OpenType or WOFF2 font")
        yield f"/theme/{use}", (_FONT[content[:4]], content)


def _face(use: str, weight: str) -> str:
    family, shown = f"Sign {use.capitalize()}", f"font-weight: {weight}; font-display: block"
    return f'@font-face {{ font-family: "{family}"; {shown}; src: url("/theme/{use}"); }}\n'


def _logo(name: Any, files: Mapping[str, bytes]) -> tuple[str, bytes]:
    content = _file("logo", name, files, LOGO_MOST)
    if content.startswith(_PNG):
        return "image/png", content
    if b"<svg" not in content[:1000]:
        raise ThemeFault(f"logo: {name} is no SVG and no PNG")
    if active := _ACTIVE.search(content):
        found = active[0].decode("ascii", "replace").strip()
        raise ThemeFault(f"logo: {name} has {found!a}; a logo runs nothing and loads nothing")
    return "image/svg+xml", content


def _file(at: str, name: Any, files: Mapping[str, bytes], most: int) -> bytes:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ThemeFault(f"{at}: {name!a} is no name of a file in the theme's folder")
    if name not in files:
        raise ThemeFault(f"{at}: {name} is not in the theme's folder")
    if len(files[name]) > most:
        raise ThemeFault(f"{at}: {name} has more than {most} bytes")
    return files[name]


def _known(given: Any, keys: Any, at: str) -> None:
    if not isinstance(given, dict):
        raise ThemeFault(f"{at}: has to be a section with keys")
    for key in given:
        if key not in keys:
            raise ThemeFault(f"{at}: {key!a} is no key; keys here: {', '.join(keys)}")
