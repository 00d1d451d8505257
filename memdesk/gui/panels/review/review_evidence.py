"""Evidence for a side: confidence and salience, recalls, and the source text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLayout, QSizePolicy, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.inspectors.belief import certainty
from memdesk.gui.inspectors.fields import short_id
from memdesk.gui.inspectors.links import LinkLine, Links
from memdesk.gui.inspectors.memory_forms import condition_row
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import term
from memdesk.gui.widgets import (
    AgentMark,
    Bar,
    ChannelMark,
    Control,
    Ground,
    Tag,
    Text,
    column,
    row,
    rule,
    span,
    word_diff,
)
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.paint import CENTER, box, draw_text
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import FactRow, Inspection, PromotionPreview, SalienceCurve, TurnRow
from memdesk.model.recall import Provenance
from memdesk.model.review import Side

ALIKE = 0.35
"""Share of a claim's characters that must also be in the other claim for the differing words to be marked."""
SPARK_PX, TICKS_PX = 26, 7
DAYS = 90
CLAIM_CHARACTERS = 1_200


class Letter(QWidget):
    """Letter of a side, filled for the side that would be kept."""

    def __init__(self, letter: str, *, filled: bool) -> None:
        super().__init__()
        self._letter, self._filled = letter, filled
        self.setFixedSize(20, 20)
        self.setAccessibleName(letter)

    def fill(self, filled: bool) -> None:
        """Set whether the letter is filled."""
        self._filled = filled
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the square and the letter."""
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), 3, c("accfill" if self._filled else "track"))
        ink = c("onfill" if self._filled else "t1")
        draw_text(painter, QRectF(self.rect()), self._letter, look.font(12, 600), ink, CENTER)


class Card(QWidget):
    """Card for one side. parts: its evidence, below the claim. The signal `opened` carries its id.

    other: the claim to compare with, for marking the words that differ. chosen: it is the side that would be
    kept."""

    opened = Signal(str)

    def __init__(
        self,
        letter: str,
        role: str,
        claim: str,
        *parts: QWidget | QLayout,
        id: str = "",
        other: str = "",
        chosen: bool = False,
    ) -> None:
        super().__init__()
        self._chosen = chosen
        self.claim = Text("", 15, "t1", weight=500, wrap=True, selectable=True)
        shown, against = shorten(claim, CLAIM_CHARACTERS), shorten(other, CLAIM_CHARACTERS)
        self.claim.set_markup(lambda: differing(shown, against), shown)
        self._letter = Letter(letter, filled=chosen)
        head = row(self._letter, Text(role, 12, "t3"), None, gap=8)
        if id:
            link = Control(
                "link", short_id(id), small=True, tip=tr("Open in the inspector  {key}", key=letter)
            )
            link.clicked.connect(lambda: self.opened.emit(id))
            head.addWidget(link)
        self.setLayout(column(head, self.claim, 5, *parts, None, gap=7, margins=(16, 13, 16, 14)))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)
        self.setAccessibleName(f"{letter}, {role}: {shown}")

    def set_chosen(self, chosen: bool) -> None:
        """Set whether the card is framed as the side that would be kept."""
        self._chosen = chosen
        self._letter.fill(chosen)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frame."""
        painter = QPainter(self)
        area = QRectF(self.rect())
        box(painter, area, 6, c("stage"), None if self._chosen else c("line2"))
        if self._chosen:
            painter.setPen(QPen(c("acc"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), 5, 5)


def differing(claim: str, other: str) -> str:
    """Return a claim as markup; words missing from the other claim are tinted and underlined."""
    if not other or claim == other:
        return span(claim)
    pieces = [piece for piece in word_diff(other, claim) if piece.change != "removed"]
    same = sum(len(piece.text) for piece in pieces if piece.change == "same")
    if same < ALIKE * len(claim):
        return span(claim)
    return "".join(
        f"<u>{span(piece.text, 't1', ground='warnbg')}</u>"
        if piece.text.strip() and piece.change == "added"
        else span(piece.text)
        for piece in pieces
    )


class Spark(QWidget):
    """Line chart of the salience of the last 90 days, with a tick for each day of a recall."""

    def __init__(self, curve: SalienceCurve) -> None:
        super().__init__()
        self._curve = curve
        self.setFixedHeight(SPARK_PX + TICKS_PX)
        self.setMinimumWidth(90)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Salience over {days} days, {now} now", days=DAYS, now=f"{curve.now:.2f}"))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the base line, the curve and the ticks."""
        painter = QPainter(self)
        past = self._curve.past[-DAYS:]
        first = len(self._curve.past) - len(past)
        step = (self.width() - 2) / max(1, DAYS - 1)
        painter.fillRect(QRectF(0, SPARK_PX, self.width(), 1), c("line2"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        known = [(place, value) for place, value in enumerate(past, DAYS - len(past)) if value is not None]
        painter.setPen(QPen(c("acc"), 1.5))
        painter.drawPolyline(
            [QPointF(1 + place * step, 2 + (1 - value) * (SPARK_PX - 5)) for place, value in known]
        )
        for day in set(self._curve.recall_days):
            if day >= first:
                x = round(1 + (day - first + DAYS - len(past)) * step)
                painter.fillRect(QRectF(x, SPARK_PX + 2, 1, TICKS_PX - 2), c("t2"))


NAME_PX, BAR_PX = 78, 64
AROUND = 1
"""Number of turns shown before and after the source."""
TURN_CHARACTERS = 420
LISTED = 4
Part = QWidget | QLayout


def named_line(name: str, *parts: Part) -> QHBoxLayout:
    """Return a line with a name and its value."""
    label = Text(name, 12, "t2")
    label.setFixedWidth(NAME_PX)
    for part in (label, *parts):
        if isinstance(part, QWidget):
            explain(part, name)
    line = row(label, gap=8)
    for part in parts:
        line.addLayout(part) if isinstance(part, QLayout) else line.addWidget(part)
    if not any(isinstance(part, Spark) or getattr(part, "elides", False) for part in parts):
        line.addStretch(1)
    return line


def figures(side: Side, seen: Inspection | None) -> list[Part]:
    """Return lines with confidence, salience, recalls by agent, last use and the salience curve."""
    parts: list[Part] = []
    if side.fact is not None:
        parts += _belief(side.fact, is_held=seen is not None and seen.quarantined)
    else:
        parts += _entity(side)
    if seen is None:
        return parts
    if seen.recalled_by:
        who = ", ".join(
            f"{each.agent.removeprefix('agent:')} {each.times:,}" for each in seen.recalled_by[:3]
        )
        parts.append(
            named_line(tr("Recalled"), Text(f"{tr('%Ln time(s)', '', seen.recalled)} · {who}", 12, "t1"))
        )
    elif side.fact is not None:
        parts.append(named_line(tr("Recalled"), Text(tr("not yet"), 12, "t1")))
    if seen.last_recalled_at is not None:
        last = Text(formatting.ago(seen.last_recalled_at).capitalize(), 12, "t1")
        last.setToolTip(formatting.full(seen.last_recalled_at))
        parts.append(named_line(tr("Last used"), last))
    if seen.curve is not None and sum(value is not None for value in seen.curve.past) > 1:
        parts.append(named_line(tr("90 days"), Spark(seen.curve)))
    return parts


def _belief(fact: FactRow, *, is_held: bool) -> list[Part]:
    sure = Text(f"{fact.confidence:.2f}", 12, "t1", weight=600)
    strong = Text(f"{fact.salience:.2f}", 12, "t1", weight=600)
    parts: list[Part] = [
        named_line(
            tr("Confidence"),
            Bar(fact.confidence, None, "acc", width=BAR_PX),
            sure,
            Text(certainty(fact.confidence), 12, "t2", elide=True),
        ),
        named_line(tr("Salience"), Bar(fact.salience, None, "acc", width=BAR_PX), strong),
    ]
    tags = [Tag(tr("pinned"), "acc")] if fact.pinned else []
    tags += [Tag(term(fact.temporal))] if fact.temporal and not fact.retired_at else []
    tags += (
        [Tag(tr("quarantined"), "warn") if is_held else Tag(tr("retired"), "bad")] if fact.retired_at else []
    )
    if tags:
        parts.append(named_line(tr("State"), *tags))
    return parts


def _entity(side: Side) -> list[Part]:
    parts: list[Part] = [named_line(tr("Type"), Text(side.category, 12, "t1"))]
    if side.known_as:
        also = Text(", ".join(side.known_as[:6]), 12, "t1", wrap=True)
        parts.append(named_line(tr("Also called"), also))
    parts.append(named_line(tr("Facts"), Text(tr("%Ln about it", "", side.about), 12, "t1")))
    return parts


def source(session: Session, side: Side, seen: Inspection | None, links: Links) -> list[Part]:
    """Return the source of a side: the turns around it, or the lines of a file."""
    place = side.provenance
    if place.path:
        return [rule(), _file(place, links), *_quoted(place)]
    if place.turn_id is None:
        return [rule(), Text(tr("No source is known: it was told directly."), 12, "t3", wrap=True)]
    turns = () if seen is None else _around(seen.context, place.turn_id)
    if not turns:
        gone = tr("Its source turn is gone; you can still decide.")
        return [rule(), _conversation(place, links), *_quoted(place), Text(gone, 11, "t3", wrap=True)]
    shown = [_turn(session, turn, place.quote if turn.id == place.turn_id else None) for turn in turns]
    return [rule(), _conversation(place, links), column(*shown, gap=2)]


def _around(turns: Sequence[TurnRow], id: str) -> tuple[TurnRow, ...]:
    places = [place for place, turn in enumerate(turns) if turn.id == id]
    if not places:
        return ()
    return tuple(turns[max(0, places[0] - AROUND) : places[0] + AROUND + 1])


def _conversation(place: Provenance, links: Links) -> QHBoxLayout:
    title = shorten(place.conversation_title or tr("A conversation"), 60)
    link = Control("link", title, tip=tr("Open the turn in the inspector"))
    turn = place.turn_id or ""
    link.clicked.connect(lambda: links.memory(turn))
    said = tr("turn {number}", number=(place.turn_index or 0) + 1)
    when = Text(f"{formatting.day(place.at)}, {said}" if place.at else said, 11, "t3")
    when.setToolTip(formatting.full(place.at) if place.at else "")
    return row(link, None, when, gap=8)


def _file(place: Provenance, links: Links) -> QHBoxLayout:
    path, document = place.path or "", place.document_id or ""
    link = Control("link", path)
    link.clicked.connect(lambda: links.file(document, path))
    lines = tr("lines {first} to {last}", first=place.first_line, last=place.last_line)
    if place.first_line == place.last_line:
        lines = tr("line {line}", line=place.first_line)
    return row(link, None, Text(lines if place.first_line else "", 11, "t3"), gap=8)


def _quoted(place: Provenance) -> list[Part]:
    said = place.quote or place.line
    if not said:
        return []
    text = Text("", 12, "t1", wrap=True, selectable=True)
    cut = shorten(said, TURN_CHARACTERS)
    text.set_markup(lambda: span(cut, "t1", ground="warnbg"), cut)
    return [text]


def _turn(session: Session, turn: TurnRow, quote: str | None) -> QWidget:
    """Return a widget for one turn. quote: None if it is not the source, otherwise the words that were
    extracted."""
    agent = turn.role == "assistant"
    name, shape, who = session.mark(f"{'agent' if agent else 'person'}:{turn.speaker}")
    mark = AgentMark(name or turn.role, shape, who=who)
    text = Text("", 12, "t1" if quote is not None else "t2", wrap=True, selectable=True)
    said = _window(turn.content, quote or "")
    text.set_markup(lambda: _marked(said, quote), said)
    ground = Ground("hover" if quote is not None else "stage")
    line = row(mark, text, gap=8, margins=(6, 5, 6, 5), stretch=text)
    line.setAlignment(mark, Qt.AlignmentFlag.AlignTop)
    ground.setLayout(line)
    ground.setToolTip(formatting.full(turn.at))
    return ground


def _window(content: str, quote: str) -> str:
    """Return the turn's text, or an excerpt that contains the quote."""
    if len(content) <= TURN_CHARACTERS:
        return content
    at = max(0, content.find(quote)) if quote else 0
    first = max(0, min(at - TURN_CHARACTERS // 3, len(content) - TURN_CHARACTERS))
    end = first + TURN_CHARACTERS
    return ("…" if first else "") + content[first:end].strip() + ("…" if end < len(content) else "")


def _marked(said: str, quote: str | None) -> str:
    if not quote or quote not in said:
        return span(said, "t2" if quote is None else "t1")
    before, found, after = said.partition(quote)
    return span(before, "t1") + span(found, "t1", ground="warnbg") + span(after, "t1")


def conditions(preview: PromotionPreview) -> list[Part]:
    """Return lines that compare the fact with the conditions of promotion."""
    heading = Text(tr("A against the conditions of promotion"), 12, "t2", weight=600)
    return [heading, column(*(condition_row(each) for each in preview.thresholds), gap=4)]


def global_matches(preview: PromotionPreview, links: Links) -> list[Part]:
    """Return lines for the facts in `_global` that are the same, contrary or similar."""
    found: list[tuple[str, str, str]] = []
    if preview.held is not None:
        found.append((preview.held.id, preview.held.claim, tr("the same")))
    found += [
        (each.id, each.title, tr("contrary: {reason}", reason=each.reason)) for each in preview.conflicts
    ]
    known = {id for id, _, _ in found}
    found += [
        (each.id, each.title, tr("{share} similar", share=f"{each.similarity:.2f}"))
        for each in preview.similar
        if each.id not in known
    ]
    if not found:
        return [Text(tr("_global holds nothing like it, and nothing to the contrary."), 12, "t2", wrap=True)]
    lines: list[Part] = []
    for id, claim, note in found[:LISTED]:
        line = LinkLine(claim, note, channel=0, kind="fact", tip=f"{claim} · {note}")
        line.clicked.connect(lambda _=False, id=id: links.memory(id))
        lines.append(line)
    return lines


def where(session: Session, channel: str) -> ChannelMark:
    """Return a mark for a channel."""
    return ChannelMark(channel, session.channel_number(channel))
