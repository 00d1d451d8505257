"""One memory in the inspector: everything about it, and what a person can do to it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget

from memdesk.contract import curation, review
from memdesk.gui.inspectors import belief, past
from memdesk.gui.inspectors.actions import Actions
from memdesk.gui.inspectors.edit import EditForm
from memdesk.gui.inspectors.links import Links
from memdesk.gui.inspectors.promotion import PromotionForm
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, Scroll, Section, column
from memdesk.model.browse import Inspection, PromotionPreview
from memdesk.model.curation import EditFact, Pin, PreviewPromotion, Promote, Retire
from memdesk.model.review import Quarantine


class MemoryView(QWidget):
    """Shows an Inspection. It is made anew when the memory changes, but not under a person's hands (`is_busy`).

    The signal `freed` is told when a form has closed."""

    freed = Signal()

    def __init__(self, session: Session, seen: Inspection, links: Links) -> None:
        super().__init__()
        self.seen = seen
        self._session, self._links = session, links
        self._claim = belief.claim(session, seen, links)
        self.conversation: past.Conversation | None = None
        self.foot = Actions(seen)
        self.form: EditForm | PromotionForm | None = None
        self._content = column(self._claim, *self._sections(), None, gap=0)
        ground = Ground("panel", layout=self._content)
        self.area = Scroll(ground, "panel")
        self._outer = column(self.area, self.foot, gap=0)
        self.setLayout(self._outer)
        self.foot.set_away(session.is_away)
        self.foot.promote.connect(self.ask_promotion)
        self.foot.edit.connect(lambda: self.edit())
        self.foot.pin.connect(self.pin)
        self.foot.quarantine.connect(self.quarantine)
        self.foot.retire.connect(self.retire)

    def _sections(self) -> list[Section]:
        session, seen, links = self._session, self.seen, self._links
        origin = past.origin(session, seen, links)
        if origin is not None:
            self.conversation = origin.findChild(past.Conversation)
        parts = (
            belief.believed(session, seen),
            belief.described(seen),
            belief.salience(seen),
            origin,
            past.history(session, seen, links),
            belief.linked(session, seen, links),
            past.duplicates(session, seen, links),
        )
        return [part for part in parts if part is not None]

    @property
    def is_busy(self) -> bool:
        """Whether a form is open."""
        return self.form is not None

    @property
    def draft(self) -> EditFact | None:
        """A correction that was begun and not saved."""
        return self.form.asked() if isinstance(self.form, EditForm) else None

    def toggle_source(self) -> None:
        """Unfold or fold the turns around the source."""
        if self.conversation is not None:
            self.conversation.toggle()

    # Forms.

    def edit(self, draft: EditFact | None = None) -> None:
        """Open the form in the place of the claim. draft: a correction to take up again."""
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
        """Show what promoting would do, then ask."""
        if self.seen.fact is not None and not self.is_busy:
            self._session.spawn(self._preview())

    async def _preview(self) -> None:
        ask = PreviewPromotion(fact_id=self.seen.id)
        preview: PromotionPreview = await self._session.call(curation.PREVIEW_PROMOTION, ask)
        if self.is_busy or not self.isVisible():
            return
        form = PromotionForm(preview, self._links)
        form.promoted.connect(self._promote)
        form.cancelled.connect(self.close_form)
        self.form = form
        self.foot.hide()
        self._outer.addWidget(form)
        form.begin()

    def close_form(self) -> None:
        """Close whatever form is open; the actions come back."""
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
        """Pin, or unpin what is pinned."""
        seen = self.seen
        says = (
            tr("Unpinned “{title}”", title=seen.title)
            if seen.pinned
            else tr("Pinned “{title}”", title=seen.title)
        )
        self._session.spawn(self._do_pin(Pin(id=seen.id, pinned=not seen.pinned), says))

    def retire(self) -> None:
        """Hide it from recall; the way back is offered at once."""
        self._session.spawn(self._do_retire(Retire(id=self.seen.id)))

    def quarantine(self) -> None:
        """Hold it out of recall until somebody decides; the question about it waits in the inbox."""
        self._session.spawn(self._do_quarantine(Quarantine(id=self.seen.id)))

    def _save(self, ask: EditFact) -> None:
        self._session.spawn(self._do_edit(ask))

    def _promote(self, ask: Promote) -> None:
        self._session.spawn(self._do_promote(ask))

    async def _do_pin(self, ask: Pin, says: str) -> None:
        await self._session.do(curation.PIN, ask, says)

    async def _do_retire(self, ask: Retire) -> None:
        await self._session.do(curation.RETIRE, ask, tr("Retired “{title}”", title=self.seen.title))

    async def _do_quarantine(self, ask: Quarantine) -> None:
        await self._session.do(review.QUARANTINE, ask, tr("Quarantined “{title}”", title=self.seen.title))

    async def _do_edit(self, ask: EditFact) -> None:
        """The form stays open when the fact has changed meanwhile, so that what was typed is not lost."""
        await self._session.do(
            curation.EDIT_FACT, ask, tr("Edited “{title}”", title=ask.claim or self.seen.title)
        )
        self.close_form()

    async def _do_promote(self, ask: Promote) -> None:
        await self._session.do(curation.PROMOTE, ask, f"Promoted “{self.seen.title}” to _global")
        self.close_form()
