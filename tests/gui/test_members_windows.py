"""Windows of members over the network: two curators at one memory, what a reader follows, and exports."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from memdesk.api import curation, memory, team
from memdesk.client.client import Client
from memdesk.files.places import Desk, desk_at
from memdesk.gui.inspectors.belief import EditForm
from memdesk.gui.inspectors.memory import MemoryView
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.overview_panel import OverviewPanel
from memdesk.gui.panels.transfer_panel import ERASE, EXPORT, IMPORT, REVOKE, TransferPanel
from memdesk.gui.window import Window
from memdesk.model.curation import EditFact
from memdesk.model.errors import MemDeskError
from memdesk.model.remember import NewFact
from memdesk.model.team import CURATOR, READER, Invite
from tests.gui.driving import activated, click, drive, opened, until
from tests.over_tls import OverTls


@pytest.fixture(scope="module")
def service() -> Iterator[OverTls]:
    folder = Path(tempfile.mkdtemp(prefix="md-"))
    found = OverTls(Desk(folder / "desk"))
    found.start()
    yield found
    found.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def there(service: OverTls, short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The desk as another computer sees it, which trusts its certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(service.chain))
    monkeypatch.setenv("XDG_DATA_HOME", str(short_folder / "elsewhere"))
    return desk_at(service.url)


async def inspected(window: Window, id: str) -> MemoryView:
    window.inspector.show_memory(id)
    await until(
        lambda: isinstance(window.inspector.view, MemoryView) and window.inspector.view.seen.id == id, id
    )
    assert isinstance(window.inspector.view, MemoryView)
    return window.inspector.view


def test_of_two_curators_who_edit_one_memory_the_second_meets_a_conflict_that_keeps_the_words(
    qapp: QApplication, service: OverTls, there: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with Client(service.desk) as owner:
            tokens = [
                (await owner.call(team.INVITE, Invite(name=name, role=CURATOR))).token
                for name in ("Ana", "Ben")
            ]
            id = (await owner.call(memory.LEARN_FACT, NewFact(claim="The shop opens at eight."))).id
        monkeypatch.setenv("MEMDESK_TOKEN", tokens[0])
        async with opened(there) as first:
            monkeypatch.setenv("MEMDESK_TOKEN", tokens[1])
            async with opened(there) as second:
                people = [window.session.person for window in (first, second)]
                assert people == ["Ana", "Ben"]
                forms = []
                for window, claim in ((first, "The shop opens at nine."), (second, "The shop opens at ten.")):
                    view = await inspected(window, id)
                    view.edit()
                    assert isinstance(view.form, EditForm)
                    view.form.claim.set_text(claim)
                    forms.append(view.form)
                click(forms[0].save)
                await until(lambda: first.session.deed, "what Ana did")
                await activated(second)
                click(forms[1].save)
                await until(second.strips.notice.isVisible, "the notice")
                assert "changed" in second.strips.notice.accessibleName()
                view = second.inspector.view
                assert isinstance(view, MemoryView) and view.form is forms[1]
                assert forms[1].claim.text() == "The shop opens at ten."
                view.close_form()
                # Ben's window followed what Ana did.
                await until(lambda: "nine" in second.inspector.view.seen.title, "what Ana wrote")  # type: ignore[union-attr]

    drive(qapp, scenario)


def test_a_readers_window_has_its_channels_and_follows_what_it_may_see(
    qapp: QApplication, service: OverTls, there: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with Client(service.desk) as owner:

            async def learn(claim: str, channel: str) -> str:
                return (await owner.call(memory.LEARN_FACT, NewFact(claim=claim, channel=channel))).id

            asked = Invite(name="Rita", role=READER, only_channels=("open",))
            monkeypatch.setenv("MEMDESK_TOKEN", (await owner.call(team.INVITE, asked)).token)
            await learn("All tides turn.", "_global")
            seen, hidden = await learn("The mill turns.", "open"), await learn("The vault is plugh.", "board")
            async with opened(there, panel="facts") as window:
                heard: list[str] = []
                wrong: list[MemDeskError] = []
                window.session.changed.connect(lambda events: heard.extend(str(each) for each in events))
                window.session.failed.connect(wrong.append)
                panel = window.open_panel("facts")
                assert isinstance(panel, FactsPanel)
                await until(lambda: panel.model.row(0), "the facts")
                offered = {option.text for option in window.top_bar.channels.options}
                assert offered == {"_global", "open"}
                await owner.call(curation.EDIT_FACT, EditFact(fact_id=hidden, claim="The vault is xyzzy."))
                await owner.call(curation.EDIT_FACT, EditFact(fact_id=seen, claim="The mill stands still."))
                await until(lambda: any("stands still" in each for each in heard), "the change")
                rows = range(panel.model.rowCount())
                await until(
                    lambda: any("still" in str(panel.model.row(place)) for place in rows),
                    "the fact as it reads then",
                )
                assert not [each for each in heard if "vault" in each or hidden in each]
                assert not wrong
                # It reads the memory, and is offered no act on it.
                view = await inspected(window, seen)
                assert "stands still" in view.seen.title
                acts = [*view.footer.buttons.values(), view.footer.more]
                await until(lambda: not any(each.isEnabled() for each in acts), "the acts to be closed")
                assert all("change nothing" in each.accessibleDescription() for each in acts)
                assert "change nothing" in view.footer.press("retire")
                said = {key.says for key in window.keys.keys if key.call is not None}
                window.open_search()
                assert not said & {key.says for key in window.search._commands}
                window.search.close_palette()
                # Of what it may not read there is no trace but a sentence where it asks for it.
                assert window.rail.place("connections").isHidden()
                overview = window.open_panel("overview")
                assert isinstance(overview, OverviewPanel)
                await until(lambda: overview.changes.model().rowCount(), "the changes")
                layers = [overview.model.row(place) for place in range(overview.model.rowCount())]
                assert [each.name for each in layers if each] == ["episodic", "semantic"]
                undo = overview.changes.model().columnCount() - 1
                shown = range(overview.changes.model().rowCount())
                assert not any(overview.changes.model().index(row, undo).data() for row in shown)
                window.inspector.show_event(1)
                await until(lambda: "You read this desk" in window.inspector._failure.what.text(), "why not")
                assert not wrong

    drive(qapp, scenario)


def test_a_curators_window_exports_to_its_own_computer_and_says_where_an_import_is_done(
    qapp: QApplication, service: OverTls, there: Desk, short_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with Client(service.desk) as owner:
            await owner.call(memory.LEARN_FACT, NewFact(claim="The quay is long.", channel="open"))
            await owner.call(memory.LEARN_FACT, NewFact(claim="The vault is plugh.", channel="board"))
            asked = Invite(name="Cara", role=CURATOR, only_channels=("open",))
            monkeypatch.setenv("MEMDESK_TOKEN", (await owner.call(team.INVITE, asked)).token)
        async with opened(there) as window:
            panel = window.open_panel("transfer")
            assert isinstance(panel, TransferPanel)
            assert panel.pages.value() == EXPORT and panel.folders.isHidden()
            panel.open_page(IMPORT)
            await until(panel._empty.isVisible, "where an import is done")
            assert panel._empty.sentence.text() == "An import reads files on the computer of this desk."
            for page, may in ((EXPORT, True), (REVOKE, False), (ERASE, False)):
                assert panel.pages.button(page).isEnabled() is may, page
            panel.open_page(ERASE)
            await until(lambda: "Only an owner" in panel._empty.sentence.text(), "who may erase")
            panel.open_page(EXPORT)
            form = panel.sending
            await until(lambda: form.rows.rowCount(), "what would go out")
            assert not form.history.isVisible()
            form.target.set_path(str(short_folder / "cara.zip"))
            click(form.footer.begin)
            await until(lambda: "Written to" in form.footer.ended.text(), "the file")
            with zipfile.ZipFile(short_folder / "cara.zip") as zip:
                text = "".join(zip.read(name).decode() for name in zip.namelist())
            assert "The quay is long." in text and "plugh" not in text and "board" not in text

    drive(qapp, scenario)


def test_a_curator_of_two_users_exports_the_first_and_chooses_the_other(
    qapp: QApplication, service: OverTls, there: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with Client(service.desk) as owner:
            for user, claims in (
                ("acme", ("The mast is tall.",)),
                ("brig", ("The hold is wet.", "A rat swims.")),
            ):
                for claim in claims:
                    await owner.call(memory.LEARN_FACT, NewFact(claim=claim, user_id=user, channel="open"))
            asked = Invite(name="Dora", role=CURATOR, users=("brig", "acme"))
            monkeypatch.setenv("MEMDESK_TOKEN", (await owner.call(team.INVITE, asked)).token)
        async with opened(there) as window:
            panel = window.open_panel("transfer")
            assert isinstance(panel, TransferPanel)
            panel.open_page(EXPORT)
            form = panel.sending

            def facts() -> list[int]:
                rows = map(form.rows.row, range(form.rows.rowCount()))
                return [each.goes for each in rows if each is not None and each.table == "facts"]

            await until(facts, "what would go out")
            assert [each.value for each in form.users.options] == ["acme", "brig"]
            assert form.users.value() == "acme" and facts() == [1]
            form.users.set_value("brig")
            form.users.chosen.emit("brig")
            await until(lambda: facts() == [2], "the other user's")
            assert form.failure.isHidden()

    drive(qapp, scenario)
