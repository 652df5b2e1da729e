"""A complete program for `foreign:`; agents/FOREIGN.md tells how it works. It needs nothing but Python.

It passes its highest cards, stays below the card that wins the trick, and discards what costs most. Try it:
    python -m training.evaluate --agent "foreign:python agents/example_foreign.py" --opponents ducker --deals 20
"""

import sys

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
Facts = dict[str, list[str]]  # keyword of a line -> the words after it


def height(card: str) -> int:
    """Return the height of a card in its suit."""
    return RANKS.index(card[:-1])


def choose(facts: Facts, black_card: str) -> str:
    """Return one of the legal actions."""
    legal, table = facts["legal"], facts["table"]
    if facts["phase"] == ["moon"]:
        return "moon+"
    if facts["phase"] == ["pass"]:
        return max(legal, key=height)
    if not table:
        return min(legal, key=height)
    follows = [card for card in legal if card[-1] == table[0][-1]]
    if not follows:
        return max(legal, key=lambda card: (card == black_card, card[-1] == "H", height(card)))
    best = max(height(card) for card in table if card[-1] == table[0][-1])
    return max((card for card in follows if height(card) < best), key=height, default=min(follows, key=height))


def main() -> None:
    """Answer each `go` with one line, until `quit` or the end of the input."""
    black_card, facts = "QS", Facts()
    for line in sys.stdin:
        keyword, *words = [word for word in line.split() if word != "-"]  # "-" stands for nothing
        if keyword == "rickety_kate":
            print("ready example 1", flush=True)
        elif keyword == "rule" and words[:1] == ["black_card"]:
            black_card = words[1]
        elif keyword == "decision":
            facts = Facts()
        elif keyword == "go":
            print(choose(facts, black_card), flush=True)
        elif keyword == "quit":
            return
        else:
            facts[keyword] = words


if __name__ == "__main__":
    main()
