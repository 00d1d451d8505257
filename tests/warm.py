"""Services and commands without the second that Python takes to read their modules.

A process reads them once and is forked for every one a test asks for. From its main function on, it is what
`python -m memdesk` makes it: a process with its own arguments, environment, input, output, signals and exit code."""

from __future__ import annotations

import functools
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent
HANDING_OVER = Path(__file__).with_name("hand_over.py")
READ_BEFORE = ("memdesk.__main__", "memdesk.service.serve", "memdesk.client.find", "memdesk.cli.hook")
MESSAGE_BYTES = 1 << 20
FIRST_JOB_S = 600.0
ENDING_S = 60
"""Time a command has to end after its output did."""
_SPENT: list[float] = []
"""Processor time of the processes that ended, in seconds."""
_ASKING = threading.Lock()
"""Held from a message to its answer: several services may be asked for at once."""


class Begun:
    """A process that was asked for. stdout: what it prints. complaint: the file of its errors. Its exit code is
    negative where a signal ended it.

    said: its standard input."""

    def __init__(self, arguments: Sequence[str], said: bytes = b"") -> None:
        (out, out_end), (ended, end) = os.pipe(), os.pipe()
        self.stdout = os.fdopen(out, "rb")
        self._ended = os.fdopen(ended, "rb")
        self.complaint = tempfile.TemporaryFile()  # noqa: SIM115 - read when the process has ended
        self.returncode: int | None = None
        asked = json.dumps(
            {"arguments": arguments, "environment": dict(os.environ), "folder": str(Path.cwd())}
        )
        with tempfile.TemporaryFile() as given, _ASKING:
            given.write(said)
            given.seek(0)
            wire = warm()
            socket.send_fds(wire, [asked.encode()], [given.fileno(), out_end, self.complaint.fileno(), end])
            self.pid = int(wire.recv(MESSAGE_BYTES))
        os.close(out_end)
        os.close(end)

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        if self.returncode is None and select.select([self._ended], [], [], 0)[0]:
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Wait for its exit code. timeout: in seconds. Raises TimeoutError."""
        if self.returncode is None:
            if not select.select([self._ended], [], [], timeout)[0]:
                raise TimeoutError(f"process {self.pid} did not end within {timeout} seconds")
            code, used = self._ended.read().split()
            self.returncode = int(code)
            _SPENT.append(float(used))
            self._ended.close()
            self.stdout.close()
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def errors(self) -> str:
        """What it wrote to stderr so far."""
        # Not by reading: the place in the file is the process's own.
        file = self.complaint.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).decode()


def ran(arguments: Sequence[str], said: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end, as subprocess.run would with what it prints captured. said: its standard input."""
    begun = Begun(arguments, said.encode())
    with begun.stdout:
        out = begun.stdout.read().decode()
    return subprocess.CompletedProcess(arguments, begun.wait(ENDING_S), out, begun.errors())


def spent_s() -> float:
    """Processor time of all processes that were asked for, and of which the end was waited for."""
    return sum(_SPENT)


def memdesk() -> list[str]:
    """The words that start MemDesk, as `python -m memdesk` does, for what starts processes by itself."""
    warm()
    return [sys.executable, "-I", "-S", str(HANDING_OVER), address()]


@functools.cache
def address() -> str:
    """Where other processes ask this test run's warm process."""
    return str(Path(tempfile.mkdtemp(prefix="warm-"), "asked"))


@functools.cache
def warm() -> socket.socket:
    """The line to this test run's warm process, which ends with the run."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    door.bind(address())
    door.listen(64)
    words = [sys.executable, str(Path(__file__)), str(theirs.fileno()), str(door.fileno())]
    path = os.pathsep.join(filter(None, (str(CHECKOUT), os.environ.get("PYTHONPATH"))))
    subprocess.Popen(
        words,
        pass_fds=[theirs.fileno(), door.fileno()],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    theirs.close()
    door.close()
    return ours


def fork_when_asked(wire: socket.socket, door: socket.socket) -> None:
    """The warm process: fork for every message of the test run's or of those who come to the door, tell the pid,
    and later how it ended."""
    ends: dict[int, int] = {}
    lines = [wire]
    woken, waker = socket.socketpair()
    waker.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker.fileno())
    while True:
        ready = select.select([*lines, door, woken], [], [])[0]
        if door in ready:
            lines.append(door.accept()[0])
        for line in [each for each in lines if each in ready]:
            said, files, _, _ = socket.recv_fds(line, MESSAGE_BYTES, 4)
            if not said:
                if line is wire:
                    return
                lines.remove(line)
                line.close()
                continue
            pid = os.fork()
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for each in (*lines, door, woken, waker):
                    each.close()
                # Held open here, they would keep others from being told that theirs ended.
                for other in ends.values():
                    os.close(other)
                become(files, **json.loads(said))
            *streams, ends[pid] = files
            for each in streams:
                os.close(each)
            line.send(str(pid).encode())
        if woken in ready:
            woken.recv(MESSAGE_BYTES)
            tell(ends)


def tell(ends: dict[int, int]) -> None:
    """Tell of every process that ended."""
    while ends:
        pid, status, used = os.wait4(-1, os.WNOHANG)
        if pid == 0:
            return
        end = ends.pop(pid)
        with suppress(BrokenPipeError):  # Nobody waits for it any more.
            told = f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}"
            os.write(end, told.encode())
        os.close(end)


def become(files: Sequence[int], *, arguments: list[str], environment: dict[str, str], folder: str) -> None:
    """Be what was asked for, to the end of the process."""
    from memdesk.__main__ import main

    for number, file in enumerate(files[:3]):
        os.dup2(file, number)
    # The old ones remember what kind of file they wrote to.
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace", closefd=False)
    for file in files:
        os.close(file)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv = ["memdesk", *arguments]
    code = _ended_with(main)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    # Taking down an interpreter that ends takes as long as starting the service does.
    os._exit(code)


def _ended_with(main: Callable[[], int]) -> int:
    try:
        return main()
    except SystemExit as left:
        return left.code if isinstance(left.code, int) else int(left.code is not None)
    except BaseException:  # noqa: BLE001 - what the interpreter would do
        traceback.print_exc()
        return 1


def read_before() -> None:
    """Compute what every process would compute for itself: modules, converters of calls, tables, patterns."""
    for name in READ_BEFORE:
        importlib.import_module(name)
    # On a crowded machine a test takes a minute too, and would meet what the first jobs of the clock did.
    importlib.import_module("memdesk.service.background").FIRST_JOB_SECONDS = FIRST_JOB_S
    importlib.import_module("tests.prepared").begin()
    importlib.import_module("tests.rehearsal").rehearse()
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    read_before()
    fork_when_asked(*(socket.socket(fileno=int(each)) for each in sys.argv[1:]))
