"""Look of the window: colour tokens, fonts and the sequential scale. The only module that names a colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication, QMenu, QScrollBar, QSlider, QWidget

from memdesk.files.places import resource

Theme = Literal["dark", "light", "system"]

DARK: Mapping[str, str] = {
    "win": "121417",
    "stage": "16181C",
    "panel": "1B1E23",
    "ctl": "24282F",
    "hover": "20242A",
    "sel": "1C3147",
    "sel2": "282D35",
    "line": "282C33",
    "line2": "3C424C",
    "track": "30353E",
    "t1": "E8EAED",
    "t2": "B3BAC4",
    "t3": "8F98A5",
    "acc": "6DB3F2",
    "accfill": "2B6CB0",
    "ok": "55C595",
    "okbg": "17291F",
    "warn": "E3AA52",
    "warnbg": "2C2416",
    "bad": "F2866F",
    "badbg": "331F1B",
    "accbg": "192A3B",
    "onfill": "FFFFFF",
    "edge": "282C33",
    "on": "24282F",
    "over": "1B1E23",
    "press": "1B1E23",
    "fillpress": "245C97",
}
"""Tokens of the dark theme, as RRGGBB. In addition to the design's table: `onfill` is text on accfill, `edge`
the border of a drop-down button, `on` and `over` the background of a rail item that is chosen or hovered,
`press` and `fillpress` a pressed control."""

LIGHT: Mapping[str, str] = {
    "win": "F2F3F5",
    "stage": "FFFFFF",
    "panel": "F8F9FA",
    "ctl": "FFFFFF",
    "hover": "F1F3F6",
    "sel": "DDEBF9",
    "sel2": "E6EAEF",
    "line": "E3E6EA",
    "line2": "C5CBD3",
    "track": "E1E5EA",
    "t1": "1A1D21",
    "t2": "48505B",
    "t3": "616A76",
    "acc": "145FAB",
    "accfill": "145FAB",
    "ok": "17734A",
    "okbg": "E4F4EB",
    "warn": "875400",
    "warnbg": "FAF0DB",
    "bad": "B0351E",
    "badbg": "FBE8E3",
    "accbg": "EAF3FC",
    "onfill": "FFFFFF",
    "edge": "C5CBD3",
    "on": "E2E6EB",
    "over": "EAECF0",
    "press": "E6EAEF",
    "fillpress": "0F4E8F",
}
"""Tokens of the light theme, same names."""

CHANNELS_DARK = ("D3D8DF", "3B9489", "C98330", "90CC55", "E295BA", "FBE97F", "9A6FD4")
CHANNELS_LIGHT = ("4E5765", "328589", "855927", "6C8F3E", "621C49", "4F4209", "3E3282")
"""_global first, then the six channel colours. Nothing else in the window uses them."""

STOPS_DARK = (
    "1E232B",
    "1F2F47",
    "1F4468",
    "1E5D86",
    "24799A",
    "3A96A3",
    "66B2A3",
    "9DCDA1",
    "D5E5A2",
    "F8F6B8",
)
STOPS_LIGHT = (
    "F4F5EE",
    "E6F1C8",
    "C6E5BE",
    "99D3BE",
    "68BEC3",
    "3DA2C0",
    "2683B2",
    "23639F",
    "234686",
    "172B62",
)
"""The sequential scale from 0 to 1 in ten even stops; the strongest contrasts most with the background."""

DRESSED = (QScrollBar, QSlider, QMenu)
"""Widgets with colours from the style sheet; a tool tip is dressed whenever it is shown."""

LINE_PX = {10: 14, 11: 16, 12: 16, 13: 18, 15: 21, 17: 24, 20: 26}
"""Line height of each type size, in px."""

SANS = ["MemDesk Sans", "MemDesk CJK", "MemDesk Emoji"]
MONO = ["MemDesk Mono", *SANS]


class Themed(QObject):
    """Signals that the tokens have new values."""

    changed = Signal()


themed = Themed()


class _Keeper(QObject):
    """Colours a widget again after Qt has restored a palette that it had stored for the widget."""

    def __init__(self, widget: QWidget, colour: Callable[[], object]) -> None:
        super().__init__(widget)
        self._colour = colour
        widget.installEventFilter(self)
        themed.changed.connect(colour)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Colour again on a style change: under a style sheet, Qt restores an old palette when a widget gets
        another parent."""
        if event.type() == QEvent.Type.StyleChange:
            self._colour()
        return False


