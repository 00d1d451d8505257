"""Members in the window: invited with a token that is shown once, and revoked after it was shown what ends."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from memdesk.api import memory, team
from memdesk.client.client import Client
from memdesk.files.places import Desk, desk_at
from memdesk.gui.panels import PANELS
from memdesk.gui.panels.facts_panel import FactsPanel
from memdesk.gui.panels.members_panel import (
    InviteForm,
    MembersPanel,
    RevokeForm,
    channel_words,
    end_tone,
    end_words,
    user_words,
)
from memdesk.gui.shell.panel import DECLARED, Panel
from memdesk.gui.shell.status_line import Notice
from memdesk.gui.window import Window
from memdesk.model.errors import MemDeskError
from memdesk.model.remember import NewFact
from memdesk.model.status import Nothing
from memdesk.model.team import AGENT, CURATOR, OWNER, READER, Invite, MemberRow, may
from tests.conftest import Service
from tests.gui.driving import activated, click, drive, opened, until
from tests.over_tls import OverTls


async def shown(window: Window) -> MembersPanel:
    panel = window.open_panel("members")
    assert isinstance(panel, MembersPanel)
    await activated(window)
    return panel


def test_a_member_is_invited_with_a_token_shown_once_and_revoked_after_it_was_shown_what_ends(
    qapp: QApplication, running_service: Service
) -> None:
    async def scenario() -> None:
        async with opened(running_service.desk, size=(1100, 700)) as window:
            panel = await shown(window)
            assert panel.new is not None
            await until(panel._empty.isVisible, "the words of no member")
            click(panel._empty.step)
            form = panel.detail.stack.form
            assert isinstance(form, InviteForm)
            form.role.set_value(OWNER)
            form.role.chosen.emit(OWNER)
            assert not form.channels.isEnabled()
            form.role.set_value(CURATOR)
            form.role.chosen.emit(CURATOR)
            form.name.setText("Ana")
            form.users.setText("local, acme")
            form.channels.setText("shop，garden")
            click(form.save)
            await until(panel.once.isVisible, "the token")
            token = panel.token.text()
            assert token.startswith("mda_") and "this once" in panel.made.text()
            await until(lambda: panel.detail.record, "the member")
            (row,) = (await window.session.call(team.LIST, Nothing())).rows
            assert (row.name, row.role, row.users, row.channels) == (
                "Ana", CURATOR, ("local", "acme"), ("shop", "garden"),
            )  # fmt: skip
            click(panel.copy)
            assert QGuiApplication.clipboard().text() == token
            click(panel.done)
            assert not panel.once.isVisible() and not panel.token.text()

            # A second token of the same member is another row of the desk, and one member here.
            click(panel.detail.acts.buttons["another"])
            form = panel.detail.stack.form
            assert isinstance(form, InviteForm) and form.role.value() == CURATOR
            click(form.save)
            await until(lambda: panel.detail.record and len(panel.detail.record.tokens) == 2, "both tokens")
            async with Client(running_service.desk, token=token) as ana:
                await ana.call(memory.LEARN_FACT, NewFact(claim="The shop opens at eight.", channel="shop"))

            click(panel.detail.acts.buttons["revoke"])
            ask = panel.detail.stack.form
            assert isinstance(ask, RevokeForm) and "2 tokens" in ask.save.text()
            assert ask.cancel.hasFocus()
            click(ask.cancel)
            assert len((await window.session.call(team.LIST, Nothing())).rows) == 2
            panel.act("retire")
            ask = panel.detail.stack.form
            assert isinstance(ask, RevokeForm)
            click(ask.save)
            await until(panel._empty.isVisible, "the end of the member")
            assert not (await window.session.call(team.LIST, Nothing())).rows
            # The other token that had been made was not put away, and ended with its member.
            assert not panel.once.isVisible()

    drive(qapp, scenario)


@pytest.mark.parametrize(
    ("days", "words", "tone"),
    [(None, "no end", "t2"), (30, "until", "t2"), (3, "until", "warn"), (-1, "ended", "bad")],
)
def test_the_end_of_a_token_warns_in_its_last_week(
    qapp: QApplication, days: int | None, words: str, tone: str
) -> None:
    now = datetime.now(tz=UTC)
    token = MemberRow(
        name="scout", role=AGENT, users=(), channels=(), made_at=now,
        ends_at=None if days is None else now + timedelta(days=days), seen_at=None,
    )  # fmt: skip
    assert words in end_words(token, now=now) and end_tone(token, now=now) == tone
    assert (user_words(token), channel_words(token)) == ("as granted", "as granted")


@pytest.fixture
def over_tls(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OverTls]:
    """The desk of another computer, whose certificate this one trusts."""
    service = OverTls(Desk(short_folder / "desk"))
    service.start()
    monkeypatch.setenv("SSL_CERT_FILE", str(service.chain))
    monkeypatch.setenv("XDG_DATA_HOME", str(short_folder / "elsewhere"))
    yield service
    service.stop()


def test_a_curators_window_over_the_network_says_once_what_only_an_owner_may(
    qapp: QApplication, over_tls: OverTls, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with Client(over_tls.desk) as owner:
            made = await owner.call(team.INVITE, Invite(name="Ana", role=CURATOR))
            await owner.call(memory.LEARN_FACT, NewFact(claim="The shop opens at eight."))
        monkeypatch.setenv("MEMDESK_TOKEN", made.token)
        there = desk_at(over_tls.url)
        async with opened(there, size=(1100, 700), panel="review") as window:
            refused: list[MemDeskError] = []
            window.session.failed.connect(refused.append)
            status = window.session.status
            assert status is not None and (status.person, status.desk) == ("Ana", str(there.folder))
            assert window.windowTitle().startswith("localhost:")
            for name in ("review", "facts", "audit", "profile", "lab"):
                panel = window.open_panel(name)
                await until(partial(has_come, panel), name)
                assert not panel._failure.isVisible(), name
            for name in ("members", "settings", "backups", "connections"):
                panel = window.open_panel(name)
                await until(partial(has_come, panel), name)
                assert panel._empty.sentence.text() == "Only an owner of this desk may open this page."
            members = await shown(window)
            assert members.new is not None and not members.new.isEnabled()
            # Nothing of hers can be taken back: what the owner did is not hers.
            assert not window.status_line.undo.isVisible()
            assert not refused

    drive(qapp, scenario)


@pytest.mark.parametrize("role", [READER, CURATOR])
def test_a_member_of_several_users_has_the_pages_alone_that_the_role_opens_and_no_notice(
    qapp: QApplication, over_tls: OverTls, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    async def scenario() -> None:
        async with Client(over_tls.desk) as owner:
            made = await owner.call(team.INVITE, Invite(name="Ana", role=role, users=("acme", "bolt")))
            await owner.call(memory.LEARN_FACT, NewFact(claim="The shop opens at eight.", user_id="acme"))
        monkeypatch.setenv("MEMDESK_TOKEN", made.token)
        refused: list[MemDeskError] = []
        monkeypatch.setattr(Notice, "show_wrong", lambda _, wrong: refused.append(wrong))
        async with opened(desk_at(over_tls.url), size=(1100, 700), panel="review") as window:
            await until(lambda: window.session.role == role, "the role")
            await until(lambda: window.stage.panel and window.stage.panel._task is None, "the first page")
            assert window.stage.panel and may(role, DECLARED[window.stage.panel.name].role)
            window.open_search()
            offered = {command.says for command in window.search._commands}
            window.search.close_palette()
            for entry in PANELS:
                panel = window.open_panel(entry.name)
                await until(partial(has_come, panel), entry.name)
                opens, says = may(role, entry.role), panel._empty.sentence.text()
                assert window.rail.entry(entry.name).isVisible() is opens, entry.name
                assert (f"Open {entry.title}" in offered) is opens, entry.name
                if opens:
                    assert not panel._failure.isVisible() and "may open" not in says, entry.name
                else:
                    is_said = "may open" in says or "another role" in says
                    assert panel._failure.isVisible() or is_said, entry.name
            panel = window.open_panel("facts")
            assert isinstance(panel, FactsPanel)
            await until(lambda: panel.model.rowCount() == 1, "the fact of the first user")
            assert not refused

    drive(qapp, scenario)


def has_come(panel: Panel) -> bool:
    """The panel shows what it loaded, or why it cannot."""
    return panel._task is None and not panel._skeleton.isVisible()
