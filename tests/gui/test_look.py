"""The tokens keep the contrast the design was drawn for, and faces, icons and the scale are what they claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontInfo, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from memdesk.gui import icons, look

THEMES: tuple[look.Theme, ...] = ("dark", "light")
GROUNDS = ("win", "stage", "panel", "ctl", "hover", "sel", "sel2")


@pytest.fixture(autouse=True)
def dressed(qapp: QApplication) -> Iterator[None]:
    look.apply_theme(qapp, "dark")
    yield
    look.apply_theme(qapp, "dark")


def luminance(color: QColor) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    parts = [color.redF(), color.greenF(), color.blueF()]
    r, g, b = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(over: QColor, ground: QColor) -> float:
    high, low = sorted((luminance(over), luminance(ground)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lowest(token: str, grounds: Sequence[str] = GROUNDS) -> float:
    return min(contrast(look.c(token), look.c(ground)) for ground in grounds)


@pytest.mark.parametrize(
    ("token", "dark", "light"),
    [
        ("t1", 10.2, 13.4),
        ("t2", 6.8, 6.7),
        ("t3", 4.55, 4.5),
        ("acc", 5.9, 5.3),
        ("ok", 6.2, 4.8),
        ("warn", 6.4, 5.2),
        ("bad", 5.3, 5.1),
    ],
)
def test_text_is_legible_on_every_ground(token: str, dark: float, light: float) -> None:
    for theme, least in zip(THEMES, (dark, light), strict=True):
        look.use(theme)
        assert lowest(token) >= least - 0.05, theme


@pytest.mark.parametrize("theme", THEMES)
def test_tones_are_legible_on_their_own_tint_and_white_on_the_primary_button(theme: look.Theme) -> None:
    look.use(theme)
    assert all(lowest(tone, (tone + "bg",)) >= 5.05 for tone in ("ok", "warn", "bad", "acc"))
    assert lowest("onfill", ("accfill", "fillpress")) >= 5.35
    assert lowest("acc", ("on", "over")) >= 4.5
    assert lowest("t1", ("on", "over", "track", "press")) >= 9


ROLE = QPalette.ColorRole
TEXT_ON = (
    (ROLE.WindowText, ROLE.Window),
    (ROLE.Text, ROLE.Base),
    (ROLE.Text, ROLE.AlternateBase),
    (ROLE.ButtonText, ROLE.Button),
    (ROLE.HighlightedText, ROLE.Highlight),
    (ROLE.PlaceholderText, ROLE.Base),
    (ROLE.ToolTipText, ROLE.ToolTipBase),
    (ROLE.Link, ROLE.Base),
    (ROLE.Link, ROLE.Window),
    (ROLE.LinkVisited, ROLE.Base),
)
AA = 4.5
"""Contrast that WCAG 2.2 asks of text, level AA."""


@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("theme", THEMES)
def test_every_role_of_the_palette_that_is_text_has_contrast_aa(theme: look.Theme, strong: bool) -> None:
    look.use(theme, high_contrast=strong)
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        for text, ground in TEXT_ON:
            made = look.palette()
            assert contrast(made.color(group, text), made.color(group, ground)) >= AA, (text, ground)
    tints = ("okbg", "warnbg", "badbg", "accbg")
    assert min(lowest(text, tints) for text in ("t1", "t2")) >= AA
    assert lowest("t2", ("on", "over", "track", "press")) >= AA


def test_everything_that_moves_asks_whether_it_may() -> None:
    gui = Path(look.__file__).parent
    moving = {each.name for each in gui.rglob("*.py") if "Animation(" in each.read_text()}
    asking = {each.name for each in gui.rglob("*.py") if "look.motion_ms(" in each.read_text()}
    assert len(moving) >= 4 and moving == asking


@pytest.mark.parametrize("theme", THEMES)
def test_channel_marks_stand_out_on_every_ground(theme: look.Theme) -> None:
    look.use(theme)
    pairs = product(range(7), GROUNDS)
    least = min(contrast(look.channel_color(number)[0], look.c(ground)) for number, ground in pairs)
    assert least >= (3.45 if theme == "dark" else 3.05)


def test_channels_come_round_hollow_from_the_seventh_on() -> None:
    assert look.channel_color(1) == (QColor("#3B9489"), False)
    assert look.channel_color(7) == (QColor("#3B9489"), True)
    assert look.channel_color(12)[0] == look.channel_color(6)[0]
    assert look.channel_color(0) == (QColor("#D3D8DF"), False)


def test_the_sequential_scale_meets_its_stops_and_runs_straight_between_them() -> None:
    assert look.sequential(0).name() == "#1e232b"
    assert look.sequential(1).name() == look.sequential(7).name() == "#f8f6b8"
    assert look.sequential(1 / 9).name() == "#1f2f47"
    assert look.sequential(float("nan")).name() == "#1e232b"
    between = look.sequential(0.5 / 9)
    assert between.green() == (0x23 + 0x2F) // 2
    table = look.sequential_table(256)
    assert (table[0], table[255]) == (look.sequential(0).rgb(), look.sequential(1).rgb())


@pytest.mark.parametrize("theme", THEMES)
def test_high_contrast_makes_edges_as_strong_as_quiet_text_was_and_quiet_text_plain(
    theme: look.Theme,
) -> None:
    look.use(theme)
    quiet, plain = look.c("t3"), look.c("t2")
    look.use(theme, high_contrast=True)
    assert look.c("line2") == look.c("edge") == quiet and look.c("t3") == plain
    assert lowest("line2") >= 4.5 and lowest("t3") >= 6.65


def test_what_the_system_does_not_say_of_contrast_is_the_standard(qapp: QApplication) -> None:
    look.apply_theme(qapp, "dark", high_contrast=None)
    assert look.c("line2") == QColor("#3C424C")


def test_the_bundled_faces_are_used_in_the_weights_asked_for(qapp: QApplication) -> None:
    assert QFontInfo(look.font(13)).family() == "MemDesk Sans"
    assert [QFontInfo(look.font(13, weight)).weight() for weight in (400, 500, 600)] == [400, 500, 700]
    assert QFontInfo(look.font(12, mono=True)).family() == "MemDesk Mono"
    assert QFontInfo(look.font(13, italic=True)).italic()


def ink(text: str, px: int, weight: int) -> int:
    """How much of a picture the strokes of a text fill."""
    image = QImage(40 * len(text), 40, QImage.Format.Format_Grayscale8)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    painter.setFont(look.font(px, weight))
    painter.setPen(Qt.GlobalColor.white)
    painter.drawText(4, 30, text)
    painter.end()
    return sum(bytes(image.constBits()))


def test_emoji_are_drawn_without_a_face_of_the_system(qapp: QApplication) -> None:
    drawn = {ink(emoji, 20, 400) for emoji in ("🦞", "🚀", "⚠️", "👍🏽", "\U000e1234")}
    assert len(drawn) == 5, "a sign without a drawing is a box, whichever it is"


@pytest.mark.parametrize("px", [12, 15, 20])
def test_headings_are_heavier_in_chinese_too_and_no_face_is_made_heavier_twice(
    qapp: QApplication, px: int
) -> None:
    for text, least, most in (("对话压缩", 1.3, 1.7), ("Compaction", 1.2, 1.45)):
        assert least < ink(text, px, 600) / ink(text, px, 400) < most, text


@pytest.mark.parametrize("name", [*icons.PATHS, *icons.ALIASES])
def test_every_icon_paints_something_at_every_pixel_ratio(name: str) -> None:
    for dpr in (1.0, 1.5, 2.0):
        image = icons.pixmap(name, "t1", dpr).toImage()
        assert image.width() == round(16 * dpr)
        places = product(range(image.width()), range(image.height()))
        assert any(image.pixelColor(x, y).alpha() > 128 for x, y in places)


def test_system_follows_the_desktop_or_stays_dark(qapp: QApplication) -> None:
    look.apply_theme(qapp, "system")
    prefers_light = qapp.styleHints().colorScheme() == Qt.ColorScheme.Light
    assert look.choice() == "system"
    assert look.is_dark() is not prefers_light
