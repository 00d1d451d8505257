"""The tasks themselves, each as a person would try it first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress

from memdesk.api import memory, review
from memdesk.client.client import Client
from memdesk.files.places import Desk
from memdesk.model.remember import NewFact
from memdesk.model.review import CountReview
from tests.conftest import Service
from tests.gui.screen.tasks import Hand, Surprise, task
from tests.gui.test_key_budget import BUDGET_KEYS, plant

FACTS = "Facts"


def fact(hand: Hand, words: str) -> None:
    """Go to Facts, and to the first row with these words."""
    hand.open(FACTS)
    hand.press("slash")
    hand.focused("Filter")
    hand.program.screen.press("ctrl+a")
    hand.type(words)
    hand.press("Return")
    hand.wait(
        lambda: words.lower() in hand.focus().lower() or hand.focus().startswith("Facts"), "the first row"
    )


@task(1, "find a fact that is wrong and correct it", undone=True)
def correct(hand: Hand) -> None:
    hand.find("cancellation limit")
    hand.wait(lambda: hand.sees("Where it comes from"), "the inspector")
    hand.press("e")
    hand.focused("Claim")
    hand.press("End")
    hand.type(" Thursday")
    before = hand.change()
    hand.press("ctrl+s")
    hand.wait(lambda: hand.change() > before, "the correction")
    hand.wait(lambda: hand.focus() not in ("", "Claim"), "a live focus")


@task(2, "promote a fact to _global by hand, undo it")
def promote(hand: Hand) -> None:
    fact(hand, "LT-5 tests")
    before = hand.change()
    hand.press("p")
    hand.wait(lambda: hand.sees("Cancel", "Button"), "the question")
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the promotion")
    done = hand.change()
    hand.press("ctrl+z")
    hand.wait(lambda: hand.change() > done, "the undo")


@task(3, "take back the last import, whole, and redo it")
def take_back_import(hand: Hand) -> None:
    hand.open("Audit")
    before = hand.change()
    hand.click("Imported memory/", "Cell")
    hand.wait(lambda: hand.reads("If you undo"), "what undo would do")
    hand.press("u")
    hand.wait(lambda: hand.change() > before, "the undo")
    done = hand.change()
    hand.press("ctrl+shift+z")
    hand.wait(lambda: hand.change() > done, "the redo")


@task(4, "see why something was not recalled, and bring it in")
def why_not(hand: Hand) -> None:
    hand.open("Recall lab")
    hand.press("slash")
    hand.program.screen.press("ctrl+a")
    hand.type("when does pg_repack run")
    hand.press("Return")
    hand.wait(lambda: hand.reads("hits in"), "hits")
    hand.reach("Channel ")
    hand.type("lisbon")
    hand.wait(lambda: "lisbon-move" in hand.focus() and hand.reads("hits in"), "hits of lisbon-move")
    hand.press("alt+w")
    hand.focused("Find a memory to explain")
    hand.type("pg_repack always runs")
    hand.press("Return")
    hand.wait(lambda: hand.reads("Explain one of these"), "what is meant")
    hand.press("Return")
    hand.wait(lambda: hand.reads("Does not come back."), "the reason")
    hand.click("Try: ", "Button")
    hand.wait(lambda: hand.reads("Comes back at place"), "it among the hits")


@task(5, "see what an agent was told before a turn")
def what_it_was_told(hand: Hand) -> None:
    hand.open("Runtimes")
    hand.click("Forge", "Cell")
    hand.wait(lambda: hand.sees("The text that was told"), "what was told")


@task(6, "see what a compaction lost, restore one turn, then all", undone=True)
def compaction(hand: Hand) -> None:
    hand.open("Compaction")
    hand.click("Lisbon flat viewings", "Cell")
    hand.click("Lost: ")
    before = hand.change()
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the restored statement")
    one = hand.change()
    hand.click("Restore ", "Button")
    hand.wait(lambda: hand.change() > one, "all turns")


@task(7, "read a day, correct a line of it", undone=True)
def day_line(hand: Hand) -> None:
    hand.open("Daily logs")
    hand.press("slash")
    hand.type("yesterday")
    hand.press("Return")
    hand.focused("Entries")
    hand.press("ctrl+e")
    hand.focused("Files")
    hand.press("Return")
    before = hand.change()
    hand.press("ctrl+End")
    hand.type(" Corrected.")
    hand.press("ctrl+s")
    hand.wait(lambda: hand.change() > before, "the saved day")


@task(8, "edit SOUL.md while a program changes the file")
def edit_together(hand: Hand) -> None:
    hand.open("Identity files")
    hand.focused("Files")
    hand.click("SOUL.md", "Cell")
    hand.wait(lambda: hand.reads("/ SOUL.md"), "the file")
    hand.wait(lambda: hand.reads("Source of SOUL.md"), "its text")
    agent = "iris" if hand.reads("Iris / SOUL.md") else "forge"
    file = hand.program.desk.folder / "workspaces" / agent / "SOUL.md"
    hand.press("Return")
    hand.press("ctrl+End")
    hand.type(" Mine.")
    file.write_text(file.read_text().replace("# ", "# Theirs: ", 1))
    hand.press("ctrl+s")
    hand.wait(lambda: hand.sees("Merge both", "Button"), "the warning")
    hand.click("Merge both", "Button")
    hand.wait(lambda: not hand.sees("Merge both", "Button"), "both texts in one")
    hand.press("ctrl+s")
    hand.wait(lambda: {"Theirs:", "Mine."} <= set(file.read_text().split()), "both texts on the disk")


@task(9, "merge two duplicates", undone=True)
def merge(hand: Hand) -> None:
    fact(hand, "VACUUM FULL")
    hand.press("shift+Down", "m")
    before = hand.change()
    hand.wait(lambda: hand.reads("will be"), "the preview")
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the merge")


@task(10, "decide a contradiction", undone=True)
def contradiction(hand: Hand) -> None:
    hand.open("Today")
    hand.wait(lambda: hand.reads("Contradictions"), "the questions")
    hand.press("j")
    hand.wait(lambda: hand.reads("2 Keep B"), "both sides")
    before = hand.change()
    hand.press("1")
    hand.wait(lambda: hand.change() > before, "the answer")


@task(11, "quarantine a suspicious fact", undone=True)
def quarantine(hand: Hand) -> None:
    fact(hand, "pg_repack")
    before = hand.change()
    hand.press("q")
    hand.wait(lambda: hand.change() > before or hand.sees("Cancel", "Button"), "quarantine or its question")
    if hand.change() == before:
        hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the quarantine")


@task(12, "retire a stale fact", undone=True)
def retire(hand: Hand) -> None:
    fact(hand, "pg_repack")
    before = hand.change()
    hand.press("Delete")
    hand.wait(lambda: hand.change() > before or hand.sees("Cancel", "Button"), "retirement or its question")
    if hand.change() == before:
        hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the retirement")


@task(13, "move a fact to the right channel", undone=True)
def move(hand: Hand) -> None:
    fact(hand, "pg_repack")
    hand.press("c")
    hand.focused("To channel")
    before = hand.change()
    hand.type("home")
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the move")
    if not any(row.channel == "homelab" for row in hand.rows("pg_repack")):
        raise Surprise("it went elsewhere")


@task(14, "find when a fact was learned, and from which turn")
def learned(hand: Hand) -> None:
    hand.find("pg_repack always runs")
    hand.wait(lambda: hand.reads(", turn "), "the turn and its time")
    hand.press("space")
    hand.wait(lambda: hand.reads("Hide the turns around it"), "the turns around it")


@task(15, "rename an entity, change its type, add an alias", undone=True)
def rename(hand: Hand) -> None:
    hand.find("@Leonor")
    hand.wait(lambda: hand.sees("Entity"), "the inspector")
    hand.wait(lambda: hand.sees("Linked"), "the links")
    hand.press("e")
    hand.focused("Name")
    hand.press("ctrl+a")
    hand.type("Leonor Silva")
    hand.press("Tab")
    hand.type("age")
    hand.press("Tab", "End")
    hand.type(", Nonô")
    before = hand.change()
    hand.press("ctrl+s")
    hand.wait(lambda: hand.change() > before, "the new name")
    if not any(row.category == "Agent" for row in hand.rows("Leonor Silva", kind="entity")):
        raise Surprise("its type is another")
    hand.wait(lambda: hand.reads("Nonô"), "the alias")


@task(16, "link a fact to an entity, remove a wrong relation", undone=True)
def link(hand: Hand) -> None:
    fact(hand, "pg_repack")
    hand.press("Return")
    hand.wait(lambda: hand.sees("Where it comes from"), "the inspector")
    hand.press("l")
    hand.wait(lambda: hand.sees("Cancel", "Button"), "the form")
    hand.type("Birgitta")
    hand.wait(lambda: hand.reads("Birgitta"), "the entity")
    before = hand.change()
    hand.press("Return")
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the link")
    linked = hand.change()
    hand.press("F6")
    hand.reach("Change the link to Birgitta")
    hand.press("Return")
    hand.focused("Remove")
    hand.press("Return")
    hand.wait(lambda: hand.change() > linked, "the removal")


@task(17, "see and correct the user’s own profile", undone=True)
def profile(hand: Hand) -> None:
    hand.open("Profile")
    before = hand.change()
    hand.wait(lambda: hand.sees("New entry", "Button"), "the entries")
    hand.press("Down")
    hand.wait(lambda: hand.sees("Edit", "Button"), "the inspector")
    hand.press("e")
    hand.wait(lambda: hand.sees("Save", "Button"), "the form")
    hand.press("End")
    hand.type(" now")
    hand.press("ctrl+s")
    hand.wait(lambda: hand.change() > before, "the entry")


@task(18, "rescue what fades this week, pin two")
def rescue(hand: Hand) -> None:
    hand.open("Salience")
    hand.focused("Salience")
    hand.press("Down")
    before = hand.change()
    hand.press("r")
    hand.wait(lambda: hand.change() > before, "the rescue")
    for _ in range(2):
        before = hand.change()
        hand.press("j", "i")
        hand.wait(lambda: hand.change() > before, "the pin")  # noqa: B023


@task(19, "all facts about one thing → past, in one act", undone=True)
def all_past(hand: Hand) -> None:
    act(hand, "all facts about Birgitta -> past")


@task(20, "everything one agent wrote since Tuesday → quarantine", undone=True)
def all_quarantined(hand: Hand) -> None:
    act(hand, "everything from Forge since Tuesday -> quarantine")


def act(hand: Hand, words: str) -> None:
    """Type an act in the search, and carry it out."""
    hand.press("ctrl+k")
    hand.focused("Search memories and commands")
    hand.type(words)
    hand.wait(lambda: hand.reads(f"Preview: {words}"), "the offer of a preview")
    hand.press("Return")
    hand.wait(lambda: hand.reads("will be"), "the preview")
    before = hand.change()
    hand.press("Return")
    hand.wait(lambda: hand.change() > before, "the act")
    hand.wait(lambda: not hand.reads("Understood:"), "the sheet to close")


@task(21, "find the day something was first mentioned")
def first_mention(hand: Hand) -> None:
    hand.find("@Leonor")
    hand.wait(lambda: hand.sees("Entity"), "the inspector")
    hand.wait(lambda: hand.reads("First mentioned"), "the day of the first mention")


@task(22, "connect Claude Code")
def connect(hand: Hand) -> None:
    hand.open("Runtimes")
    hand.press("Down", "Up")
    hand.click("Install", "Button")
    hand.click("Make this change", "Button")
    hand.wait(lambda: hand.sees("Uninstall…", "Button"), "the runtime as connected")


def keep_an_agent(desk: Desk) -> None:
    """Write the folder of an agent that is not on the desk yet."""
    workspace = desk.folder.parent / ".openclaw" / "workspace"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "SOUL.md").write_text("# SOUL\n\nQuiet and exact.\n")
    (workspace / "MEMORY.md").write_text("# Memory\n\n- Ada rows on Tuesdays\n- The boat is called Dunlin\n")
    (workspace / "memory" / "2026-11-20.md").write_text("# 2026-11-20\n\n- Ada bought a new oar\n")


@task(23, "import one's own agent's folder from an empty desk", prepared=keep_an_agent)
def bring_in(hand: Hand) -> None:
    hand.focused("Found on this machine")
    hand.press("Return")
    hand.wait(lambda: hand.reads("would come in."), "what would come in")
    before = hand.change()
    hand.press("Return")
    hand.wait(lambda: hand.change() > before and bool(hand.rows("Dunlin")), "the memory")


@task(24, "export a channel; make a backup; restore it")
def backup(hand: Hand) -> None:
    hand.find(">export")
    hand.wait(lambda: hand.sees("Write it", "Button"), "the export")
    hand.click("Channel every channel")
    hand.type("homelab")
    hand.press("Return")
    hand.click("Write it", "Button")
    hand.wait(lambda: hand.sees("Show it in its folder", "Button"), "the archive")
    hand.open("Backups")
    hand.click("Back up now", "Button")
    hand.wait(lambda: hand.sees("Restore…", "Button"), "the backup")
    hand.click("Restore…", "Button")
    hand.click("Restore this one", "Button")
    hand.wait(lambda: hand.reads("The desk is as it was on"), "the desk of the backup")


def add_a_user(desk: Desk) -> None:
    """Remember something for a second user of a desk."""

    async def learned() -> None:
        async with Client(desk) as owner:
            for user in ("local", "guest"):
                ask = NewFact(claim=f"The bell of {user} rings twice", channel="harbour", user_id=user)
                await owner.call(memory.LEARN_FACT, ask)

    while_served(desk, learned)


@task(25, "erase a user", prepared=add_a_user)
def erase(hand: Hand) -> None:
    hand.find(">erase")
    hand.wait(lambda: hand.reads("Type the name once more"), "the question")
    hand.type("guest")
    hand.wait(lambda: hand.reads("Kept of guest"), "what is kept of them")
    hand.click("The name once more", "EditableText")
    hand.type("guest")
    hand.press("Return")
    hand.wait(lambda: hand.reads("Everything of guest was erased."), "the erasure")


@task(26, "change theme, size, language")
def theme(hand: Hand) -> None:
    for value in ("light", "dark"):
        hand.find(f">theme: {value}")
        hand.wait(lambda value=value: f"theme={value}" in kept(hand), "the theme")
    for value in ("125", "100"):
        begun = hand.program.begun
        hand.press("ctrl+k")
        hand.focused("Search memories and commands")
        hand.type(f">size: {value}")
        hand.press("Return")
        hand.wait(lambda begun=begun: hand.program.begun > begun, "another window")
        hand.wait(lambda: shows(hand, "Search memories"), "its search")
    hand.press("ctrl+k")
    hand.focused("Search memories and commands")
    hand.type(">language:")
    hand.wait(lambda: hand.reads("Language: 简体中文"), "the languages")
    hand.press("Down", "Return")
    hand.wait(lambda: hand.reads("今天"), "a window in Chinese")
    hand.press("ctrl+k")
    hand.focused("搜索记忆和命令")
    hand.type(">English")
    hand.press("Return")
    hand.wait(lambda: hand.reads("Today"), "a window in English")


def shows(hand: Hand, words: str) -> bool:
    """Return True if the window says these words; False also while it begins again."""
    with suppress(OSError, ValueError):
        return hand.reads(words)
    return False


def kept(hand: Hand) -> str:
    """Return what is kept of the window's appearance, as the files of this home say it."""
    config = hand.program.desk.folder.parent / "config"
    return "\n".join(file.read_text() for file in config.rglob("*") if file.is_file())


