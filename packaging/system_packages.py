"""What MemDesk needs from Debian, Ubuntu and their kin: installed when running as root, else one line to run."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence

OFFSCREEN_LIBRARIES = (
    "libegl1",
    "libgl1",
    "libglib2.0-0",
    "libgssapi-krb5-2",
    "libdbus-1-3",
    "libfontconfig1",
    "libxkbcommon0",
    "fonts-dejavu-core",
)
"""What Qt loads before it draws anything."""

WINDOW_LIBRARIES = (
    "libwayland-cursor0",
    "libwayland-egl1",
    "libx11-xcb1",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-randr0",
    "libxcb-render-util0",
    "libxcb-shape0",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
    "xkb-data",
)
"""What its wayland and xcb plugins add for a window on a screen."""

SCREEN_PROGRAMS = (
    "xvfb",
    "openbox",
    "trayer",
    "xdotool",
    "x11-utils",
    "xclip",
)
"""A screen without a monitor, and a hand on its mouse and keyboard, for the tests that need one."""

PATIENCE_S = 180
"""For apt to read its lists, and again to download what the checks can do without."""

INSTALL = ("install", "-y", "--no-install-recommends")


def provide(wanted: Sequence[str], say: Callable[[str], None]) -> None:
    """Install those of `wanted` the system lacks, or print the line that does. What cannot be had is only said."""
    missing = missing_packages(wanted)
    if not missing:
        return
    if os.geteuid() == 0:
        apt_install(missing, say)
    else:
        say(f"Some packages of your system are missing. This installs them:\n\n    {apt_line(missing)}\n")


def provide_if_easy(wanted: Sequence[str], say: Callable[[str], None]) -> None:
    """Install those of `wanted` the system lacks, when that is a matter of minutes. Nothing fails without them."""
    missing = missing_packages(wanted)
    if not missing or os.geteuid() != 0:
        return
    say(f"Installing packages for tests on a screen: {' '.join(missing)}.")
    if not downloaded(missing) or apt_get(*INSTALL, "--no-download", *missing).returncode:
        say("They could not be had; the tests that need them are skipped.")


def downloaded(packages: Sequence[str]) -> bool:
    """Whether apt has them ready to install. Only this is bounded: apt stopped while it installs leaves a mess."""
    try:
        apt_get("update", timeout=PATIENCE_S)
        return apt_get(*INSTALL, "--download-only", *packages, timeout=PATIENCE_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def missing_packages(wanted: Sequence[str]) -> tuple[str, ...]:
    """Those of `wanted` that are not installed; none on a system that knows nothing of Debian's packages."""
    if not (shutil.which("apt-get") and shutil.which("dpkg-query")):
        return ()
    here = installed_packages()
    return tuple(name for name in wanted if name not in here)


def installed_packages() -> set[str]:
    """Names of the installed packages and of what they provide, as libglib2.0-0t64 provides libglib2.0-0."""
    form = "${db:Status-Status}\t${Package}\t${Provides}\n"
    listed = subprocess.run(["dpkg-query", "-W", "-f", form], capture_output=True, text=True, check=True)
    rows = (line.split("\t") for line in listed.stdout.splitlines())
    return {
        name
        for status, package, provides in rows
        if status == "installed"
        for name in (package, *(entry.split(" ")[0] for entry in provides.split(", ") if entry))
    }


def apt_install(packages: Sequence[str], say: Callable[[str], None]) -> None:
    """Install packages unattended, waiting for another apt to finish; when that fails, show what apt said."""
    say(f"Installing packages of your system: {' '.join(packages)}.")
    updated = apt_get("update")
    installed = apt_get("-o", "DPkg::Lock::Timeout=120", *INSTALL, *packages)
    if installed.returncode:
        say(
            f"{updated.stdout}{installed.stdout}apt-get could not install them (see above); going on without."
        )


def apt_get(*arguments: str, timeout: float | None = None) -> subprocess.CompletedProcess[str]:
    """Run apt-get unattended. timeout: in seconds. Raises TimeoutExpired."""
    return subprocess.run(
        ["apt-get", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )


def apt_line(packages: Sequence[str]) -> str:
    """The one line a person runs to install packages, through sudo where there is one."""
    install = " ".join(("apt-get", *INSTALL, *packages))
    if shutil.which("sudo"):
        return f"sudo apt-get update && sudo {install}"
    return f"su -c 'apt-get update && {install}'"
