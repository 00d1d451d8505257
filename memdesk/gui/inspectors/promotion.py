"""Form shown before a promotion: similar and conflicting claims in _global, the conditions, and the future
readers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout

from memdesk.gui.frame.terms import term, titled
from memdesk.gui.help.asking import explain_terms
from memdesk.gui.inspectors.belief import NAME_PX, amount
from memdesk.gui.inspectors.links import Line, Links, quiet
from memdesk.gui.language import tr
from memdesk.gui.widgets import Bar, Control, Field, Icon, Section, Text, column, row, word_diff_markup
from memdesk.gui.widgets.tips import shortened
from memdesk.model.browse import PromotionPreview, Threshold
from memdesk.model.curation import Promote

LIKE_AT_MOST = 3


class PromotionForm(Section):
    """Form that replaces the actions. Signals: promoted carries the requested Promote; cancelled."""

    promoted = Signal(object)
    cancelled = Signal()

    def __init__(self, preview: PromotionPreview, links: Links) -> None:
        self._fact_id = preview.fact.id
        self.reason = Field(placeholder=tr("Why, if you like"), name=tr("Reason"))
        self.promote = Control("primary", tr("Promote"), "promote", keys="Enter")
        self.cancel = Control("button", tr("Cancel"), keys="Esc")
        held = preview.held is not None
        if held:
            self.promote.set_enabled(False, tr("_global holds this claim already."))
        super().__init__(
            tr("Promote to _global"),
            "",
            column(*_held(preview, links), gap=4),
            *_against(preview, links),
            column(*(met(each) for each in preview.thresholds), gap=4),
            quiet(readers(preview)),
            self.reason,
            row(self.promote, self.cancel, None),
            edges="top",
            gap=10,
        )
        self.promote.clicked.connect(self._promote)
        self.cancel.clicked.connect(lambda: self.cancelled.emit())
        self.reason.returnPressed.connect(self._promote)

    def begin(self) -> None:
        """Focus the reason."""
        self.reason.setFocus()

    def _promote(self) -> None:
        if self.promote.isEnabled():
            self.promoted.emit(Promote(fact_id=self._fact_id, reason=self.reason.text().strip()))


def _held(preview: PromotionPreview, links: Links) -> list[Text | Line]:
    """Return lines about matching claims in _global: the identical one, similar ones, or a note that there is
    none."""
    if preview.held is not None:
        held = preview.held
        line = Line(held.claim, tr("the same"), channel=0, kind=held.category)
        line.pressed.connect(lambda: links.memory(held.id))
        return [quiet(tr("_global holds this claim already:")), line]
    if not preview.similar:
        return [quiet(tr("_global holds nothing like it."))]
    lines: list[Text | Line] = [quiet(tr("_global holds something like it:"))]
    for each in preview.similar[:LIKE_AT_MOST]:
        line = Line(each.title, tr("{score} similar", score=f"{each.similarity:.2f}"), channel=0, kind="fact")
        line.pressed.connect(lambda id=each.id: links.memory(id))
        lines += [line, differing(each.title, preview.fact.claim)]
    return lines


def differing(held: str, claim: str) -> Text:
    """Return a word diff between a claim in `_global` and the promoted one."""
    text = Text("", 12, "t2", wrap=True)
    said = tr("{held} beside {claim}", held=held, claim=claim)
    text.set_markup(lambda: word_diff_markup(shortened(held), shortened(claim)), said)
    return text


def _against(preview: PromotionPreview, links: Links) -> list[QVBoxLayout]:
    """Return the conflicting claims in `_global`, each with its reason."""
    if not preview.conflicts:
        return []
    parts: list[Text | Line] = [Text(tr("It cannot be true together with:"), 12, "warn", wrap=True)]
    for each in preview.conflicts[:LIKE_AT_MOST]:
        line = Line(each.title, channel=0, kind="fact", tip=f"{each.title} · {each.reason}")
        line.pressed.connect(lambda id=each.id: links.memory(id))
        parts += [line, quiet(each.reason)]
    return [column(*parts, gap=2)]


def met(threshold: Threshold) -> QHBoxLayout:
    """Return the row of one condition: a bar with the threshold marked, the actual value, the required value."""
    name = Text(titled(threshold.name), 12, "t1")
    name.setFixedWidth(NAME_PX)
    explain_terms(name, threshold.name)
    most = max(1.0, threshold.needed) if threshold.needed <= 1 else max(2 * threshold.needed, threshold.found)
    bar = Bar(threshold.found / most, threshold.needed / most, "ok" if threshold.met else "warn")
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
    said = [
        tr("{who} will recall it in every channel.", who=who),
        tr("The original stays in {channel}.", channel=preview.fact.channel),
        tr("It falls short in {what}; your word goes over that.", what=short) if short else "",
    ]
    return " ".join(each for each in said if each)


def listed(names: Sequence[str]) -> str:
    """Join names as “Iris, Forge and Mara”."""
    if len(names) < 2:
        return "".join(names)
    return tr("{names} and {last}", names=", ".join(names[:-1]), last=names[-1])
