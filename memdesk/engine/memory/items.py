"""Items of a framework's key-value store, as facts: claim is its text, key its address, value its JSON.

Items stand side by side, as their program keeps them: none takes the place of another or of a fact. A claim that
contradicts a fact is asked about."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from memdesk.engine.beliefs.comparing import Verdict
from memdesk.engine.engine import Engine
from memdesk.engine.memory.believe import AT_ONCE, Said, ask_which, judgements
from memdesk.engine.memory.channels import ensure_channel
from memdesk.engine.memory.draft import CLAIM_CHARACTERS, Draft, shielded
from memdesk.engine.memory.quarantine import Doubt, draft_quarantined, find_doubt
from memdesk.engine.wording import shortened, titled
from memdesk.model.change import EDITS_AT_MOST, Change
from memdesk.model.errors import BadAsk, NotAllowed
from memdesk.model.fact import CERTAINTY, FACT, Fact
from memdesk.model.instant import SECOND, optional_datetime, to_datetime
from memdesk.model.item import (
    SOURCE,
    GetItems,
    ItemList,
    ItemsPut,
    ListNamespaces,
    Namespaces,
    NewItem,
    PutItems,
    StoredItem,
    address_of,
    folder_of,
    place_of,
)
from memdesk.model.message import message
from memdesk.model.review import QUARANTINE
from memdesk.model.trust import of_author
from memdesk.store import proposing, records, semantic
from memdesk.store.connection import Connection

ADDRESS_CHARACTERS = 1_000
VALUE_CHARACTERS = 50_000
"""Most characters of an item's JSON: a longer text is a file, and its place is the item."""
TEXTS = ("text", "memory", "content", "fact", "data")
"""Fields whose text says all of an item, in the order of preference; programs of LangGraph and LangMem use these."""
STALE = 0.1
"""Part of an item's lifetime after which a use is written, so that not every reading is a change."""
LABELS_AT_MOST, ITEMS_AT_MOST = 20, 200


def put(engine: Engine, ask: PutItems, *, author: str) -> ItemsPut:
    """Keep items or take them out, in one change; the last of those with one address counts.

    Raises BadAsk for an address or a value out of bounds, NotAllowed for an item that a person pinned or wrote."""
    if len(ask.items) > ITEMS_AT_MOST:
        raise BadAsk(
            message(
                "{count} items in one call; {items_at_most} at most.",
                count=len(ask.items),
                items_at_most=ITEMS_AT_MOST,
            )
        )
    for each in ask.items:
        _check(each)
    channel = ensure_channel(engine, ask.user_id, ask.channel, author=author)

    def verb(db: Connection) -> tuple[Change | None, tuple[str, ...]]:
        draft = Draft.of(engine, db, ask, channel, door=of_author(author))
        last = {address_of(each.namespace, each.key): each for each in ask.items}
        held = {address: _Keeping(draft, author, address).put(each) for address, each in last.items()}
        kept = tuple(held[address_of(each.namespace, each.key)] for each in ask.items)
        if len(draft.edits) > EDITS_AT_MOST:
            raise BadAsk(
                message("These items are too many for one change."), next=message("Send fewer at once.")
            )
        return _change(draft, author, [place_of(each)[1] for each in last]), kept

    applied, kept = engine.store.decide(verb)
    return ItemsPut(kept=kept, change=None if applied is None else applied.id)


def get(engine: Engine, ask: GetItems, *, author: str) -> ItemList:
    """Return the items of these places, without those that are not there. Items kept out of recall are returned too:
    their program asks for what it kept."""
    with engine.store.reading() as db:
        channel = semantic.current_channel(db, ask.user_id, ask.channel)
        found = [
            _current(db, ask.user_id, channel, address_of(each.namespace, each.key), engine.clock())
            for each in ask.items
        ]
    facts = [fact for fact in found if fact is not None]
    return ItemList(rows=tuple(map(item_of, refreshed(engine, facts, wanted=ask.refresh, author=author))))


def namespaces(engine: Engine, ask: ListNamespaces) -> Namespaces:
    """Return the namespaces that have items."""
    with engine.store.reading() as db:
        held = items_under(db, engine, ask.user_id, ask.channel, ())
    return Namespaces(rows=tuple(sorted({place_of(str(fact.key))[0] for fact in held})))


def items_under(
    db: Connection, engine: Engine, user_id: str, channel: str, namespace: tuple[str, ...]
) -> list[Fact]:
    """Return the current items of a namespace and those below it, the last written first."""
    at = engine.clock()
    found = semantic.facts_under(
        db, user_id, semantic.current_channel(db, user_id, channel), folder_of(namespace)
    )
    alive = (fact for fact in found if fact.retired_at is None and not fact.has_ended(at))
    return sorted(alive, key=lambda fact: (fact.salience_at, fact.seq), reverse=True)


