"""Memory tool of Anthropic's SDK whose files are on the desk.

    from anthropic import Anthropic
    from memdesk.integrations import MemDeskMemoryTool

    runner = Anthropic().beta.messages.tool_runner(
        model=model, max_tokens=1000, messages=messages, tools=[MemDeskMemoryTool(agent="claude")]
    )
    print(runner.until_done().content)

The files are those of the agent's memory folder: a person reads and edits them, and each version is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError

from memdesk.api.tools.calls import call_of
from memdesk.client.sync import SyncClient
from memdesk.integrations.desk import DeskConnection

SET, TOOL = "anthropic", "memory"


class _Folder:
    """Commands to one agent's memory folder."""

    def __init__(
        self,
        *,
        channel: str | None,
        agent: str,
        token: str | None,
        desk: str | None,
        client: SyncClient | None,
    ) -> None:
        self._desk = DeskConnection(desk=desk, agent=agent, token=token, client=client)
        self._call = call_of(SET, TOOL, **({"channel": channel} if channel else {}))

    def run(self, command: Any) -> str:
        """Return the answer to a command. Raises ToolError with what the agent is told of a wrong one."""
        said: Mapping[str, Any] = (
            command if isinstance(command, Mapping) else command.model_dump(exclude_none=True)
        )
        answer = self._desk.call(self._call, dict(said))
        if answer.is_error:
            raise ToolError(answer.text)
        return answer.text

    async def arun(self, command: Any) -> str:
        return await self._desk.aside(lambda: self.run(command))


class MemDeskMemoryTool(BetaAbstractMemoryTool):
    """Memory tool for `tool_runner`. agent: whose folder it is. channel: of the folder; left out, the agent's name.

    token, desk, client: as in `DeskConnection`."""

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
        self._folder = _Folder(channel=channel, agent=agent, token=token, desk=desk, client=client)

    def view(self, command: Any) -> str:
        return self._folder.run(command)

    def create(self, command: Any) -> str:
        return self._folder.run(command)

    def str_replace(self, command: Any) -> str:
        return self._folder.run(command)

    def insert(self, command: Any) -> str:
        return self._folder.run(command)

    def delete(self, command: Any) -> str:
        return self._folder.run(command)

    def rename(self, command: Any) -> str:
        return self._folder.run(command)


class AsyncMemDeskMemoryTool(BetaAsyncAbstractMemoryTool):
    """The same for AsyncAnthropic."""

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
        self._folder = _Folder(channel=channel, agent=agent, token=token, desk=desk, client=client)

    async def view(self, command: Any) -> str:
        return await self._folder.arun(command)

    async def create(self, command: Any) -> str:
        return await self._folder.arun(command)

    async def str_replace(self, command: Any) -> str:
        return await self._folder.arun(command)

    async def insert(self, command: Any) -> str:
        return await self._folder.arun(command)

    async def delete(self, command: Any) -> str:
        return await self._folder.arun(command)

    async def rename(self, command: Any) -> str:
        return await self._folder.arun(command)
