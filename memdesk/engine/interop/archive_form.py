"""Format of the MemDesk archive: its files, their contents, and its version."""

from __future__ import annotations

from memdesk.model.entity import RELATION
from memdesk.model.kind import Kind
from memdesk.model.kinds import KINDS
from memdesk.model.proposal import PROPOSAL
from memdesk.model.tag import TAG

FORMAT = "memdesk-archive"
VERSION = 1
MANIFEST, README = "manifest.json", "README.md"
USAGE, VERSIONS, BESIDE = "usage.jsonl", "versions.jsonl", "beside.jsonl"
TEXTS = "texts/"
HISTORY_FOLDER = "history/"
HISTORY = ("changes", "edits", "recalls")
_NAMING_ANY = (RELATION, PROPOSAL, TAG)
ORDER: tuple[Kind, ...] = (*(kind for kind in KINDS if kind not in _NAMING_ANY), *_NAMING_ANY)
"""All kinds, each after the kinds it refers to; kinds that can refer to any record come last."""

SAYS = f"""# A MemDesk archive

Everything that a desk remembers of a user, or of all its users, in files that anyone can read. Bring it back with
`memdesk import`: an empty desk then remembers the same, under the same ids; a desk that has some of it gains the rest.

- `{MANIFEST}`: the format and its version, whose memory this is, and of every file its number of lines and SHA-256.
- `NAME.jsonl`: one record a line, in the order of their birth, retired ones too. NAME is one of
  {", ".join(kind.table for kind in ORDER)}.
  Times are microseconds since 1970 in UTC. What is JSON within JSON (`metadata`, `properties`, `details`) is text.
- `{USAGE}`: how often each memory was recalled, when last, and how strong it was then. `lines` names a passage of a
  document.
- `{VERSIONS}`: the texts that every file had, oldest first, with who wrote them; `{TEXTS}` holds each text once,
  named by its BLAKE2b of 128 bits. `beside`: the text clashed with the one before it, and was kept.
- `{BESIDE}`: what other programs' exports told of a record that no column holds.
- `history/`: the journal, where it was asked for. It is for reading; an import leaves it.

Not in it: working memory and scratchpads, which are short-lived, settings, and vectors, which are made anew.
"""


def file_of(kind: Kind) -> str:
    return f"{kind.table}.jsonl"


def columns_of(kind: Kind) -> tuple[str, ...]:
    """Return the columns of a record that an archive contains: all but its number, which belongs to the desk."""
    return tuple(name for name in kind.columns if name != "seq")


RECORDS: dict[str, Kind] = {file_of(kind): kind for kind in ORDER}