def keep_palette(widget: QWidget, colour: Callable[[], object]) -> None:
    """Give a widget its own palette by calling colour(), now and whenever the tokens change or Qt resets the
    palette."""
    _Keeper(widget, colour)
    colour()


class _Now:
    """Current theme, contrast, token values and motion."""

    def __init__(self) -> None:
        self.choice: Theme = "dark"
        self.is_dark = True
        self.contrast_choice: bool | None = False
        self.is_strong = False
        self.tokens = DARK
        self.motion = True


_now = _Now()


HIGH_CONTRAST = {"t3": "t2", "line": "line2", "line2": "t3", "edge": "t3"}
"""Token that replaces each of these in high contrast: quiet text becomes plain text, hairlines become control
edges."""


def use(theme: Theme, *, high_contrast: bool | None = False) -> None:
    """Give the tokens the values of a theme. high_contrast: None follows the system. Widgets are notified by
    dress() only."""
    _now.choice, _now.contrast_choice = theme, high_contrast
    _now.is_dark = _system_is_dark() if theme == "system" else theme == "dark"
    _now.is_strong = _system_is_strong() if high_contrast is None else high_contrast
    tokens = DARK if _now.is_dark else LIGHT
    stronger = {name: tokens[other] for name, other in HIGH_CONTRAST.items()} if _now.is_strong else {}
    _now.tokens = {**tokens, **stronger}
    _color.cache_clear()
    sequential_table.cache_clear()


def choice() -> Theme:
    """Return the theme last asked for, `system` included."""
    return _now.choice


def is_dark() -> bool:
    """Return True if the background is dark now."""
    return _now.is_dark


def token(name: str) -> str:
    """Return a token's value as `#RRGGBB`, for rich text and style sheets. Raises KeyError for an unknown
    token."""
    return "#" + _now.tokens[name]


@lru_cache(maxsize=64)
def _color(name: str) -> QColor:
    return QColor(token(name))


def c(name: str) -> QColor:
    """Return a token's colour. Treat it as read-only: it is shared. Raises KeyError for an unknown token."""
    return _color(name)


def mix(over: QColor, ground: QColor, share: float) -> QColor:
    """Return `share` (0 to 1) of one colour blended over another, in RGB, opaque."""

    def part(above: int, below: int) -> int:
        return round(above * share + below * (1 - share))

    return QColor(
        part(over.red(), ground.red()), part(over.green(), ground.green()), part(over.blue(), ground.blue())
    )


def channel_color(number: int) -> tuple[QColor, bool]:
    """Return the colour of a channel, and True if its mark is hollow. 0 is _global; from channel 7 on, the
    six colours repeat with hollow marks."""
    colors = CHANNELS_DARK if _now.is_dark else CHANNELS_LIGHT
    if number <= 0:
        return QColor("#" + colors[0]), False
    turn, place = divmod(number - 1, 6)
    return QColor("#" + colors[place + 1]), turn > 0


def sequential(value: float) -> QColor:
    """Return the colour of the sequential scale at a value, clamped to 0 to 1 and interpolated in RGB. NaN
    counts as 0."""
    stops = STOPS_DARK if _now.is_dark else STOPS_LIGHT
    place = 0.0 if math.isnan(value) else min(1.0, max(0.0, value)) * (len(stops) - 1)
    low = min(int(place), len(stops) - 2)
    return mix(QColor("#" + stops[low + 1]), QColor("#" + stops[low]), place - low)


