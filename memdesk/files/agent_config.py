"""Configuration files of agents: the folder that AgenticX and agnx name for their memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memdesk.files.reading import MEGABYTE, read_text
from memdesk.model.errors import Refused
from memdesk.model.message import message

AGENTICX_ROOT = "AGX_WORKSPACE_ROOT"
"""Variable in which AgenticX's workspace is named where its session names none."""
AGENTICX_BACKENDS = ("sqlite", "filesystem", "file")
"""Values of `memory.backend` whose memory is in files on this machine."""
AGNX_FOLDER = ".agnx/memory"
"""Folder of agnx's memory where `agent.yaml` names none, relative to it."""
AGNX_BACKEND = "filesystem"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgnxConfig:
    """Memory section of an `agent.yaml`. file: its path. memory: the folder that agents share, None without a
    section. named: the section names the folder."""

    file: Path
    memory: Path | None
    named: bool = False


def agenticx_workspace(environ: Mapping[str, str], home: Path) -> Path | None:
    """Return AgenticX's workspace by its variable, else by `memory.path` of its config.yaml; None without both.

    Raises Refused for a `memory.backend` whose memory is not in files."""
    if named := environ.get(AGENTICX_ROOT, "").strip():
        return Path(named).expanduser().absolute()
    file = home / ".agenticx" / "config.yaml"
    memory = _section(_read(file), "memory")
    if memory is None:
        return None
    backend = str(memory.get("backend") or AGENTICX_BACKENDS[0])
    if backend not in AGENTICX_BACKENDS:
        raise Refused(
            message(
                "AgenticX keeps its memory in {backend} by {file}, not in files.", backend=backend, file=file
            ),
            next=message(
                "Name its workspace with --cwd, or set memory.backend to {agenticx_backends}.",
                agenticx_backends=AGENTICX_BACKENDS[0],
            ),
        )
    path = memory.get("path")
    return (
        None if not isinstance(path, str) or not path.strip() else Path(path.strip()).expanduser().absolute()
    )


def agnx_config(folder: Path, agent: str) -> AgnxConfig | None:
    """Return the configuration of an agent that works in this folder, None where there is none.

    Raises Refused for a backend that is not the file system."""
    places = (folder, folder / ".agnx" / "agents" / agent, folder / "agents" / agent)
    file = next((place / "agent.yaml" for place in places if (place / "agent.yaml").is_file()), None)
    return None if file is None else read_agnx_config(file)


def read_agnx_config(file: Path) -> AgnxConfig:
    """Return the memory section of an `agent.yaml`. Raises Refused for a backend that is not the file system."""
    spec = _section(_read(file), "spec") or {}
    if "memory" not in spec:
        return AgnxConfig(file=file, memory=None)
    memory = _section(spec, "memory") or {}
    backend = str(memory.get("backend") or AGNX_BACKEND)
    if backend != AGNX_BACKEND:
        raise Refused(
            message(
                "{file} names the backend {backend}; only {agnx_backend} is known.",
                file=file,
                backend=backend,
                agnx_backend=AGNX_BACKEND,
            )
        )
    named = memory.get("workspace")
    path = named.strip() if isinstance(named, str) else ""
    return AgnxConfig(file=file, memory=(file.parent / (path or AGNX_FOLDER)).resolve(), named=bool(path))


def _read(file: Path) -> dict[str, Any]:
    """Return what a YAML file sets; nothing where it is missing, unreadable, or no mapping."""
    try:
        found = (
            yaml.safe_load(read_text(file, file.name, limit_bytes=MEGABYTE).text) if file.is_file() else {}
        )
    except (Refused, yaml.YAMLError, OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _section(config: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    found = config.get(name)
    return found if isinstance(found, dict) else None
