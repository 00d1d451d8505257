"""Customs of an import: everything that a source from elsewhere brings besides plain memory is declared, and
comes in only with a yes for that very thing. An archive that this desk made passes unchanged."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from memdesk.engine.engine import Engine
from memdesk.engine.interop import reading
from memdesk.engine.interop.archive_format import CHANGED, FOREIGN, OWN, origin
from memdesk.engine.interop.batches import (
    Batch,
    Chat,
    Home,
    ImportedRecord,
    Item,
    Move,
    Source,
    Step,
    Uses,
    required_references,
)
from memdesk.engine.interop.imported_records import stable_id
from memdesk.engine.memory.draft import PERSON
from memdesk.engine.memory.quarantine import QUARANTINABLE, suspicion
from memdesk.engine.wording import shortened, titled
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left
from memdesk.model.agent import GRANT
from memdesk.model.channel import CHANNEL, GLOBAL, LOCAL_USER
from memdesk.model.document import DOCUMENT, WORKSPACE
from memdesk.model.errors import BadAsk, Refused
from memdesk.model.fact import FACT, IMPORTED
from memdesk.model.interop import (
    ALL,
    AUTHORS,
    DECLARATIONS,
    FOLDERS,
    GLOBAL_MEMORY,
    GRANTS,
    INSTRUCTIONS,
    PINS,
    SETTINGS,
    STANDING,
    TRUST,
    AskImport,
    Declaration,
    Declared,
)
from memdesk.model.kind import Kind
from memdesk.model.message import NO_MESSAGE, Message, joined, kept_message, message, verbatim
from memdesk.model.profile import TRAIT
from memdesk.model.project import PROJECT
from memdesk.model.review import PROPOSAL, QUARANTINE
from memdesk.model.session import SESSION
from memdesk.model.standing_decision import STANDING as STANDING_DECISION
from memdesk.model.trust import IMPORT, LEVELS
from memdesk.model.turn import TURN
from memdesk.store import records

ROWS_SHOWN = 200
"""Most things of one kind that a preview lists; it counts the rest."""
TURNS_READ = 1_000
"""Turns of a conversation, and lines of a file, that a preview reads for instructions; the facts of all are judged
when they are learned."""
OWNER = "person"
"""Id of the desk's own person among the claimed authors, and the source of a fact that a person entered."""
ALL_MEMORY = "memory"
"""Id of all that an archive has in the channel `_global`, or that it calls trusted."""
_READ = frozenset(
    (
        "content",
        "claim",
        "quote",
        "name",
        "description",
        "context_pattern",
        "value",
        "title",
        "result",
        "summary",
    )
)
"""Columns whose text may steer an agent that reads it."""
_TRUSTED = message("Its words count as trusted, and are told to agents as plain text")
_SAYS: dict[str, Callable[[Message], Message]] = {
    OWN: lambda what: message("{what} of this desk", what=what),
    CHANGED: lambda what: message("{what} of this desk, changed since it was made", what=what),
    FOREIGN: lambda what: message("{what} that was not made by this desk", what=what),
}
_NAMES_FOR_USER = frozenset(("", "user", "human"))
"""Names by which a conversation calls its user, if it has no better one."""


