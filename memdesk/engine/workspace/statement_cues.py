"""Words and phrases by which statements in curated files are classified: by category, by time, by form."""

from __future__ import annotations

import re

from memdesk.engine.extraction.lexicon import pattern, word_set, words

TITLES = tuple(
    (each, pattern("statement_cues", f"title_{each}"))
    for each in ("fact", "decision", "preference", "constraint", "event")
)
"""Words in a heading that give the lines under it their category."""
KINDS = {"rule": "constraint", "requirement": "constraint", "milestone": "event", "like": "preference"}
DECISION = pattern("statement_cues", "decision")
PREFERENCE = pattern("statement_cues", "preference")
CHOICE = pattern("statement_cues", "choice")
CONSTRAINT = pattern("statement_cues", "constraint")
PERMITTED = pattern("statement_cues", "permitted")
SO_DO = re.compile(r"[,;] (?:[Ss]o |[Pp]lease |[Tt]hen )?(?P<verb>[A-Za-z][a-z]+) \w")
ORDERS = words("statement_cues", "orders")
NOUNS_TOO = words("statement_cues", "nouns_too")
"""Verbs that often are nouns at the beginning of a line: they are orders only before an article or a name."""
OBJECTS = words("statement_cues", "objects")

STATIVE = pattern("statement_cues", "stative")
AUTOMATED = words("statement_cues", "automated")
"""Participles that describe the noun after them rather than report what was done to it."""
STATES = words("statement_cues", "states")
"""Participles after a noun that tell its state: `Node connected`."""
NOW = pattern("statement_cues", "now")
PAST_CJK = pattern("statement_cues", "past_cjk", flags=0)
ONGOING_CJK = pattern("statement_cues", "ongoing_cjk", flags=0)
FUTURE_CJK = pattern("statement_cues", "future_cjk", flags=0)
GERMAN_PAST = pattern("statement_cues", "german_past")
ROMANCE_PAST = pattern("statement_cues", "romance_past", flags=0)
ENDED = pattern("statement_cues", "ended")
FUTURE = pattern("statement_cues", "future")
BOUNDARY = pattern("statement_cues", "boundary", flags=0)
RELATIVE = words("statement_cues", "relative")
DETERMINERS = words("statement_cues", "determiners")
PRESENT = words("statement_cues", "present")
BEFORE_ING = words("statement_cues", "before_ing")
"""Past verbs that another verb in -ing follows: "stopped smoking"; before it, other past forms are names or nouns."""
PAST_AUXILIARY = words("statement_cues", "past_auxiliary")
UNTIL = pattern("statement_cues", "until")
TO = pattern("statement_cues", "to")
FROM_THEN = pattern("statement_cues", "from_then")
FROM_THEN_CJK = re.compile(r"^\s*(?:起|开始|以来|から|より)")
INFERRED = pattern("statement_cues", "inferred")
ELLIPTIC = words("statement_cues", "elliptic")
KEEP = pattern("statement_cues", "keep")

CHOSE = pattern("statement_cues", "chose")
PREPOSITIONS = words("statement_cues", "prepositions")
GOING = words("statement_cues", "going")
"""Past forms that need no object, so that a preposition after one does not make it a participle."""
AFTER_A_VERB = words("statement_cues", "after_a_verb")
"""Words that follow a verb in the past rather than a participle that describes a noun."""
MYSELF = word_set("i i'm i've i'll i'd my mine")
SENTENCE_END = re.compile(r"[;；。！？]|[.!?]\s")
NO_SUCH = re.compile(r"^(?:no|kein\w*|sin|ningun\w*|pas de)\s", re.IGNORECASE)
IN_RULES = pattern("statement_cues", "in_rules")
"""Headings of instructions under which lines are rules, though they are written as statements."""
ELSEWHERE = pattern("statement_cues", "elsewhere")
"""Little words of German, Spanish, French and Danish; two of them make a sentence of one of these languages."""
