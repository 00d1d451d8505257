"""Rates: how often each agent may read and write in a minute, and how long it has to wait for more.

A limit of N lets N calls pass at once and one more every 60 / N seconds (the generic cell rate algorithm): one number
for each agent and kind of call, however many there were."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from memdesk.model.agent import agent_key
from memdesk.model.errors import TooMany
from memdesk.model.instant import SECOND
from memdesk.model.message import message

MINUTE = 60 * SECOND
AGENTS_KEPT = 1_000
"""Agents whose pace is kept; of more, those that have been quiet for a minute are forgotten."""
UNLIMITED = ("hooks.",)
"""Reports of a runtime: they are sent once, and one that is refused would be lost."""


@dataclass(slots=True)
class Rates:
    """Pace of each agent's calls. Thread-safe. clock: UTC microseconds."""

    clock: Callable[[], int]
    _free_at: dict[tuple[str, bool], int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def admit(self, agent: str, call: str, *, reads: bool, per_minute: int) -> None:
        """Count a call of an agent. Raises TooMany, with the seconds until the next one is allowed."""
        if not per_minute or call.startswith(UNLIMITED):
            return
        key, now = (agent_key(agent), reads), self.clock()
        step = MINUTE // per_minute
        with self._lock:
            # A clock set back would lock an agent out until then.
            free_at = min(max(self._free_at.get(key, now), now), now + MINUTE)
            if (wait := free_at + step - MINUTE - now) > 0:
                self._free_at[key] = free_at
                raise _too_many(agent, per_minute, wait, reads=reads)
            self._free_at[key] = free_at + step
            if len(self._free_at) > AGENTS_KEPT:
                self._free_at = {each: at for each, at in self._free_at.items() if at > now}


def _too_many(agent: str, per_minute: int, wait: int, *, reads: bool) -> TooMany:
    seconds = -(-wait // SECOND)
    says = (
        message(
            "{agent} has read {count} times in a minute, as often as it may.",
            agent=agent,
            count=f"{per_minute:,}",
        )
        if reads
        else message(
            "{agent} has written {count} times in a minute, as often as it may.",
            agent=agent,
            count=f"{per_minute:,}",
        )
    )
    return TooMany(
        says, next=message("Try again in {count} s.", count=seconds), details={"retry_after_s": seconds}
    )
