"""Transcripts: games and single hands as text that people can read, and that can be played again and checked.

    Rickety Kate notation 1
    moon: new
    seed: 7

    hand 1: dealer 3, pass left
    seat 0: C 2 5 9  D 3 K  S Q  H 2 6 10 ...

`hand_log` makes a log of the hand that a game's record holds, a `Recorder` of whole games as they are played; `write`
and `parse` turn logs into text and back; `replay` plays a log again and checks all that it states.

>>> from rk_env import Engine, Rules
>>> engine = Engine(Rules(), seed=7)
>>> log = hand_log(engine.games[0], engine.rules)
>>> parse(write(log)) == log, replay(log).games.tobytes() == engine.games.tobytes()
(True, True)

The text. A line is one fact; blank lines, lines that begin with `#`, and how many spaces stand between words do not
matter. All else is written in one way only, so that two texts of a game differ only where the games do.

- The first line has the number of the format.
- Then come the settings of `Rules` that differ from the default, in the order of its fields; the game's seed, if it is
  known; `first hand:` for an episode of one hand that did not begin at hand 1; points (`totals:`) and `places:` that
  the seats brought to the first hand here, where there are any.
- A hand begins with its number and, where it has been dealt before, which deal this is; who plays off; the dealer;
  whether the cards were cut by a player or given, and so are not the seed's own; the pass. Then come revokes found in
  earlier deals, the hands dealt, and the cards left over.
- `3 passes QS KS AS to 0`: eldest first. ` 4. 2 leads  9S  KS (7D) 4S  QS!, taken by 3`: in the order of play. In
  brackets: a card taken back (G2). A `!` for each revoke that a card gives away (G3). `cancelled`: nobody takes the
  trick (X6); the last one has a taker all the same (X7). `2 shoots the moon and adds`: the choice under the new moon.
- A hand ends with the revokes found in it, then scores (`-`: sits out) and totals. A hand that is void ends with
  `misdeal` or `replay` instead, and is followed by the same hand dealt again. A hand that is going on just ends.
- A game that is over ends with its winner, or those who share the win, and the places.

The number of the format, `VERSION`. A reader reads its own version and all before, and refuses a newer one by its
first line. It grows when an old reader would misread a new text: when a line changes its meaning, a setting its
default, or the order of lines. It does not grow for a new setting, a new value of one, or a new kind of line: texts
without them stay as they are, and an old reader refuses those that have them by naming the line. What a number does not
cover is the rules: when `RULES_VERSION` grows, an old text is still read, and `replay` names the line that no longer
holds.
"""

from rk_env.errors import NotationError
from rk_env.notation.files import read_file, write_file
from rk_env.notation.hand import hand_log
from rk_env.notation.log import GameLog, HandLog, Play, Trick
from rk_env.notation.parse import parse
from rk_env.notation.recorder import Recorder
from rk_env.notation.replay import replay
from rk_env.notation.write import VERSION, write

__all__ = [
    "VERSION",
    "GameLog",
    "HandLog",
    "NotationError",
    "Play",
    "Recorder",
    "Trick",
    "hand_log",
    "parse",
    "read_file",
    "replay",
    "write",
    "write_file",
]
