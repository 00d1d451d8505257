"""Share of attacks held by the rules and by the learned judge, and of honest texts; fitting of the judge.

python -m tests.bench.steering [FILE ...]      FILE: further honest texts, one a line
python -m tests.bench.steering --shipped FILE.tsv      the judge as it is shipped: label, kind, language, text
python -m tests.bench.steering --fit      writes the weights that MemDesk ships

`steering.tsv` (writer, label, kind, language, text) was written by five writers who did not see the lexicon or each
other's texts, but for the fifth, who knew a part of those of 2 to 4, and by "7", whom the shipped weights do not know
yet. Texts of "6" were written after alarms of theirs, so they are only fitted to when all are. Without an option the
judge is fitted without a writer, or without some kinds of attack, and asked about these; ordinary texts are asked
about by a judge that was fitted to others."""

from __future__ import annotations

import gzip
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import NamedTemporaryFile

import numpy as np
import numpy.typing as npt

from memdesk.engine.memory.quarantine import suspicion
from memdesk.engine.steering import judge, reading
from memdesk.files.places import resource
from memdesk.model.settings import Settings

TESTS = Path(__file__).parents[1]
WRITTEN = Path(__file__).parent / "steering.tsv"
KNOWN = tuple(sorted((TESTS / "engine" / "steering").glob("*.tsv")))
SHIPPED = Path(reading.__file__).parent / "lexicon" / judge.WEIGHTS
COST, OF_ATTACK, OF_ORDINARY = 3.0, 1.5, 0.3
PAGES_LINE = 6
"""One line of so many of our own pages is taken: they speak of agents, trust and memory as attacks do."""
SIGNS = 70_000
"""Signs that are shipped, those of the largest weights."""
PASSES, SETTLED = 40, 0.01
GROUPS = 8
HONEST_HELD, ORDINARY_HELD = 0.01, 0.002
"""Shares of the honest look-alikes of a writer left out, and of ordinary texts, that may be held."""
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]
Blocks = tuple[npt.NDArray[np.uint32], ...]


@dataclass(frozen=True, slots=True)
class Texts:
    """Rows of the material, in columns."""

    text: tuple[str, ...]
    writer: npt.NDArray[np.str_]
    attack: Flags
    kind: npt.NDArray[np.str_]
    language: npt.NDArray[np.str_]


ORDINARY, SHOWN = "ordinary", "6"


def material() -> Texts:
    rows = [line.split("\t") for line in WRITTEN.read_text("utf-8").splitlines()]
    for file in KNOWN:
        rows += [["known", *line.split("\t")] for line in file.read_text("utf-8").splitlines()]
    seen = {row[4] for row in rows}
    rows += [
        [ORDINARY, "honest", ORDINARY, "", text] for text in dict.fromkeys(_ordinary()) if text not in seen
    ]
    writer, label, kind, language, text = zip(*rows, strict=True)
    return Texts(text, np.array(writer), np.array(label) == "attack", np.array(kind), np.array(language))


def _ordinary() -> Iterator[str]:
    """Yield facts, lines of files, pairs of claims, and what is said on the sample desk."""
    for name in ("short_facts.txt", "other_facts.txt"):
        lines = (TESTS / "bench" / name).read_text("utf-8").splitlines()
        yield from (line.split(" ", 2)[2] for line in lines if line.startswith("F "))
    for name in ("pairs.tsv", "apart.tsv"):
        for line in (TESTS / "engine" / "beliefs" / name).read_text("utf-8").splitlines():
            yield from line.split("\t")[-2:]
    for page in sorted(TESTS.glob("fixtures/folders/*.txt")):
        yield from _lines(page)
    for page in sorted([*resource("docs").glob("*.md"), *resource("help").rglob("*.md")]):
        yield from list(_lines(page))[::PAGES_LINE]
    with NamedTemporaryFile(suffix=".db") as file:
        file.write(gzip.decompress(resource("sample", "desk.db.gz").read_bytes()))
        file.flush()
        db = sqlite3.connect(file.name)
        yield from (said for (said,) in db.execute("SELECT claim FROM facts UNION SELECT content FROM turns"))
        db.close()


def _lines(page: Path) -> Iterator[str]:
    lines = (line.strip(" -*|#") for line in page.read_text("utf-8").splitlines())
    return (line for line in lines if len(line) > 20)


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--shipped"]:
        return show_shipped(Path(arguments[1]))
    texts = material()
    signs = [judge.blocks(text) for text in texts.text]
    ruled = np.array([by_rules(text) for text in texts.text])
    own, unseen = ~np.isin(texts.writer, [ORDINARY, "known", SHOWN]), texts.writer != SHOWN
    ordinary = texts.writer == ORDINARY
    places = np.arange(len(ordinary))
    scores = np.zeros(len(ordinary))
    writers = np.unique(texts.writer[own])
    for number, writer in enumerate(writers):
        left = (texts.writer == writer) | (ordinary & (places % len(writers) == number))
        scores[left] = scored(fitted(signs, texts, ~left & unseen), signs, left)
    held_from = max(
        np.quantile(scores[own & ~texts.attack], 1 - HONEST_HELD),
        np.quantile(scores[ordinary], 1 - ORDINARY_HELD),
    )
    judged = scores > held_from
    print(f"each writer judged by weights of the others; held from {held_from:.2f}")
    show("writer", texts.writer, own, texts, ruled, judged)
    show("language", texts.language, own, texts, ruled, judged)
    for name in np.unique(texts.writer[~own]):
        print(f"{name}: rules {ruled[(texts.writer == name) & ~texts.attack].sum()}", end="; ")
    print(f"ordinary held by the judge {judged[ordinary].sum()} of {ordinary.sum()}")
    if arguments == ["--fit"]:
        return ship(replace(fitted(signs, texts, own | ~own), held_from=float(held_from)))
    names = np.unique(texts.kind[own & texts.attack])
    group = dict(zip(names, np.random.default_rng(0).permutation(len(names)) % GROUPS, strict=True))
    of = np.where(texts.attack, [group.get(kind, -1) for kind in texts.kind], places % GROUPS)
    kinds = np.zeros(len(ordinary))
    for number in range(GROUPS):
        left = (of == number) & (own | ordinary)
        kinds[left] = scored(fitted(signs, texts, ~left & unseen), signs, left)
    judged = kinds > np.quantile(kinds[own & ~texts.attack], 1 - HONEST_HELD)
    print(f"\neach kind of attack judged by weights of the others, kinds of {GROUPS} groups")
    show("kind", texts.kind, own & texts.attack, texts, ruled, judged)
    for file in arguments:
        show_further(file, replace(fitted(signs, texts, own | ~own), held_from=float(held_from)))
    return 0


