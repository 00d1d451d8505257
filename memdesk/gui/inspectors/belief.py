"""Upper parts of a memory in the inspector: claim, confidence, salience and links."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from memdesk.gui import formatting, look
from memdesk.gui.inspectors.fields import name_of, value_of
from memdesk.gui.inspectors.links import LinkLine, Links
from memdesk.gui.language import tr
from memdesk.gui.look import c
from memdesk.gui.session import Session
from memdesk.gui.terms import capitalised, relation_words, term
from memdesk.gui.widgets import (
    Area,
    Bar,
    ChannelMark,
    Control,
    Drop,
    Form,
    Option,
    Section,
    Segments,
    Tag,
    Text,
    changed_fields,
    row,
    span,
)
from memdesk.gui.widgets.control import TagLink
from memdesk.gui.widgets.explaining import explain
from memdesk.gui.widgets.layout import Flow, Item
from memdesk.gui.widgets.paint import CENTER, LEFT, RIGHT, draw_text
from memdesk.gui.widgets.text import shorten
from memdesk.model.browse import FactRow, FieldValue, Inspection, Related, SalienceCurve, Threshold
from memdesk.model.channel import GLOBAL
from memdesk.model.curation import EditFact
from memdesk.model.fact import CATEGORIES, CERTAINTY, TEMPORAL
from memdesk.model.quotation import turns_of

PLOT_PX = 74
TICKS_PX = 8
LABELS_PX = 14
FADE_BELOW = 0.10
"""A memory with lower salience counts as faded (AgentX)."""


class CurveView(QWidget):
    """Plot of the past as a line, the days ahead dashed, a tick for each day with a recall, the 0.10 line
    dotted."""

    def __init__(self, curve: SalienceCurve) -> None:
        super().__init__()
        self._curve = curve
        self._days = max(2, len(curve.past) + len(curve.ahead))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(PLOT_PX + TICKS_PX + LABELS_PX)
        self.setAccessibleName(tr("Salience over time"))
        days = tr("recalled on %Ln day(s)", "", len(set(curve.recall_days)))
        self.setAccessibleDescription(f"{salience_words(curve)}, {days}")

    def sizeHint(self) -> QSize:
        """Return the inspector's usual width."""
        return QSize(308, self.height())

    def _x(self, day: float) -> float:
        return day / (self._days - 1) * (self.width() - 8) + 4

    def _y(self, salience: float) -> float:
        return PLOT_PX - 6 - salience * (PLOT_PX - 12)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of the days ahead, threshold, curve, ticks and labels."""
        painter = QPainter(self)
        today = self._x(len(self._curve.past) - 1)
        painter.fillRect(QRectF(today, 0, self.width() - today, PLOT_PX), c("hover"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(c("bad"), 1, Qt.PenStyle.DotLine))
        level = round(self._y(FADE_BELOW)) + 0.5
        painter.drawLine(QPointF(0, level), QPointF(self.width(), level))
        self._paint_past(painter)
        self._paint_ahead(painter, today)
        self._paint_ticks(painter)
        self._paint_labels(painter, today)

    def _paint_past(self, painter: QPainter) -> None:
        known = [(day, salience) for day, salience in enumerate(self._curve.past) if salience is not None]
        painter.setPen(QPen(c("acc"), 1.5))
        painter.drawPolyline([QPointF(self._x(day), self._y(salience)) for day, salience in known])

    def _paint_ahead(self, painter: QPainter, today: float) -> None:
        now = QPointF(today, self._y(self._curve.now))
        first = len(self._curve.past)
        later = [
            QPointF(self._x(day), self._y(salience)) for day, salience in enumerate(self._curve.ahead, first)
        ]
        painter.setPen(QPen(c("acc"), 1.5, Qt.PenStyle.DashLine))
        painter.drawPolyline([now, *later])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(c("acc"))
        painter.drawEllipse(now, 3, 3)
        fades = self._curve.fades_in_days
        if fades is not None and 0 < fades <= len(self._curve.ahead):
            painter.setPen(QPen(c("bad"), 1.5))
            painter.setBrush(c("panel"))
            painter.drawEllipse(QPointF(self._x(first - 1 + fades), self._y(FADE_BELOW)), 3.5, 3.5)

    def _paint_ticks(self, painter: QPainter) -> None:
        for day in self._curve.recall_days:
            painter.fillRect(QRectF(round(self._x(day)), PLOT_PX + 2, 1, TICKS_PX - 3), c("t2"))

    def _paint_labels(self, painter: QPainter, today: float) -> None:
        top = PLOT_PX + TICKS_PX
        axis = look.font(10, 500)
        start = datetime.now().astimezone() - timedelta(days=len(self._curve.past) - 1)
        draw_text(painter, QRectF(0, top, 80, LABELS_PX), formatting.day(start), axis, c("t3"), LEFT)
        place = QRectF(min(today - 30, self.width() - 60), top, 60, LABELS_PX)
        draw_text(painter, place, tr("today"), look.font(10, 600), c("t1"), CENTER)
        right = QRectF(self.width() - 70, top, 70, LABELS_PX)
        if today + 24 < right.right() - 52:
            draw_text(painter, right, tr("fades {salience}", salience="0.10"), axis, c("bad"), RIGHT)


def salience_words(curve: SalienceCurve) -> str:
    """Describe a curve as “0.66 now · fades in 37 days”."""
    return tr("{salience} now · {fades}", salience=f"{curve.now:.2f}", fades=fade_words(curve))


def fade_words(curve: SalienceCurve) -> str:
    """Describe in words when a memory will fade."""
    if curve.fades_in_days is None:
        return tr("does not fade")
    if curve.fades_in_days <= 0:
        return tr("has faded")
    days = round(curve.fades_in_days)
    return tr("fades today") if days == 0 else tr("fades in %Ln day(s)", "", days)


NAME_PX = 96
BAR_PX = 84
LINKED_AT_MOST = 8
CERTAIN = ((0.9, "explicit"), (0.8, "implied"), (0.6, "inferred"), (0.0, "uncertain"))
"""Least confidence of each certainty word; AgentX's calibration in reverse: 0.95, 0.85, 0.70, 0.50."""
NEEDED = {"confidence": 0.85, "recalled": 5.0, "conversations": 2.0}
"""AgentX's conditions of promotion, for a desk that does not give its own."""


