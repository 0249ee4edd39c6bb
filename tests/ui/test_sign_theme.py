"""A sign's theme: what people cannot read or what would run in the browser is refused with its place, and never dark."""

from __future__ import annotations

import logging
import time
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from firmware.runtime.theme import shipped, theme
from tests.ui.sign_payloads import board
from tests.ui.test_sign_page import Browser, told
from tests.ui.test_sign_page import browser as browser  # the fixture
from tests.ui.test_sign_server import ask
from ui.sign.server import SignServer
from ui.sign.theme import COLORS, FONT_MOST, ThemeFault, theme_of

FONT = resources.files("font_roboto").joinpath("files", "Roboto-Black.ttf").read_bytes()
PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
SVG += b'<g id="a"><path fill="url(#b)" d="M0 0h9v9z"/></g><use href="#a"/></svg>'
OWN = theme_of({}, {})


def css(pages: Any) -> str:
    kind, content = pages["/page/theme.css"]
    assert kind.startswith("text/css")
    return str(content.decode())


def test_the_first_theme_and_the_shipped_ones_can_be_read() -> None:
    assert "--metal: #e9c46a;" in css(OWN)
    assert shipped() == ("harbor",)
    assert "--metal: #a9d3ee;" in css(theme("harbor"))


@pytest.mark.parametrize(
    ("given", "files", "said"),
    [
        ({"colors": {"text": "#555555"}}, {}, "colors.text: 2.7 to 1 on ground; at least 7.0"),
        ({"colors": {"metal": "gold"}}, {}, "colors.metal: 'gold'; a color is # and six digits"),
        ({"colors": {"metal": "#e9c46a; } body { display: none"}}, {}, "a color is # and six digits"),
        ({"colors": {"gold": "#e9c46a"}}, {}, "colors: 'gold' is no key; keys here: ground, glow"),
        ({"colors": 7}, {}, "colors: has to be a section"),
        ({"film": "a.mp4"}, {}, "theme.toml: 'film' is no key"),
        ({"fonts": {"words": "w.ttf"}}, {}, "fonts.words: w.ttf is not in the theme's folder"),
        ({"fonts": {"words": "../w.ttf"}}, {}, "fonts.words: '../w.ttf' is no name of a file"),
        ({"fonts": {"words": "w.ttf"}}, {"w.ttf": b"<html>"}, "fonts.words: w.ttf is no TrueType"),
        (
            {"fonts": {"words": "w.ttf"}},
            {"w.ttf": bytes(FONT_MOST + 1)},
            "fonts.words: w.ttf has more than 2000000 bytes",
        ),
        ({"logo": "l.svg"}, {"l.svg": SVG.replace(b"<path", b"<script/><path")}, "logo: l.svg has '<script'"),
        ({"logo": "l.svg"}, {"l.svg": SVG.replace(b"<path", b"<path onload='x()'")}, "logo: l.svg has 'onload='"),
        ({"logo": "l.svg"}, {"l.svg": SVG.replace(b"#a", b"http://x/")}, "loads nothing"),
        ({"logo": "l.svg"}, {"l.svg": b"<!DOCTYPE svg [<!ENTITY a 'b'>]>" + SVG}, "loads nothing"),
        ({"logo": "l.gif"}, {"l.gif": b"GIF89a"}, "logo: l.gif is no SVG and no PNG"),
        ({"logo": ["l.svg"]}, {}, "logo: ['l.svg'] is no name of a file"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_place(
    given: dict[str, Any], files: dict[str, bytes], said: str
) -> None:
    with pytest.raises(ThemeFault) as fault:
        theme_of(given, files)
    assert said in str(fault.value)


def folder(at: Path, text: str, **files: bytes) -> Path:
    (at / "theme.toml").write_text(text, encoding="utf-8")
    for name, content in files.items():
        (at / name.replace("_", ".")).write_bytes(content)
    return at


def test_a_folder_brings_its_colors_fonts_and_logo(tmp_path: Path) -> None:
    made = folder(tmp_path, 'logo = "l.svg"\n[fonts]\nfigures = "f.ttf"\n', l_svg=SVG, f_ttf=FONT)
    pages = theme(str(made))
    assert pages["/theme/logo"] == ("image/svg+xml", SVG)
    assert pages["/theme/figures"] == ("font/ttf", FONT)
    assert theme_of({"logo": "l.png"}, {"l.png": PNG})["/theme/logo"] == ("image/png", PNG)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[colors]\ntext = 1", "colors.text"),
        ("[", "not TOML"),
        ('logo = "l.svg"', "l.svg is not in"),
        (None, "No such file"),
    ],
)
def test_a_theme_that_cannot_be_used_is_told_once_and_the_sign_shows_its_own(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str | None, said: str
) -> None:
    if text is not None:
        folder(tmp_path, text)
    with caplog.at_level(logging.ERROR):
        assert theme(str(tmp_path)) == OWN
    [line] = caplog.messages
    assert said in line and line.endswith("the sign shows its own")


def test_the_server_gives_the_theme_and_nothing_else_of_its_folder(tmp_path: Path) -> None:
    made = folder(tmp_path, 'logo = "l.svg"\n', l_svg=SVG, secret_txt=b"x")
    server = SignServer("127.0.0.1", 0, time.monotonic, theme=theme(str(made)))
    try:
        assert ask(server, "/theme/logo")[0::2] == (200, SVG)
        assert ask(server, "/theme/secret.txt")[0] == ask(server, "/theme/theme.toml")[0] == 404
    finally:
        server.close()


@pytest.mark.chromium
def test_a_themes_colors_font_and_logo_are_on_the_page(browser: Browser, tmp_path: Path) -> None:
    made = folder(
        tmp_path, 'logo = "l.svg"\n[colors]\ntext = "#ffffff"\n[fonts]\nfigures = "f.ttf"\n', l_svg=SVG, f_ttf=FONT
    )
    server = SignServer("127.0.0.1", 0, time.monotonic, theme=theme(str(made)))
    try:
        server.publish(told(board()))
        browser.open(server)
        browser.becomes("live")
        style = "getComputedStyle(document.{})"
        assert browser.ask(style.format("body") + ".color") == "rgb(255, 255, 255)"
        assert "/theme/logo" in browser.ask(style.format("getElementById('logo')") + ".backgroundImage")
        assert browser.ask("document.getElementById('logo').offsetWidth") > 100
        browser.ask("document.fonts.ready.then(() => null)")
        asked = browser.ask("performance.getEntriesByType('resource').map((one) => new URL(one.name).pathname)")
        assert "/theme/figures" in asked
    finally:
        server.close()


def test_every_color_of_a_theme_is_on_the_page() -> None:
    page = resources.files("ui.sign").joinpath("page", "sign.css").read_text(encoding="utf-8")
    assert {name for name in COLORS if f"var(--{name.replace('_', '-')})" not in page} == set()
