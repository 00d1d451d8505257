"""Actions on a memory, each declared once: its words, icon and key, what it calls, and the sentence afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Protocol

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QSizePolicy

from memdesk.api import curation, review
from memdesk.api.endpoint import Endpoint
from memdesk.gui.keys import Key
from memdesk.gui.language import marked, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import relation_words, term
from memdesk.gui.widgets import Control, Ground, Option
from memdesk.gui.widgets.drop import ChoiceMenu
from memdesk.gui.widgets.text import excerpt
from memdesk.model.browse import Inspection, Related
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import Demote, Pin, Rescue, Restore, Retire, Trust
from memdesk.model.kind import SEARCHED
from memdesk.model.kinds import BY_NAME
from memdesk.model.review import Quarantine
from memdesk.model.trust import is_trusted


class Memory(Protocol):
    """A memory as lists and the inspector have it."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def title(self) -> str:
        """Its text."""

    @property
    def pinned(self) -> bool:
        """True if it does not fade."""


Call = tuple[Endpoint[Any, Any], object]


@dataclass(frozen=True, slots=True)
class Act:
    """An action's label and icon. key: the letter that triggers it in a list.

    call: the request, None for an action that first opens a form. done: the sentence afterwards. off, off_done:
    label and sentence where the action would take itself back."""

    says: str
    icon: str
    key: str = ""
    _: KW_ONLY
    call: Callable[[Memory], Call] | None = None
    done: str = ""
    off: str = ""
    off_done: str = ""


ACTS = {
    "promote": Act(marked("Promote"), "promote", "P"),
    "demote": Act(
        marked("Demote"),
        "down",
        "D",
        call=lambda it: (curation.DEMOTE, Demote(fact_id=it.id)),
        done=marked("Demoted “{title}”"),
    ),
    "edit": Act(marked("Edit"), "edit", "E"),
    "pin": Act(
        marked("Pin"),
        "pin",
        "I",
        call=lambda it: (curation.PIN, Pin(id=it.id, pinned=not it.pinned)),
        done=marked("Pinned “{title}”"),
        off=marked("Unpin"),
        off_done=marked("Unpinned “{title}”"),
    ),
    "rescue": Act(
        marked("Rescue"),
        "rescue",
        "R",
        call=lambda it: (curation.RESCUE, Rescue(id=it.id)),
        done=marked("Rescued “{title}”"),
    ),
    "trust": Act(
        marked("Trust"),
        "check",
        call=lambda it: (curation.TRUST, Trust(id=it.id)),
        done=marked("Trusted “{title}”"),
    ),
    "quarantine": Act(
        marked("Quarantine"),
        "lock",
        "Q",
        call=lambda it: (review.QUARANTINE, Quarantine(id=it.id)),
        done=marked("Quarantined “{title}”"),
    ),
    "retire": Act(
        marked("Retire"),
        "retire",
        "Del",
        call=lambda it: (curation.RETIRE, Retire(id=it.id)),
        done=marked("Retired “{title}”"),
    ),
    "restore": Act(
        marked("Restore"),
        "undo",
        call=lambda it: (curation.RESTORE, Restore(id=it.id)),
        done=marked("Restored “{title}”"),
    ),
    "merge": Act(marked("Merge"), "merge", "M"),
    "move": Act(marked("Move"), "right"),
    "tag": Act(marked("Tag"), "edit"),
    "relate": Act(marked("Link"), "link", "L"),
    "unlink": Act(marked("Unlink"), "retire", "U"),
}
INFREQUENT = ("trust", "rescue", "relate", "unlink", "merge", "move", "tag")
"""Less frequent actions, in the menu of one button."""


async def perform(session: Session, name: str, memory: Memory) -> None:
    """Perform an action that needs no form; its sentence with Undo is shown in the status line."""
    act = ACTS[name]
    assert act.call is not None
    done = act.off_done if act.off and memory.pinned else act.done
    endpoint, ask = act.call(memory)
    await session.do(endpoint, ask, tr(done, title=memory.title))


