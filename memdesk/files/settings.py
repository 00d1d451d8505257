"""Settings file, settings.toml: read, checked against each setting's range, and rewritten with its comments
kept."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tomlkit

from memdesk.files.atomic import write_atomic
from memdesk.model.errors import BadAsk
from memdesk.model.message import message
from memdesk.model.settings import DEFAULTS, Settings

FIELDS = {item.name: item for item in fields(Settings)}
_NAMES = {
    str: "text",
    int: message("a whole number"),
    float: message("a number"),
    bool: message("true or false"),
}


def load_settings(path: Path) -> Settings:
    """Return the desk's settings, with defaults for those not in the file. Raises BadAsk naming the bad one."""
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return DEFAULTS
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadAsk(
            message("{path} cannot be read: {error}.", path=path.name, error=error),
            next=message("Correct {path} or remove it.", path=path),
        ) from error
    strange = next((name for name in given if name not in FIELDS), None)
    if strange is not None:
        raise BadAsk(
            message("{path} has a setting nobody knows: {strange}.", path=path.name, strange=strange),
            next=message("Correct {path}.", path=path),
        )
    try:
        return Settings(**{name: checked(name, value) for name, value in given.items()})
    except BadAsk as wrong:
        raise BadAsk(
            message("{path}: {says}", path=path.name, says=wrong.says),
            next=message("Correct {path}.", path=path),
        ) from None


def rewrite_settings(path: Path, values: Mapping[str, Any], reset: Iterable[str]) -> bytes | None:
    """Set these values in the file and remove the reset ones; comments and all else stay as written.

    Returns the file's former bytes, None where there was none. Raises BadAsk when it cannot be read,
    StorageFailed when it cannot be written; it is then as it was."""
    load_settings(path)
    before = path.read_bytes() if path.exists() else None
    document = tomlkit.parse("" if before is None else before.decode())
    for name in reset:
        document.pop(name, None)
    document.update(values)
    write_atomic(path, tomlkit.dumps(document).encode())
    return before


def put_back(path: Path, before: bytes | None) -> None:
    """Restore the file's content from before it was rewritten."""
    if before is None:
        path.unlink(missing_ok=True)
    else:
        write_atomic(path, before)


def checked(name: str, value: Any) -> Any:
    """Return a value in its setting's type. Raises BadAsk for another type, or naming the range or the
    choices it missed."""
    if name not in FIELDS:
        close = difflib.get_close_matches(name[:100], FIELDS, n=1)
        meant = (
            message("Did you mean {close}?", close=close[0])
            if close
            else message("Every setting is in `memdesk settings`.")
        )
        raise BadAsk(message("There is no setting {name}.", name=name[:60]), next=meant)
    item = FIELDS[name]
    expected: type[Any] = type(item.default)
    about = item.metadata
    number = expected in (int, float) and isinstance(value, int | float) and not isinstance(value, bool)
    if (not number and not isinstance(value, expected)) or (
        expected is int and isinstance(value, float) and not value.is_integer()
    ):
        raise BadAsk(message("{name} should be {names}.", name=name, names=_NAMES[expected]))
    low, high = about["low"], about["high"]
    if number and not (low <= value <= high):
        raise BadAsk(
            message(
                "{name} should lie between {low} and {high} {about}.",
                name=name,
                low=f"{low:g}",
                high=f"{high:g}",
                about=about["unit"],
            )
            if about["unit"]
            else message(
                "{name} should lie between {low} and {high}.", name=name, low=f"{low:g}", high=f"{high:g}"
            )
        )
    if about["choices"] and value not in about["choices"]:
        raise BadAsk(message("{name} should be one of {list}.", name=name, list=", ".join(about["choices"])))
    if about.get("address") and value:
        _check_address(name, value)
    if about.get("database") and value:
        _check_database(name, value)
    return expected(value)


def _check_address(name: str, value: str) -> None:
    """Raise BadAsk unless this is the address of a server, with no key in it: settings are shown and exported."""
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise BadAsk(
            message("{name} should be the address of a server, such as http://localhost:11434/v1.", name=name)
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadAsk(
            message("{name} should hold no key, password or parameter.", name=name),
            next=message(
                "Keys belong into the environment or the keyring; `memdesk models` says where each is looked for."
            ),
        )


def _check_database(name: str, value: str) -> None:
    """Raise BadAsk unless this is the address of a PostgreSQL database, with no password in it."""
    try:
        parts = urlsplit(value)
        sound = parts.scheme in ("postgresql", "postgres")
    except ValueError:
        sound = False
    if not sound:
        raise BadAsk(
            message(
                "{name} should be the address of a PostgreSQL database: postgresql://USER@HOST/DATABASE.",
                name=name,
            )
        )
    if parts.password or "password=" in parts.query:
        raise BadAsk(
            message("{name} should hold no password: settings are shown.", name=name),
            next=message("Put it into ~/.pgpass."),
        )
