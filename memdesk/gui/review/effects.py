"""Preview of the effects of an answer, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from memdesk.gui.frame import times
from memdesk.gui.inspectors import fields
from memdesk.gui.language import marked, tr
from memdesk.gui.review import words
from memdesk.gui.review.answers import Answer
from memdesk.gui.widgets import Ground, Icon, Text, column, row
from memdesk.gui.widgets.tips import shortened
from memdesk.model.curation import MergePreview
from memdesk.model.instant import to_datetime
from memdesk.model.review import DecisionPreview, Effect, Question

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
        head = row(self._heading, self._note, gap=10)
        head.setStretchFactor(self._note, 1)
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
        while self._lines.count():
            item = self._lines.takeAt(0)
            old = item.widget() if item is not None else None
            if old is not None:
                old.hide()
                old.deleteLater()
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
    line = row(Icon(icon, tone, size=14), name, text, gap=8, margins=(0, 0, 0, 1))
    line.setStretchFactor(text, 1)
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
    return {side.id: letter for letter, side in zip("AB", words.sides(question), strict=False)}


def _says(each: Effect, letters: dict[str, str]) -> str:
    title = shortened(" ".join(each.title.split()), TITLE_CHARACTERS)
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
            yield tr("now “{claim}”", claim=shortened(move.after or "", TITLE_CHARACTERS))
        elif move.field not in fields.BOOKKEEPING:
            before, after = (_value(move.field, value) for value in (move.before, move.after))
            yield f"{fields.name_of(move.field)} {before} → {after}"


def _value(field: str, value: str | None) -> str:
    if value and field in ("valid_from", "valid_to"):
        return times.day(to_datetime(int(value)))
    return fields.value_of(field, value) or tr("open")


def _joined(merge: MergePreview) -> str:
    counted = (
        (merge.about, marked("%Ln fact(s)")), (merge.relations, marked("%Ln relation(s)")),
        (merge.recalled, marked("%Ln recall(s)")), (merge.names, marked("%Ln name(s)")),
        (merge.tags, marked("%Ln tag(s)")),
    )  # fmt: skip
    said = [tr(what, "", number) for number, what in counted if number]
    return ", ".join(said) or tr("nothing else hangs on it")
