"""What the rules of `rule_based` are worth: expected points of a hand, unless a line says otherwise.

Set by regression. In decisions drawn at random from hands of the player against itself, duckers and random players, every
legal card was tried and the hand played out; a rule's worth is its part in the differences of the payoffs. This was
repeated with the new worths until they stood still. The odds of moons are logistic regressions on hands of the same kind.

Lists by kind of suit have the order of `agents.knowledge.SuitKind`: a plain suit, spades while the black card is out,
spades while the black card is in the own hand, hearts. Tables with two rows are for play and for the pass.
"""

from __future__ import annotations

from typing import Final

import numpy as np

DUCKING: Final = 0.5
"""How often a player who could beat a card but also stay below it stays below; a guess."""

# To be rid of a card is worth ...
BLACK_GUARDED: Final = np.array([[3.8, 2.6, 0.5, -0.8, -0.8], [2.6, 2.1, 1.4, 0.7, 0.3]])
"""... of the black card, by the number of lower spades that guard it: with many, it is kept for a discard."""
SPADE_COVERED: Final = np.array([[3.1, 2.0, 0.3, -1.0, -1.7], [1.0, 1.1, 1.0, 0.5, 0.3]])
"""... of a spade above the black card while that is out, by the number of spades below it that cover."""
CARD_KEPT: Final = np.array([[-0.74, -0.77, -1.07, -0.95], [0.4, 0.2, -0.4, -0.1]])
"""... of any other card, however low."""
CARD_RISK: Final = np.array([[1.0, 0.9, 1.13, 1.06], [1.0, 0.5, 0.7, 1.3]])
"""... of such a card, if it is certain to win a round of its suit; else times the chance of that."""
LOWEST_KEPT: Final = np.array([[-0.18, -0.2, -0.3, -0.4], [0.1, 0.0, 0.0, -0.9]])
"""... of the lowest card of a suit, times the chance that it does not win: it is kept to duck late."""
LAST_OF_SUIT: Final = np.array([[0.57, 0.77, 1.6, 1.26], [0.5, 0.4, -0.4, 2.0]])
"""... of the last card of a suit that others still hold: the suit can then be used for discards."""
LAST_BUT_ONE: Final = np.array([[0.32, -0.13, -0.76, 0.82], [0.5, 0.3, 0.2, 1.3]])
"""... of the last card but one."""
VOID_FOR_BLACK: Final = np.array([0.4, 0.3])
"""... of the last card of a suit, when the black card is in the hand and waits for a discard."""
PASS_BLACK_LEFT: Final = -0.5
"""... of the black card, when it goes to the left: its holder then plays after us."""

# A lead costs ...
LEAD_AGAIN: Final = np.array([0.7, 1.8, 2.9])
"""... for having to lead again, times the chance to win: early, in the middle, and in the last four tricks."""
LEAD_HEARTS: Final = 0.75
"""... for each heart that comes with a heart, times the chance to win."""
LEAD_DISCARD: Final = 0.1
"""... for each player without the suit who may discard a heart, times the chance to win."""
LEAD_BLACK: Final = 0.47
"""... as a part of the black card's points, times such players' share of its possible holders and the chance to win."""
LEAD_OWN_BLACK: Final = 0.65
"""... as a part of its points, when it is the black card itself, times the chance to win."""
LEAD_HIGH_SPADE: Final = 0.6
"""... as a part of the black card's points, when it is a spade above it, while it is out."""
LEAD_FLUSH: Final = -1.3
"""... when it is a spade below the black card, while that is out and the hand has none above: its holder loses cover."""
LEAD_HEART: Final = -0.65
"""... when it is a heart: others pay for it."""
LEAD_ALONE: Final = 0.6
"""... when nobody else has the suit."""

