"""The lower parts of a memory in the inspector: where it comes from, who used it, how it came to be as it is."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.gui.frame import times
from memdesk.gui.inspectors import fields
from memdesk.gui.inspectors.links import Line, Links, author_mark
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.widgets import AgentMark, Control, Ground, Section, Text, column, row, span, word_diff_markup
from memdesk.gui.widgets.tips import shortened
from memdesk.model.browse import Inspection, TurnRow, Version
from memdesk.model.history import FieldMove
from memdesk.model.recall import Provenance

SHOWN_AT_MOST = 8
QUOTE_PX = 2
WORDS = {
    "store": "Stored", "learn": "Learned", "update": "Edited", "promote": "Promoted", "retire": "Retired",
    "undo": "Undone", "redo": "Done again", "import": "Imported",
}  # fmt: skip


class Quote(QWidget):
    """Words as they were said, behind a vertical line."""

    def __init__(self, quote: str, turn: str) -> None:
        super().__init__()
        text = Text("", 12, "t2", wrap=True, selectable=True)
        said = shortened(turn)
        text.set_markup(lambda: quoted_markup(shortened(quote), said), said or quote)
        self.setLayout(row(text, margins=(12, 0, 0, 0)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the line."""
        QPainter(self).fillRect(0, 0, QUOTE_PX, self.height(), c("line2"))


def quoted_markup(quote: str, turn: str) -> str:
    """The turn with the words the fact was read from on a tint; the quote alone where the turn does not hold it."""
    if not quote or quote == turn or quote not in turn:
        return span(f"“{quote or turn}”", "t2")
    before, found, after = turn.partition(quote)
    return span("“" + before, "t2") + span(found, "t1", ground="warnbg") + span(after + "”", "t2")


def origin(session: Session, seen: Inspection, links: Links) -> Section | None:
    """The words it was read from, who said them where, and who has recalled it since."""
    source = seen.provenance
    parts: list[QWidget | QHBoxLayout] = []
    if source is not None:
        turn = next((each.content for each in seen.context if each.id == source.turn_id), "")
        if seen.kind != "turn" and (source.quote or turn):
            parts.append(Quote(source.quote, turn))
        parts.append(_file(source, links) if source.path else _said(source))
    if seen.context:
        parts.append(Conversation(seen.context, source.turn_id if source else seen.id))
    if seen.recalled_by:
        parts.append(_recalled_by(session, seen))
    heading = "Where it comes from" if source is not None else "Use"
    return Section(heading, "", *parts) if parts else None


def _said(source: Provenance) -> Text:
    """“Mara, turn 41 in Pooling under load · 28 Oct 14:12”."""
    who = f"{source.speaker or 'Someone'}, turn {source.turn_index}"
    where, at = source.conversation_title or "a conversation", _at(source)
    text = Text("", 12, "t2", wrap=True)
    text.set_markup(
        lambda: span(f"{who} in ", "t2") + span(where, "t1") + span(at, "t2"), f"{who} in {where}{at}"
    )
    text.setToolTip(times.full(source.at) if source.at else "")
    return text


def _file(source: Provenance, links: Links) -> QHBoxLayout:
    """“USER.md of Forge, lines 3 to 9 · 28 Oct 14:12”; the name opens the file."""
    path, document = source.path or "", source.document_id or ""
    name = Control("link", path)
    name.clicked.connect(lambda: links.file(document, path))
    owner = f"of {source.agent_id}" if source.agent_id else ""
    alone = source.first_line == source.last_line
    told = f"line {source.first_line}" if alone else f"lines {source.first_line} to {source.last_line}"
    lines = f", {told}" if source.first_line else ""
    rest = Text(f"{owner}{lines}{_at(source)}".removeprefix(", ").removeprefix(" · "), 12, "t2", elide=True)
    line = row(name, rest, gap=8)
    line.setStretchFactor(rest, 1)
    return line


def _at(source: Provenance) -> str:
    return f" · {times.minute(source.at)}" if source.at else ""