class Actions(Ground):
    """Bar of action buttons. The signal `asked` carries the name of the requested action."""

    asked = Signal(str)

    def __init__(self, seen: Inspection) -> None:
        self._seen, self._session_why_not = seen, ""
        self.buttons = {
            name: Control(
                "primary" if name == "promote" else "button", label(seen, name), act.icon, keys=act.key
            )
            for name, act in ACTS.items()
        }
        self.more = Control("button", tr("More"), "more", drop=True)
        grid = QGridLayout()
        grid.setContentsMargins(16, 12, 16, 12)
        grid.setSpacing(8)
        parts = [self.buttons[name] for name in with_button(seen)] + [self.more] * bool(infrequent(seen))
        for place, part in enumerate(parts):
            part.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            grid.addWidget(part, place // 2, place % 2)
        super().__init__("panel", "top")
        self.setLayout(grid)
        self.more.clicked.connect(lambda: self.open_menu(self.menu()))
        for name, button in self.buttons.items():
            button.clicked.connect(lambda _=False, name=name: self.asked.emit(name))

    def set_able(self, why_not: str) -> None:
        """Disable all buttons while nothing can be changed. why_not: the reason, empty if it can."""
        self._session_why_not = why_not
        for name, button in self.buttons.items():
            reason = self._why_not(name)
            button.set_enabled(not reason, reason)
        self.more.set_enabled(not why_not, why_not)

    def press(self, name: str) -> str:
        """Trigger an action by its key; returns the reason why it cannot be, empty if it was triggered."""
        if name not in offered(self._seen):
            words = {"act": label(self._seen, name), "kind": term(self._seen.kind)}
            return tr("{act}: a {kind} has no such action, or it is done already.", **words)
        reason = self._why_not(name)
        if not reason:
            self.asked.emit(name)
        return reason

    def commands(self) -> Iterator[Key]:
        """Yield the actions possible now, for the search."""
        for name in offered(self._seen):
            if not self._why_not(name):
                words = tr("{act}: {title}", act=label(self._seen, name), title=excerpt(self._seen.title))
                yield Key(says=words, keys=ACTS[name].key, act=partial(self.press, name))

    def _why_not(self, name: str) -> str:
        return self._session_why_not or why_not(self._seen, name)

    def menu(self) -> ChoiceMenu:
        names = [name for name in infrequent(self._seen) if not self._why_not(name)]
        options = [Option(name, tr(ACTS[name].says), icon=ACTS[name].icon) for name in names]
        made = ChoiceMenu(options, lambda _: False, staying=False, parent=self)
        made.picked.connect(lambda name: self.asked.emit(name))
        return made

    def open_menu(self, menu: ChoiceMenu) -> None:
        """Open a menu above the button of less frequent actions, at its first line; a wide one extends to the left."""
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        size = menu.sizeHint()
        at = QPoint(min(0, self.more.width() - size.width()), -size.height() - 2)
        menu.popup(self.more.mapToGlobal(at))
        menu.setActiveAction(menu.actions()[0])


def label(seen: Inspection, name: str) -> str:
    act = ACTS[name]
    return tr(act.off) if act.off and seen.pinned else tr(act.says)


def is_copy(seen: Inspection) -> bool:
    """Return True if the memory was created by a promotion."""
    fact = seen.fact
    return fact is not None and fact.channel == GLOBAL and fact.promoted_from is not None


def with_button(seen: Inspection) -> tuple[str, ...]:
    """Return the actions for this kind of memory that have their own button."""
    acts = _acts(seen)
    replaced = {"promote" if is_copy(seen) else "demote"}
    replaced.add("retire" if seen.retired and "restore" in acts else "restore")
    return tuple(name for name in ACTS if name in acts and name not in replaced and name not in INFREQUENT)


def infrequent(seen: Inspection) -> tuple[str, ...]:
    """Return the actions for this kind of memory that are in the menu."""
    return tuple(name for name in INFREQUENT if name in _acts(seen))


def _acts(seen: Inspection) -> tuple[str, ...]:
    """Return the actions of a memory that a recall can return; others have none here."""
    acts = BY_NAME[seen.kind].acts if seen.kind in SEARCHED else ()
    return (*acts, "unlink") if "relate" in acts else acts


def removable(seen: Inspection) -> tuple[Related, ...]:
    """Return the neighbours whose relation can be removed: a lineage cannot."""
    return tuple(each for each in (*seen.about, *seen.related) if each.relation_id)


def removal_words(other: Related) -> str:
    """Return the removal of the relation to a neighbour in words that name this neighbour alone."""
    words = {"relation": relation_words(other.relation), "title": excerpt(other.title)}
    if other.outgoing:
        return tr("No longer {relation} “{title}”", **words)
    return tr("No longer: “{title}” {relation} this", **words)


def offered(seen: Inspection) -> tuple[str, ...]:
    """Return all actions for this kind of memory."""
    return (*with_button(seen), *infrequent(seen))


def why_not(seen: Inspection, name: str) -> str:
    """Return the reason why an action is impossible; empty if it is possible."""
    if seen.retired:
        return "" if name == "restore" else tr("It is retired; restore it first.")
    fact = seen.fact
    if name == "promote" and fact is not None and fact.channel == GLOBAL:
        return tr("It is in _global already.")
    if name == "promote" and fact is not None and fact.superseded_by is not None:
        return tr("A newer fact took its place.")
    if name == "trust" and seen.trust is not None and is_trusted(seen.trust):
        return tr("It is trusted already.")
    if name == "unlink" and not removable(seen):
        return tr("It has no link.")
    if name == "rescue" and (seen.pinned or seen.curve is None):
        return tr("It does not fade.")
    return ""
