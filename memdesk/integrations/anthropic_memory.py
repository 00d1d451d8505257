"""Memory tool of Anthropic's SDK whose files are on the desk.

    from anthropic import Anthropic
    from memdesk.integrations import MemDeskMemoryTool

    runner = Anthropic().beta.messages.tool_runner(
        model=model, max_tokens=1000, messages=messages, tools=[MemDeskMemoryTool(agent="claude")]
    )
    print(runner.until_done().content)

The files are those of the agent's memory folder: a person reads and edits them, and each version is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from memdesk.api.tools.calls import call_of
from memdesk.client.client import SyncClient
from memdesk.integrations.desk import DeskConnection

SET, TOOL = "anthropic", "memory"


class _Folder:
    """Commands to one agent's memory folder."""

    def __init__(
        self,
        *,
        agent: str = "claude",
        channel: str | None = None,
        token: str | None = None,
        desk: str | None = None,
        client: SyncClient | None = None,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self._desk = DeskConnection(desk=desk, agent=agent, token=token, client=client)
        self._call = call_of(SET, TOOL, **({"channel": channel} if channel else {}))

    def _run(self, command: Any) -> str:
        """Return the answer to a command. Raises ToolError with what the agent is told of a wrong one."""
        said: Mapping[str, Any] = (
            command if isinstance(command, Mapping) else command.model_dump(exclude_none=True)
        )
        answer = self._desk.call(self._call, dict(said))
        if answer.is_error:
            raise ToolError(answer.text)
        return answer.text

    async def _run_async(self, command: Any) -> str:
        return await asyncio.to_thread(self._run, command)


class MemDeskMemoryTool(_Folder, BetaAbstractMemoryTool):
    """Memory tool for `tool_runner`. agent: whose folder it is. channel: of the folder; left out, the agent's name.

    token, desk, client: as in `DeskConnection`."""

    view = create = str_replace = insert = delete = rename = _Folder._run


class AsyncMemDeskMemoryTool(_Folder, BetaAsyncAbstractMemoryTool):
    """The same for AsyncAnthropic."""

    view = create = str_replace = insert = delete = rename = _Folder._run_async
