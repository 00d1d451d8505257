"""Appearance as settings: rows like those of the service, but stored by the window for the person."""

from __future__ import annotations

from memdesk.gui import appearance
from memdesk.gui.appearance import Appearance
from memdesk.gui.language import NATIVE, marked
from memdesk.model.status import SettingRow

GROUP = marked("Appearance")
SAYS = {
    "theme": marked("Light or dark; “As the system” follows your desktop while it changes."),
    "contrast": marked("High makes quiet text, lines and the edges of controls stronger."),
    "motion": marked("Reduced shows everything at once: nothing slides or fades."),
    "size": marked(
        "How large text, rows and icons are drawn. The window closes and comes back in this size."
    ),
    "language": marked("The language of the window; what people and agents wrote stays as it is."),
}
CHOICES = {
    "system": marked("As the system"), "dark": marked("Dark"), "light": marked("Light"),
    "high": marked("High"), "standard": marked("Standard"), "full": marked("Full"),
    "reduced": marked("Reduced"), **NATIVE,
}  # fmt: skip
"""Labels of the choices; any other choice is shown as its value."""


def rows() -> tuple[SettingRow, ...]:
    """Return the appearance settings with their stored values."""
    kept, default = appearance.kept(), Appearance()
    return tuple(
        SettingRow(
            name=name,
            value=getattr(kept, name),
            default=getattr(default, name),
            unit="%" if name == "size" else "",
            low=None,
            high=None,
            choices=appearance.choices(name),
            why=SAYS[name],
            changed=getattr(kept, name) != getattr(default, name),
        )
        for name in appearance.NAMES
    )
