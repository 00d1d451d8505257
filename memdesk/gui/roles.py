"""Accessible roles of painted widgets, for which Qt reports none by itself."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

from memdesk.gui.shell.body import Grip
from memdesk.gui.widgets.badges import ChannelMark, KeyCap, Mark, Tag
from memdesk.gui.widgets.bars import Bar, Meter, Steps
from memdesk.gui.window import Window

ROLE = QAccessible.Role
ROLES: dict[type, QAccessible.Role] = {
    Mark: ROLE.Graphic,
    KeyCap: ROLE.StaticText,
    ChannelMark: ROLE.StaticText,
    Tag: ROLE.StaticText,
    Bar: ROLE.ProgressBar,
    Meter: ROLE.ProgressBar,
    Steps: ROLE.ProgressBar,
    Grip: ROLE.Splitter,
    Window: ROLE.Window,
}
"""Roles by class; subclasses have that of the nearest one. Any other widget with a name is a group."""


def install_roles() -> None:
    """Tell Qt the roles. Call it once, after the application is made."""
    QAccessible.installFactory(_interface)


def _interface(name: str, thing: QObject) -> QAccessibleInterface | None:
    """Return the interface of a plain widget that has a role. name: Qt asks for each class of the thing, the widget's
    last, so that a list or a label has the interface of its own."""
    if name != "QWidget" or not isinstance(thing, QWidget):
        return None
    named = ROLE.Grouping if thing.accessibleName() else None
    role = next((ROLES[kind] for kind in type(thing).__mro__ if kind in ROLES), named)
    return None if role is None else QAccessibleWidget(thing, role)
