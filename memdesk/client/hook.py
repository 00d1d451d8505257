"""Hook of an agent runtime: passes an event of a session to the desk's service, and prints its answer.

The runtime starts this file for every event, as `python -I -S FILE MOMENT --socket SOCKET`, so it imports few modules
of the standard library and nothing else. It never fails: where the desk is away or slow, the runtime gets nothing, and
the reason goes to standard error."""

import os
import select
import socket
import sys
import time

SECONDS = {"session-start": 15.0, "pre-compact": 15.0, "session-end": 15.0}
"""Time limit by moment: at the start of a session the service may have to start, before a compaction and at the end the
transcript is long."""
USUAL_SECONDS = 5.0
STARTS = ("session-start",)
"""Moments at which the service is started if it is not running."""
INPUT_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 64 * 1024
OPTIONS = {"--agent": "agent_id", "--channel": "channel", "--user": "user_id", "--budget": "budget_tokens"}


class NoService(Exception):
    """Error where the desk did not get the event. Its text is the reason."""


def main(arguments: list[str]) -> int:
    """Pass one event on. arguments: the moment, and `--socket` with options and their values."""
    moment, options = arguments[0], dict(zip(arguments[1::2], arguments[2::2], strict=False))
    output, note = "", ""
    try:
        seconds = float(options.get("--seconds", SECONDS.get(moment, USUAL_SECONDS)))
        output, note = _exchange(moment, options, time.monotonic() + seconds)
    except NoService as wrong:
        note = str(wrong)
    except TimeoutError:
        note = "the desk took too long"
    except OSError as wrong:
        note = f"the desk did not answer ({wrong.strerror or wrong})"
    except Exception as wrong:  # noqa: BLE001 - the top of a hook: a runtime must not stumble over our bug
        note = f"{type(wrong).__name__}, which is a bug"
    if output:
        sys.stdout.write(output + "\n")
    if note:
        sys.stderr.write(f"memdesk hook {moment}: {note.rstrip('.')}; the session goes on without.\n")
    return 0


def _exchange(moment: str, options: dict[str, str], until: float) -> tuple[str, str]:
    """Return the service's output and note. Raises NotHeard, TimeoutError or OSError."""
    said = _read(until)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as desk:
        try:
            desk.settimeout(_seconds_left(until))
            desk.connect(options["--socket"])
        except (FileNotFoundError, ConnectionRefusedError):
            if moment not in STARTS:
                raise NoService("no service answers on the desk") from None
            return _started(moment, options, said, until)
        return _asked(desk, moment, options, said, until)


def _started(moment: str, options: dict[str, str], said: bytes, until: float) -> tuple[str, str]:
    """Start the service by a command that needs it, then ask it."""
    import subprocess

    place = ["--desk", options["--desk"]] if "--desk" in options else []
    command = [sys.executable, "-m", "memdesk", "status", *place]
    try:
        subprocess.run(
            command,
            timeout=_seconds_left(until),
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError from None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as desk:
        try:
            desk.connect(options["--socket"])
        except (FileNotFoundError, ConnectionRefusedError):
            raise NoService("the service of the desk does not start; `memdesk status` says why") from None
        return _asked(desk, moment, options, said, until)


def _read(until: float) -> bytes:
    """Return what the runtime pipes in. Raises TimeoutError when it keeps its pipe open."""
    pieces: list[bytes] = []
    size = 0
    # None where the runtime closed it.
    given = None if sys.stdin is None else sys.stdin.fileno()
    while given is not None and size < INPUT_BYTES:
        if not select.select([given], [], [], _seconds_left(until))[0]:
            raise TimeoutError
        piece = os.read(given, CHUNK_BYTES)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)


def _asked(
    desk: socket.socket, moment: str, options: dict[str, str], said: bytes, until: float
) -> tuple[str, str]:
    """Send the event as one request of HTTP, and return output and note of the answer."""
    import json

    fields: dict[str, object] = {"moment": moment}
    for option, name in OPTIONS.items():
        if option in options:
            fields[name] = int(options[option]) if option == "--budget" else options[option]
    fields["said"] = said.decode("utf-8", "replace")
    body = json.dumps(fields).encode()
    token = _token(options)
    authorization = f"authorization: Bearer {token}\r\n" if token else ""
    agent = "".join(f"%{byte:02X}" for byte in options.get("--agent", "hook").encode())
    head = (
        "POST /v1/hooks/event HTTP/1.0\r\nhost: desk\r\ncontent-type: application/json\r\n"
        f"{authorization}x-memdesk-agent: {agent}\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    desk.settimeout(_seconds_left(until))
    desk.sendall(head.encode() + body)
    pieces: list[bytes] = []
    while True:
        desk.settimeout(_seconds_left(until))
        piece = desk.recv(CHUNK_BYTES)
        if not piece:
            break
        pieces.append(piece)
    _, _, answer = b"".join(pieces).partition(b"\r\n\r\n")
    try:
        reply = json.loads(answer)
    except ValueError:
        raise NoService("the service went away before it answered") from None
    return str(reply.get("output", "")), str(reply.get("note") or reply.get("says", ""))


def _token(options: dict[str, str]) -> str:
    """Return the agent's token, "" without one. Raises NotHeard for one that cannot be read."""
    if "--token-file" not in options:
        return os.environ.get("MEMDESK_TOKEN", "")
    try:
        with open(options["--token-file"], encoding="ascii") as file:
            return file.read().strip()
    except (OSError, ValueError) as wrong:
        raise NoService(f"the agent's token cannot be read ({wrong})") from None


def _seconds_left(until: float) -> float:
    """Return the seconds that are left. Raises TimeoutError where there are none."""
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