class Conversation(QWidget):
    """The turns around the source, folded until Space or a press unfolds them."""

    def __init__(self, turns: tuple[TurnRow, ...], source_id: str | None) -> None:
        super().__init__()
        self._fold = Control("link", "Show the turns around it", keys="Space")
        self._fold.clicked.connect(self.toggle)
        self._turns = QWidget()
        lines = [_turn(turn, is_source=turn.id == source_id) for turn in turns]
        self._turns.setLayout(column(*lines, gap=6))
        self._turns.hide()
        self.setLayout(column(row(self._fold, None), self._turns, gap=8))

    def toggle(self) -> None:
        """Unfold or fold."""
        unfolded = self._turns.isHidden()
        self._turns.setVisible(unfolded)
        self._fold.setText("Hide the turns around it" if unfolded else "Show the turns around it")


def _turn(turn: TurnRow, *, is_source: bool) -> QWidget:
    who = Text(f"{turn.turn_index}  {turn.speaker}", 11, "t3")
    who.setToolTip(times.full(turn.at))
    text = Text(shortened(turn.content), 12, "t1" if is_source else "t2", wrap=True, selectable=True)
    ground = Ground("accbg" if is_source else "panel")
    ground.setLayout(column(who, text, gap=2, margins=(8, 5, 8, 6)))
    return ground


def _recalled_by(session: Session, seen: Inspection) -> QHBoxLayout:
    marks: list[QWidget] = []
    for each in seen.recalled_by[:4]:
        name, shape, who = session.mark(each.agent if ":" in each.agent else f"agent:{each.agent}")
        marks += [AgentMark(name, shape, who=who), Text(f"{each.times:,}×", 12, "t1")]
    last = Text(f"last {times.ago(seen.last_recalled_at)}" if seen.last_recalled_at else "", 11, "t3")
    last.setToolTip(times.full(seen.last_recalled_at) if seen.last_recalled_at else "")
    return row(Text("Recalled by", 12, "t2"), *marks, None, last, gap=6)


def history(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Every version, newest first, with what moved."""
    if not seen.versions:
        return None
    shown = seen.versions[:SHOWN_AT_MOST]
    entries = [
        Entry(session, version, links, is_last=place == len(shown) - 1, is_first=place == 0)
        for place, version in enumerate(shown)
    ]
    note = times.plural(len(seen.versions), "version")
    return Section("History", note, *entries, gap=0)


class Entry(QWidget):
    """One version: who, what, when, and the words that moved; a dot on the line that joins them."""

    def __init__(
        self, session: Session, version: Version, links: Links, *, is_first: bool, is_last: bool
    ) -> None:
        super().__init__()
        self._is_first, self._is_last = is_first, is_last
        event = version.event
        what = Control("link", WORDS.get(event.op, event.op.capitalize()), tip=f"Change #{event.id}")
        what.clicked.connect(lambda: links.event(event.id))
        when = Text(times.minute(event.at), 12, "t3")
        when.setToolTip(times.full(event.at))
        head = row(author_mark(session, event.author), what, when, None, gap=6)
        moves = [moved(move) for move in version.moves if _told(move, version)]
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


def _told(move: FieldMove, version: Version) -> bool:
    """Whether a move is worth a line: not at birth, where every field moves."""
    born = all(each.before is None for each in version.moves) and len(version.moves) > 2
    return not born and move.field not in fields.BOOKKEEPING


def moved(move: FieldMove) -> Text:
    """What one field became: a word diff for prose, “Confidence 0.85 → 0.95” for the rest."""
    name = fields.name_of(move.field).capitalize()
    before, after = (fields.value_of(move.field, value) or "none" for value in (move.before, move.after))
    text = Text("", 12, "t2", wrap=True)
    if move.field in fields.PROSE:
        text.set_markup(lambda: word_diff_markup(before, after), f"{name}: {before} became {after}")
    elif move.field == "retired_at":
        text.setText("Hidden from recall" if move.after else "Brought back")
    else:
        text.setText(f"{name} {before} → {after}")
    return text


def duplicates(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Memories that may say the same."""
    if not seen.duplicates:
        return None
    lines = []
    for each in seen.duplicates[:3]:
        line = Line(
            f"“{each.title}”",
            f"{each.similarity:.2f} similar",
            channel=session.channel_number(each.channel),
            tip=f"{each.title} · {each.channel}",
        )
        line.pressed.connect(lambda id=each.id: links.memory(id))
        lines.append(line)
    return Section("Possible duplicate" + ("s" if len(lines) > 1 else ""), "", *lines, gap=0)
