"""Build what people install into build/dist. All parts, or those that are named: `packaging/build.py [PART]...`

wheel   wheel and sdist
folder  a folder with its own Python that runs where it is unpacked, as .tar.gz
deb     the same folder in /opt/memdesk, with menu entry, icons, manual pages, completion and systemd units
wheels  the folder of wheels that packaging/flatpak installs from
lock    requirements with hashes of everything that the window needs
sbom    the parts of the folder, as CycloneDX

The tools come from PyPI into build/tools. The folder holds the Python that runs this script, so it runs on systems with
the same or a newer glibc: run it with the Python of the oldest one."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

from environment import CHECKOUT, say
from system_packages import OFFSCREEN_LIBRARIES, WINDOW_LIBRARIES

BUILD = CHECKOUT / "build"
DIST, TOOLS, FOLDER = BUILD / "dist", BUILD / "tools", BUILD / "memdesk"
DESKTOP = CHECKOUT / "resources" / "desktop"
PYTHON = f"python{sys.version_info.major}.{sys.version_info.minor}"
NOT_NEEDED = (
    "test",
    "idlelib",
    "tkinter",
    "turtledemo",
    "lib2to3",
    "ensurepip",
    "site-packages",
    "dist-packages",
)
"""Parts of Python's own library that a program has no use for, and the packages of others."""
OF_PYTHON = (
    "libssl3",
    "libffi8",
    "libsqlite3-0",
    "liblzma5",
    "libbz2-1.0",
    "zlib1g",
    "libexpat1",
    "libuuid1",
)


def main(arguments: Sequence[str]) -> int:
    """Build what was named, in the order of dependence. Returns 2 for a name that is not known."""
    if not set(arguments) <= set(PARTS):
        print(__doc__, file=sys.stderr)
        return 2
    DIST.mkdir(parents=True, exist_ok=True)
    for name, build in PARTS.items():
        if not arguments or name in arguments:
            made = build()
            say(f"{name}: {made.relative_to(CHECKOUT)} ({made.stat().st_size / 1e6:.1f} MB)")
    return 0


def version() -> str:
    found = re.search(
        r'__version__ = "(.+)"', (CHECKOUT / "memdesk" / "__init__.py").read_text(encoding="utf-8")
    )
    assert found is not None
    return found[1]


def tool(name: str, package: str = "") -> list[str]:
    """Return the command of a build tool, which is installed if it is missing."""
    python = TOOLS / "bin" / "python"
    if not python.exists():
        venv.create(TOOLS, with_pip=True)
    if not (TOOLS / "bin" / name).exists():
        run([str(python), "-m", "pip", "install", "-q", package or name])
    return [str(TOOLS / "bin" / name)]


def run(command: Sequence[str | Path], **more: str) -> None:
    subprocess.run(command, cwd=CHECKOUT, env={**os.environ, **more}, check=True)


def build_wheel() -> Path:
    run([*tool("hatchling"), "build", "-d", DIST])
    return DIST / f"memdesk-{version()}-py3-none-any.whl"


def wheel() -> Path:
    made = DIST / f"memdesk-{version()}-py3-none-any.whl"
    return made if made.exists() else build_wheel()


def build_folder() -> Path:
    """Lay out Python and MemDesk in FOLDER, and pack it."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    library = FOLDER / "lib" / PYTHON
    ignored = shutil.ignore_patterns("__pycache__", "config-*", *NOT_NEEDED)
    shutil.copytree(sysconfig.get_path("stdlib"), library, ignore=ignored)
    programs = FOLDER / "bin"
    programs.mkdir()
    shutil.copy(Path(sys.executable).resolve(), programs / PYTHON)
    (programs / "python3").symlink_to(PYTHON)
    shared = sysconfig.get_config_var("INSTSONAME") or ""
    if ".so" in shared and (built := Path(sysconfig.get_config_var("LIBDIR"), shared)).exists():
        shutil.copy(built, FOLDER / "lib" / shared)
    packages = library / "site-packages"
    run([*tool("pip"), "install", "-q", "--no-compile", "--target", packages, f"{wheel()}[window]"])
    shutil.rmtree(packages / "bin", ignore_errors=True)
    for unused in {path for pattern in UNUSED for path in packages.glob(pattern)}:
        shutil.rmtree(unused) if unused.is_dir() else unused.unlink()
    if strip := shutil.which("strip"):
        ours = (*(FOLDER / "lib").glob("libpython*"), *packages.glob("pysqlite3/*.so"))
        run([strip, "--strip-debug", *ours])
    # Debian's Python looks into dist-packages where others look into site-packages.
    (library / "dist-packages").symlink_to("site-packages")
    starter = programs / "memdesk"
    starter.write_text(STARTER, encoding="utf-8")
    starter.chmod(0o755)
    packed = DIST / f"memdesk-{version()}-linux-{platform.machine()}.tar.gz"
    with tarfile.open(packed, "w:gz", compresslevel=6) as archive:
        archive.add(FOLDER, arcname=f"memdesk-{version()}")
    return packed


QT_UNUSED = (
    *("Quick", "Qml", "Labs", "Designer", "Help", "Test", "Sql", "Lottie", "VirtualKeyboard", "Concurrent"),
    *("UiTools", "Print", "WaylandCompositor", "WaylandEglCompositor"),
)
UNUSED = (
    "numpy/**/tests",
    # The tokenizer asks for these to download tokenizers of others, which MemDesk never does.
    "hf_xet*",
    "huggingface_hub*",
    *(f"PySide6/Qt/{part}" for part in ("qml", "metatypes", "libexec")),
    *(
        f"PySide6/Qt/plugins/{part}*"
        for part in ("designer", "qml", "sqldrivers", "print", "vectorimageformats")
    ),
    "PySide6/Qt/plugins/wayland-graphics-integration-server",
    "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboard*",
    *(f"PySide6/Qt/lib/libQt6{part}*" for part in QT_UNUSED),
    *(f"PySide6/Qt{part}*.so" for part in QT_UNUSED),
    "PySide6/libpyside6qml*",
    "PySide6/*.pyi",
    *(f"PySide6/{part}" for part in ("doc", "glue", "include", "typesystems", "scripts")),
    *(
        f"PySide6/{tool}*"
        for tool in ("assistant", "designer", "linguist", "lrelease", "lupdate", "qml", "svgtoqml")
    ),
)
"""Parts of packages that nothing here loads, a quarter of all."""

STARTER = """\
#!/bin/sh
here="$(dirname "$(readlink -f "$0")")"
export LD_LIBRARY_PATH="$here/../lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
exec "$here/python3" -I -m memdesk "$@"
"""


def build_deb() -> Path:
    """Put the folder and what a desktop looks for into a package."""
    if not FOLDER.exists():
        build_folder()
    root = BUILD / "deb"
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(FOLDER, root / "opt" / "memdesk", symlinks=True)
    (root / "usr" / "bin").mkdir(parents=True)
    (root / "usr" / "bin" / "memdesk").symlink_to("/opt/memdesk/bin/memdesk")
    furnish(root / "usr")
    kilobytes = sum(file.lstat().st_size for file in root.rglob("*") if not file.is_symlink()) // 1024
    control = root / "DEBIAN"
    control.mkdir()
    needed = ", ".join((*OF_PYTHON, *OFFSCREEN_LIBRARIES, *WINDOW_LIBRARIES))
    (control / "control").write_text(CONTROL.format(version=version(), size=kilobytes, needed=needed))
    for name, script in SCRIPTS.items():
        (control / name).write_text(f"#!/bin/sh\nset -e\n{script}\n")
        (control / name).chmod(0o755)
    made = DIST / f"memdesk_{version()}_amd64.deb"
    run(["dpkg-deb", "--root-owner-group", "-Zzstd", "--build", root, made])
    return made


CONTROL = """\
Package: memdesk
Version: {version}
Architecture: amd64
Maintainer: The MemDesk authors <memdesk@localhost>
Installed-Size: {size}
Depends: {needed}
Section: database
Priority: optional
Description: see, judge and correct what AI agents remember
 MemDesk keeps the memory of your agents in one SQLite file on your own
 machine, and shows it in a window. You correct facts, share a fact with
 every project, and undo any change, whoever made it.
