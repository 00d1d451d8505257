"""A screen of a test's own: an X server without a monitor, a window manager, a tray, and a hand on mouse and keys.

All that happens on it are events of the X server, as a person's mouse and keyboard make them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from tests.conftest import PATIENCE_S, until

SERVER, MANAGER, TRAY = "Xvfb", "openbox", "trayer"
NEEDED = (SERVER, MANAGER, "xdotool", "xprop", "xwininfo", "xclip")


def missing() -> str:
    """Why there can be no screen here; empty where there can be one."""
    lacking = [name for name in NEEDED if shutil.which(name) is None]
    return f"no {', '.join(lacking)} on this machine" if lacking else ""


@contextmanager
def screen(width: int = 1600, height: int = 1000, *, tray: bool = True) -> Iterator[Screen]:
    """A screen with a window manager, and unless it is to do without, a tray where the machine has one."""
    with ExitStack() as running:
        server = running.enter_context(
            ended(
                [
                    SERVER,
                    "-displayfd",
                    "1",
                    "-screen",
                    "0",
                    f"{width}x{height}x24",
                    "-nolisten",
                    "tcp",
                    "-noreset",
                ]
            )
        )
        assert server.stdout is not None
        made = Screen(f":{server.stdout.readline().decode().strip()}", width, height)
        running.enter_context(ended([MANAGER, "--sm-disable"], made))
        until(lambda: "window id" in made.of_root("_NET_CLIENT_LIST"), "the window manager")
        if tray and shutil.which(TRAY):
            running.enter_context(ended([TRAY, "--edge", "bottom", "--align", "left"], made))
            until(lambda: made.run("xdotool", "search", "--onlyvisible", "--class", TRAY), "the tray")
        yield made


@contextmanager
def ended(words: list[str], on: Screen | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """A program that runs for as long as the screen stands."""
    process = subprocess.Popen(
        words,
        env=on.environment if on else None,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


@dataclass(frozen=True)
class Screen:
    """Windows are named by their ids on the X server, places in its pixels from the upper left."""

    display: str
    width: int
    height: int

    @property
    def environment(self) -> dict[str, str]:
        """What a program needs to show its window here, and nowhere else."""
        known = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
        return {**known, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}

    def run(self, *words: str) -> str:
        """What another program on this screen answers; empty where it failed."""
        done = subprocess.run(
            words,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        return done.stdout if done.returncode == 0 else ""

    # What the window manager and the server know.

    def of_root(self, name: str) -> str:
        """A property of the whole screen."""
        return self.run("xprop", "-root", name)

    def of(self, window: int, *names: str) -> str:
        """Properties of a window, as xprop prints them."""
        return self.run("xprop", "-id", str(window), *names)

    def found(self, name: str) -> list[int]:
        """Visible windows with these words in their title."""
        return [int(each) for each in self.run("xdotool", "search", "--onlyvisible", "--name", name).split()]

    def active(self) -> int:
        """The window that the manager gave the keyboard to; 0 for none."""
        said = self.run("xdotool", "getactivewindow")
        return int(said) if said else 0

    def place(self, window: int) -> tuple[int, int, int, int]:
        """A window's x, y, width and height, without its frame."""
        said = dict(
            re.findall(r"(Absolute .*|Width|Height): +(-?\d+)", self.run("xwininfo", "-id", str(window)))
        )
        names = ("Absolute upper-left X", "Absolute upper-left Y", "Width", "Height")
        return tuple(int(said[name]) for name in names)  # type: ignore[return-value]

    def frame(self, window: int) -> tuple[int, int, int, int]:
        """How far the manager's frame stands out to the left, right, top and bottom."""
        said = self.of(window, "_NET_FRAME_EXTENTS").partition("=")[2]
        return tuple(int(each) for each in said.split(",")) if said else (0, 0, 0, 0)  # type: ignore[return-value]

    # The hand.

    def press(self, *keys: str) -> None:
        """Press keys one after the other, such as ctrl+k or Escape."""
        self.run("xdotool", "key", "--delay", "8", *keys)

    def type(self, text: str) -> None:
        self.run("xdotool", "type", "--delay", "8", text)

    def click(self, x: int, y: int, *, button: int = 1, times: int = 1) -> None:
        again = ("--repeat", str(times), "--delay", "40")
        self.run("xdotool", "mousemove", str(x), str(y), "click", *again, str(button))

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Drag with the left button, with a stop on the way, as a hand has."""
        half = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        # To wait for a move is to wait in vain where the pointer stands there already.
        self.run("xdotool", "mousemove", str(start[0]), str(start[1]))
        self.run("xdotool", "mousedown", "1")
        for x, y in (half, end):
            self.run("xdotool", "mousemove", "--sync", str(x), str(y))
        self.run("xdotool", "mouseup", "1")

    def clipboard(self) -> str:
        """What any program of this screen would paste."""
        return self.run("xclip", "-selection", "clipboard", "-out")

    def copy(self, text: str) -> None:
        """Copy as another program does, which goes on holding what it copied."""
        words = ["xclip", "-selection", "clipboard", "-in"]
        # What holds the text goes on in the background; nothing it says is waited for.
        subprocess.run(
            words, env=self.environment, input=text, text=True, stdout=subprocess.DEVNULL, check=True
        )


ELSEWHERE = ("WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_SESSION_TYPE", "QT_SCALE_FACTOR")
"""What would lead a program to another screen, or to another tray than this one's."""
