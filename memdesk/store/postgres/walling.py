"""Row-level security of a desk's database: the second wall around what a member's token names.

A role without ownership, `memdesk_member_OWNER`, reads and writes only rows of the users and channels that two settings
of its transaction name, and no row where they name none. The owner of the tables sees everything."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from memdesk.model.channel import GLOBAL
from memdesk.model.errors import BugError
from memdesk.model.message import NO_MESSAGE, Message, message
from memdesk.store.connection import Connection
from memdesk.store.indexing import scope_of, scope_token
from memdesk.store.run_context import Reach

USERS, CHANNELS = "memdesk.users", "memdesk.channels"
"""Settings of a transaction, arrays as text; all channels are the empty text."""
NARROW = (
    f"SELECT set_config('{USERS}', ?::text[]::text, true), "
    f"set_config('{CHANNELS}', coalesce(?::text[]::text, ''), true)"
)
"""Statement that names what the transaction may reach."""
AS_MEMBER, AS_OWNER = "SELECT set_config('role', ?, true)", "SELECT set_config('role', 'none', true)"
PLACES = """
CREATE TABLE IF NOT EXISTS places (
  token TEXT PRIMARY KEY, scope TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL, channel TEXT NOT NULL)
"""
"""Scopes of `postings` and `vectors`, which name neither user nor channel by themselves."""
PLACE = "INSERT INTO places VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
CLOSED = ("access_tokens", "desk_settings", "engines", "migrated", "writing")
"""Tables of which members see nothing."""
OPEN = {
    "records": "ids, kinds and numbers",
    "usage": "counts of uses by number",
    "belief_keys": "hashes and numbers",
    "past_claims": "hashes and numbers",
    "versions": "texts by their hash, which members add and the owner's role reads for them by a hash they know",
    "grants": "rights of agents, which the first wall asks",
    **dict.fromkeys(
        ("audit_checkpoints", "audit_configs", "digested", "embedder", "job_runs", "paused_jobs"),
        "about the desk",
    ),
    **dict.fromkeys(("spending", "upkeep", "working_size"), "about the desk"),
}
"""Tables without a policy, with what they hold: no row of them leads to memory that is not shown."""
_ALL = "SELECT, INSERT, UPDATE, DELETE"
_MAY = {
    "embeddings": "SELECT, INSERT",
    "prompt_pieces": "SELECT",
    "prompt_texts": "SELECT",
    "versions": "INSERT",
    "grants": "SELECT",
}
"""Privileges of the member role, where not all are granted. A member sees only some of the rows that use a text, and
would delete one that others still use; a piece names a text by its number, and would show any that it named."""
_LISTED = f"(SELECT nullif(current_setting('{CHANNELS}', true), ''))::text[]"
_USER = f"user_id = ANY ((SELECT current_setting('{USERS}', true))::text[])"
_CHANNEL = f"((SELECT current_setting('{CHANNELS}', true)) = '' OR {{}} = ANY ({_LISTED}))"
_SOURCE = "ifnull(source_channel, '')"
_THROUGH = {
    "edits": "EXISTS (SELECT 1 FROM changes WHERE changes.id = change)",
    "recalled": "EXISTS (SELECT 1 FROM recalls WHERE recalls.id = recall)",
    "prompt_pieces": "EXISTS (SELECT 1 FROM prompts WHERE prompts.id = prompt)",
    "prompt_texts": "EXISTS (SELECT 1 FROM prompt_pieces WHERE text = prompt_texts.id)",
    "embeddings": "EXISTS (SELECT 1 FROM searchable WHERE text_hash = hash)",
    "passages": "EXISTS (SELECT 1 FROM documents WHERE documents.id = document_id)",
    "titles": "(EXISTS (SELECT 1 FROM changes WHERE changes.id = titles.id) "
    "OR EXISTS (SELECT 1 FROM recalls WHERE recalls.id = titles.id))",
    "postings": "EXISTS (SELECT 1 FROM places WHERE token = postings.scope)",
    "vectors": "EXISTS (SELECT 1 FROM places WHERE places.scope = vectors.scope)",
}
"""Tables whose rows are shown with a row of another; they may be written before it."""
_NEWEST = ("changes", "recalls", "searchable", "embeddings")
_ROLE = """DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{name}') THEN CREATE ROLE {role} NOLOGIN; END IF;
  IF NOT pg_has_role('{name}', 'SET') THEN GRANT {role} TO CURRENT_USER; END IF;