"""
SCRIPTS = {
    "postinst": "cd /opt/memdesk\nLD_LIBRARY_PATH=lib bin/python3 -I -m compileall -q lib || true",
    "prerm": "find /opt/memdesk -name __pycache__ -type d -prune -exec rm -r {} +",
}
"""Compiled code is made where it runs: the package is smaller, and starts as fast."""


def furnish(root: Path) -> None:
    """Write what a system looks for below its /usr: menu entry, icons, pages of the manual, completion, units."""
    for source, where in DESKTOP_FILES.items():
        target = root / where
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy(DESKTOP / source, target)
    unit = root / DESKTOP_FILES["memdesk.service"] / "memdesk.service"
    unit.write_text(unit.read_text().replace("ExecStart=memdesk", "ExecStart=/usr/bin/memdesk"))
    python = FOLDER / "bin" / "python3"
    run([python, "-I", CHECKOUT / "packaging" / "furnishing.py", root], QT_QPA_PLATFORM="offscreen")


DESKTOP_FILES = {
    "memdesk.desktop": "share/applications",
    "org.memdesk.MemDesk.metainfo.xml": "share/metainfo",
    "memdesk.svg": "share/icons/hicolor/scalable/apps",
    "memdesk.socket": "lib/systemd/user",
    "memdesk.service": "lib/systemd/user",
}


def build_wheels() -> Path:
    """Fetch the wheels of all that the window needs, for the Python of the manifest's runtime, beside its own."""
    folder = BUILD / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    pins = BUILD / "wheels.txt"
    resolve = [
        *tool("uv"),
        "pip",
        "compile",
        "-q",
        "--no-python-downloads",
        "--extra",
        "window",
        "--no-header",
    ]
    run([*resolve, "--python-version", FLATPAK_PYTHON, "-o", pins, "pyproject.toml"])
    fetch = [*tool("pip"), "download", "-q", "--no-deps", "--only-binary", ":all:", "-d", str(folder)]
    run([*fetch, "--python-version", FLATPAK_PYTHON, "-r", pins])
    shutil.copy(wheel(), folder)
    return folder


FLATPAK_PYTHON = "3.13"
"""Of org.freedesktop.Platform 25.08."""


def build_lock() -> Path:
    """Write the exact versions, with hashes, of all that the window needs on this system."""
    made = DIST / f"memdesk-{version()}-requirements.txt"
    command = [*tool("uv"), "pip", "compile", "-q", "--generate-hashes", "--extra", "window", "--no-header"]
    run([*command, "--python-version", "3.11", "-o", made, "pyproject.toml"])
    return made


def build_sbom() -> Path:
    if not FOLDER.exists():
        build_folder()
    made = DIST / f"memdesk-{version()}.cdx.json"
    command = [*tool("cyclonedx-py", "cyclonedx-bom"), "environment", "--output-reproducible"]
    run([*command, "-o", made, FOLDER / "bin" / "python3"])
    return made


PARTS: dict[str, Callable[[], Path]] = {
    "wheel": build_wheel,
    "folder": build_folder,
    "deb": build_deb,
    "wheels": build_wheels,
    "lock": build_lock,
    "sbom": build_sbom,
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
