"""Selection of the records to export: by user, channel, agents, kinds and time.

A selected record is exported with the records it needs (a turn with its conversation, a file with its
folder). Dependent records are exported if all the records they refer to are, so every export can be imported
again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memdesk.model.channel import CHANNEL
from memdesk.model.compaction import COMPACTION
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.entity import ALIAS, ENTITY, RELATION
from memdesk.model.kind import Kind
from memdesk.model.kinds import BY_NAME, KINDS
from memdesk.model.procedure import OUTCOME, STRATEGY
from memdesk.model.proposal import PROPOSAL
from memdesk.model.session import SESSION
from memdesk.model.tag import TAG
from memdesk.model.turn import CONVERSATION, TURN

LED_BY = {
    TURN.name: CONVERSATION.name, COMPACTION.name: CONVERSATION.name, SESSION.name: CONVERSATION.name,
    ALIAS.name: ENTITY.name, OUTCOME.name: STRATEGY.name, WORKSPACE.name: DOCUMENT.name,
}  # fmt: skip
"""Kinds that are selected by the selection of another kind."""
HANGS_ON = {
    ALIAS.name: ("entity_id",), OUTCOME.name: ("strategy_id",), TAG.name: ("record_id",),
    RELATION.name: ("source_id", "target_id"), PROPOSAL.name: ("subject_id",),
}  # fmt: skip
"""Kinds that describe other records, and the columns that name those."""
BRINGS = {
    CONVERSATION.name: ((TURN, "conversation_id"), (COMPACTION, "conversation_id")),
    WORKSPACE.name: ((DOCUMENT, "workspace_id"),),
}
"""Kinds that are exported as containers of selected records, with the kind inside and its column."""
WHEN = {
    CONVERSATION.name: "started_at",
    # A day is a date without a zone: its noon lies in it, whatever the reader's.
    DOCUMENT.name: "ifnull(unixepoch(day || 'T12:00') * 1000000, updated_at)",
}
"""Column or expression for the time of a record, for kinds where it is not created_at."""
_FREE = tuple(kind for kind in KINDS if kind.name not in HANGS_ON and kind is not CHANNEL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Selection of records. user_id: None for all users. channel: None for all. agents, kinds: empty for all;
    kinds by name.

    since, until: UTC microseconds, the end left out."""

    user_id: str | None = None
    channel: str | None = None
    agents: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None

    @property
    def is_narrow(self) -> bool:
        """Return True if the selection may leave out some of the user's records."""
        return bool(self.agents or self.kinds) or (self.channel, self.since, self.until) != (None, None, None)

    @property
    def params(self) -> dict[str, Any]:
        """Return the parameters of the conditions."""
        named = {"user": self.user_id, "channel": self.channel, "since": self.since, "until": self.until}
        return named | {f"agent{n}": agent for n, agent in enumerate(self.agents)}

    def where(self, kind: Kind) -> str:
        """Return the SQL condition on a kind's table for the exported records."""
        if not self.is_narrow:
            return self._whose
        if kind is CHANNEL:
            homes = " UNION ".join(
                f"SELECT channel FROM {each.table} WHERE {self.where(each)}"
                for each in _FREE
                if "channel" in each.columns
            )
            return f"{self._whose} AND name IN ({homes})"
        if kind.name in HANGS_ON:
            ends = (f"({self._goes(kind, column)})" for column in HANGS_ON[kind.name])
            return " AND ".join((self._whose, *ends))
        within = (
            f"id IN (SELECT {column} FROM {each.table} WHERE {self._own(each)})"
            for each, column in BRINGS.get(kind.name, ())
        )
        return f"{self._whose} AND ({' OR '.join((self._own(kind), *within))})"

    @property
    def _whose(self) -> str:
        return "1" if self.user_id is None else "user_id = :user"

    def _goes(self, kind: Kind, column: str) -> str:
        """Return the condition that the record named by a column is exported."""
        target = dict(kind.references)[column]
        kinds = _FREE if target == "record" else (BY_NAME[target],)
        return " OR ".join(
            f"{column} IN (SELECT id FROM {each.table} WHERE {self.where(each)})" for each in kinds
        )

    def _own(self, kind: Kind) -> str:
        """Return the condition that a record itself is selected; one without a channel or an agent matches no
        filter on it."""
        found = [self._whose]
        if self.kinds and LED_BY.get(kind.name, kind.name) not in self.kinds:
            found.append("0")
        if self.channel is not None:
            found.append("channel = :channel" if "channel" in kind.columns else "0")
        if self.agents:
            names = ", ".join(f":agent{n}" for n in range(len(self.agents)))
            found.append(f"agent_id IN ({names})" if "agent_id" in kind.columns else "0")
        when = WHEN.get(kind.name, "created_at")
        found += [f"{when} >= :since"] * (self.since is not None) + [f"{when} < :until"] * (
            self.until is not None
        )
        return " AND ".join(found)
