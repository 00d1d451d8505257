"""View of a file conflict: the current file, the text kept in conflict with it, and their common base."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from memdesk.gui import formatting
from memdesk.gui.editor.compare_view import Detail, DiffView
from memdesk.gui.editor.text_compare import Comparison, as_single_hunk, compare
from memdesk.gui.inspectors import fields
from memdesk.gui.inspectors.links import Links
from memdesk.gui.language import marked, tr
from memdesk.gui.panels.review import review_evidence, review_words
from memdesk.gui.panels.review.review_evidence import Card
from memdesk.gui.panels.review.review_words import NAMED, Answer
from memdesk.gui.session import Session
from memdesk.gui.widgets import Control, Ground, Icon, Tag, Text, column, remove_widgets, row, rule
from memdesk.gui.widgets.paper import PITCH_PX
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import Inspection, PromotionPreview
from memdesk.model.curation import MergePreview
from memdesk.model.review import QUARANTINE, DecisionPreview, Effect, Question, Side
from memdesk.model.workspace import FileConflictText

VERB_PX = 84
ROW_PX = 30
SHOWN = ("fact", "entity", "document")
"""Kinds with a line per record; others are only counted."""
LOOKS = {
    "is new": ("learn", marked("adds")),
    "gives way": ("retire", marked("retires")),
    "stays": ("check", marked("keeps")),
    "comes back": ("undo", marked("brings back")),
    "is retired": ("retire", marked("retires")),
    "changes": ("update", marked("changes")),
}
TITLE_CHARACTERS = 160
ONCE = marked("one step, any time, also from the audit timeline")


class Effects(QWidget):
    """Heading with the lines of effects."""

    def __init__(self) -> None:
        super().__init__()
        self._heading = Text("", 12, "t1", weight=600)
        self._note = Text("", 12, "t3", elide=True)
        self._lines = column(gap=0)
        head = row(self._heading, self._note, gap=10, stretch=self._note)
        self.setLayout(column(head, 4, self._lines, gap=0))
        self.lines: tuple[str, ...] = ()

    def show_preview(
        self, question: Question, answer: Answer, preview: DecisionPreview, note: str, readers: Sequence[str]
    ) -> None:
        """Show the effects of an answer. note: why it is suggested. readers: agents that read _global."""
        self._note.setText(note)
        self.show_lines(tr(answer.heading), tuple(_lines(question, preview, readers)))

    def show_lines(self, heading: str, lines: tuple[tuple[str, str, str], ...]) -> None:
        """Show lines of (icon, verb, sentence)."""
        remove_widgets(self._lines)
        self._heading.setText(heading)
        self.lines = tuple(f"{verb} {says}" for _, verb, says in lines)
        for place, (icon, verb, says) in enumerate(lines):
            self._lines.addWidget(_line(icon, verb, says, last=place == len(lines) - 1))
        self.setAccessibleName(f"{heading}: {'; '.join(self.lines)}")


def _line(icon: str, verb: str, says: str, *, last: bool) -> Ground:
    tone = "warn" if icon == "warning" else "t2"
    name = Text(verb, 12, "warn" if icon == "warning" else "t2")
    name.setFixedWidth(VERB_PX)
    text = Text(says, 12, "t1", elide=True)
    line = row(Icon(icon, tone, size=14), name, text, gap=8, margins=(0, 0, 0, 1), stretch=text)
    ground = Ground("stage", "" if last else "bottom", line)
    ground.setFixedHeight(ROW_PX)
    ground.setAccessibleName(f"{verb} {says}")
    return ground


def _lines(
    question: Question, preview: DecisionPreview, readers: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    if preview.why_not:
        yield "warning", tr("cannot"), preview.why_not
        return
    letters = _letters(question)
    shown = [each for each in preview.effects if each.kind in SHOWN]
    for each in shown:
        icon, verb = LOOKS.get(each.does, ("update", each.does))
        yield icon, tr(verb), _says(each, letters)
    if preview.merge is not None:
        yield "link", tr("moves"), _joined(preview.merge)
    if preview.decision == "promote":
        who = ", ".join(readers) or tr("Every agent")
        stays = tr(
            "{agents}, in every channel; the fact stays in {channel} too",
            agents=who,
            channel=question.channel,
        )
        yield "recall", tr("tells"), stays
    rest = Counter(each.does for each in preview.effects if each.kind == "proposal")
    if rest["asks"]:
        yield "review", tr("asks"), tr("%Ln new question(s) about what _global holds", "", rest["asks"])
    if rest["is answered"]:
        yield "check", tr("answers"), tr("%Ln other question(s)", "", rest["is answered"])
    if not preview.effects:
        yield "check", tr("changes"), tr("nothing in memory; this is not asked again")
    steps = preview.merge.changes if preview.merge else 1
    yield "undo", tr("undo"), tr(ONCE) if steps == 1 else tr("%Ln changes as one run, any time", "", steps)


def _letters(question: Question) -> dict[str, str]:
    """Return the letter of the side for each record id."""
    return {side.id: letter for letter, side in zip("AB", review_words.sides(question), strict=False)}


def _says(each: Effect, letters: dict[str, str]) -> str:
    title = shorten(" ".join(each.title.split()), TITLE_CHARACTERS)
    named = f"{letters[each.id]}, “{title}”" if each.id in letters else f"“{title}”"
    if each.kind == "document":
        return tr("the lines of {file}", file=each.title) if each.does == "changes" else each.title
    match each.does:
        case "gives way":
            return tr("{memory}, kept in its history", memory=named)
        case "is new":
            return tr("{memory} in {channel}", memory=named, channel=each.channel)
        case "changes":
            moved = ", ".join(_moves(each))
            return f"{named}: {moved}" if moved else named
    return named


def _moves(each: Effect) -> Iterator[str]:
    for move in each.moves:
        if move.field == "claim":
            yield tr("now “{claim}”", claim=shorten(move.after or "", TITLE_CHARACTERS))
        elif move.field not in fields.BOOKKEEPING:
            before, after = (_value(move.field, value) for value in (move.before, move.after))
            yield f"{fields.name_of(move.field)} {before} → {after}"


def _value(field: str, value: str | None) -> str:
    return fields.value_of(field, value) or tr("open")


def _joined(merge: MergePreview) -> str:
    counted = (
        (merge.about, marked("%Ln fact(s)")),
        (merge.relations, marked("%Ln relation(s)")),
        (merge.recalled, marked("%Ln recall(s)")),
        (merge.names, marked("%Ln name(s)")),
        (merge.tags, marked("%Ln tag(s)")),
    )
    said = [tr(what, "", number) for number, what in counted if number]
    return ", ".join(said) or tr("nothing else hangs on it")


BESIDE_FROM_PX = 560
"""Width from which the cards are placed side by side."""
KEPT_SIDE = {"keep_other": "A", "keep_subject": "B", "apply": "B", "theirs": "A", "ours": "B"}
"""Side that an answer keeps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Data fetched about a question: its memories by id, and the preview of a promotion."""

    seen: dict[str, Inspection]
    promotion: PromotionPreview | None = None


class Cards(QWidget):
    """Two cards side by side, or one below the other if there is no space."""

    def __init__(self, *cards: QWidget) -> None:
        super().__init__()
        self._line = row(*cards, gap=12)
        for place in range(len(cards)):
            self._line.setStretch(place, 1)
        self.setLayout(self._line)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose the direction that fits the width."""
        super().resizeEvent(event)
        beside = event.size().width() >= BESIDE_FROM_PX
        way = QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom
        if self._line.direction() != way:
            self._line.setDirection(way)