def item_of(fact: Fact, score: float | None = None) -> StoredItem:
    """Return a fact as an item; its value has the words of a person who corrected the claim."""
    namespace, key = place_of(str(fact.key))
    return StoredItem(
        id=fact.id,
        namespace=namespace,
        key=key,
        address=str(fact.key).partition(":")[2],
        claim=fact.claim,
        value=_corrected(json.loads(str(fact.value)), fact),
        created_at=to_datetime(fact.created_at),
        updated_at=to_datetime(fact.salience_at),
        expires_at=optional_datetime(fact.valid_to),
        score=score,
    )


def refreshed(engine: Engine, facts: Sequence[Fact], *, wanted: bool, author: str) -> list[Fact]:
    """Return the items, those with a lifetime as long-lived again from now, if wanted."""
    at = engine.clock()
    due = {fact.id: fact for fact in facts if wanted and _is_stale(fact, at)}
    if not due:
        return list(facts)

    def verb(db: Connection) -> tuple[Change | None, None]:
        edits = [
            records.update_edit(
                FACT, fact, valid_from=at, valid_to=at + int(fact.valid_to or 0) - int(fact.valid_from or 0)
            )
            for fact in records.many(db, FACT, "id", sorted(due))
            if _is_stale(fact, at)
        ]
        first = next(iter(due.values()))
        return Change.about(
            first,
            "update",
            message("Used: {claim}", claim=shortened(first.claim, 100)),
            author=author,
            edits=edits,
        ) if edits else None, None

    engine.store.decide(verb)
    with engine.store.reading() as db:
        now = {fact.id: fact for fact in records.many(db, FACT, "id", sorted(due))}
    return [now.get(fact.id, fact) for fact in facts]


@dataclass(frozen=True, slots=True)
class _Keeping:
    """One item being kept or taken out."""

    draft: Draft
    author: str
    address: str

    def put(self, item: NewItem) -> str:
        """Draft the item; return the id of its fact, "" for one that is taken out."""
        draft = self.draft
        known = _current(draft.db, draft.user_id, draft.channel, self.address, draft.at)
        if known is not None and shielded(draft.db, [known.id], self.author):
            raise NotAllowed(
                message(
                    "A person pinned or wrote the item {key} of {list}; it is kept.",
                    key=item.key,
                    list="/".join(item.namespace),
                ),
                next=message("Ask them to change it, or keep this under another key."),
            )
        if item.value is None:
            if known is not None:
                draft.edits.append(records.update_edit(FACT, known, retired_at=draft.at, key=None))
            return ""
        claim = self._claim(item, known)
        fields = {"value": _json(item.value), **self._life(item)}
        doubt = find_doubt(draft, claim, _json(item.value), author=self.author, by_person=False)
        id = self._create(claim, fields, doubt) if known is None else self._edit(known, claim, fields, doubt)
        if doubt is None and (known is None or known.claim != claim):
            self._ask_about(id, claim)
        return id

    def _claim(self, item: NewItem, known: Fact | None) -> str:
        """Return the text of an item; where another fact says the same, with the address."""
        claim = claim_of(item)
        other = self.draft.known_fact(claim)
        if other is None or (known is not None and other == known.id):
            return claim
        place = f" ({self.address.partition(':')[2]})"
        return shortened(claim, CLAIM_CHARACTERS - len(place)) + place

    def _life(self, item: NewItem) -> dict[str, int | None]:
        at = self.draft.at
        end = None if item.ttl_minutes is None else at + round(item.ttl_minutes * 60 * SECOND)
        return {"valid_from": None if end is None else at, "valid_to": end}

    def _create(self, claim: str, fields: dict[str, Any], doubt: Doubt | None) -> str:
        whole = {
            "category": "note",
            "confidence": CERTAINTY["explicit"],
            "temporal": None,
            "source": SOURCE,
            "source_turn_id": None,
            "quote": claim,
            "key": self.address,
            **fields,
        }
        if doubt is None or doubt.known is not None:
            return self.draft.fact(claim, **whole, retired_at=None if doubt is None else self.draft.at)[0]
        return draft_quarantined(self.draft, doubt, claim, **whole)[0]

    def _edit(self, known: Fact, claim: str, fields: dict[str, Any], doubt: Doubt | None) -> str:
        draft = self.draft
        tidy = draft.engine.vault.masked(claim)
        draft.edits.append(
            records.update_edit(
                FACT,
                known,
                claim=tidy,
                quote=tidy,
                salience_at=draft.at,
                retired_at=None if doubt is None else draft.at,
                **fields,
            )
        )
        if doubt is not None and known.retired_at is None:
            draft.question(QUARANTINE, known.id, None, reason=doubt.says)
        return known.id

    def _ask_about(self, id: str, claim: str) -> None:
        """Ask a person about facts that the item contradicts; other items are its program's own affair."""
        draft = self.draft
        said = Said(author=self.author, agent_id=draft.agent_id, sparing=(id,))
        found = [
            (fact, judged)
            for fact, judged in judgements(draft, claim, said)
            if fact.source != SOURCE and judged.verdict in (Verdict.UPDATE, Verdict.CONTRADICTION)
        ]
        for fact, judged in found if len(found) <= AT_ONCE else ():
            ask_which(draft, id, fact.id, judged.reason, claims=[claim, fact.claim])