def certainty(confidence: float) -> str:
    return term(next(word for least, word in CERTAIN if confidence >= least))


def required_value(thresholds: tuple[Threshold, ...], name: str) -> float:
    return next((each.needed for each in thresholds if each.name == name), NEEDED[name])


def amount(value: float) -> str:
    """Format a value as “0.85” or “5”."""
    return f"{value:g}" if value == int(value) else f"{value:.2f}"


def labelled_row(name: str, *parts: QWidget) -> QHBoxLayout:
    label = Text(name, 12, "t2")
    label.setFixedWidth(NAME_PX)
    for part in (label, *parts):
        explain(part, name)
    return row(label, *parts, None, gap=8)


def rich(*pieces: tuple[str, str, int]) -> Text:
    """Return one line of text from (text, token, weight) pieces."""
    line = Text("", 12, "t2")
    line.set_markup(
        lambda: "".join(span(text, token, weight=weight) for text, token, weight in pieces),
        "".join(text for text, _, _ in pieces),
    )
    return line


def claim(session: Session, seen: Inspection, links: Links, rename_tag: Callable[[str], object]) -> Section:
    """Return the section with the claim, the turns before it if it quotes them, its channel, time and tags, and the
    entities it is about."""
    past = seen.retired or (seen.fact is not None and seen.fact.superseded_by is not None)
    *before, words = turns_of(shorten(seen.title))
    words = tr("{claim} (past)", claim=words) if past else words
    turns = [Text(turn, 12, "t2", wrap=True, selectable=True) for turn in before]
    text = Text(words, 15, "t3" if past else "t1", weight=500, italic=past, wrap=True, selectable=True)
    tags: list[QWidget] = [ChannelMark(seen.channel, session.channel_number(seen.channel))]
    if seen.fact is not None and seen.fact.temporal and not seen.retired:
        tags.append(Tag(term(seen.fact.temporal)))
    if seen.kind != "fact" and seen.category:
        tags.append(Tag(term(seen.category)))
    if seen.pinned:
        tags.append(Tag(tr("pinned"), "acc"))
    if seen.quarantined:
        tags.append(Tag(tr("quarantined"), "warn"))
    elif seen.retired:
        tags.append(Tag(tr("retired"), "bad"))
    if seen.fact is not None and seen.fact.question:
        tags.append(_contradiction_tag(seen.fact.question, links))
    tags += [_named_tag(tag, rename_tag) for tag in seen.tags]
    tags += [_entity_tag(entity, links) for entity in seen.about]
    return Section("", "", *turns, text, Flow(*tags), gap=6 if turns else 9, margins=(16, 14, 16, 14))


