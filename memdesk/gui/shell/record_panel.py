"""Panels of records: a list with search and filters, the chosen record next to it, keys and states, declared once.

A complete panel of records:

    class NotesPanel(RecordPanel):
        '''Notes, newest first.'''

        kinds = ("note",)

        def __init__(self, session: Session, inspector: Inspector) -> None:
            super().__init__(session, inspector)
            self.table = Table(RowsModel(COLUMNS), name=tr("Notes"))
            self.detail = NoteDetail(session)            # a RecordDetail: its head, body and actions
            self.records = Records(session, self.table, self.detail, self._read)
            search = self.search_field(tr("Filter notes"), then=self._show_notes)
            new = self.new_button(tr("New note"), self._open_form)
            self.lay_out(self.records, focus=self.table, actions=(search, new))

        async def load(self) -> None:
            self._notes = (await self.session.call(notes.LIST, ListNotes(channels=self.session.channels))).rows
            self.say(tr("%Ln note(s)", "", len(self._notes)))
            self._show_notes()

        def _show_notes(self) -> None:                   # the chosen one stays chosen
            shown = [each for each in self._notes if self.sought in each.text]
            passes = tr("No note has these words.")
            if not self.show_list(shown, all=self._notes, passes=passes, show_all=self.filter.clear):
                self.show_empty(tr("No note yet."), tr("Agents write them."))

        async def _read(self, row: NoteRow) -> None:
            self.detail.show_note(await self.session.call(notes.GET, AskNote(id=row.id)))
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLayout, QWidget

from memdesk.gui.keys import on_key
from memdesk.gui.language import tr
from memdesk.gui.newest import Newest
from memdesk.gui.session import Session
from memdesk.gui.shell.panel import Panel
from memdesk.gui.shell.record_detail import RecordDetail
from memdesk.gui.widgets import Control, Field, Form, FormStack, Skeleton, Splitter, Table
from memdesk.gui.widgets.layout import Item
from memdesk.model.errors import MemDeskError

STACKS_BELOW_PX = 720
"""Panel width below which the detail is placed under the list."""
DETAIL_PX, DETAIL_LEAST_PX = 340, 300
LIST_PX = 900
NOT_HERE = ("E", "I", "Del", "Enter")
"""Keys of actions that the window handles through Panel.act, and the key that opens a row."""


class Records(Splitter):
    """List of records with the chosen one next to it, or below it in a narrow panel.

    read(record): shows a record in the detail; the reading of an earlier one is cancelled. A record that is
    selected before it is loaded is chosen once it is among the rows. The keys of the detail's actions act in both
    lists."""

    def __init__(
        self,
        session: Session,
        table: Table,
        detail: RecordDetail,
        read: Callable[[Any], Coroutine[Any, Any, None]],
        *,
        detail_px: int = DETAIL_PX,
        detail_least: int = DETAIL_LEAST_PX,
    ) -> None:
        super().__init__(table, detail, grows=0, stacks_below=STACKS_BELOW_PX)
        self._session, self.table, self.detail, self._read = session, table, detail, read
        self._task = Newest(session)
        detail.setMinimumWidth(detail_least)
        self.setSizes([LIST_PX, detail_px])
        table.picked.connect(self.show_record)
        detail.stack.closed.connect(lambda: table.setFocus(Qt.FocusReason.OtherFocusReason))
        for name, keys in detail.acts.keys.items():
            if keys not in NOT_HERE:
                on_key(keys, partial(detail.acts.press, name), table, detail.body)

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Replace the rows. The wanted record, else the one that was chosen, else the first is chosen and read."""
        self.show_record(self.table.replace_rows(rows))

    def show_record(self, record: Any) -> None:
        """Read a record and show it; None shows that there is none."""
        self._task.cancel()
        if record is None:
            self.detail.show_nothing()
            return
        self.detail.acts.expect(self.table.id_of(record))
        self._task.start(self._read(record))

    @property
    def at(self) -> str:
        """Id of the chosen record; empty for none."""
        record = self.table.record()
        return "" if record is None else self.table.id_of(record)


