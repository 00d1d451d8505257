"""Form that corrects a fact in place: its claim, kind, confidence and time."""

from __future__ import annotations

from memdesk.gui.frame.terms import titled
from memdesk.gui.inspectors.belief import certainty, named
from memdesk.gui.language import tr
from memdesk.gui.widgets import Area, Drop, Form, Option, Segments, Text
from memdesk.model.browse import FactRow
from memdesk.model.curation import EditFact
from memdesk.model.fact import CATEGORIES, CERTAINTY, TEMPORAL

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
            [Option(value=kind, text=titled(kind)) for kind in kinds], fact.category, name=tr("Kind")
        )
        values = sorted({*CERTAINTY.values(), fact.confidence}, reverse=True)
        self.confidence = Segments(
            [(value, f"{value:.2f}".lstrip("0")) for value in values], fact.confidence, name=tr("Confidence")
        )
        self._certainty = Text(certainty(fact.confidence), 11, "t3")
        times = [(time, titled(time)) for time in TEMPORAL]
        none = [] if fact.temporal else [(NO_TIME, tr("None"))]
        self.temporal = Segments([*none, *times], fact.temporal or NO_TIME, name=tr("Time"))
        super().__init__(
            tr("Edit"),
            tr("Save"),
            self._certainty,
            self.claim,
            named(tr("Kind"), self.category),
            named(tr("Confidence"), self.confidence),
            named(tr("Time"), self.temporal),
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

    def begin(self) -> None:
        """Place the cursor at the end of the claim."""
        self.claim.editor.setFocus()
        self.claim.editor.moveCursor(self.claim.editor.textCursor().MoveOperation.End)

    def asked(self) -> EditFact | None:
        """Return the correction with the changed fields only; None if nothing differs."""
        fact = self._fact
        claim, time = self.claim.text().strip(), self.temporal.value()
        category, confidence = str(self.category.value()), self.confidence.value()
        assert isinstance(confidence, float)
        if (claim, category, confidence, time) == (
            fact.claim, fact.category, fact.confidence, fact.temporal or NO_TIME,
        ):  # fmt: skip
            return None
        return EditFact(
            fact_id=fact.id,
            was=fact.claim,
            claim=claim if claim != fact.claim else None,
            category=category if category != fact.category else None,
            confidence=confidence if confidence != fact.confidence else None,
            temporal=str(time) if time and time != fact.temporal else None,
        )

    @property
    def begun(self) -> bool:
        """Return True if a field differs."""
        return self.asked() is not None

    def check(self) -> bool:
        """Return True if the claim is not empty; otherwise show an error and disable Save."""
        good = bool(self.claim.text().strip())
        self.claim.set_error("" if good else tr("A claim needs words."))
        self.save.set_enabled(good, tr("A claim needs words."))
        return good
