"""What must hold on any desk at any time: rows, words, vectors, journal and counts tell the same story."""

from __future__ import annotations

from pathlib import Path

from memdesk.engine.beliefs.reading import CLAIMS, keys
from memdesk.files.places import Desk
from memdesk.model.document import passages_of
from memdesk.model.fact import claim_hash
from memdesk.model.kinds import KINDS
from memdesk.store import audit_log, beliefs, chain, document_versions, timeline_query
from memdesk.store.connection import Connection
from memdesk.store.indexing import scope_of, sign_bits, text_hash


def assert_agreement(database: Path) -> None:
    """Raise AssertionError when a desk's file, which nobody has open, or its database contradicts itself."""
    db = opened(Desk(database.parent))
    _records_are_registered(db)
    _index_follows_the_records(db)
    _vectors_follow_the_index(db)
    _events_are_counted_without_gaps(db)
    _titles_are_found_by_their_words(db)
    _chain_holds(db)
    _what_was_undone_names_what_undid_it(db)
    _sums_follow_the_records(db)
    _the_audit_log_tells_of_what_happened(db)
    db.close()


def opened(desk: Desk) -> Connection:
    """Return a connection that may write, to the file or the database of a desk."""
    if desk.address is not None:
        from memdesk.store.postgres.connection import PostgresConnection

        return PostgresConnection(desk.address, writer=True)
    db = Connection(desk.database, writer=True)
    assert db.rows("PRAGMA integrity_check") == [("ok",)]
    assert db.rows("PRAGMA foreign_key_check") == []
    db.run("INSERT INTO words(words) VALUES ('integrity-check')")
    db.run("INSERT INTO titles(titles) VALUES ('integrity-check')")
    return db


def _records_are_registered(db: Connection) -> None:
    listed = {
        (seq, id, kind.name) for kind in KINDS for seq, id in db.rows(f"SELECT seq, id FROM {kind.table}")
    }
    assert listed == set(db.rows("SELECT seq, id, kind FROM records"))
    highest = max((seq for seq, _, _ in listed), default=0)
    free = "SELECT next_seq FROM upkeep" if db.virtual_tables else "SELECT last_value + 64 FROM numbers"
    assert highest < db.value(free) > (db.value("SELECT max(seq) FROM usage") or 0)


def _index_follows_the_records(db: Connection) -> None:
    due = {}
    for kind in KINDS:
        if kind.text:
            past = " AND superseded_by IS NULL" if "superseded_by" in kind.columns else ""
            for seq, user, channel, *texts in db.rows(
                f"SELECT seq, user_id, channel, {','.join(kind.text)} FROM {kind.table} WHERE retired_at IS NULL{past}"
            ):
                due[seq] = (kind.name, user, channel, text_hash("\n".join(filter(None, texts))))
    for id, user, channel, content in db.rows(
        "SELECT id, user_id, channel, content_hash FROM documents WHERE retired_at IS NULL"
    ):
        kept = db.rows("SELECT seq, text FROM passages WHERE document_id = ? ORDER BY seq", (id,))
        assert [text for _, text in kept] == [
            each.text for each in passages_of(document_versions.text_of(db, content))
        ]
        due |= {seq: ("passage", user, channel, text_hash(text)) for seq, text in kept}
    found = {
        row[0]: row[1:] for row in db.rows("SELECT seq, kind, user_id, channel, text_hash FROM searchable")
    }
    assert found == due
    words = "SELECT id FROM words_docsize" if db.virtual_tables else "SELECT seq FROM postings"
    assert {row[0] for row in db.rows(words)} == due.keys()
    past = db.rows("SELECT seq, claim FROM facts WHERE retired_at IS NOT NULL OR superseded_by IS NOT NULL")
    assert set(db.rows("SELECT seq, claim_hash FROM past_claims")) == {
        (seq, claim_hash(claim)) for seq, claim in past
    }
    if beliefs.is_read_by(db, CLAIMS) and not db.value("SELECT beliefs_unread FROM upkeep"):
        assert set(db.rows("SELECT key, seq FROM belief_keys")) == {*beliefs.expected(db, keys)}


def _vectors_follow_the_index(db: Connection) -> None:
    if not db.vectors:
        return
    due = {
        (seq, scope_of(user, channel, kind), sign_bits(vector))
        for seq, user, channel, kind, vector in db.rows(
            "SELECT seq, user_id, channel, kind, vector "
            "FROM searchable JOIN embeddings ON embeddings.id = embedding"
        )
    }
    assert set(db.rows("SELECT seq, scope, bits FROM vectors")) == due


