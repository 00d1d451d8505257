"""Checks that refuse an undo after which lines and facts would disagree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from memdesk.engine.wording import shortened
from memdesk.engine.workspace import ties
from memdesk.engine.workspace.lines import standing
from memdesk.engine.workspace.ties import Tie
from memdesk.model.change import Edit
from memdesk.model.document import DOCUMENT, Document
from memdesk.model.errors import Conflict
from memdesk.model.fact import FACT, claim_hash
from memdesk.store import records, versions
from memdesk.store.connection import Connection


def refuse_lineless(db: Connection, edits: Sequence[Edit], now: Mapping[str, str]) -> None:
    """Raise Conflict where a fact would be tied again to a line that has left its file.

    now: content hashes, by document id, of the files that the undo changes too."""
    for edit in edits:
        spot = ties.spot_born(edit)
        if spot is None or edit.after is None:
            continue
        document: Document | None = records.get(db, DOCUMENT, edit.after["target_id"])
        if document is None or document.retired_at is not None:
            continue
        if spot.said not in standing(versions.text_of(db, now.get(document.id, document.content_hash))):
            raise Conflict(f"The line that this was learned from is no longer in {document.path}.")


def refuse_unsaid(db: Connection, edits: Sequence[Edit], moved: Collection[str]) -> None:
    """Raise Conflict where a fact's claim would change although a line that stays in its file still states
    the present one.

    moved: ids of documents that the undo changes too; their lines are not checked."""
    claims = {
        edit.id: edit.after["claim"]
        for edit in edits
        if edit.kind == FACT.name and edit.before and edit.after and "claim" in edit.after
    }
    for tie in ties.of_facts(db, list(claims)):
        told, then = claim_hash(tie.fact.claim), claim_hash(claims[tie.fact.id])
        if tie.follows and tie.holds and tie.relation.target_id not in moved and told != then:
            document: Document = records.need(db, DOCUMENT, tie.relation.target_id)
            stands = tie.spot.said in standing(versions.text_of(db, document.content_hash))
            if document.retired_at is None and stands and claim_hash(tie.spot.said) == told:
                raise Conflict(
                    f"{document.path} says “{shortened(tie.fact.claim)}” since.",
                    next="Edit the fact instead.",
                )


def refuse_disagreeing(tied: Sequence[Tie], moved: set[str], text: str) -> None:
    """Raise Conflict where a line would come back whose fact was retired since, or the other way round.

    tied: the ties of a file. moved: ids of the facts and relations that the undo changes. text: the file's
    text after it."""
    stands = standing(text)
    told = {each.spot.said for each in tied if each.holds}
    for each in tied:
        if {each.fact.id, each.relation.id} & moved and (each.spot.said in stands) != (
            each.spot.said in told
        ):
            raise Conflict(
                f"“{shortened(each.fact.claim)}” was decided over since, and its line would not agree with it.",
                next="Take that back first." if each.holds else "Restore it first.",
                details={"id": each.fact.id},
            )
