"""Settings in groups, in the order in which they are declared. A new one falls into the group it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memdesk.model.status import SettingRow

GROUPS = (
    ("You", "person"),
    ("Promotion", "promotion"),
    ("Fading and tidying", "decay_per_day"),
    ("Jobs", "consolidate_minutes"),
    ("Extraction", "extraction_enabled"),
    ("Recall", "recall_limit"),
    ("Working memory", "working_ttl_seconds"),
    ("Context", "context_policy"),
    ("Prompt", "prompt_tokens"),
    ("Audit", "audit_level"),
    ("Language model", "model_url"),
    ("Agents' tools", "memory_tool_dialect"),
    ("Import", "import_file_megabytes"),
)
"""Each group and the setting that begins it."""


def grouped(rows: Sequence[SettingRow]) -> Iterator[tuple[str, list[SettingRow]]]:
    """The rows under their groups; a group that begins nowhere is left out."""
    begins = {name: title for title, name in GROUPS}
    title, group = GROUPS[0][0], list[SettingRow]()
    for row in rows:
        if row.name in begins and group:
            yield title, group
            group = []
        title = begins.get(row.name, title)
        group.append(row)
    if group:
        yield title, group


def words(name: str) -> str:
    """“Promote confidence” of promote_confidence."""
    return name.replace("_", " ").capitalize()


def shown(value: bool | int | float | str) -> str:
    """A value as a person reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else value.replace("_", " ") or "nothing"


def bounds(row: SettingRow) -> str:
    """“0 to 1”; empty for what has no range."""
    if row.low is None or row.high is None:
        return ""
    return f"{row.low:,g} to {row.high:,g}"


def typed(row: SettingRow, text: str) -> bool | int | float | str:
    """What was typed, as the setting's type takes it. Raises ValueError for what is no number of that type."""
    text = text.strip()
    if isinstance(row.default, int):
        return int(text.replace(",", ""))
    return float(text) if isinstance(row.default, float) else text
