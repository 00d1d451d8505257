"""How many pairs of claims the rules judge right, by writers who have not read them, and by language.

    python -m tests.bench.pairs [--list]

`pairs.tsv` has contradictions, updates, duplicates, and pairs that are both true (compatible, scoped). A clash counts
as noticed where the rules say contradiction or update, a duplicate where they say that both are the same; of what is
both true each verdict but *apart* is a false alarm. The file is for measuring: a rule that is made from its pairs makes
a further writer necessary."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from memdesk.engine.beliefs.comparing import Verdict, compare

PAIRS = Path(__file__).with_name("pairs.tsv")
CLASHES, BOTH_TRUE = ("contradiction", "update"), ("compatible", "scoped")
CLASH = (Verdict.CONTRADICTION, Verdict.UPDATE)


def main() -> None:
    counted: Counter[tuple[str, str, bool]] = Counter()
    for line in PAIRS.read_text(encoding="utf-8").splitlines():
        writer, type, language, first, second = line.split("\t")
        verdict = compare(second, first).verdict
        kind = "clash" if type in CLASHES else "both true" if type in BOTH_TRUE else "same"
        noticed = {"clash": verdict in CLASH, "same": verdict is Verdict.SAME}.get(
            kind, verdict is not Verdict.APART
        )
        for where in (f"writer {writer}", language):
            counted[where, kind, noticed] += 1
        if "--list" in sys.argv and noticed is (kind == "both true"):
            print(f"{type:<14}{verdict.value:<14}{first} || {second}")
    print(f"{'language':<10}{'clashes noticed':>18}{'duplicates':>14}{'false alarms':>16}")
    for language in dict.fromkeys(where for where, _, _ in counted):
        shares = []
        for kind in ("clash", "same", "both true"):
            hit, missed = counted[language, kind, True], counted[language, kind, False]
            shares.append(f"{hit} of {hit + missed}")
        print(f"{language:<10}{shares[0]:>18}{shares[1]:>14}{shares[2]:>16}")


if __name__ == "__main__":
    main()