class QuestionView(QWidget):
    """View of one question, created for each question. The signal `opened` carries the id of a side that was
    pressed."""

    opened = Signal(str)

    def __init__(self, session: Session, question: Question, found: Evidence, links: Links) -> None:
        super().__init__()
        self.question, self._session, self._links = question, session, links
        self.cards = tuple(self._cards(found))
        self.effects = Effects()
        for card in self.cards:
            card.opened.connect(self.opened)
        self.setLayout(
            column(self._head(), Cards(*self.cards), 6, self.effects, None, gap=12, margins=(20, 12, 20, 16))
        )

    def _head(self) -> QWidget:
        question = self.question
        kind = NAMED[question.type]
        asked = tr("told by {agent}") if question.type == QUARANTINE else tr("asked by {agent}")
        by = [asked.format(agent=question.agent_id)] if question.agent_id else []
        why = Text(
            " · ".join([question.reason, *by, formatting.minute(question.created_at)]), 12, "t2", elide=True
        )
        head = QWidget()
        tag = Tag(tr(kind.name), kind.tone)  # type: ignore[arg-type]
        line = row(tag, review_evidence.where(self._session, question.channel), why, gap=10, stretch=why)
        head.setLayout(line)
        return head

    def _cards(self, found: Evidence) -> list[Card]:
        question, links = self.question, self._links
        subject = question.subject
        self._readers = found.promotion.readers if found.promotion else ()
        if question.other is not None:
            a, b = review_words.sides(question)
            duplicate = question.type == "duplicate"
            return [
                Card(
                    letter,
                    self._role(role, side),
                    side.title,
                    *review_evidence.figures(side, found.seen.get(side.id)),
                    *review_evidence.source(self._session, side, found.seen.get(side.id), links),
                    id=side.id,
                    other=against.title,
                )
                for letter, role, side, against in (
                    ("A", tr("stays") if duplicate else tr("existing"), a, b),
                    ("B", tr("would go into A") if duplicate else tr("new"), b, a),
                )
            ]
        seen = found.seen.get(subject.id)
        parts = [
            *review_evidence.figures(subject, seen),
            *review_evidence.source(self._session, subject, seen, links),
        ]
        proposed = review_words.proposed(question)
        if question.type == "correction":
            corrected = Text(question.reason, 12, "t2", wrap=True, selectable=True)
            return [
                Card("A", tr("as it stands"), subject.title, *parts, id=subject.id, other=proposed),
                Card("B", tr("as it is proposed"), proposed, corrected, other=subject.title),
            ]
        cards = [Card("A", tr("in {channel}", channel=subject.channel), subject.title, *parts, id=subject.id)]
        if found.promotion is not None:
            conditions = review_evidence.conditions(found.promotion)
            held = review_evidence.global_matches(found.promotion, links)
            cards.append(Card("B", "_global", tr("What _global holds already"), *held, rule(), *conditions))
        return cards

    def _role(self, role: str, side: Side) -> str:
        """Return the role of a side, with its channel if that differs from the question's."""
        if side.channel == self.question.channel:
            return role
        return tr("{role}, in {channel}", role=role, channel=side.channel)

    def show_preview(self, answer: Answer, preview: DecisionPreview, note: str) -> None:
        """Show the effect of an answer, and the side that would be kept."""
        stands = KEPT_SIDE.get(answer.decision, "")
        for letter, card in zip("AB", self.cards, strict=False):
            card.set_chosen(letter == stands)
        self.effects.show_preview(self.question, answer, preview, note, self._readers)


