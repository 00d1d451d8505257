"""Votes for the type of a name: evidence from its words and from its neighbours."""

from __future__ import annotations

from collections import Counter

from memdesk.engine.extraction import gazetteer, people
from memdesk.engine.extraction.tokens import Token
from memdesk.engine.extraction.words import word_set

_MOTION = word_set(
    """
    go going went gone goes move moved moving moves fly flew flying travel traveled travelled traveling trip
    trips drive drove driving back come came visit visited visiting return returned welcome way tour holiday
    vacation flight train
    """
)
_WORK = word_set(
    """
    work works worked working job intern interned internship employed hired position role studied study
    studies career
    """
)
_SPEAKS = word_set(
    """
    says said told tells thinks thought asked asks wants wanted loves loved likes called calls texted
    suggested recommended agreed joined gave made married
    """
)
_BELONGS = word_set(
    """
    birthday house husband wife mom mum dad sister brother son daughter place school room wedding party
    """
)
_NOUNS = {
    **dict.fromkeys(("project", "repo", "repository", "app", "service"), "Product"),
    **dict.fromkeys(("package", "library", "framework", "module"), "Technology"),
    **dict.fromkeys(("city", "town", "village"), "Location"),
    **dict.fromkeys(("company", "startup"), "Organization"),
}
"""Nouns next to a name that show its type: "the project Tidepool", "Tidepool service"."""


def votes_for(tokens: list[Token], at: int, length: int) -> dict[str, float]:
    """Return the votes by type for the run of `length` tokens from `at`: small numbers, by strength of the
    evidence."""
    votes: Counter[str] = Counter()
    words = [token.bare for token in tokens[at : at + length]]
    _vote_words(votes, words)
    before = tokens[at - 1].small if at else ""
    earlier = {token.small for token in tokens[max(0, at - 5) : at]}
    if before in people.KIN or before in people.TITLES:
        votes["Person"] += 4
    if before == "the":
        votes["Person"] -= 3
    if (
        not _coded(words[-1])
        and before in ("in", "near", "around")
        or (before in ("to", "from", "visit", "visited", "visiting") and earlier & _MOTION)
    ):
        votes["Location"] += 2
    if before in ("at", "for", "joined") and (earlier & _WORK or before == "joined"):
        votes["Organization"] += 3
    _vote_after(votes, tokens, at + length)
    votes.update({_NOUNS[word]: 3 for word in (before,) if word in _NOUNS})
    return dict(votes)


def _vote_words(votes: Counter[str], words: list[str]) -> None:
    last, first = words[-1], words[0]
    if len(words) > 1:
        votes["Location"] += 4 * (
            last in gazetteer.PLACE_ENDINGS or first in ("Lake", "Mount", "Mt", "Port", "San", "Saint")
        )
        votes["Organization"] += 4 * (
            last in gazetteer.ORGANIZATION_ENDINGS or first in ("University", "Bank", "Museum")
        )
        votes["Event"] += 4 * (last in gazetteer.EVENT_ENDINGS)
    if first.lower() in people.GIVEN and len(words) <= 3:
        votes["Person"] += 3
    if _coded(last):
        votes["Technology"] += 2
    if len(words) == 1 and last.isupper():
        votes["Concept"] += 1


def _coded(word: str) -> bool:
    """Return True for technical spellings: PgBouncer, RAIDZ1, harbor-web."""
    return (any(c.isupper() for c in word[1:]) and not word.isupper()) or (
        word[-1].isdigit() and not word[0].isdigit()
    )


def _vote_after(votes: Counter[str], tokens: list[Token], end: int) -> None:
    after = tokens[end].small if end < len(tokens) else ""
    if tokens[end - 1].possessive:
        votes["Person"] += 3 if after in _BELONGS else 1
    elif after in _SPEAKS:
        votes["Person"] += 1
    if after in _NOUNS:
        votes[_NOUNS[after]] += 3
