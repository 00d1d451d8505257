"""Forms below a memory: to move, tag, merge or promote it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from memdesk.api import curation, memory
from memdesk.gui.inspectors.belief import NAME_PX, amount
from memdesk.gui.inspectors.links import LinkLine, Links, secondary_text
from memdesk.gui.language import sentences, tr
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised, term
from memdesk.gui.widgets import (
    Bar,
    Drop,
    Field,
    Form,
    Icon,
    Option,
    Text,
    column,
    delayed,
    remove_widgets,
    row,
    word_diff_markup,
)
from memdesk.gui.widgets.explaining import explain_terms
from memdesk.gui.widgets.layout import Item
from memdesk.gui.widgets.text import excerpt, shorten
from memdesk.model.browse import Find, Inspection, PromotionPreview, Threshold
from memdesk.model.curation import Merge, MergePreview, Move, PreviewMerge, Promote, RenameTag, Tagging

WAIT_MS = 150
OFFERED_AT_MOST = 6


class BelowForm(Form):
    """Form below a memory, with one question; Enter saves it."""

    def __init__(self, heading: str, *parts: Item, first: QWidget, icon: str, save: str = "") -> None:
        super().__init__(heading, save or heading, *parts, first=first, icon=icon, keys="Enter", edges="top")

    def submit(self) -> None:
        """Send the request, if it is possible and anything would change."""
        asked = self.asked()
        if asked is not None and self.save.isEnabled():
            self.saved.emit(asked)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Submit with Enter, as the button says, where the focused part leaves it to the form: a field of one line
        does, so that no field submits by itself, which would do it twice."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.enter()
        else:
            super().keyPressEvent(event)

    def enter(self) -> None:
        """Do what Enter does."""
        self.submit()


class MoveForm(BelowForm):
    """Form that chooses a channel. A fact reaches `_global` by promotion, so `_global` is not offered for a
    fact."""

    def __init__(self, session: Session, seen: Inspection) -> None:
        self._seen = seen
        rows = session.status.channels if session.status else ()
        others = [
            Option(each.name, each.name, channel=each.number)
            for each in sorted(rows, key=lambda each: each.number)
            if each.name != seen.channel and (seen.kind != "fact" or each.number > 0)
        ]
        self.channel = Drop(others, lead=tr("To"), name=tr("To channel"))
        self.channel.enter_opens = False
        self.reason = Field(placeholder=tr("Why, if you like"), name=tr("Reason"))
        super().__init__(tr("Move"), self.channel, self.reason, first=self.channel, icon="right")
        self.save.set_enabled(bool(others), tr("There is no other channel."))

    def asked(self) -> Move | None:
        """Return the move with its reason; None while no channel is chosen."""
        to = self.channel.value()
        if to is None:
            return None
        return Move(id=self._seen.id, channel=str(to), reason=self.reason.text().strip())


class TagForm(BelowForm):
    """Form with the tags in one line, separated by commas. Its request is a pair: tags to add, tags to
    remove."""

    def __init__(self, seen: Inspection) -> None:
        self._seen = seen
        self.tags = Field(", ".join(seen.tags), placeholder=tr("Tags, with commas between"), name=tr("Tags"))
        super().__init__(tr("Tags"), self.tags, first=self.tags, save=tr("Save"), icon="check")

    def asked(self) -> tuple[Tagging, Tagging] | None:
        """Return the tags to add and the tags to remove; None if nothing would change."""
        wanted = tuple(dict.fromkeys(tag.strip() for tag in self.tags.text().split(",") if tag.strip()))
        new = tuple(tag for tag in wanted if tag not in self._seen.tags)
        gone = tuple(tag for tag in self._seen.tags if tag not in wanted)
        if not new and not gone:
            return None
        return Tagging(id=self._seen.id, tags=new), Tagging(id=self._seen.id, tags=gone)


class RenameTagForm(BelowForm):
    """Form that renames a tag on every memory. Its request is a RenameTag."""

    def __init__(self, tag: str, memories: int) -> None:
        self._tag = tag
        self.name = Field(tag, name=tr("Tag"))
        extent = tr("It changes on %Ln memory(s).", "", memories)
        super().__init__(
            tr("Rename the tag"),
            self.name,
            secondary_text(extent),
            first=self.name,
            save=tr("Rename"),
            icon="check",
        )

    def asked(self) -> RenameTag | None:
        """Return the new name; None while it is empty or unchanged."""
        name = self.name.text().strip()
        return RenameTag(tag=self._tag, name=name) if name not in ("", self._tag) else None


class MemorySearch(QWidget):
    """Field that looks for memories of some kinds, and the memories found below it.

    chosen carries the id and the title of the one pressed; Enter in the field presses the first. changed: other words
    were typed, so that nothing is chosen. searched carries the words after a search, and the titles it found. likely:
    offered while the field is empty."""

    chosen = Signal(str, str)
    changed = Signal()
    searched = Signal(str, object)

    def __init__(
        self,
        session: Session,
        seen: Inspection,
        kinds: tuple[str, ...],
        *,
        placeholder: str,
        name: str,
        likely: Sequence[tuple[str, str]] = (),
    ) -> None:
        super().__init__()
        self._session, self._seen, self._kinds, self._likely = session, seen, kinds, likely
        self.search = Field(placeholder=placeholder, icon="search", name=name)
        self.offered: tuple[LinkLine, ...] = ()
        self._lines = column(gap=0)
        self.setLayout(column(self.search, self._lines, gap=6))
        self.setFocusProxy(self.search)
        self._wait = delayed(lambda: self._session.spawn(self._find()), self)
        self.search.textChanged.connect(lambda _: self._search_again())
        self._offer(likely)

    def press_first(self) -> None:
        """Choose the first memory that is offered, if any."""
        if self.offered:
            self.offered[0].click()

    def _search_again(self) -> None:
        self.changed.emit()
        self._offer(())
        self._wait.start(WAIT_MS)

    async def _find(self) -> None:
        text = self.search.text().strip()
        if not text:
            self._offer(self._likely)
            return
        found = await self._session.call(
            memory.FIND, Find(text=text, kinds=self._kinds, limit=OFFERED_AT_MOST + 1)
        )
        self._offer([(each.id, each.title) for each in found.rows if each.id != self._seen.id])
        self.searched.emit(text, tuple(each.title for each in found.rows))

    def _offer(self, memories: Sequence[tuple[str, str]]) -> None:
        remove_widgets(self._lines)
        self.offered = tuple(self._line(id, title) for id, title in memories[:OFFERED_AT_MOST])
        for line in self.offered:
            self._lines.addWidget(line)

    def _line(self, id: str, title: str) -> LinkLine:
        line = LinkLine(title)
        line.clicked.connect(lambda: self.chosen.emit(id, title))
        return line


class MergeForm(BelowForm):
    """Form that chooses the memory to merge into, and previews the merge before it is done."""

    def __init__(self, session: Session, seen: Inspection) -> None:
        self._session, self._seen = session, seen
        self._into = self._wanted = ""
        self.into = MemorySearch(
            session,
            seen,
            (seen.kind,),
            placeholder=tr("Into which? Search"),
            name=tr("Merge into"),
            likely=[(each.id, each.title) for each in seen.duplicates],
        )
        self.says = secondary_text("")
        super().__init__(
            tr("Merge into another"), self.into, self.says, first=self.into, save=tr("Merge"), icon="merge"
        )
        self._clear()
        self.into.changed.connect(self._clear)
        self.into.chosen.connect(lambda id, _: self._session.spawn(self._choose(id)))

    def _clear(self) -> None:
        """Forget the chosen target, so that Enter cannot merge into a memory of an earlier search."""
        self._into = self._wanted = ""
        self.says.setText("")
        self.save.set_enabled(False, tr("Choose the one that stays."))

    def enter(self) -> None:
        """Merge into the chosen one, or choose the first that was found."""
        if self._into:
            self.submit()
        else:
            self.into.press_first()

    async def _choose(self, id: str) -> None:
        self._wanted = id
        ask = PreviewMerge(id=self._seen.id, into_id=id)
        says = merge_question(await self._session.call(curation.PREVIEW_MERGE, ask))
        if self._wanted != id:
            return
        self.says.setText(says)
        self._into = id
        self.save.set_enabled(True, "")

    def asked(self) -> Merge | None:
        """Return the merge; None while no target is chosen."""
        return Merge(id=self._seen.id, into_id=self._into) if self._into else None


def merge_question(seen: MergePreview) -> str:
    """Describe a merge: “Merge “Postgres” into “PostgreSQL”? Goes along: 3 facts · 1 other name.”"""
    counted = (
        (seen.about, tr("%Ln fact(s)", "", seen.about)),
        (seen.relations, tr("%Ln relation(s)", "", seen.relations)),
        (seen.names, tr("%Ln other name(s)", "", seen.names)),
        (seen.tags, tr("%Ln tag(s)", "", seen.tags)),
        (seen.recalled, tr("%Ln recall(s)", "", seen.recalled)),
    )
    moves = " · ".join(words for number, words in counted if number) or tr("nothing hangs on it")
    said = tr("Merge “{title}” into “{into}”?", title=excerpt(seen.title), into=excerpt(seen.into))
    said += " " + tr("Goes along: {moves}.", moves=moves)
    if seen.repeated:
        said += " " + tr("Dropped as repeated: %Ln.", "", seen.repeated)
    return said


LIKE_AT_MOST = 3


class PromotionForm(BelowForm):
    """Form shown before a promotion: similar and conflicting claims in _global, the conditions, and the future
    readers."""

    def __init__(self, preview: PromotionPreview, links: Links) -> None:
        self._fact_id = preview.fact.id
        self.reason = Field(placeholder=tr("Why, if you like"), name=tr("Reason"))
        super().__init__(
            tr("Promote to _global"),
            column(*_global_matches(preview, links), gap=4),
            *_conflict_lines(preview, links),
            column(*(condition_row(each) for each in preview.thresholds), gap=4),
            secondary_text(readers(preview)),
            self.reason,
            first=self.reason,
            save=tr("Promote"),
            icon="promote",
        )
        if preview.held is not None:
            self.save.set_enabled(False, tr("_global holds this claim already."))

    def asked(self) -> Promote:
        return Promote(fact_id=self._fact_id, reason=self.reason.text().strip())


def _global_matches(preview: PromotionPreview, links: Links) -> list[Text | LinkLine]:
    """Return lines about matching claims in _global: the identical one, similar ones, or a note that there is
    none."""
    if preview.held is not None:
        held = preview.held
        line = LinkLine(held.claim, tr("the same"), channel=0, kind=held.category)
        line.clicked.connect(lambda: links.memory(held.id))
        return [secondary_text(tr("_global holds this claim already:")), line]
    if not preview.similar:
        return [secondary_text(tr("_global holds nothing like it."))]
    lines: list[Text | LinkLine] = [secondary_text(tr("_global holds something like it:"))]
    for each in preview.similar[:LIKE_AT_MOST]:
        line = LinkLine(
            each.title, tr("{score} similar", score=f"{each.similarity:.2f}"), channel=0, kind="fact"
        )
        line.clicked.connect(lambda _=False, id=each.id: links.memory(id))
        lines += [line, differing(each.title, preview.fact.claim)]
    return lines


def differing(held: str, claim: str) -> Text:
    """Return a word diff between a claim in `_global` and the promoted one."""
    text = Text("", 12, "t2", wrap=True)
    said = tr("{held} beside {claim}", held=held, claim=claim)
    text.set_markup(lambda: word_diff_markup(shorten(held), shorten(claim)), said)
    return text


def _conflict_lines(preview: PromotionPreview, links: Links) -> list[QVBoxLayout]:
    """Return the conflicting claims in `_global`, each with its reason."""
    if not preview.conflicts:
        return []
    parts: list[Text | LinkLine] = [Text(tr("It cannot be true together with:"), 12, "warn", wrap=True)]
    for each in preview.conflicts[:LIKE_AT_MOST]:
        line = LinkLine(each.title, channel=0, kind="fact", tip=f"{each.title} · {each.reason}")
        line.clicked.connect(lambda _=False, id=each.id: links.memory(id))
        parts += [line, secondary_text(each.reason)]
    return [column(*parts, gap=2)]


CONDITION_PX = 48
"""Width of a bar that leaves room for its figures in the narrowest inspector."""


def condition_row(threshold: Threshold) -> QHBoxLayout:
    """Return the row of one condition: a bar with the threshold marked, the actual value, the required value."""
    name = Text(capitalised(threshold.name), 12, "t1")
    name.setFixedWidth(NAME_PX)
    explain_terms(name, threshold.name)
    most = max(1.0, threshold.needed) if threshold.needed <= 1 else max(2 * threshold.needed, threshold.found)
    tone = "ok" if threshold.met else "warn"
    bar = Bar(threshold.found / most, threshold.needed / most, tone, width=CONDITION_PX)
    found = Text(amount(threshold.found), 12, "t1", weight=600, numeric=True)
    found.setFixedWidth(38)
    asked = Text(f"≥ {amount(threshold.needed)}", 12, "t3")
    mark = Icon("check" if threshold.met else "cross", "ok" if threshold.met else "warn", size=12)
    mark.setAccessibleName(tr("met") if threshold.met else tr("not met"))
    return row(name, bar, found, asked, None, mark, gap=8)


def readers(preview: PromotionPreview) -> str:
    """Describe who will recall the promoted fact, and the conditions it does not meet."""
    names = preview.readers
    who = listed(names) or tr("Every agent")
    short = listed([term(each.name) for each in preview.thresholds if not each.met])
    return sentences(
        tr("{who} will recall it in every channel.", who=who),
        tr("The original stays in {channel}.", channel=preview.fact.channel),
        tr("It falls short in {what}; your word goes over that.", what=short) if short else "",
    )


def listed(names: Sequence[str]) -> str:
    """Join names as “Iris, Forge and Mara”."""
    if len(names) < 2:
        return "".join(names)
    return tr("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
