"""Lower parts of a memory in the inspector: its source, its recalls, its earlier versions."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.api import curation
from memdesk.gui import formatting
from memdesk.gui.inspectors import fields
from memdesk.gui.inspectors.links import LinkLine, Links, author_mark
from memdesk.gui.language import marked, tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import ORIGINS, capitalised
from memdesk.gui.widgets import AgentMark, Control, Ground, Section, Text, column, row, span, word_diff_markup
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import Inspection, TurnRow, Version
from memdesk.model.history import FieldMove
from memdesk.model.recall import Provenance
from memdesk.model.trust import FILE, is_trusted

SHOWN_AT_MOST = 8
QUOTE_PX = 2
WORDS = {
    "store": marked("Stored"),
    "learn": marked("Learned"),
    "update": marked("Edited"),
    "promote": marked("Promoted"),
    "retire": marked("Retired"),
    "undo": marked("Undone"),
    "redo": marked("Done again"),
    "import": marked("Imported"),
}


class Quote(QWidget):
    """Text behind a vertical line. say() shows a quote within the text of its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.text = Text("", 12, "t2", wrap=True, selectable=True)
        self.setLayout(row(self.text, margins=(12, 0, 0, 0)))

    def say(self, quote: str, turn: str) -> None:
        """Show a turn with the quoted words highlighted."""
        said = shorten(turn)
        self.text.set_markup(lambda: quoted_markup(shorten(quote), said), said or quote)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(0, 0, QUOTE_PX, self.height(), c("line2"))


def quoted_markup(quote: str, turn: str) -> str:
    """Return the turn as markup with the quoted words highlighted; the quote alone if the turn does not
    contain it."""
    if not quote or quote == turn or quote not in turn:
        return span(f"“{quote or turn}”", "t2")
    before, found, after = turn.partition(quote)
    return span("“" + before, "t2") + span(found, "t1", ground="warnbg") + span(after + "”", "t2")


