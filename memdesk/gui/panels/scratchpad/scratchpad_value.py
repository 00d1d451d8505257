"""Details of one key, with the forms to edit, extend or forget it."""

from __future__ import annotations

import json
from typing import Any

from memdesk.api import working
from memdesk.gui import formatting
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.scratchpad import scratchpad_keys
from memdesk.gui.session import Session
from memdesk.gui.shell.record_detail import Action, RecordDetail
from memdesk.gui.widgets import Area, Empty, Form, Ground, Scroll, Segments, Text, column, row
from memdesk.model.working import (
    AskNote,
    AskRecent,
    AskValue,
    HeldKey,
    HeldPlace,
    SetValue,
    WorkingPlace,
    WorkingValue,
    WriteNote,
)


class Reading(Scroll):
    """View of a text that grows at its start, as turns and thoughts do, or at its end, as notes do."""

    def __init__(self) -> None:
        self.words = Text("", 12, "t1", wrap=True, selectable=True)
        super().__init__(
            Ground("panel", layout=column(row(self.words), None, gap=0, margins=(16, 4, 16, 12))), "panel"
        )
        self._below: int | None = None
        self.verticalScrollBar().rangeChanged.connect(self._stay)

    def text(self) -> str:
        """Return the text shown."""
        return self.words.text()

    def show_text(self, text: str, *, anew: bool) -> None:
        """Show a text. anew: it is another text, shown from its start; otherwise it is a new version of the
        same text."""
        was, bar = self.text(), self.verticalScrollBar()
        if text == was and not anew:
            return
        at, marked = self.words.selectionStart(), self.words.selectedText()
        grew = 0 if anew or not text.endswith(was) else _units(text) - _units(was)
        self._below = bar.maximum() - bar.value() if grew and bar.value() else None
        self.words.setText(text)
        if anew:
            bar.setValue(0)
        elif at >= 0 and (grew or text.startswith(was)):
            self.words.setSelection(at + grew, _units(marked))

    def _stay(self, _low: int, high: int) -> None:
        """Restore the scroll position after an addition at the start, now that the new height is known."""
        if self._below is not None:
            self.verticalScrollBar().setValue(high - self._below)
            self._below = None


def _units(text: str) -> int:
    """Return the length in UTF-16 units, as Qt counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


SHOWN_AT_MOST = 200
"""Limit of turns or thoughts read from one place."""


async def read(session: Session, place: HeldPlace, row: HeldKey) -> str:
    """Return the value of a key as text. Reading does not extend its lifetime."""
    match row.sort:
        case "turns":
            recent = AskRecent(**_where(place), limit=SHOWN_AT_MOST)
            turns = (await session.call(working.RECENT_TURNS, recent)).turns
            return "\n\n".join(
                f"{each.speaker}, {formatting.clock(each.at)}\n{each.content}" for each in turns
            )
        case "thoughts":
            recent = AskRecent(**_where(place), limit=SHOWN_AT_MOST)
            thoughts = (await session.call(working.THOUGHTS, recent)).thoughts
            return "\n\n".join(f"{formatting.clock(each.at)}\n{each.text}" for each in thoughts)
        case "goal":
            goal = (await session.call(working.ACTIVE_GOAL, WorkingPlace(**_where(place)))).goal
            if goal is None:
                return ""
            since = tr("since {time}", time=formatting.minute(goal.since))
            return f"{goal.description}\n\n{goal.goal_id}\n{since}"
        case _:
            held = await fetch(session, place, row)
            return value_to_text(held.value) if held.found else ""


async def fetch(session: Session, place: HeldPlace, row: HeldKey) -> WorkingValue:
    """Return the current context value or note."""
    if place.session_id is not None:
        ask = AskNote(session_id=place.session_id, user_id=place.user_id, key=row.name)
        return await session.call(working.READ_NOTE, ask)
    return await session.call(working.GET, AskValue(**_where(place), key=row.name))


async def write(session: Session, place: HeldPlace, row: HeldKey, value: Any) -> int | None:
    """Replace a value, keeping its lifetime. Returns 0, because no journal entry is made."""
    if place.session_id is not None:
        note = WriteNote(
            session_id=place.session_id,
            user_id=place.user_id,
            key=row.name,
            value=value,
            ttl_seconds=row.ttl_seconds,
        )
        await session.call(working.WRITE_NOTE, note)
    else:
        ask = SetValue(**_where(place), key=row.name, value=value, ttl_seconds=row.ttl_seconds)
        await session.call(working.SET, ask)
    return 0


def value_to_text(value: Any) -> str:
    """Return a value in the form a person reads and edits: text unchanged, anything else as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def value_from_text(text: str, was: Any) -> Any:
    """Return the typed value: as text if the old value was text, otherwise parsed as JSON.

    Raises ValueError if it is not valid JSON."""
    return text if isinstance(was, str) else json.loads(text)


