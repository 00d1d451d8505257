"""Share of right claims at each confidence, of sentences with their right claims beside them.

python -m tests.bench.calibration

A sentence without a right claim must make none. The sentences are few and plain: the table shows that the order of the
confidences is kept, not how well extraction reads real talks."""

from __future__ import annotations

import sys
from collections import Counter
from datetime import UTC, datetime

from memdesk.engine.extraction import Utterance, extract

TALK = """
My brother Tom lives in Leeds with his wife. | brother
We have two kids, Mia and Leo. | two kids, Mia and Leo
I was born in Kenya but grew up in Porto. | born in Kenya
I broke my arm skiing when I was nine. | broke their arm skiing
I go running every morning before work. | running every morning
I have an appointment with the dentist on Thursday at 10. | appointment with the dentist on Thursday
My landlord raised the rent to 1,200 euros. | raised the rent to 1,200 euros
I've been learning Italian for two years. | learning Italian for two years
I'm terrified of spiders. | terrified of spiders
I think my sister might move to Bergen. | sister might move to Bergen
Maybe I'll sell the boat in spring. | sell the boat
She called me yesterday. |
I had a great time with the gang. |
I'm trying to stay positive and keep going. |
It was so much fun! |
I can't wait for the weekend. |
I love the colours in that photo. |
If I won the lottery I'd buy a castle. |
He said he would quit. |
I'm working on my business and new ideas. |
Dancing makes me feel alive. |
I painted this last week. |
We played a top team. |
I've been playing ever since. |
我在上海一家银行上班，做风控。 | 在上海一家银行上班
我妈下周三做白内障手术。 | 做白内障手术
今天好冷啊。 |
大阪の銀行で働いています。 | 大阪の銀行で働いています
今日は寒いね。 |
"""


def main() -> int:
    at = round(datetime(2026, 3, 11, 12, tzinfo=UTC).timestamp() * 1_000_000)
    made: Counter[float] = Counter()
    right: Counter[float] = Counter()
    for line in TALK.strip().splitlines():
        said, _, claim = (part.strip() for part in line.partition("|"))
        turns = [
            Utterance(id=f"t{number}", speaker=who, role="user", text=text, at=at)
            for number, (who, text) in enumerate((("Bo", "Hello!"), ("Ada", said), ("Bo", "I see.")))
        ]
        for fact in extract(turns, zone=UTC).facts:
            made[fact.confidence] += 1
            right[fact.confidence] += bool(claim) and claim in fact.claim
    print("confidence  claims  right")
    for confidence in sorted(made, reverse=True):
        print(f"{confidence:10.2f}  {made[confidence]:6}  {right[confidence] / made[confidence]:5.0%}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