def fields_section(seen: Inspection) -> Section | None:
    """Return the section with the other fields of a record. A fact's source and time have their own places."""
    fields = [field for field in seen.fields if seen.fact is None or field.name not in ("source", "time")]
    return Section("", "", *map(_described, fields), gap=7) if fields else None


def _described(field: FieldValue) -> QHBoxLayout:
    name = Text(capitalised(name_of(field.name)), 12, "t2", elide=True)
    name.setFixedWidth(NAME_PX)
    said = value_of(field.name, field.value) if field.name.endswith("_at") else field.value
    value = Text(shorten(said or ""), 12, "t1", wrap=True, selectable=True)
    line = row(name, value, gap=8, stretch=value)
    line.setAlignment(name, Qt.AlignmentFlag.AlignTop)
    return line


def _contradiction_tag(question: str, links: Links) -> TagLink:
    """Return the tag of a fact with an open contradiction, which opens the question."""
    tag = TagLink(tr("contradicted"), tr("Another fact contradicts it; open the question"), "warn")
    tag.clicked.connect(lambda: links.panel("review", question))
    return tag


def _named_tag(name: str, rename: Callable[[str], object]) -> TagLink:
    tag = TagLink(f"#{name}", tr("Rename the tag on every memory"))
    tag.clicked.connect(lambda: rename(name))
    return tag


def _entity_tag(entity: Related, links: Links) -> TagLink:
    tag = TagLink(entity.title, f"{entity.title}, {term(entity.category)}")
    tag.clicked.connect(lambda: links.memory(entity.id))
    return tag


def confidence_section(session: Session, seen: Inspection) -> Section | None:
    """Return the section with confidence, recalls and conversations, each against its condition of promotion.
    None if it is not a fact."""
    fact = seen.fact
    if fact is None:
        return None
    least = required_value(seen.thresholds, "confidence")
    tone = "ok" if fact.confidence >= least else "acc"
    number = Text(f"{fact.confidence:.2f}", 12, "t1", weight=600)
    confidence = labelled_row(
        tr("Confidence"),
        Bar(fact.confidence, least, tone, width=BAR_PX),
        number,
        Text(certainty(fact.confidence), 12, "t3"),
    )
    return Section(
        "", "", confidence, labelled_row(tr("Recalled"), _recalled(seen, fact)), _promotion(seen, fact), gap=7
    )


def _recalled(seen: Inspection, fact: FactRow) -> Text:
    recalls = tr(
        "%Ln time(s) of {needed}",
        "",
        fact.recalled,
        needed=amount(required_value(seen.thresholds, "recalled")),
    )
    talks = tr(
        "%Ln conversation(s) of {needed}",
        "",
        fact.conversations,
        needed=amount(required_value(seen.thresholds, "conversations")),
    )
    return rich(*_counted(fact.recalled, recalls), (" · ", "t3", 0), *_counted(fact.conversations, talks))


def _counted(number: int, said: str) -> Iterator[tuple[str, str, int]]:
    """Yield the pieces of a count, with the figure in bold."""
    figure = f"{number:,}"
    yield figure, "t1", 600
    yield said.removeprefix(figure), "t2", 0


def _promotion(seen: Inspection, fact: FactRow) -> QHBoxLayout:
    if fact.channel == GLOBAL:
        copied = fact.promoted_from is not None
        words = tr("copied from a project") if copied else tr("learned for every channel")
        return labelled_row(tr("In _global"), Text(words, 12, "t2"))
    asked = " / ".join(amount(each.needed) for each in seen.thresholds)
    met = sum(each.met for each in seen.thresholds)
    if seen.thresholds and met == len(seen.thresholds):
        return labelled_row(
            tr("Promotion"), rich(("✓ ", "ok", 600), (tr("meets {asked}", asked=asked), "ok", 0))
        )
    words = tr("{met} of {all} met · {asked}", met=met, all=len(seen.thresholds), asked=asked)
    return labelled_row(tr("Promotion"), Text(words, 12, "t2"))


def salience(seen: Inspection) -> Section | None:
    """Return the section with the salience curve, None for a record that does not fade."""
    if seen.curve is None:
        return None
    words = tr("pinned, does not fade") if seen.pinned else fade_words(seen.curve)
    now = f"{seen.curve.now:.2f}"
    said = tr("{salience} now · {fades}", salience=now, fades=words)
    note = rich((now, "t1", 600), (said.removeprefix(now), "t1", 0))
    return Section(tr("Salience"), note, CurveView(seen.curve))