LINES_LEAST, LINES_MOST = 4, 14
UNFOLD = marked("Show the text that both were written from")


class ClashView(QWidget):
    """View of one file conflict. Each of the two texts is shown by its changes to the common base."""

    def __init__(self, session: Session, conflict: FileConflictText) -> None:
        super().__init__()
        self.conflict = conflict
        name, _, _ = session.mark(conflict.conflict.author)
        self.cards = (
            Card(
                "A",
                tr("the file as it is"),
                conflict.conflict.path,
                self._changes(conflict.base, conflict.now),
            ),
            Card(
                "B",
                tr("kept beside it, by {name}", name=name),
                conflict.conflict.path,
                self._changes(conflict.base, conflict.ours),
            ),
        )
        self._base = _paper(as_single_hunk(conflict.base), "lines")
        self._base.hide()
        self._fold = Control("link", tr(UNFOLD))
        self._fold.clicked.connect(self._toggle)
        self.effects = Effects()
        at = formatting.minute(conflict.conflict.at)
        clashes = tr("%Ln (place clashes|places clash)", "", conflict.clashes)
        why = Text(f"{conflict.conflict.path} · {clashes} · {at}", 12, "t2", elide=True)
        head = row(Tag(tr("File clash"), "bad"), why, gap=10, stretch=why)
        base = column(row(self._fold, None), self._base, gap=6)
        self.setLayout(
            column(head, Cards(*self.cards), base, 6, self.effects, None, gap=12, margins=(20, 12, 20, 16))
        )

    def _changes(self, base: str, text: str) -> QWidget:
        return _paper(compare(base, text), "words")

    def _toggle(self) -> None:
        shows = self._base.isHidden()
        self._base.setVisible(shows)
        self._fold.setText(tr("Hide that text") if shows else tr(UNFOLD))

    def show_answer(self, answer: Answer) -> None:
        """Show the effect of an answer on the file."""
        stands = KEPT_SIDE.get(answer.decision, "")
        for letter, card in zip("AB", self.cards, strict=True):
            card.set_chosen(letter == stands)
        path = self.conflict.conflict.path
        says = {
            "theirs": ("check", tr("keeps"), tr("{path} as it is; B stays among its versions", path=path)),
            "ours": (
                "update",
                tr("rewrites"),
                tr(
                    "{path}: {lines}; A stays among its versions",
                    path=path,
                    lines=self._moved(self.conflict.ours),
                ),
            ),
            "text": (
                "update",
                tr("rewrites"),
                tr("{path} with what you write; A and B stay among its versions", path=path),
            ),
        }[answer.decision]
        self.effects.show_lines(tr(answer.heading), (says, ("undo", tr("undo"), tr(ONCE))))

    def _moved(self, text: str) -> str:
        found = compare(self.conflict.now, text)
        return tr("{added} lines come, {removed} go", added=f"{found.added:,}", removed=f"{found.removed:,}")


def _paper(comparison: Comparison, detail: Detail) -> DiffView:
    """Return a view of a difference, as high as its lines within limits; longer ones scroll."""
    paper = DiffView()
    paper.show_comparison(comparison, detail)
    lines = sum(1 + len(hunk.rows) for hunk in comparison.hunks)
    paper.setFixedHeight(PITCH_PX * min(LINES_MOST, max(LINES_LEAST, lines + 2)) + 8)
    return paper
