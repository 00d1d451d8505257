"""What people install is built, installed outside the checkout, and started; slow, and it needs the package index.

The wheel without extras has no Qt, and says so. With the window, and from the folder in the .deb, a window comes up."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
import venv
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

import memdesk
from memdesk.__main__ import Program
from memdesk.files.places import Desk
from memdesk.gui.icons import PATHS
from memdesk.model.errors import Refused
from memdesk.model.extras import PACKAGES, install_command

CHECKOUT = Path(__file__).parent.parent
DESKTOP = CHECKOUT / "resources" / "desktop"
CORE_MB, WINDOW_MB = 160, 440
"""Sizes without compiled code and pip, as uv installs them. Of the core, numpy, the table and SQLite are 90."""
NOT_OURS = {"__pycache__", "pip", "setuptools", "pkg_resources"}
NOT_OF_ESSENTIALS = {"libQt6Pdf", "libQt6EglFsKmsGbmSupport"}
"""What plugins of PySide6-Essentials ask for in vain, and never need on a desktop."""
MEASURED_WITH = [
    "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
    "e431517545a0dc959126692888945285ee6e9228684831779ad80ac26ffeebe5",
]
"""Hashes of the embedder's table and of its tokenizer."""


def test_every_extra_that_a_message_names_is_one_of_the_project(tmp_path: Path) -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(PACKAGES) <= set(project["optional-dependencies"])
    assert install_command("mem0", tmp_path).endswith("-m pip install 'memdesk[mem0]'")
    (tmp_path / "uv-receipt.toml").touch()
    assert re.fullmatch(r"uv tool install 'memdesk\[[\w,]+,mem0\]'", install_command("mem0", tmp_path))
    (tmp_path / "pipx_metadata.json").touch()
    assert install_command("mem0", tmp_path) == "pipx inject memdesk 'memdesk[mem0]'"


@pytest.mark.parametrize(("installer", "package"), [("apt", "libxcb-cursor0"), ("dnf", "xcb-util-cursor")])
def test_who_lacks_qts_libraries_gets_the_line_that_installs_them_on_this_system(
    installer: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / installer).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "memdesk.gui.app", None)
    with pytest.raises(Refused) as met:
        Program().open_window(Desk(tmp_path / "desk"))
    assert f": {installer} install " in str(met.value.next) and package in str(met.value.next)


def test_the_table_and_the_tokenizer_are_those_that_recall_was_measured_with() -> None:
    """Releases of WordLlama write the tokenizer's file differently, so its content counts."""
    spec = importlib.util.find_spec("wordllama")
    assert spec is not None and spec.origin is not None
    folder = Path(spec.origin).parent
    table = (folder / "weights" / "l2_supercat_256.safetensors").read_bytes()
    tokenizer = json.loads((folder / "tokenizers" / "l2_supercat_tokenizer_config.json").read_bytes())
    written = json.dumps(tokenizer, sort_keys=True).encode()
    assert [hashlib.sha256(each).hexdigest() for each in (table, written)] == MEASURED_WITH


def test_the_files_for_the_desktop_name_the_version_and_the_icon_of_the_window() -> None:
    metainfo = next(DESKTOP.glob("*.metainfo.xml")).read_text(encoding="utf-8")
    assert f'<release version="{memdesk.__version__}"' in metainfo
    assert f'd="{PATHS["graph"]}"' in (DESKTOP / "memdesk.svg").read_text(encoding="utf-8")
    for tool, file in (("desktop-file-validate", DESKTOP / "memdesk.desktop"),):
        if shutil.which(tool):
            assert subprocess.run([tool, file], capture_output=True, check=False).stdout == b""
    if shutil.which("appstreamcli"):
        command = ["appstreamcli", "validate", "--no-net", str(next(DESKTOP.glob("*.metainfo.xml")))]
        assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not here")
