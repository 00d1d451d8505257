"""Import of LoCoMo conversation files (Maharana et al., ACL 2024): two people, many dated sessions, captions
for pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from memdesk.engine.interop.batches import Chat, ChatTurn, Source
from memdesk.engine.interop.reading import Peek
from memdesk.engine.workspace.layouts import slug
from memdesk.files.reading import Left, without_unstorable
from memdesk.model.instant import SECOND, from_datetime
from memdesk.model.message import message

TURN_SECONDS = 30
"""Seconds between turns: the files date sessions, not turns, and this spacing keeps their order in time."""
_READ = ("dia_id", "speaker", "text")
_SESSION = re.compile(r"session_(\d+)")
_DATES = ("%I:%M %p on %d %B, %Y", "%I:%M %p on %d %b, %Y")


class Locomo:
    """List of samples, each a conversation of numbered sessions."""

    name = "locomo"
    reads = message("LoCoMo conversation files (`.json`)")

    def sniff(self, peek: Peek) -> bool:
        samples = _samples(peek.json) if peek.suffix == ".json" else []
        return bool(samples) and all(_sessions(sample) for sample in samples)

    def open(self, peek: Peek) -> Source:
        return Source.of(self.name, message("LoCoMo conversations"), peek, *sessions_of(peek))


def sessions_of(peek: Peek) -> Iterator[Chat | Left]:
    """Yield every session as a separate conversation, sample by sample, in order of number."""
    for number, sample in enumerate(_samples(peek.json), 1):
        name = _text(sample.get("sample_id")) or f"{peek.path.stem}-{number}"
        for session, turns in _sessions(sample):
            at = _date(sample["conversation"].get(f"session_{session}_date_time"))
            title = message("{name}, session {session}", name=name, session=session)
            if at is None:
                yield Left(name=title, why=message("The session has no date."))
            elif chat := _session(peek.name, name, session, title, turns, at):
                yield chat


def _samples(value: Any) -> list[dict[str, Any]]:
    samples: list[Any] = value if isinstance(value, list) else [value]
    whole = all(isinstance(item, dict) and isinstance(item.get("conversation"), dict) for item in samples)
    return samples if whole else []


def _sessions(sample: dict[str, Any]) -> list[tuple[int, list[Any]]]:
    found = [
        (int(match[1]), turns)
        for key, turns in sample["conversation"].items()
        if (match := _SESSION.fullmatch(key)) and isinstance(turns, list)
    ]
    return sorted(found, key=lambda pair: pair[0])


def _session(file: str, name: str, session: int, title: str, turns: list[Any], at: int) -> Chat | None:
    spoken = [turn for turn in turns if isinstance(turn, dict) and _content(turn)]
    if not spoken:
        return None
    return Chat(
        name=title,
        file=file,
        key=f"{name}/session-{session}",
        given=True,
        title=title,
        channel=slug(name),
        turns=tuple(
            ChatTurn(
                role="user",
                content=_content(turn),
                at=at + index * TURN_SECONDS * SECOND,
                given_id=f"{name}/{_text(turn.get('dia_id')) or f'D{session}:{index + 1}'}",
                speaker=_text(turn.get("speaker")) or None,
                beside={name: value for name, value in turn.items() if name not in _READ and value},
            )
            for index, turn in enumerate(spoken)
        ),
    )


def _content(turn: dict[str, Any]) -> str:
    """Return the text of a turn, and in brackets the caption of a shared picture."""
    caption = _text(turn.get("blip_caption"))
    return " ".join(
        part for part in (_text(turn.get("text")), f"[shares {caption}]" if caption else "") if part
    )


def _date(text: Any) -> int | None:
    for form in _DATES:
        try:
            return from_datetime(datetime.strptime(str(text).strip(), form))
        except ValueError:
            continue
    return None


def _text(value: Any) -> str:
    return without_unstorable(value).strip() if isinstance(value, str) else ""


LOCOMO = Locomo()
