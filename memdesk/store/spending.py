"""The ledger of tokens: requests to models by day, role, model and purpose. It is not memory, so it is not
journalled."""

from __future__ import annotations

from memdesk.model.models import Spent
from memdesk.store.connection import Connection


def add(db: Connection, spent: Spent) -> None:
    """Add requests to the row of their day, role, model and purpose."""
    db.run(
        "INSERT INTO spending (day, role, model, purpose, calls, failures, tokens_in, tokens_out, guessed) "
        "VALUES (?,?,?,?,?,?,?,?,?) ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, "
        "failures = failures + excluded.failures, tokens_in = tokens_in + excluded.tokens_in, "
        "tokens_out = tokens_out + excluded.tokens_out, guessed = max(guessed, excluded.guessed)",
        (spent.day, spent.role, spent.model, spent.purpose, spent.calls, spent.failures, spent.tokens_in,
         spent.tokens_out, spent.guessed),
    )  # fmt: skip


def tokens_on(db: Connection, day: str) -> dict[str, int]:
    """Return the tokens of a day (a local date, such as 2026-11-22), by role."""
    return dict(
        db.rows("SELECT role, sum(tokens_in + tokens_out) FROM spending WHERE day = ? GROUP BY role", (day,))
    )


def ledger(db: Connection, since: str) -> tuple[Spent, ...]:
    """Return every row from a day on, newest day first, most tokens first."""
    rows = db.rows(
        "SELECT day, role, model, purpose, calls, failures, tokens_in, tokens_out, guessed FROM spending "
        "WHERE day >= ? ORDER BY day DESC, tokens_in + tokens_out DESC, role, model, purpose",
        (since,),
    )
    return tuple(
        Spent(
            day=row[0], role=row[1], model=row[2], purpose=row[3], calls=row[4], failures=row[5],
            tokens_in=row[6], tokens_out=row[7], guessed=bool(row[8]),
        )
        for row in rows
    )  # fmt: skip