def show(
    of: str, names: npt.NDArray[np.str_], rows: Flags, texts: Texts, ruled: Flags, judged: Flags
) -> None:
    print(
        f"{of:<14}{'attacks':>8}{'rules':>8}{'judge':>8}{'both':>8}{'honest':>8}{'rules':>8}{'judge':>8}{'both':>8}"
    )
    for name, each in [*((name, rows & (names == name)) for name in np.unique(names[rows])), ("all", rows)]:
        line = f"{name:<14}"
        for some in (each & texts.attack, each & ~texts.attack):
            shares = (
                100 * held[some].mean() if some.any() else 0 for held in (ruled, judged, ruled | judged)
            )
            line += f"{some.sum():>8}" + "".join(f"{share:>7.1f}%" for share in shares)
        print(line)


def show_further(file: str, weights: judge.Weights) -> None:
    lines = [line for line in Path(file).read_text("utf-8").splitlines() if line.strip()]
    by_judge = np.mean([weights.score(judge.blocks(line)) > weights.held_from for line in lines])
    print(f"{file}, of {len(lines)}: rules {np.mean([*map(by_rules, lines)]):.2%}, judge {by_judge:.2%}")


def show_shipped(file: Path) -> int:
    label, kind, language, text = zip(
        *(row.split("\t") for row in file.read_text("utf-8").splitlines()), strict=True
    )
    attack = np.array(label) == "attack"
    texts = Texts(text, np.array([""] * len(text)), attack, np.array(kind), np.array(language))
    ruled = np.array([*map(by_rules, text)])
    judged = np.array([judge.steers(each) is not None for each in text])
    for of, names in (("language", texts.language), ("kind", texts.kind)):
        show(of, names, attack | ~attack, texts, ruled, judged)
    return 0


def by_rules(text: str) -> bool:
    found = suspicion(text, by_person=False)
    return found is not None and found.certainty >= Settings().quarantine_from


def fitted(signs: Sequence[Blocks], texts: Texts, of: Flags) -> judge.Weights:
    """Return the weights of a linear support vector machine with squared losses, those of some texts.

    Dual coordinate descent (Hsieh et al., ICML 2008): a text at a time."""
    rows = np.flatnonzero(of).tolist()
    kept = np.unique(np.concatenate([block for row in rows for block in signs[row]]))
    table = [_row(kept, signs[row]) for row in rows]
    side = np.where(texts.attack[rows], 1.0, -1.0)
    cost = COST * np.where(
        texts.attack[rows], OF_ATTACK, np.where(texts.writer[rows] == ORDINARY, OF_ORDINARY, 1.0)
    )
    weights, dual = np.zeros(len(kept) + 1), np.zeros(len(rows))
    length = np.array([values @ values for _, values in table]) + 0.5 / cost
    draw = np.random.default_rng(0)
    for _ in range(PASSES):
        most = 0.0
        for row in draw.permutation(len(rows)):
            places, values = table[row]
            slope = side[row] * (weights[places] @ values) - 1 + dual[row] * 0.5 / cost[row]
            if dual[row] == 0 and slope >= 0:
                continue
            most = max(most, abs(slope))
            new = max(dual[row] - slope / length[row], 0.0)
            weights[places] += (new - dual[row]) * side[row] * values
            dual[row] = new
        if most < SETTLED:
            break
    most = np.sort(np.argsort(-np.abs(weights[:-1]))[:SIGNS])
    return judge.Weights(kept[most], weights[most].astype(np.float32), float(weights[-1]), 0.0)


def _row(kept: npt.NDArray[np.uint32], blocks: Blocks) -> tuple[npt.NDArray[np.intp], Numbers]:
    """Return the places of a text's signs among those kept, with their values; the last place is the bias."""
    places, values = [], []
    for block in blocks:
        place = np.minimum(np.searchsorted(kept, block), len(kept) - 1)
        known = place[kept[place] == block]
        places.append(known)
        values.append(np.full(len(known), max(1, len(block)) ** -0.5))
    return np.append(np.concatenate(places), len(kept)), np.append(np.concatenate(values), 1.0)


def scored(weights: judge.Weights, signs: Sequence[Blocks], of: Flags) -> Numbers:
    return np.array([weights.score(signs[row]) for row in np.flatnonzero(of).tolist()])


def ship(weights: judge.Weights) -> int:
    scale = float(np.abs(weights.weights).max()) / 127
    small = np.round(weights.weights / scale).astype(np.int8)
    numbers = np.array([scale, weights.bias, weights.held_from])
    np.savez_compressed(SHIPPED, signs=weights.signs, weights=small, scale=numbers)
    print(f"{SHIPPED.name}: {len(small):,} signs, {SHIPPED.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
