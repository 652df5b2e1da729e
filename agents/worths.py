"""What the rules of `rule_based` are worth: expected points of a hand, unless a line says otherwise.

Set by regression. In random decisions of hands that the player played against itself, duckers and random players, every
legal card was tried and the hand played out; a rule's worth is its part in the differences of the payoffs. This was
repeated with the new worths until they stood still, for three to six players, and with bonus cards for the worths of
those. The odds of moons are logistic regressions on hands of the same kind; those of own moons were then set a little
lower, since careless players spoil more of them. What only play-offs of two and two decks need was set by trial, on
thousands of dealt hands against random players, duckers and this player without it.

Lists by kind of suit have the order of `agents.knowledge.SuitKind`: a plain suit, spades while the black card is out,
spades while the black card is in the own hand, hearts. Tables with two rows are for play and for the pass.
"""

from __future__ import annotations

from typing import Final

import numpy as np

DUCKING: Final = 0.5
"""How often a player who could beat a card but also stay below it stays below; a guess."""
CANCELLING: Final = 0.5
"""How often a player who holds the other copy of a card plays it to the same trick (X4); a guess."""

# To be rid of a card is worth ...
BLACK_GUARDED: Final = np.array([[5.22, 2.64, -0.56, -2.16, -2.58], [1.71, 1.25, 0.96, 0.39, -0.04]])
"""... of the black card, by the number of lower spades that guard it: with many, it is kept for a discard."""
SPADE_COVERED: Final = np.array([[3.88, 2.71, 0.79, -0.01, -0.6], [1.56, 1.67, 1.53, 1.22, 0.79]])
"""... of a spade above the black card while that is out, by the number of spades below it that cover."""
CARD_KEPT: Final = np.array([[-0.61, -0.95, -0.91, -1.28], [0.38, 0.06, -0.73, -0.45]])
"""... of any other card, however low."""
CARD_RISK: Final = np.array([[0.85, 1.06, 0.85, 0.59], [0.86, 0.32, 0.95, 1.26]])
"""... of such a card, if it is certain to win a round of its suit; else times the chance of that."""
HEART_RISK: Final = 0.19
"""... for each heart in other hands besides, when the card is a heart, times its chance to win."""
LOWEST_KEPT: Final = np.array([[-0.21, -0.21, -0.38, -0.46], [0.02, 0.02, -0.05, -0.93]])
"""... of the lowest card of a suit, times the chance that it does not win: it is kept to duck late."""
LAST_OF_SUIT: Final = np.array([[0.64, 0.77, 0.08, 1.77], [0.52, 0.31, 0.43, 2.07]])
"""... of the last card of a suit that others still hold: the suit can then be used for discards."""
LAST_BUT_ONE: Final = np.array([[0.4, 0.09, -1.23, 0.95], [0.56, 0.35, 0.85, 1.5]])
"""... of the last card but one."""
VOID_FOR_BLACK: Final = np.array([0.16, 0.15])
"""... of the last card of a suit, when the black card is in the hand and waits for a discard."""
PASS_BLACK_LEFT: Final = -0.52
"""... of the black card, when it goes to the left: its holder then plays after us."""

# A lead costs ...
LEAD_AGAIN: Final = np.array([0.65, 1.74, 3.04])
"""... for having to lead again, times the chance to win: early, in the middle, and in the last four tricks."""
LEAD_HEARTS: Final = 0.81
"""... for each heart that comes with a heart, times the chance to win."""
LEAD_BLACK: Final = 0.53
"""... as a part of the black card's points, times such players' share of its possible holders and the chance to win."""
LEAD_OWN_BLACK: Final = 0.79
"""... as a part of its points, when it is the black card itself, times the chance to win."""
LEAD_HIGH_SPADE: Final = 0.71
"""... as a part of the black card's points, when it is a spade above it, while it is out."""
LEAD_LOW_SPADE: Final = -0.61
"""... when it is a spade below the black card, while that is out: its holder loses cover."""
LEAD_FLUSH: Final = -0.53
"""... besides, when the hand has no spade above it."""
LEAD_HEART: Final = -0.88
"""... when it is a heart: others pay for it."""
LEAD_ALONE: Final = 0.26
"""... when nobody else has the suit."""

