"""Hosts that use an installed plug as the real runtime does: each says one turn and is told what fits."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdesk.client.plugs import json5_text

Use = Callable[[Path, str, str, str], str]
"""Use of a plug in a home for one session: its id, the prompt and the answer; returns what was told before the turn."""
NODE_HOST = """
import { pathToFileURL } from "node:url";
const [file, config, session, prompt, answer] = process.argv.slice(1);
const plugin = (await import(pathToFileURL(file))).default;
const hooks = {}, tools = {};
plugin.register({
  pluginConfig: JSON.parse(config),
  logger: { info() {}, warn(text) { console.error(text); } },
  on(name, hook) { hooks[name] = hook; },
  registerTool(make, options) { tools[options.name] = make({ sessionId: session }); },
});
if (plugin.id !== "memdesk" || plugin.kind !== "memory") throw new Error("no memory plugin");
const context = { sessionId: session, agentId: "main" };
const ours = { ...context, inputProvenance: { kind: "internal_system" } };
const own = await hooks.before_prompt_build({ prompt: "heartbeat" }, ours);
if (own !== undefined) throw new Error("told to a turn of the host");
const told = await hooks.before_prompt_build({ prompt, messages: [] }, context);
const call = { toolName: "exec", toolCallId: session + "-1", params: { command: "ls" }, result: "pump.md" };
await hooks.after_tool_call(call, context);
const said = { role: "assistant", content: [{ type: "text", text: answer }] };
const messages = [{ role: "user", content: prompt }, said];
await hooks.agent_end({ messages, success: true }, context);
const found = await tools.memory_search.execute("call-1", { query: "Ada Lovelace" });
const { details, content } = found;
console.log(JSON.stringify({ told: told?.prependContext ?? "", found: content[0].text, wrong: details.isError }));
"""
HERMES_HOST = '''
import importlib.util, json, sys, types
from abc import ABC, abstractmethod

class MemoryProvider(ABC):
    """The abstract part of Hermes' own (agent/memory_provider.py)."""

    @property
    @abstractmethod
    def name(self): ...

    @abstractmethod
    def is_available(self): ...

    @abstractmethod
    def initialize(self, session_id, **kwargs): ...

    @abstractmethod
    def get_tool_schemas(self): ...

