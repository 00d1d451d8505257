"""Write the lexicon of extraction that names days and months, from the Unicode CLDR as Qt has it.

.venv/bin/python packaging/calendar_names.py"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from PySide6.QtCore import QLocale

from memdesk.engine.extraction import english_words, gazetteer
from memdesk.engine.recall.time_words import CHINESE, ENGLISH, FRENCH, GERMAN, JAPANESE, SPANISH

LEXICON = Path(__file__).resolve().parent.parent / "memdesk/engine/extraction/lexicon/calendar.txt"
LANGUAGES = """
ar bg bn cs da de el en es et fa fi fr ga he hi hr hu id it ja ko lt lv mt nb nl pl pt ro ru sk sl sr sv sw ta th tr
uk ur vi zh zh_TW
"""
"""The official languages of the European Union and of the United Nations, and others with many speakers."""
SHORT = ("en", "zh", "zh_TW")
"""Languages whose short names are written like names: "Tue", 周二. Those of others are also other words."""
HEAD = """\
# Names of days and months, and words like "today": no entities. Written by packaging/calendar_names.py.
[names]
"""


def names() -> list[str]:
    """Return the names of one word in lower case, but none that people or products have too."""
    near = chain.from_iterable(each.words for each in (CHINESE, ENGLISH, FRENCH, GERMAN, JAPANESE, SPANISH))
    found = {name.casefold().strip(".") for name in chain(near, *map(_of_language, LANGUAGES.split()))}
    found -= english_words.GIVEN | gazetteer.KNOWN.keys()
    return sorted(each for each in found if each.isalpha() and len(each) > 1)


def _of_language(language: str) -> Iterator[str]:
    locale, long = QLocale(language), QLocale.FormatType.LongFormat
    for form in (long, QLocale.FormatType.ShortFormat) if language in SHORT else (long,):
        yield from (locale.standaloneDayName(day, form) for day in range(1, 8))
        yield from (locale.standaloneMonthName(month, form) for month in range(1, 13))


if __name__ == "__main__":
    LEXICON.write_text(HEAD + textwrap.fill(" ".join(names()), 118) + "\n", encoding="utf-8")
