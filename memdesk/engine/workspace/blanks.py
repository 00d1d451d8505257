"""Lines of agents' files that state nothing: templates that wait to be filled in, bookkeeping about the file,
pointers to other files, and words addressed to the agent."""

from __future__ import annotations

import re

from memdesk.engine.extraction.lexicon import entries, pattern

_PLACEHOLDERS = frozenset(entries("blanks", "placeholders"))
_BRACKETED = pattern("blanks", "bracketed", flags=0)
_PAIR = re.compile(r"^(?P<key>[^:：=]{1,60}?)\s*[:：=]\s*(?P<value>.*)$")
_DATE_ONLY = pattern("blanks", "date_only")
_FILED = pattern("blanks", "filed")
_LATEST = pattern("blanks", "latest")
_FILED_KEY = pattern("blanks", "filed_key")
_STATE_WORD = pattern("blanks", "state_word")
_GOES_ON = pattern("blanks", "goes_on")
_POINTER = pattern("blanks", "pointer", flags=0)
_TO_AGENT = pattern("blanks", "to_agent")
PART = pattern("blanks", "part")
"""Beginning of a line that gives the agent its part, `You are an expert in REST`."""
_OF_FILE = pattern("blanks", "of_file")
PLANS = pattern("blanks", "plans")
"""Headings over what is still to be done."""
_FILE_TELLS = pattern("blanks", "file_tells")
_REQUEST = pattern("blanks", "request")
_FINISHED = pattern("blanks", "finished")


def is_placeholder(words: str) -> bool:
    """Return True for a line, or a pair's value, that waits to be filled in."""
    pair = _PAIR.match(words)
    value = pair["value"] if pair else words
    return _is_blank(value) or _is_blank(words)


def _is_blank(value: str) -> bool:
    bare = value.strip(" *_`\"'“”.。")
    return not bare or bare.casefold() in _PLACEHOLDERS or _BRACKETED.match(bare) is not None


def is_bookkeeping(words: str) -> bool:
    """Return True for a line about the file or the entry only: a bare date, its update, its status."""
    if (
        _DATE_ONLY.match(words)
        or _GOES_ON.match(words)
        or _OF_FILE.match(words)
        or _FILE_TELLS.search(words)
        or _STATE_WORD.match(words)
    ):
        return True
    pair = _PAIR.match(words)
    if pair is None:
        return False
    key, value = pair["key"].strip(" *_"), pair["value"].strip(" *_")
    if _FILED.match(key):
        return _DATE_ONLY.match(value) is not None or (
            len(value.split()) <= 3 and _LATEST.match(key) is not None
        )
    return _FILED_KEY.match(key) is not None and _STATE_WORD.match(value) is not None


def is_entry_data(words: str) -> bool:
    """Return True for a pair of the kind that heads an entry of learnings: status, area, source."""
    pair = _PAIR.match(words)
    return pair is not None and _FILED_KEY.match(pair["key"].strip(" *_")) is not None


def points_elsewhere(body: str) -> bool:
    """Return True for a line that only names another file or page, with or without its description."""
    return _POINTER.match(body) is not None


def speaks_to_agent(words: str) -> bool:
    """Return True for a line that addresses the agent, as templates do, rather than stating a fact."""
    return _TO_AGENT.match(words) is not None


def is_request(words: str) -> bool:
    """Return True for a line that only records what was asked for."""
    return _REQUEST.match(words) is not None


def finished(words: str) -> str | None:
    """Return what a line records as done, None for a line that records no such thing."""
    found = _FINISHED.match(words)
    return words[found.end() :] or None if found else None
