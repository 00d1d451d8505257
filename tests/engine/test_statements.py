"""Plain statements that a person makes to an agent, in five languages, and what is left out of them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.engine.extraction import Utterance, extract

NOON = datetime(2026, 3, 11, 12, tzinfo=UTC)


def told(words: str) -> list[str]:
    """Return the claims of one turn to an agent."""
    turns = [
        Utterance(id="1", speaker="Mara", role="user", text=words, at=round(NOON.timestamp() * 1_000_000)),
        Utterance(id="2", speaker="Iris", role="assistant", text="Noted.", at=0),
    ]
    return [fact.claim for fact in extract(turns).facts]


STATED = """
Ruben reports to Solveig
The tide gauge transmits every 5 minutes
Ida is a beekeeper
Ida smokes
The archive flag is off in production
Since June Torben leads the harbour team
As of today the cluster uses Postgres 18
As a child Milan was afraid of ducks
After his studies Milan worked as a glazier
On Linux the log lies in /var/log/tide
Reviews must pass before a merge
Torben wohnt in Flensburg
Seit Mai arbeitet Torben bei der Werft
Der Pegel hat 18 Zentimeter
Im Sommer öffnet das Bad um 7 Uhr
Ana Ruiz vive en Gijón
La caldera se revisa cada dos años
A Ana le gusta el ajedrez
En el equipo hay 12 personas
李姐吃素
周日地铁十分钟一班
木村さんは英語を話す
"""


@pytest.mark.parametrize("said", STATED.strip().split("\n"))
def test_a_plain_statement_to_an_agent_is_kept_in_its_own_words(said: str) -> None:
    assert told(said + ("" if said[-1] > "\u3000" else ".")) == [said]


UNSTATED = """
Painting is great.
Mixed emotions about the film.
Move the review to Friday.
If it rains the class is in the hall.
Torben said the archive is full.
It runs on Postgres.
Ist Torben in Flensburg?
Vielleicht wohnt Torben in Flensburg.
Ojalá Ana viva en Gijón.
Do the tests pass?
也许周日地铁十分钟一班
部署刚失败了
"""


@pytest.mark.parametrize("said", UNSTATED.strip().split("\n"))
def test_orders_guesses_and_comments_state_nothing(said: str) -> None:
    assert told(said) == []
