"""status, metrics, settings, models fetch: the desk's state, its settings, and models for them from the hub."""

from __future__ import annotations

import argparse
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from memdesk.api import upkeep
from memdesk.cli.command import Command, Context
from memdesk.cli.output import Output, counted, local, plain
from memdesk.model.errors import BadAsk, NotFound, Refused
from memdesk.model.message import message
from memdesk.model.status import ChangeSettings, Metrics, Nothing, SettingList, SettingRow, Status


def status(context: Context) -> int:
    """Show what the desk contains, what works and what runs."""
    found = context.call(upkeep.STATUS, Nothing())
    context.out.answer(found, _status_lines(context.out, found))
    return 0


def _status_lines(out: Output, found: Status) -> Iterator[str]:
    yield f"MemDesk {found.version}, desk of {plain(found.person)}"
    yield f"  desk      {plain(found.desk)}"
    yield f"  at rest   {'encrypted' if found.encrypted else 'in clear'}"
    yield f"  socket    {plain(found.socket)}"
    yield f"  service   process {found.pid}, since {local(found.started_at)}"
    vectors = f"vectors of {plain(found.embedder)}" if found.vectors else "words only"
    yield f"  search    SQLite {found.sqlite}, {vectors}"
    yield "  holds     " + ", ".join(
        (
            counted(found.facts, "fact"),
            counted(found.entities, "entity", "entities"),
            f"{counted(found.turns, 'turn')} of {counted(found.conversations, 'conversation')}",
            counted(found.documents, "file"),
        )
    )
    talks, texts = counted(found.unconsolidated, "conversation"), counted(found.unembedded, "text")
    yield f"  waiting   {talks} for extraction, {texts} for a vector"
    if found.last_change is not None:
        last = found.last_change
        yield f"  last      change {last.id}, {local(last.at)}: {last.op} by {plain(last.author)}: {plain(last.title)}"
    if found.replica is not None and found.replica.ok:
        yield f"  replica   {plain(found.replica.says)}"
    for job in found.jobs:
        yield f"  job       {job.name}, {job.state}: {plain(job.says)}"
    for notice in found.notices:
        yield f"  notice    {plain(notice)}"
    if found.channels:
        yield ""
        rows = [(c.name, f"{c.facts:,}", f"{c.entities:,}", f"{c.turns:,}") for c in found.channels]
        yield from out.table(("CHANNEL", "FACTS", "ENTITIES", "TURNS"), rows)


def metrics(context: Context) -> int:
    """Show the desk in numbers: size, latencies, caches, lag and writes. `GET /v1/metrics` has them for
    Prometheus."""
    found = context.call(upkeep.METRICS, Nothing())
    context.out.answer(found, _metrics_lines(context.out, found))
    return 0


def _metrics_lines(out: Output, found: Metrics) -> Iterator[str]:
    memory, lag, writes = found.memory, found.consolidation, found.writes
    records = (counted(each, *_named(kind)) for kind, each in memory.records.items() if each)
    yield f"  records   {', '.join(records) or 'none'}"
    yield f"  files     {_megabytes(memory.database_bytes)} database, {_megabytes(memory.wal_bytes)} log ahead of it"
    yield f"  working   {counted(memory.working_keys, 'key')}, {_megabytes(memory.working_bytes)}"
    refused = sum(writes.refused.values())
    yield f"  writes    {writes.pieces:,} in {counted(writes.groups, 'commit')}, {refused:,} refused"
    yield f"  lag       {lag.p50_s:,.0f} s to consolidation (95 %: {lag.p95_s:,.0f} s), {lag.waiting:,} waiting"
    for name, cache in found.caches.items():
        rate = "unused" if cache.rate is None else f"{cache.rate:.0%} of {cache.hits + cache.misses:,} asked"
        yield f"  cache     {plain(name)}: {rate}"
    if found.recall:
        yield ""
        rows = [
            (name, f"{each.runs:,}", f"{each.found:,}", *_each_ms(each.p50_ms, each.p95_ms, each.p99_ms))
            for name, each in found.recall.items()
        ]
        yield from out.table(("RECALL", "RUNS", "FOUND", "P50 MS", "P95 MS", "P99 MS"), rows)


