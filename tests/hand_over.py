"""A command of MemDesk that the warm process of a test run is asked to be: `hand_over.py ADDRESS ARGUMENTS`.

It has this process's arguments, environment, folder, input, output and errors; this process has its signals and exit
code. To read the modules of MemDesk for one command takes twenty times as long."""

import json
import os
import signal
import socket
import sys

MESSAGE_BYTES = 1 << 20


def main(address: str, *arguments: str) -> int:
    """Ask, and wait for the end."""
    ended, end = os.pipe()
    asked = {"arguments": arguments, "environment": dict(os.environ), "folder": os.getcwd()}  # noqa: PTH109 - quick
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as wire:
        wire.connect(address)
        socket.send_fds(wire, [json.dumps(asked).encode()], [0, 1, 2, end])
        pid = int(wire.recv(MESSAGE_BYTES))
    os.close(end)
    for each in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(each, lambda number, _: os.kill(pid, number))
    # Whoever started this process waits for the other end of these, too.
    for stream in (0, 1, 2):
        os.close(stream)
    code = int(os.read(ended, 100).split()[0])
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


if __name__ == "__main__":
    os._exit(main(*sys.argv[1:]))