# A card that beats those on the table costs ...
FOLLOW_AGAIN: Final = np.array([0.1, 0.9, 1.1])
"""... for having to lead next, times the chance to win; stages as for LEAD_AGAIN."""
FOLLOW_POINTS: Final = 0.9
"""... for each point that lies on the table or is the card itself, times the chance to win."""
FOLLOW_HEARTS: Final = 0.9
"""... for each player still to follow to a heart, times the chance to win."""
FOLLOW_DISCARD: Final = 0.3
"""... for each later player without the suit who may discard a heart, times the chance to win."""
FOLLOW_BLACK: Final = 0.2
"""... as a part of the black card's points, times such players' share of its possible holders and the chance to win."""
FOLLOW_HIGH_SPADE: Final = 0.75
"""... as a part of the black card's points, for a spade above it while it is out, times the share of holders to come."""

# Leaving the black card to somebody else is worth ...
DROP_BLACK: Final = 1.4
"""... under a higher spade."""
DISCARD_BLACK: Final = 1.0
"""... on another suit."""

# Bonus cards, as parts of their ten points: it is worth ...
BONUS_TAKEN: Final = 0.9
"""... to take a trick with one, times the chance to win."""
BONUS_FALLS: Final = 0.3
"""... to play a higher diamond while one is out, times the chance to win."""
BONUS_KEPT: Final = -0.5
"""... to be rid of one."""
CATCHER_KEPT: Final = -0.15
"""... to be rid of a higher diamond while one is out."""

# Against a player who has taken all points so far, times the odds of the moon: it costs ...
STOP_POINTS: Final = -4.5
"""... to take a trick with points, times the chance to win it."""
STOP_LEAD: Final = -1.4
"""... to take a trick without points, times the chance to win it."""
GIVE_SHOOTER: Final = 0.3
"""... to put a penalty card on a trick that this player is winning."""
GIVE_OTHER: Final = -2.5
"""... to put a penalty card on a trick that somebody else is winning."""
KEEP_WINNER: Final = 0.8
"""... to part with a card, times the chance that it wins a round."""
KEEP_HEART: Final = 1.6
"""... to part with a heart, times the chance that it wins a round."""

# Log-odds that a player with all points so far shoots the moon.
THREAT_BASE: Final = -3.7
THREAT_HEARTS: Final = 0.25
"""For each heart taken."""
THREAT_BLACK: Final = 0.2
"""For the black card taken."""
THREAT_PROGRESS: Final = 1.0
"""For the share of tricks played."""
THREAT_TRICKS: Final = 2.7
"""For this player's share of them."""

# Log-odds of shooting the moon oneself; rows: in play, at the pass (then without the losers that can still be passed).
ATTEMPT_BASE: Final = np.array([1.3, 0.0])
ATTEMPT_LOSERS: Final = np.array([-0.6, -0.6])
"""For each loser of the hand."""
ATTEMPT_HEART_LOSERS: Final = np.array([-1.4, -1.0])
"""For each loser in hearts, besides."""
ATTEMPT_HEARTS_OUT: Final = np.array([-0.1, -0.1])
"""For each heart in other hands."""
ATTEMPT_BLACK_OUT: Final = np.array([-0.3, -0.3])
"""For the black card in another hand."""
ATTEMPT_LEFT: Final = np.array([0.7, 0.0])
"""For the share of tricks still to play."""
ATTEMPT_CARELESS: Final = -0.5
"""For each play by others that no cautious player makes: such players keep high cards that cautious ones lose early."""
ATTEMPT_FROM: Final = np.array([0.0, 0.0])
"""Log-odds from which the moon is tried."""

# While the moon is tried, in parts of a moon: it is worth ...
SHOOT_LEAD: Final = 0.4
"""... to lead a card that wins, times the chance of it."""
SHOOT_LEAD_HEART: Final = 0.2
"""... when that is a heart, besides."""
SHOOT_FOLLOW: Final = 0.13
"""... to win a trick when following, times the chance of it."""
SHOOT_POINTS: Final = 0.2
"""... when it has points, besides."""
SHOOT_HIGH: Final = -0.07
"""... to spend a card, times the chance that it could win a round led."""
SHOOT_GIVE: Final = -0.15
"""... to play a penalty card, times the chance that somebody else gets it."""
SHOOT_LOSER: Final = -0.1
"""... for each loser left in the hand."""
