"""Calls about the desk and its service: state, metrics, notices, backups, and the end of the service."""

from __future__ import annotations

import os
from dataclasses import replace

from memdesk.engine import backups
from memdesk.engine.health import status as health
from memdesk.files import passphrase
from memdesk.model.agent import AnswerAct, AskConfirmation, Confirmed, NewPassphrase, PassphraseSet
from memdesk.model.backup import BackupList, RestoreBackup, Restoring
from memdesk.model.message import message
from memdesk.model.status import AnswerNotice, Metrics, Nothing, StandingNotices, Status, Stopping
from memdesk.service.host import Host


def status(host: Host, *, author: str) -> Status:
    """Return the desk's state; its last change is left out for agents, who may not read the audit timeline."""
    found = health.status(
        host.engine,
        socket=str(host.desk.socket),
        pid=os.getpid(),
        started_at=host.started_at,
        jobs=host.jobs.latest(),
        asking=host.confirmations.waiting(),
    )
    if author.startswith("agent:"):
        return replace(found, last_change=None, asking=())
    return found


def metrics(host: Host) -> Metrics:
    """Return the desk in numbers."""
    return health.metrics(host.engine, errors=host.refusals)


def notices(host: Host) -> StandingNotices:
    """Return the notices that wait for a person's answer."""
    return StandingNotices(rows=host.engine.notices.standing())


def answer_notice(host: Host, ask: AnswerNotice) -> StandingNotices:
    """Remove a notice and return those that still wait."""
    host.engine.notices.answer(ask.id)
    return notices(host)


def stop(host: Host) -> Stopping:
    """Ask the service to end."""
    host.stop()
    return Stopping(pid=os.getpid())


def set_owner_passphrase(host: Host, ask: NewPassphrase) -> PassphraseSet:
    """Set or remove the owner's passphrase. Raises StorageFailed."""
    passphrase.set_passphrase(host.desk.owner_passphrase, ask.passphrase)
    return PassphraseSet(is_set=passphrase.is_set(host.desk.owner_passphrase))


def confirm_act(_host: Host, ask: AskConfirmation) -> Confirmed:
    """Return that an act was confirmed: the call is answered only then."""
    return Confirmed(what=ask.what)


def answer_act(host: Host, ask: AnswerAct) -> Nothing:
    """Allow or refuse an act that waits for a click. Raises NotFound."""
    host.confirmations.answer(ask.id, allow=ask.allow)
    return Nothing()


def list_backups(host: Host) -> BackupList:
    """Return the desk's backups."""
    return backups.listing(host.desk)


def restore_backup(host: Host, ask: RestoreBackup) -> Restoring:
    """End the service and start it again with the backup: the database can be replaced only while no call uses it."""
    backup = backups.find_backup(host.desk, ask)
    host.restore(RestoreBackup(name=backup.name))
    return Restoring(
        name=backup.name,
        says=message(
            "The service restores {backup} and begins again; backups.list says how that ended.",
            backup=backup.name,
        ),
    )
