"""View of a memory in the inspector: all its data, and the actions on it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from memdesk.api import curation
from memdesk.gui.inspectors import belief, past
from memdesk.gui.inspectors.actions import Actions, perform, removable, removal_words
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.effect import EffectSection, effect_of
from memdesk.gui.inspectors.graph_forms import EntityForm, LinkForm, RelationAsk, RelationForm, removal
from memdesk.gui.inspectors.links import Links
from memdesk.gui.inspectors.memory_forms import (
    BelowForm,
    MergeForm,
    MoveForm,
    PromotionForm,
    RenameTagForm,
    TagForm,
)
from memdesk.gui.keys import first_stop
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Ground, Option, Scroll, Section, column
from memdesk.gui.widgets.drop import ChoiceMenu
from memdesk.model.browse import Inspection, PromotionPreview, Related
from memdesk.model.curation import (
    EditEntity,
    EditFact,
    ListTags,
    Merge,
    Move,
    PreviewPromotion,
    Promote,
    RenameTag,
    Tagging,
)
from memdesk.model.entity import ENTITY

Correction = EditFact | EditEntity


class MemoryView(QWidget):
    """View of an Inspection. It is recreated when the memory changes, but not while a person is using a form
    (`is_busy`).

    Signals: freed is sent when a form has closed, acted when an action was carried out."""

    freed = Signal()
    acted = Signal()

    def __init__(self, session: Session, seen: Inspection, links: Links) -> None:
        super().__init__()
        self.seen = seen
        self._session, self._links = session, links
        self._claim = belief.claim(session, seen, links, self.rename_tag)
        self.conversation: past.Conversation | None = None
        self.footer = Actions(seen)
        self.form: EditForm | EntityForm | BelowForm | None = None
        self.effect: EffectSection | None = None
        self._came_from: QWidget | None = None
        self._is_asking = False
        self._content = column(self._claim, *self._sections(), None, gap=0)
        ground = Ground("panel", layout=self._content)
        self.area = Scroll(ground, "panel")
        self._outer = column(self.area, self.footer, gap=0)
        self.setLayout(self._outer)
        self.footer.set_able(session.why_not)
        self.footer.asked.connect(self._act)

    def _act(self, name: str) -> None:
        """Open the form of an action, or perform it."""
        match name:
            case "edit":
                self.edit()
            case "relate":
                self._ask(LinkForm(self._session, self.seen), self._do_relate)
            case "unlink":
                self.footer.open_menu(self.unlinks())
            case "promote":
                self.ask_promotion()
            case "move":
                self._ask(MoveForm(self._session, self.seen), self._do_move)
            case "tag":
                self._ask(TagForm(self.seen), self._do_tag)
            case "merge":
                self._ask(MergeForm(self._session, self.seen), self._do_merge)
            case _:
                self._session.spawn(self._perform(name))

    async def _perform(self, name: str) -> None:
        await perform(self._session, name, self.seen)
        self.acted.emit()

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
            belief.links_section(session, seen, links, self.change_relation),
            past.duplicates(session, seen, links),
        )
        return [part for part in parts if part is not None]

    @property
    def is_busy(self) -> bool:
        """Return True if a form is open or about to open."""
        return self.form is not None or self._is_asking

    @property
    def draft(self) -> Correction | None:
        """An unsaved correction, None if there is none."""
        return self.form.asked() if isinstance(self.form, EditForm | EntityForm) else None

    def toggle_source(self) -> None:
        """Show or hide the turns around the source."""
        if self.conversation is not None:
            self.conversation.toggle()

    # Forms.

    def edit(self, draft: Correction | None = None) -> None:
        """Open the form in place of the claim or the name. draft: an unfinished correction to continue."""
        form = None if self.is_busy else self._edit_form(draft)
        if form is None:
            return
        form.saved.connect(lambda ask: self._session.spawn(self._do_edit(ask)))
        form.cancelled.connect(self.close_form)
        self._enter(form)
        self._claim.hide()
        self.footer.hide()
        self._content.insertWidget(0, form)
        self.area.verticalScrollBar().setValue(0)
        form.begin()

    def _edit_form(self, draft: Correction | None) -> EditForm | EntityForm | None:
        """Return the form of a fact or an entity; other memories have none here."""
        if self.seen.fact is not None:
            form = EditForm(self.seen.fact)
            if isinstance(draft, EditFact):
                form.resume(draft)
            return form
        if self.seen.kind != ENTITY.name:
            return None
        of_entity = EntityForm(self.seen)
        if isinstance(draft, EditEntity):
            of_entity.resume(draft)
        return of_entity

    def change_relation(self, other: Related) -> None:
        """Open the form that changes or removes the relation to a neighbour."""
        self._ask(RelationForm(self.seen, other), self._do_relate)

    def unlinks(self) -> ChoiceMenu:
        """Return the menu of links, of which the chosen one is removed."""
        near = removable(self.seen)
        options = [Option(place, removal_words(each), icon="retire") for place, each in enumerate(near)]
        menu = ChoiceMenu(options, lambda _: False, staying=False, parent=self)
        menu.setAccessibleName(tr("Unlink"))
        menu.picked.connect(lambda n: self._session.spawn(self._do_relate(removal(self.seen, near[n]))))
        return menu

    def rename_tag(self, tag: str) -> None:
        """Open the form that renames a tag on every memory."""
        self._session.spawn(self._ask_tag_name(tag))

    async def _ask_tag_name(self, tag: str) -> None:
        rows = (await self._session.call(curation.TAGS, ListTags())).rows
        if isValid(self) and not self.is_busy:
            memories = next((each.memories for each in rows if each.tag == tag), 0)
            self._ask(RenameTagForm(tag, memories), self._do_rename_tag)

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
        self._ask(PromotionForm(preview, self._links), self._do_promote)

    def _ask(self, form: BelowForm, do: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        if self.is_busy or self._session.why_not:
            form.deleteLater()
            return
        form.saved.connect(lambda asked: self._session.spawn(do(asked)))
        form.cancelled.connect(self.close_form)
        self._enter(form)
        self.footer.hide()
        self._outer.addWidget(form)
        form.begin()

    def _enter(self, form: EditForm | EntityForm | BelowForm) -> None:
        self.form, self._came_from = form, QApplication.focusWidget()
        if self.seen.fact is not None:
            self.effect = EffectSection(self._session, lambda: effect_of(self.seen, form.asked()))
            self._content.insertWidget(0, self.effect)

    def close_form(self) -> None:
        """Close the open form, if any, show the actions again, and return the keyboard focus to the list or
        button that the form was opened from."""
        form, self.form = self.form, None
        if form is None:
            return
        focus = QApplication.focusWidget()
        had_focus = focus is not None and form.isAncestorOf(focus)
        if focus is not None and had_focus:
            # Or Qt hands the keyboard to the window's first button, which a screen reader then reads out.
            focus.clearFocus()
        form.hide()
        form.deleteLater()
        if self.effect is not None:
            self.effect.hide()
            self.effect.deleteLater()
            self.effect = None
        self._claim.show()
        self.footer.show()
        came_from, self._came_from = self._came_from, None
        if had_focus and came_from is not None and isValid(came_from) and came_from.isVisible():
            came_from.setFocus(Qt.FocusReason.OtherFocusReason)
        elif had_focus:
            self.take_focus()
        self.freed.emit()

    def take_focus(self) -> None:
        """Give the keyboard focus to the first action."""
        (first_stop(self.footer) or self).setFocus(Qt.FocusReason.OtherFocusReason)

    # What the forms ask for.

    async def _keep_test(self) -> None:
        """Keep a recall as a test if the person wants it: before the act, which undo then takes back first."""
        if self.effect is not None:
            await self.effect.keep_if_wanted()

    def _end(self) -> None:
        """Close the form of an action that was carried out."""
        self.close_form()
        self.acted.emit()

    async def _do_move(self, ask: Move) -> None:
        await self._keep_test()
        says = tr("Moved “{title}” to {channel}", title=self.seen.title, channel=ask.channel)
        await self._session.do(curation.MOVE, ask, says)
        self._end()

    async def _do_tag(self, asked: tuple[Tagging, Tagging]) -> None:
        new, gone = asked
        says = tr("Tagged “{title}”", title=self.seen.title)
        if gone.tags:
            await self._session.do(curation.UNTAG, gone, says)
        if new.tags:
            await self._session.do(curation.TAG, new, says)
        self._end()

    async def _do_rename_tag(self, ask: RenameTag) -> None:
        says = tr("Renamed the tag “{tag}” to “{name}”", tag=ask.tag, name=ask.name)
        await self._session.do(curation.RENAME_TAG, ask, says)
        self._end()

    async def _do_merge(self, ask: Merge) -> None:
        await self._keep_test()
        says = tr("Merged “{title}”", title=self.seen.title)
        done = await self._session.call(curation.MERGE, ask)
        self._session.did_run(done.change, says, "update", is_run=done.run is not None)
        self._end()
        self._links.memory(ask.into_id)

    async def _do_edit(self, ask: Correction) -> None:
        """Save a correction. If the memory has changed meanwhile, the form stays open, so that the typed text
        is not lost."""
        if isinstance(ask, EditFact):
            await self._keep_test()
            says = tr("Edited “{title}”", title=ask.claim or self.seen.title)
            await self._session.do(curation.EDIT_FACT, ask, says)
        else:
            says = tr("Edited “{title}”", title=ask.name or self.seen.title)
            await self._session.do(curation.EDIT_ENTITY, ask, says)
        self._end()

    async def _do_relate(self, asked: RelationAsk) -> None:
        endpoint, ask, says = asked
        await self._session.do(endpoint, ask, says)
        self._end()

    async def _do_promote(self, ask: Promote) -> None:
        await self._keep_test()
        says = tr("Promoted “{title}” to _global", title=self.seen.title)
        await self._session.do(curation.PROMOTE, ask, says)
        self._end()
