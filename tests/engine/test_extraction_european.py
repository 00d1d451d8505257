"""Claims that German and Spanish speakers state, and sentences of theirs that state none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memdesk.engine.extraction import Found, Utterance, extract
from memdesk.engine.extraction.language import spoken_language

WEDNESDAY = round(datetime(2026, 3, 11, 12, tzinfo=UTC).timestamp() * 1_000_000)


def heard(said: str, role: str = "user") -> Found:
    turns = [
        Utterance(id="t0", speaker="Kim", role=role, text=said, at=WEDNESDAY),
        Utterance(id="t1", speaker="Ana", role="user", text="Ok.", at=WEDNESDAY),
    ]
    return extract(turns, zone=UTC)


CLAIMS = """
Ich wohne seit Mai in Graz. | Kim wohnt seit Mai in Graz
Seit 2019 arbeite ich bei der Post. | Seit 2019 arbeitet Kim bei der Post
Wir haben letztes Jahr ein Haus in Linz gekauft. | Kim hat letztes Jahr ein Haus in Linz gekauft
Meine Tochter Lina kommt im September in die Schule. | Kims Tochter Lina kommt im September in die Schule
Ich bin allergisch gegen Nüsse, das ist lästig. | Kim ist allergisch gegen Nüsse
Am 3. Mai laufe ich meinen ersten Marathon. | Am 3. Mai läuft Kim den eigenen ersten Marathon
Ich fahre nächste Woche nach Prag. | Kim fährt nächste Woche nach Prag
Mein Hund heißt Balu. | Kims Hund heißt Balu
Trabajo en un hospital como enfermero. | Kim trabaja en un hospital como enfermero
Me mudé a Valencia en febrero. | Kim se mudó a Valencia en febrero
Mi hermana Clara vive en Quito y tiene tres hijos. | Clara, la hermana de Kim, vive en Quito y tiene tres hijos
Mis padres viven en Lima. | Los padres de Kim viven en Lima
Soy alérgico a los mariscos. | Kim es alérgico a los mariscos
No me gusta nada el café. | A Kim no le gusta nada el café
Nací en Sevilla pero vivo en Lima desde 2015. | Kim nació en Sevilla
El 12 de junio me caso con Mateo. | Kim se casa con Mateo el 12 de junio
"""


@pytest.mark.parametrize("line", CLAIMS.strip().split("\n"))
def test_a_statement_about_oneself_is_told_in_the_third_person(line: str) -> None:
    said, claim = line.split(" | ")
    facts = heard(said).facts
    assert claim in [fact.claim for fact in facts]
    assert all(fact.quote in said for fact in facts)


NO_CLAIMS = """
Ich bin müde und mache mir jetzt einen Tee.
Wenn ich im Lotto gewinne, kaufe ich ein Boot in Kiel.
Ich wollte im April nach Island fliegen.
Ich finde den Film gut.
Wohnst du noch in Wien?
Das Wetter in Bonn ist schön.
Si ganara la lotería, me compraría un barco.
Tengo hambre, voy a hacerme un bocadillo.
Mi jefe dice que soy lento.
¡Qué lejos está Bogotá!
¿Vives en Lima?
Creo que va a llover en Madrid.
"""


@pytest.mark.parametrize("said", NO_CLAIMS.strip().split("\n"))
def test_moods_wishes_suppositions_and_questions_make_no_claim(said: str) -> None:
    assert heard(said).facts == ()


def test_what_an_agent_says_in_german_or_spanish_makes_no_claim() -> None:
    assert heard("Ich wohne in Graz.", role="assistant").facts == ()
    assert heard("Vivo en Lima desde 2015.", role="assistant").facts == ()


def test_tense_and_category_are_read_in_both() -> None:
    told = [heard(line.split(" | ")[0]).facts[0] for line in CLAIMS.strip().split("\n")]
    by_claim = {fact.claim: (fact.temporal, fact.category) for fact in told}
    assert by_claim["Kim ist allergisch gegen Nüsse"] == ("current", "constraint")
    assert by_claim["Kim fährt nächste Woche nach Prag"] == ("future", "event")
    assert by_claim["Kim se mudó a Valencia en febrero"] == ("past", "event")
    assert by_claim["A Kim no le gusta nada el café"] == ("current", "preference")


def test_german_nouns_are_no_entities_and_names_are() -> None:
    names = {entity.name for entity in heard("Mein Bruder Henning kauft Brot und Käse in Rostock.").entities}
    assert {"Henning", "Rostock"} <= names
    assert not names & {"Brot", "Käse"}


@pytest.mark.parametrize(
    ("text", "tongue"),
    [
        ("I was in Berlin with my brother", "en"),
        ("Die Tests sind jetzt grün", "de"),
        ("Mi hermano vive en Lima", "es"),
        ("No tests ran", "en"),
        ("我住在杭州", "zh"),
    ],
)
def test_the_language_of_a_sentence_is_told_by_its_small_words(text: str, tongue: str) -> None:
    assert spoken_language(text) == tongue