class Customs:
    """Customs of one import. `items`: what of the source may come in; `declarations`: what was declared so far.

    author: the author of the import, "" for a preview. paths_only: it only refuses paths, and reads
    no text. Raises BadAsk for a word in `accept` that names nothing."""

    def __init__(
        self, engine: Engine, source: Source, ask: AskImport, *, author: str, paths_only: bool = False
    ) -> None:
        self.engine, self.source, self.author, self.name = engine, source, author, Path(ask.path).name
        self.previews, self.paths_only = not author, paths_only
        self.accept = _accepted(ask.accept)
        made = FOREIGN if source.manifest is None else origin(engine.desk, source.manifest)
        self.passes = made == OWN
        self.says = _SAYS[made](source.says) if source.exact else source.says
        self.alias = slug(Path(ask.path).stem) or "imported"
        self.things: dict[str, dict[str, Declared]] = defaultdict(dict)
        self.allowed: set[str] = set()
        """Ids of the records that passed; a record of an archive refers to these only."""
        self.paths: dict[tuple[str, str], str] = {}
        self.folders: dict[str, str] = {}

    def items(self) -> Iterator[Item]:
        """Yield the items of the source without what was not accepted. Raises Refused for a path that leads out
        of its folder."""
        for item in self.source.items:
            if self.passes:
                yield item
            elif isinstance(item, Batch):
                yield from self._batch(item)
            elif isinstance(item, Uses):
                yield from self._uses(item)
            else:
                if not isinstance(item, Left | Home):
                    self.declare(TRUST, ALL_MEMORY, _TRUSTED)
                if isinstance(item, Chat) and self.previews:
                    for number, turn in enumerate(item.turns[:TURNS_READ], 1):
                        self._plain(f"{item.key}/{number}", turn.content)
                yield item

    @property
    def trusted(self) -> bool:
        """True if the import itself lowers no trust: a person trusts it, or the records of an archive carry theirs."""
        return self.source.exact or not self.accept.isdisjoint((ALL, TRUST, f"{TRUST}:{ALL_MEMORY}"))

    def declarations(self) -> tuple[Declaration, ...]:
        """Return what was declared, by kind."""
        return tuple(
            Declaration(
                name=name,
                count=len(found),
                accepted=sum(each.accepted for each in found.values()),
                says=says,
                rows=tuple(found.values())[:ROWS_SHOWN],
            )
            for name, says in DECLARATIONS.items()
            if (found := self.things.get(name))
        )

    def declare(self, name: str, id: str, text: str) -> bool:
        """Declare a thing; return True if it was accepted."""
        found = self.things[name]
        known = found.get(id)
        words = (name, f"{name}:{id}", *((ALL,) if name != GRANTS else ()))
        yes = not self.accept.isdisjoint(words) if known is None else known.accepted
        found[id] = Declared(
            id=id,
            text=titled(verbatim(text), 80),
            accepted=yes,
            count=1 if known is None else known.count + 1,
        )
        return yes

    def steering_lines(self, name: str, lines: Iterable[tuple[int, str]]) -> frozenset[int]:
        """Declare the lines of a file that read like instructions; return the numbers of those not accepted."""
        return frozenset(n for n, line in lines if not self._plain(f"{name}:{n}", line))

    def _plain(self, id: str, text: str) -> bool:
        """Declare a text that reads like an instruction; return True if it is none, or was accepted."""
        found = suspicion(text, by_person=False)
        return found is None or self.declare(INSTRUCTIONS, id, f"{found.says}: {found.words}")

    def _uses(self, item: Uses) -> Iterator[Uses]:
        if not self.source.exact:
            yield item
        elif self.declare(
            PINS,
            f"uses of {item.rows[0].id}",
            message("Use counts of {count} memories", count=f"{len(item.rows):,}"),
        ):
            yield replace(item, rows=tuple(row for row in item.rows if row.id in self.allowed))

    # Records.

    def _batch(self, batch: Batch) -> Iterator[Batch | Left]:
        if not self.source.exact:
            self.declare(TRUST, ALL_MEMORY, _TRUSTED)
        steps: list[Step] = []
        left: list[Left] = []
        here = self._on_the_desk(batch) if self.source.exact else {}
        for step in batch.steps:
            if isinstance(step, Move):
                if step.id in self.allowed:
                    steps.append(self._moved(step))
                continue
            record = here.get(step.id)
            if record is not None and step.kind is DOCUMENT:
                self._other_case(step)
            found: list[Step] | Message = [step] if record is not None else self._record(step, batch)
            if record is not None and not _is_same(step, *record):
                title = str(getattr(record[1], record[0].title) or step.id)
                found = message("The desk has it as “{title}”; it was left as it is.", title=shortened(title))
            if isinstance(found, str):
                left.append(Left(name=f"{step.kind.label} {step.id}", why=found))
                continue
            self.allowed.add(step.id)
            steps += found
        yield from left
        if steps:
            texts = batch.texts if any(step.kind is DOCUMENT for step in steps) else ()
            yield replace(batch, steps=tuple(steps), texts=texts)

    def _on_the_desk(self, batch: Batch) -> dict[str, tuple[Kind[Any], Any]]:
        """Return the records that the desk has under ids of this batch. They change nothing; if they are other
        records, nothing may refer to them."""
        with self.engine.store.reading() as db:
            return records.by_ids(db, [step.id for step in batch.steps if isinstance(step, ImportedRecord)])

    def _record(self, creation: ImportedRecord, batch: Batch) -> list[Step] | Message:
        """Return the steps that import a record, or the sentence why it stays out."""
        fields = dict(creation.fields)
        if self.source.exact and (why := self._unconfirmed(creation, fields, batch)):
            return why
        if fields.get("pinned") and not self.declare(
            PINS, creation.id, message("Pinned: {birth}", birth=_title(creation))
        ):
            fields["pinned"] = 0
        self._authors(creation.kind, fields)
        self._trust(creation.kind, fields)
        step = replace(creation, fields=fields)
        return self._quarantined(step, batch)

    def _unconfirmed(self, creation: ImportedRecord, fields: dict[str, Any], batch: Batch) -> Message:
        """Return the sentence why a record of an archive stays out, "" if it comes in; change what comes in only
        in another form."""
        kind = creation.kind
        if kind is WORKSPACE:
            return self._folder(creation)
        if kind is DOCUMENT:
            return self._document(creation, batch)
        if why := self._refers_outside(kind, fields):
            return why
        if kind is STANDING_DECISION:
            signed = self._signed(fields, message("Standing decisions"))
            if not self.declare(
                STANDING,
                creation.id,
                message("{birth}, by {what}", birth=_title(creation), what=fields.get("author")),
            ):
                return message("A standing decision comes in only with your yes.")
            fields["author"] = fields["author"] if signed else self.author
        if kind is GRANT:
            signed = self._signed(fields, message("Grants"))
            if not self.declare(GRANTS, creation.id, message("A grant to {birth}", birth=_title(creation))):
                return message("A grant comes in only with your yes.")
            fields["author"] = fields["author"] if signed else self.author
        if kind is PROJECT:
            what = message(
                "The project {project} uses the channel {channel}",
                project=fields.get("identity"),
                channel=fields.get("channel"),
            )
            if not self.declare(SETTINGS, creation.id, what):
                return message("A project comes in only with your yes: it says which memory a folder uses.")
        if kind is TRAIT:
            what = message(
                "Your profile: {aspect}, {name}: {value}",
                aspect=fields.get("aspect"),
                name=fields.get("name"),
                value=fields.get("value"),
            )
            if not self.declare(SETTINGS, creation.id, what):
                return message("An entry of your profile comes in only with your yes.")
        if kind is SESSION and not self.declare(
            SETTINGS, creation.id, message("A session to continue: {id}", id=creation.id)
        ):
            return message("A session comes in only with your yes: an agent would continue it.")
        if kind is CHANNEL and fields.get("moved_to"):
            what = message(
                "Channel {channel} leads to {target}", channel=fields["name"], target=fields["moved_to"]
            )
            if not self.declare(SETTINGS, creation.id, what):
                fields["moved_to"] = None
        return self._channel(kind, fields)

    def _refers_outside(self, kind: Kind[Any], fields: dict[str, Any]) -> Message:
        """Clear references to records that do not come in with the archive; return a sentence if it needs one.

        An archive from elsewhere adds nothing to memory that the desk has: no name, tag, question or turn."""
        for column, _ in kind.references:
            target = fields.get(column)
            if target is None or target in self.allowed:
                continue
            if column in required_references(kind):
                return message("It is about memory that does not come in with this archive.")
            fields[column] = None
        return NO_MESSAGE

    def _folder(self, creation: ImportedRecord) -> Message:
        path = str(creation.fields["path"])
        reading.refuse_folder(path, self.name)
        yes = self.declare(
            FOLDERS, path, message("{path}, as {fields}", path=path, fields=creation.fields["layout"])
        )
        if why := reading.unfit_folder(self.engine, path):
            return why
        self.folders[creation.id] = path
        return NO_MESSAGE if yes else message("A folder is registered only with your yes.")

    def _document(self, creation: ImportedRecord, batch: Batch) -> Message:
        workspace, path = str(creation.fields["workspace_id"]), str(creation.fields["path"])
        reading.refuse_path(path, self.name)
        if workspace in self.folders and reading.leads_out(self.folders[workspace], path):
            raise Refused(
                message(
                    "{name} has a file that a link leads out of its folder: {path}.",
                    name=self.name,
                    path=path[:100],
                ),
                next=message("Nothing was brought in. Remove the link first."),
            )
        if why := reading.unfit_name(path):
            return why
        if other := self._other_case(creation):
            return message("Its name differs from {other} in letter case only.", other=other)
        if batch.text_of is not None and self.previews:
            lines = batch.text_of(str(creation.fields["content_hash"])).splitlines()
            self.steering_lines(path, enumerate(lines[:TURNS_READ], 1))
        return NO_MESSAGE if workspace in self.allowed else message("It stays out with its folder.")

    def _other_case(self, creation: ImportedRecord) -> str:
        """Return the path of another file of the folder that differs in letter case only, "" if there is none."""
        path = str(creation.fields["path"])
        first = self.paths.setdefault((str(creation.fields["workspace_id"]), path.casefold()), path)
        return "" if first == path else first

    def _channel(self, kind: Kind[Any], fields: dict[str, Any]) -> Message:
        column = "name" if kind is CHANNEL else "channel"
        if fields.get(column) == GLOBAL and kind is not SESSION:
            what = message("Memory of the channel _global, which every agent reads")
            if not self.declare(GLOBAL_MEMORY, ALL_MEMORY, what):
                fields[column] = self.alias
        return NO_MESSAGE

    def _authors(self, kind: Kind[Any], fields: dict[str, Any]) -> None:
        """Declare the claimed author of a record, and replace one that was not accepted."""
        if kind is FACT and fields.get("source") == OWNER and not self._person(message("Facts")):
            fields["source"] = IMPORTED
        if not self.source.exact:
            return
        agent = fields.get("agent_id")
        if agent and not self.declare(
            AUTHORS, f"agent:{agent}", message("Memory of the agent {agent}", agent=agent)
        ):
            fields["agent_id"] = f"{agent} ({self.alias})"
        generic = str(fields.get("speaker", "")).strip().lower() in _NAMES_FOR_USER
        if kind is TURN and fields.get("role") == "user" and generic and not self._person(message("Turns")):
            fields["speaker"] = f"{OWNER} of {self.alias}"

    def _trust(self, kind: Kind[Any], fields: dict[str, Any]) -> None:
        """Declare that a record of an archive is more trusted than an import, and lower its trust if that was not
        accepted."""
        if not self.source.exact or "trust" not in kind.columns:
            return
        least = LEVELS[IMPORT]
        given = fields.get("trust", kind.defaults["trust"])
        if given > least and not self.declare(TRUST, ALL_MEMORY, _TRUSTED):
            fields["origin"], fields["trust"] = IMPORT, least

    def _signed(self, fields: dict[str, Any], what: Message) -> bool:
        """Return True for a record that a person signed, if that was accepted."""
        return str(fields.get("author")).startswith(PERSON) and self._person(what)

    def _person(self, what: Message) -> bool:
        return self.declare(
            AUTHORS,
            OWNER,
            message("{what} signed as you, {person}", what=what, person=f"{PERSON}{self.engine.person}"),
        )

    def _quarantined(self, creation: ImportedRecord, batch: Batch) -> list[Step] | Message:
        """Return the step, with a question in review if its text reads like an instruction."""
        if self.paths_only:
            return [creation]
        read = (suspicion(text, by_person=False) for text in _texts(creation))
        found = next(filter(None, read), None)
        if found is None or creation.kind is PROPOSAL:
            return [creation]
        if self.declare(INSTRUCTIONS, creation.id, f"{found.says}: {found.words}"):
            return [creation]
        if creation.kind.name not in QUARANTINABLE:
            return message("{says}: “{words}”.", says=found.says, words=found.words)
        if creation.fields.get("retired_at") is not None:
            return [creation]
        at = self.engine.clock()
        reason = joined(
            message("{says}: “{words}”.", says=found.says, words=found.words),
            message("It came in with {file}.", file=batch.file),
        )
        question = ImportedRecord(
            kind=PROPOSAL,
            id=f"{PROPOSAL.prefix}_{stable_id(QUARANTINE, creation.id)}",
            fields={
                "user_id": creation.fields.get("user_id", LOCAL_USER),
                "channel": creation.fields.get("channel") or batch.channel,
                "type": QUARANTINE,
                "subject_id": creation.id,
                "other_id": None,
                "reason": reason,
                "details": json.dumps(kept_message(reason), ensure_ascii=False),
                "status": "open",
                "decision": "",
                "decided_at": None,
            },
        )
        return [replace(creation, fields={**creation.fields, "retired_at": at}), question]

    def _moved(self, step: Move) -> Move:
        """Return a later step of a record that came in, without references to records that did not."""
        references = {column for column, _ in step.kind.references}
        kept = {
            name: value
            for name, value in step.after.items()
            if name not in references or value is None or value in self.allowed
        }
        return replace(step, after=kept)


