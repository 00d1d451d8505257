"""State of facts and of the lines they are read from after a change, computed before it is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from memdesk.engine.workspace import ties
from memdesk.engine.workspace.ties import Spot, Tie, holds
from memdesk.model.change import Edit
from memdesk.model.entity import RELATION, Relation
from memdesk.model.fact import FACT, Fact
from memdesk.store import records
from memdesk.store.connection import Connection


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Edits of a change applied to the stored records. facts: the facts that the edits create or change, as
    they will be."""

    db: Connection
    edits: Sequence[Edit]
    facts: dict[str, Fact] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for edit in self.edits:
            if edit.kind != FACT.name or edit.after is None:
                continue
            if edit.before is None:
                self.facts[edit.id] = Fact(**(FACT.defaults | edit.after))
            else:
                known = self.facts.get(edit.id) or records.need(self.db, FACT, edit.id)
                self.facts[edit.id] = replace(known, **edit.after)

    def ties(self) -> list[Tie]:
        """Return the ties of these facts as they are stored now."""
        return ties.of_facts(self.db, list(self.facts))

    def relation(self, tie: Tie) -> Relation:
        """Return a tie's relation as it will be."""
        now = tie.relation
        for edit in self.edits:
            if edit.kind == RELATION.name and edit.id == now.id and edit.after is not None:
                now = replace(now, **edit.after)
        return now

    def heir(self, fact: Fact) -> Fact | None:
        """Return the fact that supersedes this one; None where there is none that may take over its lines."""
        id = fact.superseded_by
        heir: Fact | None = None if id is None else self.facts.get(id) or records.get(self.db, FACT, id)
        if heir is None or not holds(heir) or heir.promoted_from is not None:
            return None
        forgotten = any(each.spot.gone for each in ties.of_facts(self.db, [heir.id]))
        return None if forgotten else heir

    def lines_of(self, fact: Fact) -> Iterator[tuple[str, Spot]]:
        """Yield (document id, line) of a fact's own lines: those it keeps and those the change creates."""
        for each in ties.of_facts(self.db, [fact.id]):
            if self.relation(each).retired_at is None:
                yield each.relation.target_id, each.spot
        yield from ((document, spot) for id, document, spot in self._born() if id == fact.id)

    def told_by_others(self, tie: Tie) -> set[str]:
        """Return the normalised words of the lines in a tie's file from which other, current facts are read."""
        told = {
            each.spot.said
            for each in ties.in_file(self.db, tie.relation.target_id)
            if each.fact.id != tie.fact.id and each.holds and holds(self.facts.get(each.fact.id, each.fact))
        }
        return told | {spot.said for _, document, spot in self._born() if document == tie.relation.target_id}

    def _born(self) -> Iterator[tuple[str, str, Spot]]:
        """Yield (fact id, document id, line) of the ties that the edits create."""
        for edit in self.edits:
            if (spot := ties.spot_born(edit)) is not None and edit.after is not None:
                yield edit.after["source_id"], edit.after["target_id"], spot
