"""Classes that a framework takes for its own memory, kept on the desk.

    from memdesk.integrations import MemDeskSession        # OpenAI Agents SDK: pip install 'memdesk[openai-agents]'
    from memdesk.integrations import MemDeskStore          # LangGraph: pip install 'memdesk[langgraph]'
    from memdesk.integrations import MemDeskSaver          # LangGraph's checkpointer
    from memdesk.integrations import MemDeskMemoryTool     # Anthropic's SDK: pip install 'memdesk[anthropic]'
    from memdesk.integrations import MemDeskStorage        # Agentix's storage backend

Each is imported with its framework on first use, so that nothing else of MemDesk needs one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memdesk.integrations.agentix_storage import MemDeskStorage
    from memdesk.integrations.anthropic_memory import AsyncMemDeskMemoryTool, MemDeskMemoryTool
    from memdesk.integrations.langgraph_saver import MemDeskSaver
    from memdesk.integrations.langgraph_store import MemDeskStore
    from memdesk.integrations.openai_session import MemDeskSession

__all__ = [
    "AsyncMemDeskMemoryTool",
    "MemDeskMemoryTool",
    "MemDeskSaver",
    "MemDeskSession",
    "MemDeskStorage",
    "MemDeskStore",
]
_MODULES = {
    "AsyncMemDeskMemoryTool": ("anthropic_memory", "anthropic", "Anthropic's SDK"),
    "MemDeskMemoryTool": ("anthropic_memory", "anthropic", "Anthropic's SDK"),
    "MemDeskSaver": ("langgraph_saver", "langgraph", "LangGraph"),
    "MemDeskSession": ("openai_session", "openai-agents", "the OpenAI Agents SDK"),
    "MemDeskStore": ("langgraph_store", "langgraph", "LangGraph"),
}
"""Module of each class, the extra of this package that brings its framework, and the framework."""
_WITHOUT_FRAMEWORK = {"MemDeskStorage": "agentix_storage"}
"""Modules of the classes that import nothing of their framework."""


def __getattr__(name: str) -> Any:
    """Return a public name of this package (PEP 562). Raises ImportError if its framework is not installed."""
    if name in _WITHOUT_FRAMEWORK:
        return getattr(import_module(f"{__name__}.{_WITHOUT_FRAMEWORK[name]}"), name)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, extra, framework = _MODULES[name]
    try:
        return getattr(import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as away:
        if (away.name or "").startswith("memdesk"):
            raise
        raise ImportError(
            f"{name} needs {framework}, which is not installed. Install it: pip install 'memdesk[{extra}]'"
        ) from away