EXCEPTION WHEN insufficient_privilege OR duplicate_object OR unique_violation THEN NULL; END $$"""


def role_of(db: Connection) -> str:
    """Return the name of the role of members, which all desks of an owner share."""
    owner = db.value("SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass('records')")
    return f"memdesk_member_{owner}"[:63]


def usable_role(db: Connection) -> str:
    """Return the role of members if every table is behind the wall and this connection may take the role, else ""."""
    role = role_of(db)
    return role if _may_take(db, role) and not any(_unwalled(db, role)) else ""


def missing_wall(db: Connection) -> Message:
    """Return how to enable row-level security if it is missing, else NO_MESSAGE."""
    if usable_role(db):
        return NO_MESSAGE
    role = role_of(db)
    if _may_take(db, role):
        return message("Row-level security is not complete: stop all services of this desk, and start one.")
    return message(
        "There is no row-level security: this database role may not create roles. As one that may, run "
        "`{sql}`, and start the service again.",
        sql=f"CREATE ROLE {_quoted(role)} NOLOGIN; GRANT {_quoted(role)} TO {_quoted(db.value('SELECT current_user'))}",
    )


def raise_wall(db: Connection) -> str:
    """Make the role of members and the policies that are missing, in the current transaction; return the role, or ""
    where this connection may not make one. The caller has the desk alone."""
    role = role_of(db)
    db.run(_ROLE.format(name=role.replace("'", "''"), role=_quoted(role)))
    if not _may_take(db, role):
        return ""
    for table in [*_unwalled(db, role)]:
        wall(db, role, table)
    # A vector is shown with a memory of its text.
    db.run("CREATE INDEX IF NOT EXISTS searchable_text ON searchable (text_hash)")
    (schema,) = db.rows("SELECT quote_ident(current_schema())")[0]
    for table in _NEWEST:
        column = "seq" if table == "searchable" else "id"
        db.run(
            f"CREATE OR REPLACE FUNCTION newest_{table}() RETURNS bigint LANGUAGE sql STABLE SECURITY DEFINER "
            f"AS 'SELECT coalesce(max({column}), 0) FROM {schema}.{table}'"
        )
    db.run("ALTER VIEW events SET (security_invoker = true)")
    db.run(f"GRANT SELECT ON events TO {_quoted(role)}")
    if not db.value("SELECT has_schema_privilege(?, current_schema(), 'USAGE')", (role,)):
        db.run(f"GRANT USAGE ON SCHEMA {schema} TO {_quoted(role)}")
    return role


def wall(db: Connection, role: str, table: str) -> None:
    """Put a table behind the wall."""
    rule = _rule(table, tuple(db.columns(table)))
    db.run(f"REVOKE ALL ON {table} FROM {_quoted(role)}")
    db.run(f"GRANT {_MAY.get(table, _ALL)} ON {table} TO {_quoted(role)}")
    if not rule:
        return
    db.run(f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY")
    for (policy,) in db.rows("SELECT polname FROM pg_policy WHERE polrelid = to_regclass(?)", (table,)):
        db.run(f"DROP POLICY {policy} ON {table}")
    checked = "true" if table in _THROUGH else rule
    db.run(
        f"CREATE POLICY {_policy(table, rule)} ON {table} TO {_quoted(role)} USING ({rule}) WITH CHECK ({checked})"
    )


def fill_places(db: Connection) -> None:
    """Add the scopes that no place has yet."""
    rows = db.rows(
        "SELECT user_id, channel, kind FROM scopes AS held WHERE NOT EXISTS (SELECT 1 FROM places "
        "WHERE scope = held.user_id || chr(31) || held.channel || chr(31) || held.kind)"
    )
    for user_id, channel, kind in rows:
        scope = scope_of(user_id, channel, kind)
        db.send(PLACE, (scope_token(scope), scope, user_id, channel))


def newest(table: str) -> str:
    """Return the expression of the newest number of a table for a member, who would read past the rows of all others to
    find it."""
    return f"newest_{table}()"


def narrowing(reach: Reach | None) -> tuple[list[str], list[str] | None]:
    """Return the parameters of NARROW. What belongs to no user or channel is within each reach, and `_global` too.

    Raises BugError for a member without a reach."""
    if reach is None:
        raise BugError(message("A member's request without its users."))
    return ["", *reach.users], ["", GLOBAL, *reach.channels] if reach.channels else None


def _may_take(db: Connection, role: str) -> bool:
    return bool(
        db.value(
            "SELECT pg_has_role(member.oid, 'SET') FROM pg_roles AS member, pg_class WHERE rolname = ? "
            "AND NOT rolsuper AND NOT rolbypassrls AND NOT pg_has_role(member.oid, relowner, 'MEMBER') "
            "AND pg_class.oid = to_regclass('records')",
            (role,),
        )
    )


def _unwalled(db: Connection, role: str) -> Iterator[str]:
    """Yield the tables that are not behind the wall, or by an older rule."""
    rows = db.rows(
        f"SELECT relname, array_agg(attname), bool_and(has_table_privilege(?1, pg_class.oid, '{_ALL}')), "
        "bool_and(has_table_privilege(?1, pg_class.oid, 'SELECT')), "
        "bool_and(relrowsecurity), (SELECT string_agg(polname, ' ') FROM pg_policy WHERE polrelid = pg_class.oid) "
        "FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped "
        "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace GROUP BY pg_class.oid, relname",
        (role,),
    )
    for table, columns, granted, shown, secured, policy in rows:
        rule = _rule(table, columns)
        fits = granted and shown == ("SELECT" in _MAY.get(table, _ALL))
        if table not in CLOSED and not (fits and (not rule or (secured and policy == _policy(table, rule)))):
            yield table


def _rule(table: str, columns: tuple[str, ...]) -> str:
    """Return the condition of the rows that are shown, "" for an open table."""
    if table in OPEN:
        return ""
    if table in _THROUGH:
        return _THROUGH[table]
    if "source_channel" in columns:
        return f"{_USER} AND {_CHANNEL.format(_SOURCE)}"
    channel = "name" if table == "channels" else "channel" if "channel" in columns else ""
    return f"{_USER} AND {_CHANNEL.format(channel)}" if channel else _USER


def _policy(table: str, rule: str) -> str:
    """Return the name of a table's policy, by which a changed rule or privilege is noticed."""
    return f"member_{zlib.crc32((rule + _MAY.get(table, '')).encode()):08x}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