sys.modules["agent"] = types.ModuleType("agent")
sys.modules["agent.memory_provider"] = module = types.ModuleType("agent.memory_provider")
module.MemoryProvider = MemoryProvider
file, session, prompt, answer = sys.argv[1:]
spec = importlib.util.spec_from_file_location("hermes_memdesk", file)
plugin = importlib.util.module_from_spec(spec)
spec.loader.exec_module(plugin)
found = []
plugin.register(types.SimpleNamespace(register_memory_provider=found.append))
(provider,) = found
assert provider.name == "memdesk" and provider.is_available()
provider.initialize(session, hermes_home="", platform="cli", agent_context="primary")
told = provider.prefetch(prompt, session_id=session)
provider.sync_turn(prompt, answer, session_id=session, messages=[])
provider.on_delegation("count the pumps", "There are four pumps.", child_session_id="child")
names = [schema["name"] for schema in provider.get_tool_schemas()]
answered = json.loads(provider.handle_tool_call(names[0], {"query": "Ada Lovelace"}))
provider.shutdown()
print(json.dumps({"told": told, "found": answered.get("result", ""), "wrong": answered.get("error")}))
'''


def _ran(words: list[str], said: str = "") -> str:
    done = subprocess.run(words, input=said, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return done.stdout


def _hooked(settings: Any, session: str, prompt: str, answer: str) -> str:
    """Run the hooks in a runtime's settings as a shell does; return what is told."""

    def event(name: str, **said: Any) -> str:
        ((handler,),) = [group["hooks"] for group in settings["hooks"][name]]
        return _ran(["sh", "-c", handler["command"]], json.dumps({"session_id": session, "cwd": "/"} | said))

    event("SessionStart")
    told = event("UserPromptSubmit", prompt=prompt)
    event("PostToolUse", tool_name="Bash", tool_use_id=f"{session}-1", tool_input={}, tool_response="pump.md")
    event("Stop", last_assistant_message=answer)
    return json.loads(told)["hookSpecificOutput"]["additionalContext"] if told else ""


def _served(server: Any) -> None:
    """Ask an MCP server of a runtime's settings for its tools."""
    ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    said = json.loads(_ran([server["command"], *server["args"]], json.dumps(ask) + "\n"))
    assert "search_nodes" in [tool["name"] for tool in said["result"]["tools"]]


def claude_code(home: Path, session: str, prompt: str, answer: str) -> str:
    plugin = home / ".claude" / "skills" / "memdesk"
    _served(json.loads((plugin / ".mcp.json").read_text())["mcpServers"]["memdesk"])
    manifest = json.loads((plugin / ".claude-plugin" / "plugin.json").read_text())
    assert (
        manifest["name"] == "memdesk" and (plugin / manifest["skills"][0] / "recall" / "SKILL.md").is_file()
    )
    return _hooked(json.loads((plugin / "hooks" / "hooks.json").read_text()), session, prompt, answer)


def codex(home: Path, session: str, prompt: str, answer: str) -> str:
    _served(tomllib.loads((home / ".codex" / "config.toml").read_text())["mcp_servers"]["memdesk"])
    return _hooked(json.loads((home / ".codex" / "hooks.json").read_text()), session, prompt, answer)


def openclaw(home: Path, session: str, prompt: str, answer: str) -> str:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed: OpenClaw's plugin cannot be run")
    folder = home / ".openclaw"
    plugins = json5_text.read((folder / "openclaw.json").read_text())["plugins"]
    assert plugins["slots"]["memory"] == "memdesk"
    manifest = json.loads((folder / "extensions" / "memdesk" / "openclaw.plugin.json").read_text())
    config = plugins["entries"]["memdesk"]["config"]
    assert config.keys() <= manifest["configSchema"]["properties"].keys()
    file = folder / "extensions" / "memdesk" / "index.js"
    words = [node, "--input-type=module", "-e", NODE_HOST, "--"]
    return _answered(_ran([*words, str(file), json.dumps(config), session, prompt, answer]))


def hermes(home: Path, session: str, prompt: str, answer: str) -> str:
    assert "provider: memdesk" in (home / ".hermes" / "config.yaml").read_text()
    file = home / ".hermes" / "plugins" / "memdesk" / "__init__.py"
    host = textwrap.dedent(HERMES_HOST)
    return _answered(_ran([sys.executable, "-B", "-c", host, str(file), session, prompt, answer]))


def _answered(output: str) -> str:
    said = json.loads(output)
    assert not said["wrong"] and said["found"], said
    return str(said["told"])


def _graph(path: str, key: str) -> Use:
    """Return the use of a program that only speaks MCP: it looks into the graph, then adds what was answered."""

    def use(home: Path, session: str, prompt: str, answer: str) -> str:
        server = json5_text.read((home / path).read_text())[key]["memdesk"]

        def called(tool: str, **arguments: Any) -> str:
            params = {"name": tool, "arguments": arguments}
            ask = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
            said = json.loads(_ran([server["command"], *server["args"]], json.dumps(ask) + "\n"))
            assert not said["result"].get("isError"), said
            return str(said["result"]["content"][0]["text"])

        told = called("search_nodes", query="harbour pump")
        pump = {"name": "harbour pump", "entityType": "machine", "observations": [answer]}
        called("create_entities", entities=[pump])
        return told

    return use


HOSTS: dict[str, tuple[Use, tuple[str, ...]]] = {
    "claude-code": (claude_code, ("--plugin",)),
    "codex": (codex, ()),
    "openclaw": (openclaw, ()),
    "hermes": (hermes, ()),
    "cursor": (_graph(".cursor/mcp.json", "mcpServers"), ()),
    "claude-desktop": (_graph(".config/Claude/claude_desktop_config.json", "mcpServers"), ()),
    "vscode": (_graph(".config/Code/User/mcp.json", "servers"), ()),
    "gemini-cli": (_graph(".gemini/settings.json", "mcpServers"), ()),
}
"""Use of each plug, and how it is installed."""