def _where(place: HeldPlace) -> dict[str, Any]:
    return {"user_id": place.user_id, "channel": place.channel, "conversation_id": place.conversation_id}


ACTS: dict[str, Action] = {
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
    (AGAIN, marked("As long again")),
    (3600, marked("1 hour")),
    (86_400, marked("1 day")),
    (604_800, marked("7 days")),
)


class ValueForm(Form):
    """Form for another value of a key. A value that is not text is written as JSON."""

    def __init__(self, key: HeldKey, value: Any) -> None:
        self.key, self.was = key, value
        self.area = Area(
            value_to_text(value), name=scratchpad_keys.name(key), lines=14, mono=True, tab_moves_on=False
        )
        hint = "" if isinstance(value, str) else tr("As JSON")
        self.hint = Text(hint, 11, "t3", wrap=True)
        heading = tr("Edit “{key}”", key=scratchpad_keys.name(key))
        super().__init__(heading, tr("Save"), self.area, self.hint, first=self.area)
        self.area.changed.connect(lambda _: self.area.set_error())

    @property
    def begun(self) -> bool:
        """Return True if the text was changed."""
        return self.area.text() != value_to_text(self.was)

    def check(self) -> bool:
        """Return True if the text is valid: a value that was not text must be JSON."""
        try:
            value_from_text(self.area.text(), self.was)
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
        return (value_from_text(self.area.text(), self.was),) if self.begun else None

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
            first=self.life,
        )

    def asked(self) -> tuple[int | None]:
        """Return the lifetime in seconds in a tuple, with None for the previous lifetime."""
        seconds = self.life.value()
        assert isinstance(seconds, int)
        return (seconds or None,)


class ForgetForm(Form):
    """Form that asks before a key is forgotten, because that cannot be undone."""

    def __init__(self, key: HeldKey) -> None:
        super().__init__(
            tr("Forget “{key}”?", key=scratchpad_keys.name(key)),
            tr("Forget it"),
            Text(tr(GONE), 12, "t2", wrap=True),
        )

    def asked(self) -> bool:
        return True


class KeyDetail(RecordDetail):
    """Detail of one key."""

    record: HeldKey | None

    def __init__(self, session: Session) -> None:
        self._talks = False
        self.heading = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        self.meaning = Text("", 12, "t2", wrap=True)
        self.figures = Text("", 12, "t3", wrap=True)
        self.value = Reading()
        head = column(self.heading, self.meaning, self.figures, gap=8, margins=(16, 14, 16, 10))
        nothing = Empty(tr("No key is chosen."), tr("Choose one to see what it holds."))
        super().__init__(session, head, self.value, ACTS, nothing=nothing, edges="left")

    def show_key(self, key: HeldKey, value: str, *, talks: bool) -> None:
        """Show a key with its value as text. talks: it belongs to a stored conversation."""
        is_another = self.record is None or self.record.key != key.key
        self._talks = talks
        self.heading.setText(scratchpad_keys.name(key))
        meaning = scratchpad_keys.meaning(key) or (scratchpad_keys.sort(key) if key.name else "")
        self.meaning.show_text(meaning)
        made = tr("written {time}", time=formatting.minute(key.created_at))
        lives = (
            tr("stays")
            if key.ttl_seconds is None
            else tr("lives {time} after each use", time=formatting.span(key.ttl_seconds))
        )
        self.figures.setText(" · ".join((formatting.size(key.bytes), made, lives)))
        self.value.show_text(value, anew=is_another)
        self.show_detail(key)

    def acts_for(self, record: HeldKey) -> tuple[str, ...]:
        """Return the actions available for a key."""
        names = ["edit"] if record.sort in scratchpad_keys.EDITABLE else []
        names += ["longer"] if record.expires_at is not None else []
        goal = ["goal"] if record.sort == "goal" else []
        return (*names, "forget", *goal, *(["talk"] if self._talks else []))

    def why_not(self, act: str) -> str:
        """Return the reason why an action is disabled; those that only lead elsewhere never are."""
        return "" if act in ("goal", "talk") else super().why_not(act)