def origin(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Return the section with the source of a memory: quote, speaker, conversation or file, and the agents
    that recalled it."""
    source = seen.provenance
    if source is not None and not (source.conversation_id or source.document_id):
        source = None
    parts: list[QWidget | QHBoxLayout] = []
    if source is not None:
        turn = next((each.content for each in seen.context if each.id == source.turn_id), "")
        if seen.kind != "turn" and (source.quote or turn):
            quote = Quote()
            quote.say(source.quote, turn)
            parts.append(quote)
        parts.append(_file(source, links) if source.path else _turn_source(source))
        if not session.why_not_call(curation.REVOKE):
            parts.append(row(_revoking(source, links), None))
    if seen.context:
        parts.append(Conversation(seen.context, source.turn_id if source else seen.id))
    if seen.recalled_by:
        parts.append(_recalled_by(session, seen))
    if seen.trust is not None and seen.origin:
        parts.append(_trust(seen.origin, seen.trust))
    heading = tr("Where it comes from") if source is not None or seen.origin else tr("Use")
    return Section(heading, "", *parts) if parts else None


def _revoking(source: Provenance, links: Links) -> Control:
    """Return the link to all that descends from a memory's file or conversation, which can be taken out there."""
    named = ("file", source.document_id) if source.document_id else ("conversation", source.conversation_id)
    link = Control("link", tr("All that comes from it"), tip=tr("See it, and take it out of memory"))
    link.clicked.connect(lambda: links.panel("transfer", f"revoke:{named[0]}:{named[1]}"))
    return link


def _trust(origin: str, trust: float) -> Text:
    """Return the line with the door a memory came through and its trust, and what an untrusted one means."""
    door = tr("{source}, trust {trust}", source=tr(ORIGINS[origin]), trust=f"{trust:.1f}")
    if is_trusted(trust):
        return Text(door, 12, "t2", wrap=True)
    says = tr("{door}. Agents are told it as quoted, not as true.", door=door)
    return Text(says, 12, "t2" if origin == FILE else "warn", wrap=True)


def _turn_source(source: Provenance) -> Text:
    """Return the source line of a turn: “Mara, turn 41 in Pooling under load · 28 Oct 14:12”."""
    where = source.conversation_title or tr("a conversation")
    said = tr(
        "{who}, turn {turn} in {conversation}",
        who=source.speaker or tr("Someone"),
        turn=(source.turn_index or 0) + 1,
        conversation=where,
    )
    before, found, after = said.rpartition(where)
    after += _at(source)
    text = Text("", 12, "t2", wrap=True)
    text.set_markup(
        lambda: span(before, "t2") + span(found, "t1") + span(after, "t2"), f"{before}{found}{after}"
    )
    text.setToolTip(formatting.full(source.at) if source.at else "")
    return text


def _file(source: Provenance, links: Links) -> QHBoxLayout:
    """Return the source line of a file: “USER.md of Forge, lines 3 to 9 · 28 Oct 14:12”; the name opens the
    file."""
    path, document = source.path or "", source.document_id or ""
    name = Control("link", path)
    name.clicked.connect(lambda: links.file(document, path))
    owner = tr("of {agent}", agent=source.agent_id) if source.agent_id else ""
    alone = source.first_line == source.last_line
    lines = (
        tr("line {line}", line=source.first_line)
        if alone
        else tr("lines {first} to {last}", first=source.first_line, last=source.last_line)
    )
    where = ", ".join(part for part in (owner, lines if source.first_line else "") if part)
    rest = Text(f"{where}{_at(source)}".removeprefix(" · "), 12, "t2", elide=True)
    return row(name, rest, gap=8, stretch=rest)


def _at(source: Provenance) -> str:
    return f" · {formatting.minute(source.at)}" if source.at else ""


class Conversation(QWidget):
    """Turns around the source, hidden until Space or a press shows them."""

    def __init__(self, turns: tuple[TurnRow, ...], source_id: str | None) -> None:
        super().__init__()
        self._fold = Control("link", tr("Show the turns around it"), keys="Space")
        self._fold.clicked.connect(self.toggle)
        self._turns = QWidget()
        lines = [_turn(turn, is_source=turn.id == source_id) for turn in turns]
        self._turns.setLayout(column(*lines, gap=6))
        self._turns.hide()
        self.setLayout(column(row(self._fold, None), self._turns, gap=8))

    def toggle(self) -> None:
        unfolded = self._turns.isHidden()
        self._turns.setVisible(unfolded)
        self._fold.setText(tr("Hide the turns around it") if unfolded else tr("Show the turns around it"))


def _turn(turn: TurnRow, *, is_source: bool) -> QWidget:
    who = Text(f"{turn.turn_index + 1}  {turn.speaker}", 11, "t3")
    who.setToolTip(formatting.full(turn.at))
    text = Text(shorten(turn.content), 12, "t1" if is_source else "t2", wrap=True, selectable=True)
    ground = Ground("accbg" if is_source else "panel")
    ground.setLayout(column(who, text, gap=2, margins=(8, 5, 8, 6)))
    return ground


def _recalled_by(session: Session, seen: Inspection) -> QHBoxLayout:
    marks: list[QWidget] = []
    for each in seen.recalled_by[:4]:
        name, shape, who = session.mark(each.agent if ":" in each.agent else f"agent:{each.agent}")
        marks += [AgentMark(name, shape, who=who), Text(f"{each.times:,}×", 12, "t1")]
    last = Text("", 11, "t3")
    if seen.last_recalled_at is not None:
        last.setText(tr("last {time}", time=formatting.ago(seen.last_recalled_at)))
        last.setToolTip(formatting.full(seen.last_recalled_at))
    return row(Text(tr("Recalled by"), 12, "t2"), *marks, None, last, gap=6)


def history(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Return the section with the latest versions, newest first, each with its changes. None if there are
    none."""
    if not seen.versions:
        return None
    shown = seen.versions[:SHOWN_AT_MOST]
    entries = [
        Entry(session, version, links, is_last=place == len(shown) - 1, is_first=place == 0)
        for place, version in enumerate(shown)
    ]
    note = tr("%Ln version(s)", "", len(seen.versions))
    return Section(tr("History"), note, *entries, gap=0)


class Entry(QWidget):
    """A version of a memory: author, operation, time and changed words; a dot on the line that joins the
    versions."""

    def __init__(
        self, session: Session, version: Version, links: Links, *, is_first: bool, is_last: bool
    ) -> None:
        super().__init__()
        self._is_first, self._is_last = is_first, is_last
        event = version.event
        what = Control("link", _word(event.op), tip=tr("Change #{number}", number=event.id))
        what.clicked.connect(lambda: links.event(event.id))
        when = Text(formatting.minute(event.at), 12, "t3")
        when.setToolTip(formatting.full(event.at))
        head = row(author_mark(session, event.author), what, when, None, gap=6)
        moves = [change_text(move) for move in version.moves if _is_shown(move, version)]
        self.setLayout(column(head, *moves[:4], gap=3, margins=(20, 2, 0, 8)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line and the dot."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c("line2"), 1))
        if not self._is_last:
            painter.drawLine(QPointF(5.5, 18), QPointF(5.5, self.height()))
        if not self._is_first:
            painter.drawLine(QPointF(5.5, 0), QPointF(5.5, 8))
        if self._is_first:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(c("acc"))
        else:
            painter.setPen(QPen(c("t3"), 1))
            painter.setBrush(c("panel"))
        painter.drawEllipse(QPointF(5.5, 12.5), 3.5, 3.5)


def _word(op: str) -> str:
    return tr(WORDS[op]) if op in WORDS else capitalised(op)


def _is_shown(move: FieldMove, version: Version) -> bool:
    """Return True if a field change is worth a line: not at creation or its undo, when every field changes, and not
    for internal fields."""
    whole = any(all(getattr(each, side) is None for each in version.moves) for side in ("before", "after"))
    return move.field not in fields.BOOKKEEPING and not (whole and len(version.moves) > 2)


def change_text(move: FieldMove) -> Text:
    """Return the text of one field change: a word diff for long texts, otherwise “Confidence 0.85 → 0.95”."""
    name = capitalised(fields.name_of(move.field))
    before, after = (fields.value_of(move.field, value) or tr("none") for value in (move.before, move.after))
    text = Text("", 12, "t2", wrap=True)
    if move.field in fields.PROSE:
        text.set_markup(
            lambda: word_diff_markup(before, after),
            tr("{field}: {before} became {after}", field=name, before=before, after=after),
        )
    elif move.field == "retired_at":
        text.setText(tr("Hidden from recall") if move.after else tr("Brought back"))
    else:
        text.setText(f"{name} {before} → {after}")
    return text


def duplicates(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Return the section with memories that may have the same meaning. None if there are none."""
    if not seen.duplicates:
        return None
    lines = []
    for each in seen.duplicates[:3]:
        line = LinkLine(
            f"“{each.title}”",
            tr("{score} similar", score=f"{each.similarity:.2f}"),
            channel=session.channel_number(each.channel),
            tip=f"{each.title} · {each.channel}",
        )
        line.clicked.connect(lambda _=False, id=each.id: links.memory(id))
        lines.append(line)
    return Section(tr("Possible duplicates"), "", *lines, gap=0)
