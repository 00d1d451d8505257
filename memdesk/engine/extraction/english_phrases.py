"""Building blocks of the English forms of assertion: patterns of a subject, an adverb and a value in a claim."""

from __future__ import annotations

import re

from memdesk.engine.extraction import people
from memdesk.engine.extraction.assertion import subject_of
from memdesk.engine.extraction.values import NUMBERS
from memdesk.engine.extraction.words import word_set

SUBJECT = r"^(?P<s>[^,;:]{1,60}?)"
ADVERBS = (
    r"(?: (?:now|still|currently|actually|also|just|recently|really|already|officially|finally|mainly))*"
)
HAS = rf"(?: has)?{ADVERBS}"
NAME = r"(?P<v>(?-i:[A-Z]).*)$"
DEFINITE = r"^(?P<s>the .+?|.+?'s .+?)"
NUMBER = rf"(?:\d[\d.,]*|{'|'.join(NUMBERS)})"
SPOUSE = word_set("husband wife spouse")
SINGLE_KIN = word_set(
    "partner boyfriend girlfriend fiancé fiancée mother father mum mom dad boss manager supervisor"
)
"""People of whom a person has only one: another name contradicts the first."""
MANY_KIN = people.KIN | people.PETS | people.GROUP
_CUT = re.compile(
    r"\s*(?:[,;(]|\.$|\s(?:and|but|because|since|while|where|which|who|with|although|so|until|when|now|anymore"
    r"|these days|at the moment|instead|last|next|this|in (?=\d)|for (?=\w+ years?))\b).*$"
)


def value_of(text: str) -> str:
    """Return a value without the words after it: "Siemens, which pays well" gives "Siemens"."""
    return _CUT.sub("", text).strip(" .\"'")


def kin_subject(phrase: str) -> tuple[str, ...]:
    """Return the subject of a kinship phrase; husband and wife both become spouse."""
    return tuple(sorted({"spouse" if word in SPOUSE else word for word in subject_of(phrase)}))
