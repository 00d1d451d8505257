"""Portrait of an agent: what a folder that was brought in says about it, with the source of every line."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.engine.agents.portrait import portrait
from memdesk.engine.engine import Engine
from memdesk.engine.interop.intake import bring_in
from memdesk.engine.jobs.schedule import job_named, perform
from memdesk.engine.memory.curate import retire
from memdesk.engine.memory.remember import learn_fact, store_turn, upsert_entity
from memdesk.engine.memory.secret_questions import ask_about_new
from memdesk.engine.progress import ignore_progress
from memdesk.model.agent import PARTS, AskPortrait, Portrait, PortraitPart
from memdesk.model.curation import Retire
from memdesk.model.errors import BadAsk, NotFound
from memdesk.model.instant import to_datetime
from memdesk.model.interop import AskImport
from memdesk.model.remember import NewEntity, NewFact, NewTurn
from tests.engine.conftest import Clock
from tests.engine.secrets.texts import Draw

ME = "person:Mara"
KEY = "gho_" + Draw("portrait").mixed(36)
FOLDER = {
    "IDENTITY.md": "# IDENTITY\n\n- **Name:** Kit\n- **Emoji:** ⚓\n- **Role:** keeps the harbour's inbox\n",
    "SOUL.md": "# SOUL\n\nYou are dry and brief.\n",
    "USER.md": "# USER\n\n- Never send mail to a new address without asking\n",
    "MEMORY.md": f"# MEMORY\n\n- The mirror uses {KEY}\n- The crane is inspected in January\n",
}


@pytest.fixture
def kit(engine: Engine, tmp_path: Path) -> Engine:
    """A desk on which the folder of Kit was brought in, with a log of yesterday."""
    home = tmp_path / "kit"
    day = to_datetime(engine.clock()).date()
    for name, text in (
        FOLDER | {f"memory/{day}.md": "# Log\n\n- 09:10 Ordered ropes.\n- 10:00 Called Jun.\n"}
    ).items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    bring_in(engine, AskImport(path=str(home)), author=ME, progress=ignore_progress)
    return engine


def part(found: Portrait, name: str) -> PortraitPart:
    return next(each for each in found.parts if each.name == name)


def test_a_folder_that_was_brought_in_says_who_its_agent_is(kit: Engine) -> None:
    found = portrait(kit, AskPortrait())
    assert (found.agent, found.agents) == ("Kit", ("Kit",))
    assert {each.name for each in found.parts} == set(PARTS)
    first, second = part(found, "identity").lines
    assert (first.text, first.kind) == ("Role: keeps the harbour's inbox", "fact")
    assert first.source is not None and (first.source.path, first.source.first_line) == ("IDENTITY.md", 5)
    assert (second.text, second.kind) == ("You are dry and brief.", "document")
    (rule,) = part(found, "rules").lines
    assert rule.text == "Never send mail to a new address without asking"
    assert rule.source is not None and rule.source.path == "USER.md"
    (secret,) = part(found, "secrets").lines
    assert KEY not in repr(found) and secret.text == "GitHub token"
    assert [each.entries for each in found.days] == [2]
    assert found.folder is not None and found.folder.change is not None
    assert found.folder.lines == found.folder.facts + sum(found.folder.others.values())
    assert {each.text: each.count for each in part(found, "files").lines}["MEMORY.md"] == 1


def test_rules_of_an_instruction_file_stand_among_the_rules_with_their_lines(
    engine: Engine, tmp_path: Path
) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "SOUL.md").write_text("# SOUL\n\nYou are dry and brief.\n")
    (tmp_path / "kit" / "AGENTS.md").write_text(
        "# AGENTS.md\n\n- Read SOUL.md first.\n- Never deploy on Friday.\n"
    )
    bring_in(engine, AskImport(path=str(tmp_path / "kit")), author=ME, progress=ignore_progress)
    (rule,) = part(portrait(engine, AskPortrait()), "rules").lines
    assert (rule.text, rule.kind) == ("Never deploy on Friday.", "document")
    assert rule.source is not None and (rule.source.path, rule.source.first_line) == ("AGENTS.md", 4)


def test_people_are_counted_by_the_agents_facts_about_them_and_first_names_under_full_ones(
    engine: Engine,
) -> None:
    for name in ("Noor Haddad", "Noor", "Priya"):
        upsert_entity(engine, NewEntity(name=name, type="Person", channel="bay", agent_id="Forge"), author=ME)
    for number, about in enumerate(("Noor Haddad", "Noor Haddad", "Noor", "Priya")):
        learn_fact(
            engine,
            NewFact(
                claim=f"{about} reviews release {number}", channel="bay", about=(about,), agent_id="Forge"
            ),
            author="agent:Forge",
        )
    found = portrait(engine, AskPortrait(agent="forge"))
    assert [(each.text, each.count) for each in part(found, "people").lines] == [
        ("Noor Haddad", 3),
        ("Priya", 1),
    ]
    assert part(found, "people").lines[0].note.startswith("Noor Haddad reviews")
    (project,) = part(found, "projects").lines
    assert (project.text, project.count, project.share) == ("bay", 4, 1.0)
    assert found.folder is None and "without a folder" in found.says


def test_a_contradiction_shows_both_claims_until_one_is_retired(engine: Engine) -> None:
    first = learn_fact(
        engine, NewFact(claim="The pool size is 25", channel="bay", agent_id="Forge"), author="agent:Forge"
    )
    learn_fact(
        engine, NewFact(claim="The pool size is 40", channel="bay", agent_id="Forge"), author="agent:Forge"
    )
    (line,) = part(portrait(engine, AskPortrait()), "contradictions").lines
    assert (line.kind, line.text, line.other) == ("proposal", "The pool size is 40", "The pool size is 25")
    retire(engine, Retire(id=first.id), author=ME)
    assert part(portrait(engine, AskPortrait()), "contradictions").total == 0


def test_a_key_in_a_line_that_is_no_fact_is_found_with_its_file_and_asked_about(
    engine: Engine, tmp_path: Path
) -> None:
    home = tmp_path / "kit"
    home.mkdir()
    for name, text in (FOLDER | {"MEMORY.md": f"# MEMORY\n\n```\nexport MIRROR={KEY}\n```\n"}).items():
        (home / name).write_text(text)
    bring_in(engine, AskImport(path=str(home)), author=ME, progress=ignore_progress)
    (secret,) = part(portrait(engine, AskPortrait()), "secrets").lines
    assert secret.source is not None and secret.source.path == "MEMORY.md" and "in clear" in secret.note
    assert ask_about_new(engine) == 1


def test_the_person_whose_file_was_brought_in_is_a_known_person(engine: Engine, tmp_path: Path) -> None:
    home = tmp_path / "kit"
    home.mkdir()
    user = "# USER\n\n- **Name:** Thanh-Hằng Nguyễn-Østergaard\n- Allergic to penicillin\n"
    for name, text in (FOLDER | {"USER.md": user}).items():
        (home / name).write_text(text)
    bring_in(engine, AskImport(path=str(home)), author=ME, progress=ignore_progress)
    (person,) = part(portrait(engine, AskPortrait()), "people").lines
    assert (person.text, person.count) == ("Thanh-Hằng Nguyễn-Østergaard", 2)


def test_facts_of_an_import_count_as_not_compared_until_the_checkup_has_found_what_contradicts(
    engine: Engine, tmp_path: Path
) -> None:
    home = tmp_path / "kit"
    home.mkdir()
    memory = "# MEMORY\n\n- The pool size is 25\n- The pool size is 40\n"
    for name, text in (FOLDER | {"MEMORY.md": memory}).items():
        (home / name).write_text(text)
    bring_in(engine, AskImport(path=str(home)), author=ME, progress=ignore_progress)
    found = portrait(engine, AskPortrait())
    assert found.uncompared == found.facts > 0
    assert "Not compared yet" in part(found, "contradictions").says
    perform(engine, job_named("checkup"), author=ME)
    found = portrait(engine, AskPortrait())
    assert found.uncompared == 0 and part(found, "contradictions").total == 1
    assert "Not compared yet" not in part(found, "contradictions").says


def test_days_are_the_turns_of_an_agent_without_day_files_in_the_viewers_zone(
    engine: Engine, clock: Clock
) -> None:
    store_turn(engine, NewTurn(content="Hello", agent_id="Forge"), author="agent:Forge")
    clock.pass_days(100)
    store_turn(engine, NewTurn(content="Again", agent_id="Forge"), author="agent:Forge")
    (day,) = portrait(engine, AskPortrait(utc_offset_minutes=14 * 60)).days
    assert day.day == to_datetime(clock() + 14 * 3600 * 1_000_000).date() and day.entries == 1


def test_an_empty_desk_says_what_to_do_and_an_unknown_agent_is_not_found(engine: Engine) -> None:
    nobody = portrait(engine, AskPortrait())
    assert nobody.parts == () and "memdesk discover" in nobody.next
    with pytest.raises(NotFound):
        portrait(engine, AskPortrait(agent="Kit"))
    for wrong in (AskPortrait(lines=0), AskPortrait(days=400)):
        with pytest.raises(BadAsk):
            portrait(engine, wrong)