@task(27, "run a job dry, then really, then take it back", undone=True)
def job(hand: Hand) -> None:
    hand.open("Jobs")
    hand.press("Down", "d")
    hand.wait(lambda: hand.reads("would"), "the dry run")
    before = hand.change()
    hand.press("r")
    hand.wait(lambda: hand.change() > before, "the run")


@task(28, "tune recall on one question and keep the setting", undone=True)
def tune(hand: Hand) -> None:
    hand.open("Recall lab")
    hand.press("slash")
    hand.program.screen.press("ctrl+a")
    hand.type("where are we moving")
    hand.press("Return")
    hand.wait(lambda: hand.reads("hits in"), "hits")
    hand.click("Rerank", "CheckBox")
    hand.wait(lambda: hand.sees("Save settings", "Button"), "what differs")
    hand.wait(lambda: hand.reads("hits in"), "hits")
    before = hand.change()
    hand.click("Save settings", "Button")
    hand.wait(lambda: hand.change() > before, "the setting")


@task(29, "tell what changed since yesterday, and finish with it")
def since_yesterday(hand: Hand) -> None:
    hand.open("Overview")
    hand.wait(lambda: hand.reads("Changed since"), "the changes")
    hand.press("shift+Escape")
    hand.wait(lambda: not hand.reads("Mark all as seen"), "nothing left")