def cleared(engine: Engine, source: Source, ask: AskImport, *, author: str) -> tuple[Source, Customs]:
    """Return the source as it may come in, and its customs."""
    customs = Customs(engine, source, ask, author=author)
    return replace(source, items=customs.items()), customs


def _accepted(words: tuple[str, ...]) -> frozenset[str]:
    for word in words:
        if word != ALL and word.partition(":")[0] not in DECLARATIONS:
            raise BadAsk(
                message("Nothing that an import brings is called {word}.", word=word[:60]),
                next=message("Accept all, or some of: {declarations}.", declarations=", ".join(DECLARATIONS)),
            )
    return frozenset(words)


def _is_same(creation: ImportedRecord, kind: Kind[Any], record: Any) -> bool:
    """Return True if an imported record is the desk's own one: equal in what never changes and only its keeper
    knows."""
    if kind is not creation.kind:
        return False
    times = {"created_at", "started_at"} & {*kind.columns}
    columns = {*kind.text[:1], *required_references(kind), *times}
    return all(getattr(record, name) == creation.fields.get(name) for name in columns)


def _texts(creation: ImportedRecord) -> Iterator[str]:
    for name, text in creation.fields.items():
        if name in _READ and isinstance(text, str):
            yield text


def _title(creation: ImportedRecord) -> str:
    return str(creation.fields.get(creation.kind.title) or creation.id)