def links_section(
    session: Session, seen: Inspection, links: Links, change: Callable[[Related], object]
) -> Section | None:
    """Return the section with the neighbours in the graph and a link to the graph. None if there are none.

    change: called with a neighbour whose relation a person wants to change."""
    near = (*seen.about, *seen.related)
    if seen.kind not in ("fact", "entity") or not near:
        return None
    shown = [_neighbour_row(session, each, links, change) for each in near[:LINKED_AT_MOST]]
    graph = Control("link", tr("In the graph"))
    graph.clicked.connect(lambda: links.panel("graph", seen.id))
    more = len(near) - len(shown)
    rest = [Text(tr("and %Ln more in the graph", "", more), 11, "t3")] if more > 0 else []
    return Section(tr("Linked"), graph, *shown, *rest, gap=0)


def _neighbour_row(
    session: Session, each: Related, links: Links, change: Callable[[Related], object]
) -> Item:
    """Return a neighbour with the button that changes its relation. A lineage cannot be changed."""
    line = _neighbour(session, each, links)
    if not each.relation_id:
        return line
    button = Control("ghost", "", "edit", small=True, tip=tr("Change the link"))
    button.setAccessibleName(tr("Change the link to {title}", title=each.title))
    button.clicked.connect(lambda: change(each))
    return row(line, button, gap=4, stretch=line)


def _neighbour(session: Session, each: Related, links: Links) -> LinkLine:
    kind = each.category if each.kind == "fact" else "entity" if each.kind == "entity" else "fact"
    relation = relation_words(each.relation)
    line = LinkLine(
        each.title,
        relation,
        channel=session.channel_number(each.channel),
        kind=kind,
        tip=f"{each.title} · {relation} · {each.channel}",
    )
    line.clicked.connect(lambda: links.memory(each.id))
    return line


CLAIM_LINES = 5
NO_TIME = ""
"""Segment value of a fact without a time; None would mean that no segment is chosen."""


class EditForm(Form):
    """Form that replaces the claim. `saved` carries the requested EditFact."""

    def __init__(self, fact: FactRow) -> None:
        self._fact = fact
        self.claim = Area(fact.claim, name=tr("Claim"), lines=CLAIM_LINES)
        kinds = dict.fromkeys((*CATEGORIES, fact.category))
        self.category = Drop(
            [Option(kind, capitalised(kind)) for kind in kinds], fact.category, name=tr("Kind")
        )
        values = sorted({*CERTAINTY.values(), fact.confidence}, reverse=True)
        self.confidence = Segments(
            [(value, f"{value:.2f}".lstrip("0")) for value in values], fact.confidence, name=tr("Confidence")
        )
        self._certainty = Text(certainty(fact.confidence), 11, "t3")
        times = [(time, capitalised(time)) for time in TEMPORAL]
        none = [] if fact.temporal else [(NO_TIME, tr("None"))]
        self.temporal = Segments([*none, *times], fact.temporal or NO_TIME, name=tr("Time"))
        super().__init__(
            tr("Edit"),
            tr("Save"),
            self._certainty,
            self.claim,
            labelled_row(tr("Kind"), self.category),
            labelled_row(tr("Confidence"), self.confidence),
            labelled_row(tr("Time"), self.temporal),
            first=self.claim,
        )
        self.claim.changed.connect(lambda _: self.check())
        self.confidence.chosen.connect(lambda value: self._certainty.setText(certainty(value)))

    def resume(self, draft: EditFact) -> None:
        """Fill the form from an unfinished correction."""
        fact = self._fact
        self.claim.set_text(draft.claim if draft.claim is not None else fact.claim)
        self.category.set_value(draft.category or fact.category)
        self.confidence.set_value(fact.confidence if draft.confidence is None else draft.confidence)
        self.temporal.set_value(draft.temporal or fact.temporal or NO_TIME)

    def asked(self) -> EditFact | None:
        """Return the correction with the changed fields only; None if nothing differs."""
        fact = self._fact
        changed = changed_fields(
            fact,
            claim=self.claim.text().strip(),
            category=self.category.value(),
            confidence=self.confidence.value(),
            temporal=self.temporal.value() or fact.temporal,
        )
        return EditFact(fact_id=fact.id, was=fact.claim, **changed) if changed else None

    @property
    def begun(self) -> bool:
        return self.asked() is not None

    def check(self) -> bool:
        """Return True if the claim is not empty; otherwise show an error and disable Save."""
        good = bool(self.claim.text().strip())
        self.claim.set_error("" if good else tr("A claim needs words."))
        self.save.set_enabled(good, tr("A claim needs words."))
        return good