@lru_cache(maxsize=8)
def sequential_table(count: int = 256) -> tuple[int, ...]:
    """Return `count` even steps of the scale as QRgb, the colour table of an Indexed8 QImage."""
    return tuple(sequential(step / (count - 1)).rgb() for step in range(count))


@lru_cache(maxsize=128)
def font(
    px: int,
    weight: int = 400,
    *,
    mono: bool = False,
    italic: bool = False,
    strike: bool = False,
    tabular: bool = False,
) -> QFont:
    """Return a font of the window. Weights are 400, 500, 600 (mono 400, 600). Use tabular figures in numeric
    cells only: they widen hyphens in names. Treat the result as read-only: it is shared."""
    face = QFont(MONO if mono else SANS)
    face.setPixelSize(px)
    face.setWeight(QFont.Weight(face_weight(weight)))
    face.setItalic(italic)
    face.setStrikeOut(strike)
    face.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    if tabular:
        face.setFeature(QFont.Tag("tnum"), 1)
    return face


def face_weight(weight: int) -> int:
    """Return the weight that Qt is asked for: the SemiBold faces are registered as bold, for Qt makes the CJK face,
    which has one weight, heavier from bold on."""
    return QFont.Weight.Bold if weight == 600 else weight


def line_px(px: int, weight: int = 400) -> int:
    """Return the line height for a font size, in px; a panel title (15, 600) is 1 px tighter than a claim."""
    return 20 if (px, weight) == (15, 600) else LINE_PX.get(px, math.ceil(px * 1.4))


def motion_ms(duration: int) -> int:
    """Return the duration of an animation, in ms: 0 if the person asked for less motion."""
    return duration if _now.motion else 0


def reduce_motion(reduced: bool) -> None:
    """Switch all animation off or on."""
    _now.motion = not reduced


def palette() -> QPalette:
    """Return the tokens as Qt's palette roles, so that plain Fusion widgets match."""
    role = QPalette.ColorRole
    roles = {
        role.Window: "win",
        role.WindowText: "t1",
        role.Base: "stage",
        role.AlternateBase: "panel",
        role.Text: "t1",
        role.Button: "ctl",
        role.ButtonText: "t1",
        role.BrightText: "onfill",
        role.Highlight: "sel",
        role.HighlightedText: "t1",
        role.PlaceholderText: "t3",
        role.ToolTipBase: "panel",
        role.ToolTipText: "t1",
        role.Link: "acc",
        role.LinkVisited: "acc",
        role.Accent: "acc",
        role.Light: "ctl",
        role.Midlight: "hover",
        role.Mid: "line",
        role.Dark: "line2",
        role.Shadow: "track",
    }
    made = QPalette()
    for where, name in roles.items():
        made.setColor(where, c(name))
    for where in (role.Text, role.WindowText, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, where, mix(c("t3"), c("stage"), 0.6))
    return made


SHEET = """
    QScrollBar:vertical { width: 10px; background: transparent; margin: 0; border: none }
    QScrollBar:horizontal { height: 10px; background: transparent; margin: 0; border: none }
    QScrollBar::handle { background: palette(dark); border-radius: 3px; margin: 2px }
    QScrollBar::handle:vertical { min-height: 32px }
    QScrollBar::handle:horizontal { min-width: 32px }
    QScrollBar::handle:hover, QScrollBar::handle:pressed { background: palette(placeholder-text) }
    QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none }
    QScrollBar::add-page, QScrollBar::sub-page { background: transparent }
    QLineEdit { background: transparent; border: none; padding: 0 }
    QSlider::groove { height: 4px; background: palette(shadow); border-radius: 2px }
    QSlider::handle { width: 10px; height: 10px; margin: -3px 0; background: palette(window-text); border-radius: 5px }
    QSlider[lit="below"]::sub-page, QSlider[lit="above"]::add-page {
        background: palette(link); border-radius: 2px }
    QToolTip { background: palette(alternate-base); color: palette(window-text); border: 1px solid palette(dark);
        padding: 4px 6px }
    QMenu { background: palette(alternate-base); color: palette(window-text); border: 1px solid palette(dark);
        padding: 4px 0 }
    QMenu::item { padding: 5px 8px 5px 12px; background: transparent }
    QMenu::item:selected { background: palette(highlight) }
    QMenu::item:checked { color: palette(window-text) }
    QMenu::indicator { width: 0; height: 0 }
    QMenu::item:disabled { color: palette(placeholder-text) }
    QMenu::icon { padding-left: 10px }
    QMenu::separator { height: 1px; background: palette(mid); margin: 4px 0 }
    """