def claim_of(item: NewItem) -> str:
    """Return the text of an item: of the fields to be searched, else its own text, else its key and all fields."""
    value = item.value or {}
    if item.kept_out:
        return f"{'/'.join((*item.namespace, item.key))} is kept"
    if item.searched:
        said = " ".join(text for path in item.searched for text in _texts_at(value, path.split(".")))
        return _one_line(said) or f"{item.key} is kept"
    own = _own_text(value)
    if own is not None:
        return _one_line(str(_at(value, own)))
    joined = "; ".join(f"{name}: {_plain(each)}" for name, each in value.items())
    return _one_line(f"{item.key}: {joined}" if joined else f"{item.key} is kept")


def _own_text(value: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the path of the text that says all of a value; None if it has none."""
    for name in TEXTS:
        held = value.get(name)
        if isinstance(held, str) and held.strip():
            return (name,)
        if isinstance(held, dict) and (below := _own_text(held)) is not None:
            return (name, *below)
    return None


def _corrected(value: dict[str, Any], fact: Fact) -> dict[str, Any]:
    """Return a value with its text as the claim has it, where a person corrected the claim."""
    path = _own_text(value)
    return value if path is None or fact.claim == fact.quote else _with(value, path, fact.claim)


def _with(value: dict[str, Any], path: tuple[str, ...], text: str) -> dict[str, Any]:
    first, *rest = path
    return {**value, first: _with(value[first], tuple(rest), text) if rest else text}


def _at(value: Any, path: Iterable[str]) -> Any:
    for name in path:
        value = value[name]
    return value


def _texts_at(value: Any, path: Sequence[str]) -> Iterator[str]:
    """Yield the texts at a path such as `notes[*].text`; `$` is the value itself."""
    if not path or path == ["$"]:
        if isinstance(value, str | int | float):
            yield str(value)
        elif value:
            yield _json(value)
        return
    name, _, index = path[0].partition("[")
    held = value.get(name) if isinstance(value, dict) and name else value
    if index and isinstance(held, list):
        place = index.rstrip("]")
        held = held if place == "*" else held[int(place) : int(place) + 1 or None]
        for each in held:
            yield from _texts_at(each, path[1:])
    elif held is not None:
        yield from _texts_at(held, path[1:])


def _current(db: Connection, user_id: str, channel: str, address: str, at: int) -> Fact | None:
    """Return the fact of an item, also one that is kept out of recall; None for an item that has ended."""
    found = [fact for fact in semantic.facts_at(db, user_id, channel, address) if not fact.has_ended(at)]
    out = proposing.quarantined_among(db, [fact.id for fact in found if fact.retired_at is not None])
    return next((fact for fact in found if fact.retired_at is None or fact.id in out), None)


def _is_stale(fact: Fact, at: int) -> bool:
    """Return True if a use now makes an item live longer by a part worth writing."""
    if fact.valid_to is None or fact.valid_from is None or fact.has_ended(at):
        return False
    return at - fact.valid_from >= STALE * (fact.valid_to - fact.valid_from)


def _check(item: NewItem) -> None:
    if not item.namespace or not all(item.namespace) or not item.key:
        raise BadAsk(
            message("An item has a namespace of labels, and a key."),
            next=message("Name both, none of them empty."),
        )
    if len(item.namespace) > LABELS_AT_MOST or len(address_of(item.namespace, item.key)) > ADDRESS_CHARACTERS:
        raise BadAsk(
            message(
                "The namespace and the key of an item have {count} characters and {labels_at_most} labels at most.",
                count=f"{ADDRESS_CHARACTERS:,}",
                labels_at_most=LABELS_AT_MOST,
            )
        )
    if item.value is not None and (size := len(_json(item.value))) > VALUE_CHARACTERS:
        raise BadAsk(
            message(
                "The item {key} has {count} characters as JSON; {most} at most.",
                key=shortened(item.key, 60),
                count=f"{size:,}",
                most=f"{VALUE_CHARACTERS:,}",
            ),
            next=message("Keep the text in a file, and its place in the item."),
        )
    if item.ttl_minutes is not None and not 0 < item.ttl_minutes <= 525_600:
        raise BadAsk(message("ttl_minutes lies between 0 and 525,600."))


def _change(draft: Draft, author: str, keys: Sequence[str]) -> Change | None:
    if not draft.edits:
        return None
    taken = all((edit.after or {}).get("retired_at") is not None for edit in draft.edits)
    return draft.change(
        "retire" if taken else "learn",
        titled(message("Items: {keys}", keys=", ".join(keys)), 120),
        author=author,
    )


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _one_line(text: str) -> str:
    return shortened(" ".join(text.split()), CLAIM_CHARACTERS)


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as wrong:
        raise BadAsk(
            message("An item's value is not JSON."), next=message("Send text, numbers, lists and objects.")
        ) from wrong
