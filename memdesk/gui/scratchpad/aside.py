"""Details of one key, with the forms to edit, extend or forget it."""

from __future__ import annotations

from typing import Any

from memdesk.gui.frame import times
from memdesk.gui.language import marked, tr
from memdesk.gui.scratchpad import words
from memdesk.gui.scratchpad.reading import Reading
from memdesk.gui.scratchpad.value import understood, written
from memdesk.gui.session import Session
from memdesk.gui.widgets import (
    Act,
    Acts,
    Area,
    Empty,
    Form,
    FormStack,
    Ground,
    Segments,
    Text,
    column,
)
from memdesk.model.working import HeldKey

ACTS: dict[str, Act] = {
    "edit": (marked("Edit"), "edit", "E"),
    "longer": (marked("Keep longer"), "refresh", "L"),
    "forget": (marked("Forget"), "trash", "Del"),
    "goal": (marked("Goal"), "goals", "G"),
    "talk": (marked("Conversation"), "conversations", "C"),
}
GONE = marked("It is gone then, and no undo brings it back. Turns that were stored stay stored.")
AGAIN = 0
"""Segment value that means the previous lifetime."""
LIVES = (
    (AGAIN, marked("As long again")), (3600, marked("1 hour")), (86_400, marked("1 day")), (604_800, marked("7 days")),
)  # fmt: skip


class ValueForm(Form):
    """Form for another value of a key. A value that is not text is written as JSON."""

    def __init__(self, key: HeldKey, value: Any) -> None:
        self.key, self.was = key, value
        self.area = Area(written(value), name=words.name(key), lines=14, mono=True, tab_moves_on=False)
        hint = "" if isinstance(value, str) else tr("As JSON")
        self.hint = Text(hint, 11, "t3", wrap=True)
        super().__init__(tr("Edit “{key}”", key=words.name(key)), tr("Save"), self.area, self.hint)
        self.area.changed.connect(lambda _: self.area.set_error())

    def begin(self) -> None:
        """Put the cursor into the value."""
        self.area.editor.setFocus()

    @property
    def begun(self) -> bool:
        """Return True if the text was changed."""
        return self.area.text() != written(self.was)

    def check(self) -> bool:
        """Return True if the text is valid: a value that was not text must be JSON."""
        try:
            understood(self.area.text(), self.was)
        except ValueError as wrong:
            self.say(tr("This is no JSON: {why}.", why=str(wrong).rstrip(".")))
            return False
        return True

    def say(self, wrong: str) -> None:
        """Show why the value cannot be saved."""
        self.area.set_error(wrong)
        self.hint.setText(wrong)
        self.hint.set_token("bad")

    def asked(self) -> tuple[Any] | None:
        """Return the new value in a tuple, because it may be null; None if the text is unchanged."""
        return (understood(self.area.text(), self.was),) if self.begun else None

    def meet(self, now: Any) -> bool:
        """Return True if the value is still the one that was loaded; otherwise warn, and let the next save
        replace it."""
        if now == self.was:
            return True
        self.was = now
        self.say(tr("It was written anew meanwhile. Save again to put yours in its place."))
        return False


class LifeForm(Form):
    """Form for the lifetime of a key, from now on and after each use."""

    def __init__(self) -> None:
        self.life = Segments([(seconds, tr(says)) for seconds, says in LIVES], AGAIN, name=tr("How long"))
        super().__init__(
            tr("Keep longer"),
            tr("Keep"),
            Text(tr("From now on, and again after each use:"), 12, "t2"),
            self.life,
        )

    def begin(self) -> None:
        """Give the keyboard focus to the choice."""
        self.life.setFocus()

    @property
    def begun(self) -> bool:
        """Return False, because this form has no text to lose."""
        return False

    def asked(self) -> tuple[int | None]:
        """Return the lifetime in seconds in a tuple, with None for the previous lifetime."""
        seconds = self.life.value()
        assert isinstance(seconds, int)
        return (seconds or None,)


class ForgetForm(Form):
    """Form that asks before a key is forgotten, because that cannot be undone."""

    def __init__(self, key: HeldKey) -> None:
        super().__init__(
            tr("Forget “{key}”?", key=words.name(key)), tr("Forget it"),
            Text(tr(GONE), 12, "t2", wrap=True),
        )  # fmt: skip

    def begin(self) -> None:
        """Give the keyboard focus to the safe answer."""
        self.cancel.setFocus()

    @property
    def begun(self) -> bool:
        """Return False, because this form has no text to lose."""
        return False

    def asked(self) -> bool:
        """Return True."""
        return True


class KeyAside(Ground):
    """Details of one key. `acts` has the signal for its actions, `stack` its forms."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.key: HeldKey | None = None
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.meaning = Text("", 12, "t2", wrap=True)
        self.figures = Text("", 12, "t3", wrap=True)
        self.value = Reading()
        self.acts = Acts(ACTS)
        self._nothing = Empty(tr("No key is chosen."), tr("Choose one to see what it holds."))
        super().__init__("panel", "left")
        head = column(self.heading, self.meaning, self.figures, gap=8, margins=(16, 14, 16, 10))
        layout = column(head, self.value, self.acts, gap=0)
        layout.setStretchFactor(self.value, 1)
        self._told = Ground("panel", layout=layout)
        self.stack = FormStack(self._nothing, self._told)
        self.setLayout(column(self.stack, gap=0, margins=(1, 0, 0, 0)))

    def show_nothing(self) -> None:
        """Show that no key is selected."""
        self.key = None
        self.acts.show_acts((), lambda _: "")
        self.stack.show_page(self._nothing)

    def show_key(self, key: HeldKey, value: str, *, talks: bool) -> None:
        """Show a key with its value as text. talks: it belongs to a stored conversation."""
        is_another = self.key is None or self.key.key != key.key
        self.key = key
        self.heading.setText(words.name(key))
        meaning = words.meaning(key) or (words.sort(key) if key.name else "")
        self.meaning.setText(meaning)
        self.meaning.setVisible(bool(meaning))
        made = tr("written {time}", time=times.minute(key.created_at))
        lives = (
            tr("stays")
            if key.ttl_seconds is None
            else tr("lives {time} after each use", time=times.span(key.ttl_seconds))
        )
        self.figures.setText(" · ".join((words.size(key.bytes), made, lives)))
        self.value.show_text(value, anew=is_another)
        self.show_acts(talks=talks)
        self.stack.show_page(self._told)
        self.acts.arrived()

    def show_acts(self, *, talks: bool) -> None:
        """Show the actions for the key."""
        key = self.key
        if key is None:
            return
        names = ["edit"] if key.sort in words.EDITABLE else []
        names += ["longer"] if key.expires_at is not None else []
        names += ["forget", *(["goal"] if key.sort == "goal" else []), *(["talk"] if talks else [])]
        away = tr("The service is away; nothing can be changed.") if self._session.is_away else ""
        self.acts.show_acts(names, lambda name: away if name in ("edit", "longer", "forget") else "")