def test_the_pages_of_the_manual_are_roff_that_groff_takes_without_a_word(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(CHECKOUT / "packaging")
    import furnishing

    pages = dict(furnishing.manual_pages())
    assert {"memdesk", "memdesk-facts", "memdesk-channels"} <= set(pages)
    written = [tmp_path / f"{name}.1" for name in pages]
    for file, lines in zip(written, pages.values(), strict=True):
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-K", "utf-8", *written],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--since" in done.stdout.replace("−", "-").replace("‐", "-")


def test_the_wheel_has_every_resource_that_a_program_reads() -> None:
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    taken = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    there = {f"resources/{each.name}" for each in (CHECKOUT / "resources").iterdir()}
    assert there - set(taken) == {"resources/pictures", "resources/translations"}
    there = {path.name for path in (CHECKOUT / "resources/translations").glob("*.qm")}
    assert {Path(each).name for each in taken if "/translations/" in each} == there


@pytest.fixture(scope="module")
def built() -> Iterator[Path]:
    """The folder with every part that is built."""
    shutil.rmtree(CHECKOUT / "build" / "memdesk", ignore_errors=True)
    subprocess.run([sys.executable, "packaging/build.py"], cwd=CHECKOUT, check=True, timeout=1500)
    yield CHECKOUT / "build"


@pytest.fixture
def outside(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is no checkout, with a desk of its own."""
    monkeypatch.setenv("MEMDESK_DESK", str(short_folder / "desk"))
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.chdir(short_folder)
    return short_folder


def said(*command: str | Path, code: int = 0) -> str:
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def megabytes(folder: Path) -> float:
    """Return the size of the files in a folder without compiled code, pip and setuptools."""
    there = (path for path in folder.rglob("*") if not (path.is_dir() or NOT_OURS & set(path.parts)))
    return sum(file.lstat().st_size for file in there) / 1e6


def use(program: Sequence[str | Path]) -> None:
    """Learn, recall and stop."""
    said(*program, "remember", "The archive is in Porto")
    assert "Porto" in said(*program, "recall", "archive")
    said(*program, "stop")


def open_and_close(program: Sequence[str | Path]) -> None:
    """Open the window on a screen of its own until it is seen, then close it."""
    screen = f":{90 + os.getpid() % 100}"
    server = subprocess.Popen(["Xvfb", screen, "-screen", "0", "1280x800x24"], stderr=subprocess.DEVNULL)
    environment = {name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
    environment["DISPLAY"] = screen
    window = subprocess.Popen([*program, "open"], env=environment)
    try:
        search = ["xdotool", "search", "--onlyvisible", "--class", "memdesk"]
        until = time.monotonic() + 120
        while not subprocess.run(search, env=environment, capture_output=True, check=False).stdout:
            assert window.poll() is None and time.monotonic() < until
            time.sleep(0.2)
    finally:
        window.terminate()
        window.wait(60)
        server.terminate()
        server.wait(60)
        subprocess.run([*program, "stop"], capture_output=True, check=False)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_wheel_runs_outside_the_checkout_without_qt_and_then_with_it(built: Path, outside: Path) -> None:
    (wheel,) = (built / "dist").glob(f"memdesk-{memdesk.__version__}-*.whl")
    venv.create(outside / "venv", with_pip=True)
    python, program = outside / "venv" / "bin" / "python", outside / "venv" / "bin" / "memdesk"
    said(python, "-m", "pip", "install", "-q", wheel)
    assert megabytes(outside / "venv") < CORE_MB
    use([program])
    assert "pip install 'memdesk[window]'" in said(program, "open", code=Refused.exit_code)
    assert "The window is not installed." in said(program, "doctor")
    said(python, "-m", "pip", "install", "-q", f"{wheel}[window]")
    assert megabytes(outside / "venv") < WINDOW_MB
    open_and_close([program])


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_sdist_makes_the_same_wheel_and_the_flatpak_finds_all_it_installs(
    built: Path, outside: Path
) -> None:
    (source,) = (built / "dist").glob(f"memdesk-{memdesk.__version__}.tar.gz")
    (wheel,) = (built / "dist").glob(f"memdesk-{memdesk.__version__}-*.whl")
    pip = (sys.executable, "-m", "pip")
    said(*pip, "wheel", "-q", "--no-deps", "-w", outside, source)
    names = [zipfile.ZipFile(each).namelist() for each in (wheel, outside / wheel.name)]
    assert sorted(names[0]) == sorted(names[1])
    manifest = yaml.safe_load((CHECKOUT / "packaging/flatpak/org.memdesk.MemDesk.yaml").read_text("utf-8"))
    (module,) = manifest["modules"]
    install, *copies = (shlex.split(line) for line in module["build-commands"])
    beside = {each["dest"]: CHECKOUT / "packaging/flatpak" / each["path"] for each in module["sources"]}
    assert all((beside["desktop"] / words[2].removeprefix("desktop/")).is_file() for words in copies)
    assert install[-1] == "memdesk[window]"
    wanted = outside / "wanted.in"
    wanted.write_text(install[-1])
    resolve = (built / "tools/bin/uv", "pip", "compile", "--no-python-downloads", "--python-version", "3.13")
    found = said(*resolve, "--no-index", "--find-links", beside["wheels"], "--only-binary", ":all:", wanted)
    assert "memdesk==" in found and "pyside6-essentials==" in found


@pytest.mark.slow
def test_the_bill_of_materials_and_the_lock_name_what_is_in_the_folder(built: Path) -> None:
    (bill,) = (built / "dist").glob("memdesk-*.cdx.json")
    parts = {each["name"].lower() for each in json.loads(bill.read_text("utf-8"))["components"]}
    (lock,) = (built / "dist").glob("memdesk-*-requirements.txt")
    locked = set(re.findall(r"^([\w.-]+)==", lock.read_text("utf-8"), re.MULTILINE))
    assert {"memdesk", "numpy", "pyside6_essentials", "mcp"} <= {name.replace("-", "_") for name in parts}
    assert {"numpy", "pyside6-essentials", "mcp"} <= locked
    assert {name.replace("_", "-") for name in parts} - locked <= {"memdesk", "pip", "setuptools"}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
def test_the_units_of_the_deb_are_those_that_systemd_takes(built: Path, outside: Path) -> None:
    units = built / "deb/usr/lib/systemd/user"
    for unit in units.iterdir():
        text = unit.read_text("utf-8").replace("/usr/bin/memdesk", str(built / "memdesk/bin/memdesk"))
        (outside / unit.name).write_text(text, encoding="utf-8")
    units_here = [outside / unit.name for unit in units.iterdir()]
    assert said("systemd-analyze", "--user", "verify", *units_here) == ""


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="dpkg-deb is not here")
def test_the_deb_has_a_program_that_runs_where_it_lies(built: Path, outside: Path) -> None:
    (package,) = (built / "dist").glob(f"memdesk_{memdesk.__version__}_*.deb")
    said("dpkg-deb", "-x", package, outside / "root")
    for name in (
        "applications/memdesk.desktop",
        "man/man1/memdesk-recall.1.gz",
        "icons/hicolor/48x48/apps/memdesk.png",
    ):
        assert (outside / "root/usr/share" / name).stat().st_size > 100
    for library in (outside / "root/opt/memdesk/lib").rglob("PySide6/**/*.so*"):
        needed = subprocess.run(["ldd", library], capture_output=True, text=True, check=False).stdout
        assert set(re.findall(r"(libQt6\w+)\S* => not found", needed)) <= NOT_OF_ESSENTIALS, library
    program = outside / "root/opt/memdesk/bin/memdesk"
    use([program])
    open_and_close([program])