# A card that beats those on the table costs ...
FOLLOW_AGAIN: Final = np.array([0.18, 1.03, 1.64])
"""... for having to lead next, times the chance to win; stages as for LEAD_AGAIN."""
FOLLOW_POINTS: Final = 0.94
"""... for each point that lies on the table or is the card itself, times the chance to win."""
FOLLOW_HEARTS: Final = 1.27
"""... for each player still to follow to a heart, times the chance to win."""
FOLLOW_DISCARD: Final = 0.17
"""... for each later player without the suit who may discard a heart, times the chance to win."""
FOLLOW_BLACK: Final = 0.48
"""... as a part of the black card's points, times such players' share of its possible holders and the chance to win."""
FOLLOW_HIGH_SPADE: Final = 1.03
"""... as a part of the black card's points, for a spade above it while it is out, times the chance that it may fall."""

# Leaving the black card to somebody else is worth ...
DROP_BLACK: Final = 2.82
"""... under a higher spade."""
DISCARD_BLACK: Final = 2.22
"""... on another suit."""

# Bonus cards, as parts of their ten points: it is worth ...
BONUS_TAKEN: Final = 0.87
"""... to take a trick with one, times the chance to win."""
BONUS_FALLS: Final = 0.23
"""... to play a higher diamond while one is out, times the chance to win."""
BONUS_KEPT: Final = -0.53
"""... to be rid of one."""
CATCHER_KEPT: Final = -0.22
"""... to be rid of a higher diamond while one is out."""

# Against a player who has taken all points so far, times the odds of the moon: it costs ...
STOP_POINTS: Final = -9.37
"""... to take a trick with points, times the chance to win it."""
STOP_LEAD: Final = -3.24
"""... to take a trick without points, times the chance to win it."""
GIVE_OTHER: Final = -5.58
"""... to put a penalty card on a trick that somebody else is winning."""
KEEP_WINNER: Final = 1.26
"""... to part with a card, times the chance that it wins a round."""
KEEP_HEART: Final = 2.2
"""... to part with a heart, times the chance that it wins a round."""

# Log-odds that a player with all points so far shoots the moon.
THREAT_BASE: Final = -4.27
THREAT_HEARTS: Final = 0.33
"""For each heart taken."""
THREAT_BLACK: Final = 0.35
"""For the black card taken."""
THREAT_PROGRESS: Final = 0.85
"""For the share of tricks played."""
THREAT_TRICKS: Final = 2.21
"""For this player's share of them."""
THREAT_OF_TWO: Final = 1.5
"""In a hand of two: nobody else takes a point."""
THREAT_SET_ASIDE: Final = 6.0
"""The same with half of the deck set aside: few penalty cards are needed, and nobody knows which."""

# Log-odds of shooting the moon oneself, in play.
ATTEMPT_BASE: Final = 1.9
ATTEMPT_LOSERS: Final = -0.58
"""For each loser of the hand."""
ATTEMPT_HEART_LOSERS: Final = -1.28
"""For each loser in hearts, besides."""
ATTEMPT_HEARTS_OUT: Final = -0.14
"""For each heart in other hands."""
ATTEMPT_BLACK_OUT: Final = -0.3
"""For the black card in another hand."""
ATTEMPT_LEFT: Final = 0.69
"""For the share of tricks still to play."""
ATTEMPT_CARELESS: Final = -0.3
"""For each play by others, up to two, that no cautious player makes: careless players keep high cards."""
ATTEMPT_SET_ASIDE: Final = 1.0
"""In a hand of two with half of the deck set aside: half of the losers and of the penalty cards are not in play."""

# The same at the pass, for the hand that is left when its worst cards are passed.
PASSING_BASE: Final = 0.1
PASSING_LOSERS: Final = -0.39
PASSING_HEART_LOSERS: Final = -0.29

# While the moon is tried, in parts of a moon: it is worth ...
SHOOT_LEAD: Final = 0.32
"""... to lead a card that wins, times the chance of it."""
SHOOT_LEAD_HEART: Final = 0.09
"""... when that is a heart, besides."""
SHOOT_FOLLOW: Final = 0.03
"""... to win a trick when following, times the chance of it."""
SHOOT_POINTS: Final = 0.4
"""... when it has points, besides."""
SHOOT_HIGH: Final = -0.02
"""... to spend a card, times the chance that it could win a round led."""
SHOOT_GIVE: Final = -0.2
"""... to play a penalty card, times the chance that somebody else gets it."""
SHOOT_LOSER: Final = -0.05
"""... for each loser left in the hand."""
