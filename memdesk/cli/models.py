"""models fetch: download an embedder from the hub."""

from __future__ import annotations

import argparse
import os
import re
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from memdesk.cli.command import Command, Context
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.message import message

NEEDED = ("tokenizer.json", "onnx/model.onnx")
WELCOME = ("config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
"""Optional files that describe how the model is used; defaults apply where one is missing."""
CONNECT_SECONDS = 5.0
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Downloaded model. folder: value for the setting embedder_folder."""

    folder: str


def fetch(name: str, models: Path) -> Path:
    """Download a model into its own folder under `models` and return the folder; files already there are not
    fetched again.

    name: as on the hub, such as sentence-transformers/all-MiniLM-L6-v2. Raises BadAsk, NotFound or Refused.
    """
    if not _NAME.fullmatch(name):
        raise BadAsk(
            message("“{name}” is no name of a model.", name=name),
            next=message("Such as sentence-transformers/all-MiniLM-L6-v2."),
        )
    if os.environ.get("HF_HUB_OFFLINE") or not _reachable():
        raise Refused(
            message("The hub cannot be reached from this machine."),
            next=message(
                "Fetch it on a machine with a network, and name its folder: memdesk settings embedder_folder"
            ),
        )
    folder = models / name.replace("/", "--")
    for file in (*NEEDED, *WELCOME):
        _bring(name, file, folder, needed=file in NEEDED)
    return folder


def _reachable() -> bool:
    """Return False where the hub's name cannot be resolved, or no connection is made: its own client tries for minutes.

    A proxy is left to that client."""
    if any(os.environ.get(name) for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")):
        return True
    hub = urlsplit(os.environ.get("HF_ENDPOINT", "https://huggingface.co"))
    port = hub.port or (80 if hub.scheme == "http" else 443)
    try:
        with socket.create_connection((hub.hostname or "", port), timeout=CONNECT_SECONDS):
            return True
    except OSError:
        return False


def _bring(name: str, file: str, folder: Path, *, needed: bool) -> None:
    import httpx
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError

    try:
        hf_hub_download(name, file, local_dir=folder)
    except RepositoryNotFoundError as wrong:
        raise NotFound(
            message("The hub has no model {name}, or it is not public.", name=name),
            next=message("Check its name."),
        ) from wrong
    except EntryNotFoundError as wrong:
        if needed:
            raise Refused(
                message("The model {name} has no {file}.", name=name, file=file),
                next=message("Choose one that is also published for ONNX."),
            ) from wrong
    except (HfHubHTTPError, httpx.HTTPError, OSError) as wrong:
        raise Refused(
            message(
                "{file} of {name} could not be brought: {error}.",
                file=file,
                name=name,
                error=type(wrong).__name__,
            ),
            next=message("Try again."),
        ) from wrong


def _declare_fetch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="REPO", help="the model's name on the hub")


def _fetch(context: Context) -> int:
    """Download a sentence-transformer from the Hugging Face hub into the desk's folder, for the embedder `onnx`."""
    name = context.args.name
    folder = fetch(name, context.desk.folder / "models")
    context.out.answer(Fetched(folder=str(folder)), [str(folder)])
    if not context.out.json:
        context.out.note(
            f"To use it: memdesk settings embedder_folder {folder}; memdesk settings embedder onnx"
        )
    return 0


COMMANDS = (Command(name="models fetch", run=_fetch, declare=_declare_fetch),)
