"""Context of an agent with a session on the desk: memory for the prompt before a turn, and compaction after
it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from memdesk.api import context
from memdesk.client.client import Client
from memdesk.model.channel import GLOBAL
from memdesk.model.context import Compact, Compacted, Message, Window
from memdesk.model.prompt import AskContext, PromptContext
from memdesk.model.session import NamedSession, NewSession, SessionState

PRE_COMPACT, AUTO = "PreCompact", "auto"
HOOK_SECONDS = 60.0
"""Time limit of a hook, in seconds (Agentix)."""
Hook = Callable[[dict[str, Any], object], Awaitable[object]]
"""Hook called with its input and a context of the runtime's own, as Agentix calls its hooks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HookMatcher:
    """Hooks called in order, as Agentix groups them. matcher: regular expression for what began the compaction (auto),
    None for all. timeout: seconds for each hook, 0 for no limit."""

    hooks: Sequence[Hook]
    matcher: str | None = None
    timeout: float = HOOK_SECONDS

    def matches(self, trigger: str) -> bool:
        return self.matcher is None or re.fullmatch(self.matcher, trigger) is not None


@dataclass(slots=True, kw_only=True)
class AgentContext:
    """Session of an agent.

        context = AgentContext(client=client, session_id="s-1", channel="tidepool", policy="agenticx")
        await context.start()
        memory = await context.before(messages)        # memory.text goes into the prompt
        messages = list(await context.after(messages)) # the list to go on with

    window_tokens: the size of the model's context window. pre_compact: hooks, or HookMatchers, called in order before
    a compaction, with `session_id` and `current_count`; an error raised by a hook ends the call, and the list stays
    unchanged. runtime: passed to each hook. last: the result of the last `after`."""

    client: Client
    session_id: str
    channel: str = GLOBAL
    policy: str | None = None
    window_tokens: int | None = None
    pre_compact: list[Hook | HookMatcher] = field(default_factory=list)
    runtime: object = None
    last: Compacted | None = None

    async def start(self) -> SessionState:
        """Create the session, or resume it after a restart."""
        return await self.client.call(
            context.CREATE_SESSION,
            NewSession(
                session_id=self.session_id,
                channel=self.channel,
                policy=self.policy,
                window_tokens=self.window_tokens,
            ),
        )

    async def before(self, messages: Sequence[Message], *, budget_tokens: int | None = None) -> PromptContext:
        """Return the memory that fits the coming turn."""
        ask = AskContext(
            messages=tuple(messages),
            session_id=self.session_id,
            channel=self.channel,
            budget_tokens=budget_tokens,
        )
        return await self.client.call(context.PROMPT, ask)

    async def after(
        self, messages: Sequence[Message], *, token_counts: Sequence[int] = ()
    ) -> tuple[Message, ...]:
        """Store the messages and return the list to go on with, which is shorter where the policy compacted
        it.

        Raises the service's errors, and TimeoutError for a hook that does not end; the list is then
        unchanged."""
        kept, counts = tuple(messages), tuple(token_counts)
        if self.pre_compact:
            window = Window(
                messages=kept, session_id=self.session_id, channel=self.channel, token_counts=counts
            )
            meter = await self.client.call(context.MEASURE, window)
            if meter.due == "compacted":
                await self._announce(meter.current_count)
        ask = Compact(messages=kept, session_id=self.session_id, channel=self.channel, token_counts=counts)
        self.last = await self.client.call(context.COMPACT, ask)
        return self.last.messages

    async def reset(self) -> SessionState:
        """Begin another conversation in the session; nothing is erased."""
        return await self.client.call(context.RESET_SESSION, NamedSession(session_id=self.session_id))

    async def _announce(self, count: int) -> None:
        fields: dict[str, Any] = {
            "hook_event_name": PRE_COMPACT,
            "session_id": self.session_id,
            "current_count": count,
        }
        fields["trigger"] = AUTO
        for each in self.pre_compact:
            group = each if isinstance(each, HookMatcher) else HookMatcher(hooks=(each,))
            for hook in group.hooks if group.matches(AUTO) else ():
                async with asyncio.timeout(group.timeout or None):
                    await hook(fields, self.runtime)