def _events_are_counted_without_gaps(db: Connection) -> None:
    numbers = [row[0] for row in db.rows("SELECT id FROM events ORDER BY id")]
    assert numbers == list(range(1, len(numbers) + 1))
    counted = db.rows(
        "SELECT id / 4096, at / 3600000000, op, layer, author, channel, user_id, count(*) FROM events "
        "GROUP BY 1, 2, 3, 4, 5, 6, 7"
    )
    assert set(counted) == set(db.rows("SELECT * FROM rollup"))


def _titles_are_found_by_their_words(db: Connection) -> None:
    low, high = timeline_query.covered(db)
    told: dict[int, str] = dict(db.rows("SELECT id, title FROM events WHERE id >= ? AND id < ?", (low, high)))
    said = {number: set(timeline_query.words_of(title)) for number, title in told.items()}
    for word in set().union(*said.values()):
        found = (
            db.rows("SELECT rowid FROM titles WHERE titles MATCH ?", (timeline_query.match(db, word),))
            if db.virtual_tables
            else db.rows("SELECT id FROM titles WHERE word = ?", (word,))
        )
        due = {number for number, words in said.items() if word in words}
        assert due <= {row[0] for row in found} <= said.keys(), f"the events about {word}"


def _chain_holds(db: Connection) -> None:
    before = b""
    for link in chain.links_after(db, 0, 1 << 40):
        assert link.said is not False, f"change {link.id} does not say what was written"
        assert chain.link_hash(before, link.head, link.payload) == link.hash, f"the chain breaks at {link.id}"
        before = link.hash


def _what_was_undone_names_what_undid_it(db: Connection) -> None:
    assert not db.rows(
        "SELECT done.id FROM changes AS done LEFT JOIN changes AS undo "
        "ON undo.undoes = done.id AND undo.undone_by IS NULL WHERE done.undone_by IS NOT undo.id"
    )


def _sums_follow_the_records(db: Connection) -> None:
    used = db.rows(
        "SELECT user_id, channel, tool_name, task_type, count(*), count(*) FILTER (WHERE success = 1), "
        "count(*) FILTER (WHERE success = 0), ifnull(sum(latency_ms), 0), count(latency_ms) FROM tool_calls "
        "WHERE retired_at IS NULL GROUP BY 1, 2, 3, 4"
    )
    assert set(db.rows("SELECT * FROM tool_stats")) == set(used)
    facts = db.rows("SELECT searchable.claim_hash, claim FROM searchable JOIN facts USING (seq)")
    assert all(kept == claim_hash(claim) for kept, claim in facts)
    assert db.value("SELECT count(claim_hash) FROM searchable") == len(facts)
    if db.vectors:
        held = db.rows(
            "SELECT user_id, channel, category, count(*) FROM facts JOIN (SELECT seq FROM searchable "
            "WHERE kind = 'fact' AND embedding IS NOT NULL) USING (seq) GROUP BY 1, 2, 3"
        )
        assert set(db.rows("SELECT user_id, channel, category, facts FROM categories")) == set(held)
    assert db.row("SELECT keys, bytes FROM working_size") == db.row(
        "SELECT count(*), ifnull(sum(bytes), 0) FROM working"
    )


def _the_audit_log_tells_of_what_happened(db: Connection) -> None:
    events = {row[0]: row[1:] for row in db.rows("SELECT id, at, op, author FROM events")}
    configs = {row[0] for row in db.rows("SELECT id FROM audit_configs")}
    told = [
        dict(zip(("id", *audit_log.COLUMNS), row, strict=True))
        for row in audit_log.page(db, audit_log.AuditFilter(), 1 << 40)
    ]
    assert [row["id"] for row in told] == sorted({row["id"] for row in told}, reverse=True)
    numbers = [row["event"] for row in told if row["event"] is not None]
    assert len(numbers) == len(set(numbers))
    for row in told:
        assert row["config_snapshot"] in configs
        if row["event"] is None:
            assert not row["success"] or row["memory_type"] == "working"
        else:
            at, op, author = events[row["event"]]
            known = "retrieve" if op == "recall" else op
            assert (row["timestamp"], row["operation"], row["author"]) == (at, known, author)
    there = set(audit_log.days(db))
    for checkpoint in audit_log.checkpoints(db):
        assert (checkpoint.day in there) is (checkpoint.dropped_at is None)
