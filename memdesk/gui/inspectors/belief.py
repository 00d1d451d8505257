"""Upper parts of a memory in the inspector: claim, confidence, salience and links."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from memdesk.gui.frame.terms import term, titled
from memdesk.gui.help.asking import explain
from memdesk.gui.inspectors.curve import CurveView, fade_words
from memdesk.gui.inspectors.fields import name_of
from memdesk.gui.inspectors.flow import Flow, PressTag
from memdesk.gui.inspectors.links import Line, Links
from memdesk.gui.language import tr
from memdesk.gui.session import Session
from memdesk.gui.widgets import Bar, ChannelMark, Control, Section, Tag, Text, row, span
from memdesk.gui.widgets.tips import shortened
from memdesk.model.browse import FactRow, FieldValue, Inspection, Related, Threshold
from memdesk.model.channel import GLOBAL

NAME_PX = 84
BAR_PX = 84
LINKED_AT_MOST = 8
CERTAIN = ((0.9, "explicit"), (0.8, "implied"), (0.6, "inferred"), (0.0, "uncertain"))
"""Least confidence of each certainty word; AgentX's calibration in reverse: 0.95, 0.85, 0.70, 0.50."""
NEEDED = {"confidence": 0.85, "recalled": 5.0, "conversations": 2.0}
"""AgentX's conditions of promotion, for a desk that does not give its own."""


def certainty(confidence: float) -> str:
    """Return the certainty word for a confidence."""
    return term(next(word for least, word in CERTAIN if confidence >= least))


def needed(thresholds: tuple[Threshold, ...], name: str) -> float:
    """Return the value that a promotion requires for one condition."""
    return next((each.needed for each in thresholds if each.name == name), NEEDED[name])


def amount(value: float) -> str:
    """Format a value as “0.85” or “5”."""
    return f"{value:g}" if value == int(value) else f"{value:.2f}"


def named(name: str, *parts: QWidget) -> QHBoxLayout:
    """Return a row with a name and its value widgets."""
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


def claim(session: Session, seen: Inspection, links: Links) -> Section:
    """Return the section with the claim, its channel, time and tags, and the entities it is about."""
    past = seen.retired or (seen.fact is not None and seen.fact.superseded_by is not None)
    words = shortened(seen.title)
    words = tr("{claim} (past)", claim=words) if past else words
    text = Text(words, 15, "t3" if past else "t1", weight=500, italic=past, wrap=True, selectable=True)
    tags: list[QWidget] = [ChannelMark(seen.channel, session.channel_number(seen.channel))]
    if seen.fact is not None and seen.fact.temporal:
        tags.append(Tag(term(seen.fact.temporal)))
    if seen.kind != "fact" and seen.category:
        tags.append(Tag(term(seen.category)))
    if seen.pinned:
        tags.append(Tag(tr("pinned"), "acc"))
    if seen.retired:
        tags.append(Tag(tr("retired"), "bad"))
    tags += [Tag(f"#{tag}") for tag in seen.tags]
    tags += [_entity_tag(entity, links) for entity in seen.about]
    return Section("", "", text, Flow(*tags), gap=9, margins=(16, 14, 16, 14))


def described(seen: Inspection) -> Section | None:
    """Return the section with the other fields of a record, None for a fact, whose fields have their own
    sections."""
    if seen.kind == "fact" or not seen.fields:
        return None
    return Section("", "", *(_described(field) for field in seen.fields), gap=7)


def _described(field: FieldValue) -> QHBoxLayout:
    name = Text(titled(name_of(field.name)), 12, "t2", elide=True)
    name.setFixedWidth(NAME_PX)
    value = Text(shortened(field.value), 12, "t1", wrap=True, selectable=True)
    line = row(name, value, gap=8)
    line.setAlignment(name, Qt.AlignmentFlag.AlignTop)
    line.setStretchFactor(value, 1)
    return line


def _entity_tag(entity: Related, links: Links) -> PressTag:
    tag = PressTag(entity.title, f"{entity.title}, {term(entity.category)}")
    tag.pressed.connect(lambda: links.memory(entity.id))
    return tag


def believed(session: Session, seen: Inspection) -> Section | None:
    """Return the section with confidence, recalls and conversations, each against its condition of promotion.
    None if it is not a fact."""
    fact = seen.fact
    if fact is None:
        return None
    least = needed(seen.thresholds, "confidence")
    tone = "ok" if fact.confidence >= least else "acc"
    number = Text(f"{fact.confidence:.2f}", 12, "t1", weight=600)
    confidence = named(
        tr("Confidence"),
        Bar(fact.confidence, least, tone, width=BAR_PX),
        number,
        Text(certainty(fact.confidence), 12, "t3"),
    )
    return Section(
        "", "", confidence, named(tr("Recalled"), _recalled(seen, fact)), _promotion(seen, fact), gap=7
    )


def _recalled(seen: Inspection, fact: FactRow) -> Text:
    recalls = tr(
        "%Ln time(s) of {needed}", "", fact.recalled, needed=amount(needed(seen.thresholds, "recalled"))
    )
    talks = tr(
        "%Ln conversation(s) of {needed}", "", fact.conversations,
        needed=amount(needed(seen.thresholds, "conversations")),
    )  # fmt: skip
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
        return named(tr("In _global"), Text(words, 12, "t2"))
    asked = " / ".join(amount(each.needed) for each in seen.thresholds)
    met = sum(each.met for each in seen.thresholds)
    if seen.thresholds and met == len(seen.thresholds):
        return named(tr("Promotion"), rich(("✓ ", "ok", 600), (tr("meets {asked}", asked=asked), "ok", 0)))
    words = tr("{met} of {all} met · {asked}", met=met, all=len(seen.thresholds), asked=asked)
    return named(tr("Promotion"), Text(words, 12, "t2"))


def salience(seen: Inspection) -> Section | None:
    """Return the section with the salience curve, None for a record that does not fade."""
    if seen.curve is None:
        return None
    words = tr("pinned, does not fade") if seen.pinned else fade_words(seen.curve)
    now = f"{seen.curve.now:.2f}"
    said = tr("{salience} now · {fades}", salience=now, fades=words)
    note = rich((now, "t1", 600), (said.removeprefix(now), "t1", 0))
    return Section(tr("Salience"), note, CurveView(seen.curve))


def linked(session: Session, seen: Inspection, links: Links) -> Section | None:
    """Return the section with the neighbours in the graph and a link to the graph. None if there are none."""
    if seen.kind not in ("fact", "entity") or not seen.related:
        return None
    shown = [_neighbour(session, each, links) for each in seen.related[:LINKED_AT_MOST]]
    graph = Control("link", tr("In the graph"))
    graph.clicked.connect(lambda: links.panel("graph", seen.id))
    more = len(seen.related) - len(shown)
    rest = [Text(tr("and %Ln more in the graph", "", more), 11, "t3")] if more > 0 else []
    return Section(tr("Linked"), graph, *shown, *rest, gap=0)


def _neighbour(session: Session, each: Related, links: Links) -> Line:
    kind = each.category if each.kind == "fact" else "entity" if each.kind == "entity" else "fact"
    relation = term(each.relation.lower().replace("_", " "))
    line = Line(
        each.title,
        relation,
        channel=session.channel_number(each.channel),
        kind=kind,
        tip=f"{each.title} · {relation} · {each.channel}",
    )
    line.pressed.connect(lambda: links.memory(each.id))
    return line