def _named(kind: str) -> tuple[str, str]:
    """Return the singular and the plural of a record type's name."""
    one = kind.replace("_", " ")
    many = one[:-1] + "ies" if one.endswith("y") else one + "es" if one.endswith("s") else one + "s"
    return one, many


def _each_ms(*times: float) -> tuple[str, ...]:
    return tuple(f"{ms:.1f}" for ms in times)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


def _declare_settings(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="one setting, such as recall_limit")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="what it is to be from now on")
    parser.add_argument("--reset", action="store_true", help="put the named one back to its default")
    parser.add_argument(
        "--changed", action="store_true", help="list only those that differ from their default"
    )


def settings(context: Context) -> int:
    """List the settings, explain one, or change one from now on."""
    args = context.args
    if args.name is not None and (args.value is not None or args.reset):
        return _change_setting(context, args.name, args.value)
    if args.reset:
        raise BadAsk(
            message("--reset needs the name of a setting."), next=message("`memdesk settings NAME --reset`.")
        )
    rows = context.call(upkeep.SETTINGS, Nothing()).rows
    if args.name is not None:
        row = next((each for each in rows if each.name == args.name), None)
        if row is None:
            raise BadAsk(
                message("There is no setting {name}.", name=args.name),
                next=message("`memdesk settings` lists them."),
            )
        context.out.answer(row, _setting_lines(row))
        return 0
    shown = SettingList(rows=tuple(each for each in rows if each.changed or not args.changed))
    lines = [
        (each.name, _value(each.value), "changed" if each.changed else "", each.why) for each in shown.rows
    ]
    context.out.answer(
        shown, context.out.table(("SETTING", "VALUE", "", "WHAT IT DOES"), lines) if lines else []
    )
    return 0


def _change_setting(context: Context, name: str, value: str | None) -> int:
    if value is not None and context.args.reset:
        raise BadAsk(
            message("A setting is set or reset, not both."), next=message("Leave the value or --reset out.")
        )
    ask = ChangeSettings(reset=(name,)) if value is None else ChangeSettings(values={name: _typed(value)})
    done = context.call(upkeep.CHANGE_SETTINGS, ask)
    said = [f"{row.name} is {_value(row.value)} from now on." for row in done.rows]
    context.out.answer(done, said or [f"{plain(name)} was so already."])
    return 0


def _typed(text: str) -> bool | int | float | str:
    """Return a value parsed as TOML; text that is not TOML stays text."""
    import tomllib

    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value if isinstance(value, bool | int | float | str) else text


def _setting_lines(row: SettingRow) -> Iterator[str]:
    yield f"{row.name} = {_value(row.value)}" + (f" {row.unit}" if row.unit else "")
    yield f"  {row.why}"
    yield f"  default   {_value(row.default)}"
    if row.low is not None and row.high is not None:
        yield f"  range     {row.low:g} to {row.high:g}"
    if row.choices:
        yield f"  choices   {', '.join(row.choices)}"


def _value(value: bool | int | float | str) -> str:
    """Return a value in the form used by the settings file."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{plain(value)}"' if isinstance(value, str) else str(value)


NEEDED = ("tokenizer.json", "onnx/model.onnx")
WELCOME = ("config.json", "modules.json", "sentence_bert_config.json", "1_Pooling/config.json")
"""Optional files that describe how the model is used; defaults apply where one is missing."""
CONNECT_SECONDS = 5.0
_NAME = re.compile(r"[\w.-]+/[\w.-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """Downloaded model. folder: value for the setting embedder_folder."""

    folder: str


def fetch_model(name: str, models: Path) -> Path:
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


def fetch(context: Context) -> int:
    """Download a sentence-transformer from the Hugging Face hub into the desk's folder, for the embedder `onnx`."""
    name = context.args.name
    folder = fetch_model(name, context.desk.folder / "models")
    context.out.answer(Fetched(folder=str(folder)), [str(folder)])
    if not context.out.json:
        context.out.note(
            f"To use it: memdesk settings embedder_folder {folder}; memdesk settings embedder onnx"
        )
    return 0


COMMANDS = (
    Command(name="status", run=status),
    Command(name="metrics", run=metrics),
    Command(name="settings", run=settings, declare=_declare_settings),
    Command(name="models fetch", run=fetch, declare=_declare_fetch),
)
