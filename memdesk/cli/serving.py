"""open, demo, serve, stop: show the window, on your desk or on a fresh copy of the sample desk; run the desk's service
in the foreground, or end it."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memdesk.cli.command import Command, Context
from memdesk.cli.confirming import unlock
from memdesk.cli.output import tallied
from memdesk.client.find import stop_service
from memdesk.files.places import Desk, desk_at
from memdesk.model.errors import BadAsk, Refused, StorageFailed
from memdesk.model.message import message
from memdesk.model.team import Listen


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Output of `serve --json`, printed once the socket answers. listens: the address for members, "" for none."""

    desk: str
    socket: str
    pid: int
    listens: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Output of `stop --json`. pid: the process that ended, None when none ran."""

    desk: str
    pid: int | None


def _declare_serve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--listen", metavar="HOST:PORT", help="also answer members there, with their tokens")
    parser.add_argument("--certificate", metavar="FILE", default="", help="for TLS: the chain, in PEM")
    parser.add_argument("--key", metavar="FILE", default="", help="its key, if the chain's file has none")


def serve(context: Context) -> int:
    """Serve the desk in the foreground until SIGTERM, Ctrl-C or `memdesk stop`.

    With --listen, members whom `memdesk team invite` gave a token are answered over the network; other computers only
    with TLS. The passphrase of an encrypted desk is asked for, or read from a line of standard input."""
    return serve_desk(context, _listen(context.args))


def serve_desk(context: Context, listen: Listen | None = None) -> int:
    """Serve the desk in the foreground, over the network too if asked. Returns the exit code."""
    desk = context.desk
    desk.need_here()
    unlock(desk)
    serving = Serving(
        desk=str(desk.folder),
        socket=str(desk.socket),
        pid=os.getpid(),
        listens="" if listen is None else listen.address,
    )

    def ready() -> None:
        if context.out.json:
            context.out.answer(serving, ())
        else:
            where = " and ".join(filter(None, (serving.socket, serving.listens)))
            context.out.note(f"MemDesk serves {serving.desk} on {where} (Ctrl-C ends it).")

    context.rooms.serve(desk, ready, listen)
    return 0


def _listen(args: argparse.Namespace) -> Listen | None:
    """Return where members are answered. Raises BadAsk for what is no HOST:PORT, or a certificate without one."""
    if args.listen is None and not (args.certificate or args.key):
        return None
    host, _, port = (args.listen or "").rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port[:6]) < 65_536:
        raise BadAsk(
            message("--listen takes an address and a port."),
            next=message("For example: --listen 0.0.0.0:8443 --certificate chain.pem --key key.pem"),
        )
    return Listen(host=host.strip("[]"), port=int(port), certificate=args.certificate, key=args.key)


def stop(context: Context) -> int:
    """Stop the desk's service and wait until it has released the desk."""
    desk = context.desk
    desk.need_here()
    pid = asyncio.run(stop_service(desk))
    says = (
        f"The service of {desk.folder} (process {pid}) ended."
        if pid
        else f"No service runs on {desk.folder}."
    )
    context.out.answer(Stopped(desk=str(desk.folder), pid=pid), [says])
    return 0


DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
"""Environment variables of which Qt needs one on Linux: X11, Wayland, or an explicit platform."""
HOW_TO_SEE = "To see the window, run this on a desktop, over `ssh -X`, or under `xvfb-run`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Output of `demo --json` where no window can be shown: the copy's folder and its record counts."""

    desk: str
    counts: dict[str, int]


def display() -> bool:
    """Return True if a window can be shown here."""
    return sys.platform != "linux" or any(os.environ.get(name) for name in DISPLAYS)


def _declare_open(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="the desk's folder, in place of --desk")
    parser.add_argument("--tour", action="store_true", help="begin with a tour of the window")
    parser.add_argument("--tray", action="store_true", help="begin in the system tray, without the window")


def open_window(context: Context) -> int:
    """Show the desk's window until it is closed, even if the desk is damaged. The service keeps running."""
    desk = desk_at(context.args.path) if context.args.path else context.desk
    if not display():
        raise Refused(
            message("There is no display here to show a window on."),
            next=message(
                "{how_to_see} Without a window: {program} serve --desk {folder}",
                how_to_see=HOW_TO_SEE,
                program=_program(),
                folder=desk.folder,
            ),
        )
    return context.rooms.open_window(desk, tour=context.args.tour, tray=context.args.tray)


