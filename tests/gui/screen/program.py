"""The program on a screen, seen through its witness."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import memdesk
from memdesk.files.places import Desk
from tests.conftest import PATIENCE_S, until
from tests.gui.screen.screen import Screen
from tests.gui.screen.witness import BUSY_S, WITNESS

CHECKOUT = Path(memdesk.__file__).parent.parent


class Box(NamedTuple):
    """Where something stands, in pixels of the screen."""

    x: int
    y: int
    width: int
    height: int

    @property
    def middle(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height // 2

    def holds(self, other: Box) -> bool:
        """Whether nothing of the other stands out of it."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )


class Program:
    """`memdesk open` in a process of its own, with the mouse and keyboard of its screen.

    plain: as a person starts it, without the witness; then only the screen knows of it.
    shows: whether a window of its own is to be waited for."""

    def __init__(
        self, screen: Screen, desk: Desk, *, plain: bool = False, shows: bool = True, **environment: str
    ) -> None:
        self.screen, self.desk = screen, desk
        self._door = desk.folder.parent / f"{len(list(desk.folder.parent.glob('*.see')))}.see"
        program = ["-m", "memdesk"] if plain else [str(Path(__file__).parent / "witness.py")]
        self.process = subprocess.Popen(
            [sys.executable, *program, "open", "--desk", str(desk.folder)],
            cwd=CHECKOUT,
            env={**screen.environment, "PYTHONPATH": str(CHECKOUT), WITNESS: str(self._door), **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.title = f"{desk.folder.name} · MemDesk"
        self.window = until(self._shown, "the window")[0] if shows else 0

    @property
    def name(self) -> str:
        """The window's id, as other programs take it."""
        return str(self.window)

    def _shown(self) -> list[int]:
        assert self.process.poll() is None, self._words()
        return [
            each
            for each in self.screen.found(self.title)
            if self.screen.of(each, "_NET_WM_PID").endswith(f" {self.process.pid}\n")
        ]

    def _words(self) -> str:
        return self.process.communicate(timeout=PATIENCE_S)[0].decode()

    def ended(self) -> str:
        """Wait until it ended by itself, and well. Returns what it said."""
        said = self._words()
        assert self.process.returncode == 0, said
        return said

    def end(self) -> None:
        """End it as the end of a session does."""
        if self.process.poll() is None:
            self.process.terminate()
            self.ended()

    @property
    def begun(self) -> int:
        """When the program began, or began again in another size, in ns; 0 while it does not answer yet."""
        return self._door.stat().st_mtime_ns if self._door.exists() else 0

    # What is to be seen.

    def ask(self, ask: str, **more: str) -> Any:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
            caller.settimeout(PATIENCE_S)
            caller.connect(str(self._door))
            with caller.makefile("rw") as wire:
                print(json.dumps({"ask": ask, **more}), file=wire, flush=True)
                answer = json.loads(wire.readline())
        if answer is None:
            raise ValueError(f"the window was busy for {BUSY_S} s and did not answer “{ask}”")
        return answer

    def seen(self, name: str, role: str = "", window: str = "") -> list[Box]:
        """Every visible thing of that name. window: the title of the one it is in."""
        return [Box(*each) for each in self.ask("where", name=name, role=role, window=window)]

    def where(self, name: str, role: str = "", window: str = "") -> Box:
        """Where the one thing of that name stands, once it stands still."""
        kept: list[list[Box]] = [[]]

        def still() -> bool:
            kept.append(self.seen(name, role, window))
            return len(kept[-1]) > 0 and kept[-1] == kept[-2]

        until(still, f"“{name}” on the screen")
        return kept[-1][0]

    def front(self) -> dict[str, Any]:
        """`focus`, the name of what has the keyboard; `window`, the title in front; whether a `popup` is open, and
        whether the program is `active`."""
        said: dict[str, Any] = self.ask("front")
        return said

    def has_keyboard(self, name: str) -> None:
        """Wait until the thing of that name has the keyboard."""
        until(lambda: self.front()["focus"] == name, f"the keyboard at “{name}”")

    def is_in_front(self) -> None:
        """Wait until both the manager and the window say that it has the keyboard."""
        until(lambda: self.screen.active() == self.window, "the manager to give it the keyboard")
        until(lambda: self.front()["window"] == self.title, "the window to know it")

    def is_away(self) -> None:
        """Wait until the window is hidden and the program knows that the keyboard is elsewhere.

        X11 says the latter some 100 ms after the former, and then Qt closes a menu that was opened meanwhile."""
        until(lambda: not self.screen.found(self.title), "the window to go")
        until(lambda: not self.front()["active"], "the keyboard to go elsewhere")

    def is_gone(self, name: str, role: str = "") -> None:
        until(lambda: not self.seen(name, role), f"“{name}” to go")

    # What a person does.

    def click(self, name: str, role: str = "", window: str = "", *, button: int = 1) -> None:
        """Press in the middle of the thing of that name."""
        self.screen.click(*self.where(name, role, window).middle, button=button)

    def of(self, *names: str) -> str:
        """Properties of the window, as xprop prints them."""
        return self.screen.of(self.window, *names)

    def state(self, name: str) -> Callable[[], bool]:
        """Whether the manager holds the window in a state, such as MAXIMIZED_VERT."""
        return lambda: name in self.of("_NET_WM_STATE")


Start = Callable[..., Program]
