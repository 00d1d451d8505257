"""How soon the window is there: bare PySide6 and MemDesk in turns, so that a busy machine slows both alike.

    python -m tests.bench.startup [RUNS]

A run is a process of its own. painted: the first frame is drawn. usable: the open panel shows the desk's memory.
Seconds on the wall since the process was started, seconds of its processor time, and megabytes resident.
The service runs already, as it does after the first window; its own start is measured once."""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memdesk.__main__ import Program
from memdesk.client.find import ensure_service, stop_service
from memdesk.files.places import Desk

RUNS = 9
TELL = """
import json, os, sys, time
began, told = float(sys.argv[1]), {}
def tell(name):
    pages = int(open("/proc/self/statm").read().split()[1])
    megabytes = pages * os.sysconf("SC_PAGE_SIZE") / 1e6
    told[name] = (time.time() - began, time.process_time(), megabytes)
"""
BARE = """
from PySide6.QtWidgets import QApplication, QWidget
class Window(QWidget):
    def paintEvent(self, event):
        tell("painted")
        QApplication.quit()
app = QApplication([])
window = Window()
window.resize(1440, 900)
window.show()
app.exec()
print(json.dumps(told))
"""
OURS = """
from pathlib import Path
from PySide6.QtCore import QTimer
from memdesk.files.places import Desk
from memdesk.__main__ import Program, at_a_stretch
with at_a_stretch():
    from memdesk.gui import app
    from memdesk.gui.window import Window

class Watched(Window):
    def paintEvent(self, event):
        super().paintEvent(event)
        if "painted" not in told:
            tell("painted")
            self.look()
    def look(self):
        panel = self.stage.panel
        if panel is not None and panel._has_content and self.session.status is not None:
            tell("usable")
            self.close_at_once()
        else:
            QTimer.singleShot(2, self.look)

app.Window = Watched
app.run(Desk(Path(sys.argv[2])), Program())
print(json.dumps(told))
"""


def one(program: str, *words: str) -> dict[str, tuple[float, float, float]]:
    """Run a program in a process of its own. Returns wall s, processor s and MB by what it told."""
    script = [sys.executable, "-c", TELL + program, f"{time.time()}", *words]
    done = subprocess.run(script, check=True, capture_output=True, text=True)
    told: dict[str, tuple[float, float, float]] = json.loads(done.stdout)
    return told


def main(runs: int) -> None:
    """Measure, and print a table."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder) / "sample")
        os.environ["XDG_CONFIG_HOME"] = str(Path(folder) / "config")
        print("sample desk:", Program().play_sample(desk))
        began = time.monotonic()
        asyncio.run(ensure_service(desk))
        print(f"the service's own start: {time.monotonic() - began:.2f} s")
        try:
            one(OURS, str(desk.folder))
            pairs = [(one(BARE), one(OURS, str(desk.folder))) for _ in range(runs)]
        finally:
            asyncio.run(stop_service(desk))
    for name, told in (
        ("bare PySide6, painted", [bare["painted"] for bare, _ in pairs]),
        ("MemDesk, painted", [ours["painted"] for _, ours in pairs]),
        ("MemDesk, usable", [ours["usable"] for _, ours in pairs]),
    ):
        wall, cpu, megabytes = (statistics.median(each) for each in zip(*told, strict=True))
        best = min(each[0] for each in told)
        print(
            f"{name:<22} wall {wall:.2f} s (best {best:.2f})  processor {cpu:.2f} s  resident {megabytes:.0f} MB"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