def _declare_demo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--serve", action="store_true", help="serve it in the foreground, without a window")
    parser.add_argument("--keep", metavar="DIR", help="keep the copy in DIR, and open that one next time")


def demo(context: Context) -> int:
    """Build a fresh copy of the sample desk and open it. The copy is deleted when the window closes, unless
    you give --keep."""
    with _ended_by_sigterm():
        if context.args.serve:
            with _copy(context, keep=False) as (sample, _):
                return serve_desk(sample)
        return _with_window(context) if display() else _without_window(context)


@contextlib.contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Handle SIGTERM like Ctrl-C, so that the copy is removed and its service ended."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _with_window(context: Context) -> int:
    """Open the copy in a separate process, so that we can clean up however the window ends."""
    with _copy(context, keep=False) as (sample, counts):
        words = [sys.executable, "-m", "memdesk", "open", "--desk", str(sample.desk.folder)]
        # A copy that was just made is seen for the first time.
        words += ["--tour"] if counts else []
        window = subprocess.Popen(words)
        try:
            return window.wait()
        finally:
            window.terminate()
            window.wait()
            asyncio.run(stop_service(sample.desk))


def _without_window(context: Context) -> int:
    """Keep the copy and print commands to try on it."""
    with _copy(context, keep=True) as (sample, counts):
        folder = str(sample.desk.folder)
        context.out.answer(Sample(desk=folder, counts=counts), _things_to_try(folder, counts))
    return 0


def _things_to_try(folder: str, counts: Mapping[str, int]) -> Iterator[str]:
    program, desk = _program(), f"--desk {shlex.quote(folder)}"
    yield f"The sample desk is ready in {folder}" + (f": {tallied(counts)}." if counts else ".")
    yield f"\nThere is no display here to show its window on. {HOW_TO_SEE}"
    yield "\nThings to try without one:"
    for words in ("recall 'where are we moving'", "facts", "log --op promote", "status"):
        yield f"  {program} {words} {desk}"
    yield f"\nTo serve it for agents and scripts, without a window:\n  {program} serve {desk}"
    yield f"\nIt is a copy. To be rid of it:\n  {program} stop {desk} && rm -r {shlex.quote(folder)}"


def _program() -> str:
    """Return the command that starts MemDesk here: its name if it is on the path, else this Python with `-m
    memdesk`."""
    if shutil.which("memdesk"):
        return "memdesk"
    python = Path(sys.executable)
    near = python.relative_to(Path.cwd()) if python.is_relative_to(Path.cwd()) else python
    return f"{shlex.quote(str(near))} -m memdesk"


@contextlib.contextmanager
def _copy(context: Context, *, keep: bool) -> Iterator[tuple[Context, dict[str, int]]]:
    """Yield the context of a sample desk and its record counts: a kept desk, or a fresh copy that is removed
    afterwards.

    keep: True to leave a fresh copy in place. Raises StorageFailed where no temporary folder can be made."""
    kept = context.args.keep or context.args.desk
    try:
        folder = (
            Path(kept).expanduser().absolute() if kept else Path(tempfile.mkdtemp(prefix="memdesk-demo-"))
        )
    except OSError as error:
        raise StorageFailed(
            message("No temporary folder can be made: {strerror}.", strerror=error.strerror),
            next=message("Name a folder for the sample desk with --keep, or one you may write to in TMPDIR."),
        ) from error
    # The title of its window is the name of its folder.
    desk = Desk(folder if kept or keep else folder / "Sample desk")
    try:
        counts: dict[str, int] = {}
        if not desk.database.exists():
            context.out.note("Building the sample desk…")
            counts = context.rooms.play_sample(desk)
        yield replace(context, desk=desk), counts
    finally:
        if not kept and not keep:
            shutil.rmtree(folder, ignore_errors=True)


COMMANDS = (
    Command(name="serve", run=serve, declare=_declare_serve),
    Command(name="stop", run=stop),
    Command(name="open", run=open_window, declare=_declare_open),
    Command(name="demo", run=demo, declare=_declare_demo),
)
