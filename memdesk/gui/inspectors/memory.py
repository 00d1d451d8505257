"""View of a memory in the inspector: all its data, and the actions on it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from memdesk.api import curation, review
from memdesk.gui.inspectors import belief, past
from memdesk.gui.inspectors.actions import Actions
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.links import Links
from memdesk.gui.inspectors.memory_forms import BelowForm, MergeForm, MoveForm, PromotionForm, TagForm
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, Scroll, Section, column
from memdesk.model.browse import Inspection, PromotionPreview
from memdesk.model.curation import (
    Demote,
    EditFact,
    Merge,
    Move,
    Pin,
    PreviewPromotion,
    Promote,
    Rescue,
    Restore,
    Retire,
    Tagging,
)
from memdesk.model.review import Quarantine


class MemoryView(QWidget):
    """View of an Inspection. It is recreated when the memory changes, but not while a person is using a form
    (`is_busy`).

    The signal `freed` is sent when a form has closed."""

    freed = Signal()

    def __init__(self, session: Session, seen: Inspection, links: Links) -> None:
        super().__init__()
        self.seen = seen
        self._session, self._links = session, links
        self._claim = belief.claim(session, seen, links)
        self.conversation: past.Conversation | None = None
        self.foot = Actions(seen)
        self.form: EditForm | PromotionForm | BelowForm | None = None
        self._is_asking = False
        self._content = column(self._claim, *self._sections(), None, gap=0)
        ground = Ground("panel", layout=self._content)
        self.area = Scroll(ground, "panel")
        self._outer = column(self.area, self.foot, gap=0)
        self.setLayout(self._outer)
        self.foot.set_away(session.is_away)
        self._acts: dict[str, Callable[[], object]] = {
            "promote": self.ask_promotion,
            "edit": self.edit,
            "pin": self.pin,
            "retire": self.retire,
            "demote": self.demote,
            "rescue": self.rescue,
            "quarantine": self.quarantine,
            "restore": self.restore,
            "move": self.ask_move,
            "tag": self.ask_tags,
            "merge": self.ask_merge,
        }
        self.foot.asked.connect(lambda name: self._acts[name]())

    def _sections(self) -> list[Section]:
        session, seen, links = self._session, self.seen, self._links
        origin = past.origin(session, seen, links)
        if origin is not None:
            self.conversation = origin.findChild(past.Conversation)
        parts = (
            belief.confidence_section(session, seen),
            belief.fields_section(seen),
            belief.salience(seen),
            origin,
            past.history(session, seen, links),
            belief.links_section(session, seen, links),
            past.duplicates(session, seen, links),
        )
        return [part for part in parts if part is not None]

    @property
    def is_busy(self) -> bool:
        """Return True if a form is open or about to open."""
        return self.form is not None or self._is_asking

    @property
    def draft(self) -> EditFact | None:
        """An unsaved correction, None if there is none."""
        return self.form.asked() if isinstance(self.form, EditForm) else None

    def toggle_source(self) -> None:
        """Show or hide the turns around the source."""
        if self.conversation is not None:
            self.conversation.toggle()

    # Forms.

    def edit(self, draft: EditFact | None = None) -> None:
        """Open the form in place of the claim. draft: an unfinished correction to continue."""
        if self.seen.fact is None or self.is_busy:
            return
        form = EditForm(self.seen.fact)
        if draft is not None:
            form.resume(draft)
        form.saved.connect(self._save)
        form.cancelled.connect(self.close_form)
        self.form = form
        self._claim.hide()
        self.foot.hide()
        self._content.insertWidget(0, form)
        self.area.verticalScrollBar().setValue(0)
        form.begin()

    def ask_promotion(self) -> None:
        """Show the effect of a promotion, then ask for confirmation."""
        if self.seen.fact is not None and not self.is_busy:
            self._is_asking = True
            self._session.spawn(self._preview())

    async def _preview(self) -> None:
        ask = PreviewPromotion(fact_id=self.seen.id)
        preview: PromotionPreview | None = None
        try:
            preview = await self._session.call(curation.PREVIEW_PROMOTION, ask)
        finally:
            self._is_asking = False
            # Another memory may have taken the place of this one meanwhile.
            if preview is None and isValid(self):
                self.freed.emit()
        if not isValid(self) or self.is_busy or not self.isVisible():
            return
        form = PromotionForm(preview, self._links)
        form.promoted.connect(self._promote)
        self._open_below(form)

    def ask_move(self) -> None:
        """Ask for the channel to move to."""
        self._ask(lambda: MoveForm(self._session, self.seen), self._do_move)

    def ask_tags(self) -> None:
        """Ask for new tags."""
        self._ask(lambda: TagForm(self.seen), self._do_tag)

    def ask_merge(self) -> None:
        """Ask for the memory to merge this one into."""
        self._ask(lambda: MergeForm(self._session, self.seen), self._do_merge)

    def _ask(self, made: Callable[[], BelowForm], do: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        if self.is_busy:
            return
        form = made()
        form.saved.connect(lambda asked: self._session.spawn(do(asked)))
        self._open_below(form)

    def _open_below(self, form: PromotionForm | BelowForm) -> None:
        form.cancelled.connect(self.close_form)
        self.form = form
        self.foot.hide()
        self._outer.addWidget(form)
        form.begin()

    def close_form(self) -> None:
        """Close the open form, if any, and show the actions again."""
        form, self.form = self.form, None
        if form is None:
            return
        focus = QApplication.focusWidget()
        had_focus = focus is not None and form.isAncestorOf(focus)
        form.hide()
        form.deleteLater()
        self._claim.show()
        self.foot.show()
        if had_focus:
            next(iter(self.foot.buttons.values())).setFocus(Qt.FocusReason.OtherFocusReason)
        self.freed.emit()

    # Acts.

    def pin(self) -> None:
        """Pin the memory, or unpin it if it is pinned."""
        seen = self.seen
        says = (
            tr("Unpinned “{title}”", title=seen.title)
            if seen.pinned
            else tr("Pinned “{title}”", title=seen.title)
        )
        self._session.spawn(self._do_pin(Pin(id=seen.id, pinned=not seen.pinned), says))

    def retire(self) -> None:
        """Hide it from recall; Undo is offered at once."""
        self._session.spawn(self._do_retire(Retire(id=self.seen.id)))

    def demote(self) -> None:
        """Remove a promoted copy from _global; the original stays."""
        self._session.spawn(self._do_demote())

    def rescue(self) -> None:
        """Raise the salience of a fading memory."""
        self._session.spawn(self._do_rescue())

    def quarantine(self) -> None:
        """Exclude it from recall until a person decides; the question about it goes to the review queue."""
        self._session.spawn(self._do_quarantine())

    async def _do_quarantine(self) -> None:
        says = tr("Quarantined “{title}”", title=self.seen.title)
        await self._session.do(review.QUARANTINE, Quarantine(id=self.seen.id), says)

    def restore(self) -> None:
        """Return a retired memory to recall."""
        self._session.spawn(self._do_restore())

    async def _do_demote(self) -> None:
        says = tr("Demoted “{title}”", title=self.seen.title)
        await self._session.do(curation.DEMOTE, Demote(fact_id=self.seen.id), says)

    async def _do_rescue(self) -> None:
        says = tr("Rescued “{title}”", title=self.seen.title)
        await self._session.do(curation.RESCUE, Rescue(id=self.seen.id), says)

    async def _do_restore(self) -> None:
        says = tr("Restored “{title}”", title=self.seen.title)
        await self._session.do(curation.RESTORE, Restore(id=self.seen.id), says)

    async def _do_move(self, ask: Move) -> None:
        says = tr("Moved “{title}” to {channel}", title=self.seen.title, channel=ask.channel)
        await self._session.do(curation.MOVE, ask, says)
        self.close_form()

    async def _do_tag(self, asked: tuple[Tagging, Tagging]) -> None:
        new, gone = asked
        says = tr("Tagged “{title}”", title=self.seen.title)
        if gone.tags:
            await self._session.do(curation.UNTAG, gone, says)
        if new.tags:
            await self._session.do(curation.TAG, new, says)
        self.close_form()

    async def _do_merge(self, ask: Merge) -> None:
        says = tr("Merged “{title}”", title=self.seen.title)
        done = await self._session.call(curation.MERGE, ask)
        self._session.did_run(done.change, says, "update", is_run=done.run is not None)
        self.close_form()
        self._links.memory(ask.into_id)

    def _save(self, ask: EditFact) -> None:
        self._session.spawn(self._do_edit(ask))

    def _promote(self, ask: Promote) -> None:
        self._session.spawn(self._do_promote(ask))

    async def _do_pin(self, ask: Pin, says: str) -> None:
        await self._session.do(curation.PIN, ask, says)

    async def _do_retire(self, ask: Retire) -> None:
        await self._session.do(curation.RETIRE, ask, tr("Retired “{title}”", title=self.seen.title))

    async def _do_edit(self, ask: EditFact) -> None:
        """Save a correction. If the fact has changed meanwhile, the form stays open, so that the typed text
        is not lost."""
        await self._session.do(
            curation.EDIT_FACT, ask, tr("Edited “{title}”", title=ask.claim or self.seen.title)
        )
        self.close_form()

    async def _do_promote(self, ask: Promote) -> None:
        says = tr("Promoted “{title}” to _global", title=self.seen.title)
        await self._session.do(curation.PROMOTE, ask, says)
        self.close_form()