class RecordPanel(Panel):
    """Panel of records. Subclasses build their Records, or a table alone, call lay_out() and write load()."""

    records: Records | None = None
    filter: Field
    new: Control | None = None
    """Button of a new record, if a person can make one here."""
    letters: ClassVar[dict[str, str]] = {"edit": "edit", "retire": "retire"}
    """Actions of the detail that the window's letters E, Del and so on press."""
    unsaved_words = ""
    """Name of the text that a form would lose, as shown when the window closes."""
    _refusal = ""
    """Why this page is closed to the member's role; empty if it is not."""

    def search_field(self, words: str, width: int = 200, then: Callable[[], object] | None = None) -> Field:
        """Return the field of the filter. then: called as the text changes; by default the panel loads again."""
        self.filter = self._filter_field = Field(
            placeholder=words, icon="search", keys="/", quiet=True, width=width
        )
        self.filter.textChanged.connect(lambda _: self.keep_still(False))
        self.filter.textChanged.connect(lambda _: (then or self.ask_soon)())
        return self.filter

    def new_button(self, words: str, begin: Callable[[], object]) -> Control:
        """Return the button of a new record; N in the list presses it."""
        self.new = Control("button", words, "plus", keys="N")
        self.new.clicked.connect(begin)
        return self.new

    @property
    def sought(self) -> str:
        return self.filter.text().strip()

    def lay_out(
        self,
        content: QWidget,
        *,
        focus: QWidget,
        actions: tuple[Item, ...] = (),
        filters: QLayout | None = None,
        skeleton: Sequence[float] = (0.4, 0.12, 0.08),
        pitch: int = 30,
        divided: bool = True,
    ) -> None:
        """Build the panel: the actions, ending with the filter, and the content. focus: gets the keyboard.
        skeleton: widths of the columns while they load, as shares. divided: see furnish."""
        wait = Skeleton(rows=16 if pitch == 30 else 12, pitch=pitch, shares=skeleton)
        self.furnish(
            content,
            actions=actions,
            filters=filters,
            filter_field=self._filter_field,
            skeleton=wait,
            divided=divided,
        )
        self.setFocusProxy(focus)
        if self.new is not None and self.records is not None:
            on_key("N", self.new.click, self.records.table, self.records.detail.body)
        self.session.able.connect(self._ask_again)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_away(self._refusal or self.session.why_not)

    def show_failure(self, wrong: MemDeskError) -> None:
        super().show_failure(wrong)
        if "role" in wrong.details:
            self._refusal = wrong.says
            self.show_away(self._refusal)

    def _ask_again(self) -> None:
        self._refusal = ""
        self.show_away(self.session.why_not)

    def show_away(self, why_not: str) -> None:
        """Enable or disable the panel's own actions. why_not: reason why nothing can be changed, empty if it can."""
        if self.new is not None:
            self.new.set_enabled(not why_not, why_not)

    # States.

    @property
    def is_filtered(self) -> bool:
        """True if the top bar shows only some channels or agents."""
        return bool(self.session.channels or self.session.agents)

    def show_all(self) -> None:
        """Remove the filters of the top bar."""
        self.session.filter_agents(())
        self.session.filter_channels(())

    def show_none_here(self, sentence: str, why: str = "") -> None:
        """Show that the channels and agents of the top bar leave no record."""
        self.show_empty(sentence, why, step=tr("Show all channels and agents"), take=self.show_all)

    # The chosen record.

    def select(self, id: str) -> None:
        """Show a record by its id, now or once it is loaded."""
        table = self.focusProxy() if self.records is None else self.records.table
        if isinstance(table, Table):
            table.select(id)

    @property
    def at(self) -> str:
        return "" if self.records is None else self.records.at

    @property
    def forms(self) -> FormStack | None:
        """The forms of the detail, if it has any."""
        return None if self.records is None else self.records.detail.stack

    def act(self, action: str) -> bool:
        """Apply the window's letters to the chosen record; those that are no action of it have no effect here."""
        if self.records is not None and action in self.letters:
            self.records.detail.acts.press(self.letters[action])
        return self.records is not None

    def show_list(
        self, shown: Sequence[Any], *, all: Sequence[Any], passes: str, show_all: Callable[[], object]
    ) -> bool:
        """Show the rows that pass the panel's own filters; returns False if there are no records at all. passes: the
        sentence for a filter that leaves none. An open form stays."""
        assert self.records is not None
        self.records.show_rows(shown)
        if shown or self.records.detail.stack.form is not None:
            self.show_content()
        elif all:
            self.show_empty(passes, step=tr("Show all"), take=show_all)
        return bool(shown or all or self.records.detail.stack.form is not None)

    def show_form(self, form: Form, carry_out: Callable[[Any], Coroutine[Any, Any, None]]) -> None:
        """Show a form over the detail. carry_out: does what it asks for; then the form closes, and the panel loads."""

        async def carried_out(ask: Any) -> None:
            await carry_out(ask)
            stack.close_form()
            self.reload()

        assert self.records is not None
        stack = self.records.detail.stack
        self.show_content()
        stack.open_form(form, lambda ask: self.session.spawn(carried_out(ask)))

    def step_back(self) -> bool:
        """Close the form; returns False if none is open. A panel without records then shows again how to begin."""
        closed = self.forms is not None and self.forms.close_form()
        if closed and self.records is not None and not self.records.table.record():
            self.reload()
        return closed

    def unsaved(self) -> tuple[str, ...]:
        """Return the name of a begun form, if any."""
        form = None if self.forms is None else self.forms.form
        return (tr(self.unsaved_words),) if form is not None and form.begun else ()