def plant_faults(desk: Desk) -> None:
    """Let two agents write fifty faults on a desk, and its checkup ask about them."""

    async def planted() -> None:
        async with (
            Client(desk, agent="Forge") as forge,
            Client(desk, agent="Iris") as iris,
            Client(desk) as owner,
        ):
            await plant(forge, iris, owner)

    while_served(desk, planted)


def while_served(desk: Desk, work: Callable[[], Coroutine[None, None, None]]) -> None:
    """Do some work on a desk while a service of its own has it."""
    service = Service(desk)
    service.start()
    asyncio.run(work())
    service.stop()


@task(30, "the fifty planted faults", prepared=plant_faults)
def settle(hand: Hand) -> None:
    """Press Enter in Today where an answer is suggested, else the number of the careful one, until nothing is left."""

    def left() -> int:
        return hand.told(review.COUNT, CountReview()).total

    def answers() -> list[str]:
        return [name for role, name, *_ in hand.names() if role == "Button" and name[:2] in ("1 ", "2 ")]

    hand.focused("Questions")
    for _ in range(BUDGET_KEYS):
        before = left()
        if not before:
            return
        hand.wait(answers, "the answers")
        offered = answers()
        careful = "2" if any(each.startswith("2 Keep it out") for each in offered) else "1"
        hand.press("Return" if any("suggested" in each for each in offered) else careful)
        with suppress(Surprise):  # The key came before the evidence, and is pressed again.
            hand.wait(lambda before=before: left() < before, "the answer to be taken")
    raise Surprise(f"{left()} faults are left after {BUDGET_KEYS} keys")