"""Style sheet for the few widgets that are not painted here: scroll bars, sliders, tool tips, menus. It names roles of
the palette and is set once, for Qt takes seconds to set another on a window with every panel open.

With any style sheet set, Qt fills line edits itself; the rule for them leaves that to Field."""


def load_fonts() -> Sequence[str]:
    """Register the bundled fonts, once per application. Returns the names of the files that Qt could not
    read."""
    missing = []
    for path in sorted(resource("fonts").glob("*.ttf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            missing.append(path.name)
    return missing


def apply_theme(app: QApplication, theme: Theme = "system", *, high_contrast: bool | None = False) -> None:
    """Apply fonts, Fusion style, palette and style sheet to an application, at start or again at run time.

    With theme `system`, or high_contrast None, the window follows the desktop's setting while it runs."""
    if not app.property("memdesk_dressed"):
        app.setProperty("memdesk_dressed", True)
        load_fonts()
        app.setStyle("Fusion")
        # Without it no widget takes the palette of the application once a style sheet is set.
        app.setAttribute(Qt.ApplicationAttribute.AA_UseStyleSheetPropagationInWidgetStyles)
        app.setFont(font(13))
        app.setStyleSheet(SHEET)
        _hints(app).colorSchemeChanged.connect(lambda _: _follow(app))
        _hints(app).accessibility().contrastPreferenceChanged.connect(lambda _: _follow(app))
    use(theme, high_contrast=high_contrast)
    if app.palette() == palette():
        return
    app.setPalette(palette())
    # Otherwise windows take it with the next turn of the loop, after the signal below; one never shown takes it never.
    app.sendPostedEvents(None, QEvent.Type.ApplicationPaletteChange.value)
    for window in app.topLevelWidgets():
        if window.windowHandle() is None:
            app.sendEvent(window, QEvent(QEvent.Type.ApplicationPaletteChange))
    style = app.style()
    for widget in app.allWidgets():
        if isinstance(widget, DRESSED):
            # Qt reads the roles of a rule when it dresses a widget, and keeps the colours.
            style.unpolish(widget)
            style.polish(widget)
            widget.update()
    # Last: dressing resets the palettes that widgets set themselves.
    themed.changed.emit()


def _follow(app: QApplication) -> None:
    """Apply the desktop's light or dark setting and its contrast, where the person chose to follow them and
    they have changed."""
    scheme = _now.choice == "system" and _system_is_dark() != _now.is_dark
    contrast = _now.contrast_choice is None and _system_is_strong() != _now.is_strong
    if scheme or contrast:
        apply_theme(app, _now.choice, high_contrast=_now.contrast_choice)


@lru_cache(maxsize=1)
def _hints(app: QApplication) -> QStyleHints:
    """Return the desktop's style hints. Cached forever: PySide 6.11 treats accessibility() as deleted once
    its owner's wrapper is gone."""
    return app.styleHints()


def _system_is_dark() -> bool:
    """Return True if the desktop asks for a dark theme, and also if it has no preference."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return True
    return _hints(app).colorScheme() != Qt.ColorScheme.Light


def _system_is_strong() -> bool:
    """Return True if the desktop asks for high contrast; not every desktop reports that to Qt."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        return False
    return _hints(app).accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
