"""Ludo in plain Python, written for clarity and apart from the engine, to judge it by.

A state is a list of four lists of own numbers. Nothing here is fast.
"""

import random

STARS = [5, 12, 18, 25, 31, 38, 44, 51]
GLOBES = [9, 22, 35, 48]
EVERYONE = range(4)


def spot(player, number):
    """The place on the ring of 52; the collision table still takes number 52 for the last of them."""
    return (number - 1 + 13 * player) % 52


def start_of(player, seat):
    """The number under which `player` knows the start square of `seat`."""
    return 1 + 13 * ((seat - player) % 4)


def movable(pieces, dice):
    return [i for i, n in enumerate(pieces) if n != 57 and (n != 0 or dice == 6)]


def enemies_on(positions, player, number):
    """The first enemy with pieces on the square, and which pieces: (None, []) where nobody is."""
    if 1 <= number <= 52:
        for enemy in ((player + k) % 4 for k in (1, 2, 3)):
            on_its_start = number == start_of(player, enemy)
            found = [
                i
                for i, n in enumerate(positions[enemy])
                if 1 <= n <= 52 and (spot(enemy, n) == spot(player, number) or (on_its_start and n == 52))
            ]
            if found:
                return enemy, found
    return None, []


def play(positions, player, piece, dice):
    """The positions after the move, the captured (enemy, piece) pairs, and whether the mover went home."""
    after = [list(row) for row in positions]
    captured = []
    at = positions[player][piece]
    to = at + dice

    def clash(number):
        """True where the mover is refused."""
        enemy, there = enemies_on(after, player, number)
        if len(there) == 1:
            after[enemy][there[0]] = 0
            captured.append((enemy, there[0]))
        return len(there) > 1

    if 52 <= at <= 56:
        after[player][piece] = to if to <= 57 else 57 - dice
        return after, captured, False
    enemy, _ = enemies_on(positions, player, to)
    if at == 0:
        to = 1
        refused = clash(1)
    elif to == 51:
        to = 57
        refused = clash(51)
    elif to in STARS:
        beyond = STARS[STARS.index(to) + 1]
        refusals = [clash(to), clash(beyond)]
        refused = any(refusals)
        to = beyond
    elif to in GLOBES:
        refused = enemy is not None
    elif to in (14, 27, 40) and enemy is not None and to == start_of(player, enemy):
        refused = True
    else:
        refused = clash(to)
    after[player][piece] = 0 if refused else to
    return after, captured, refused


def finished(positions):
    return [player for player in EVERYONE if positions[player] == [57] * 4]


def next_turn(after, ghosts, player, dice, round_, attempts):
    """(player, round, attempts) of the next throw."""
    if round_ == 1 and after[player] == [0] * 4 and attempts < 3:
        return player, 1, attempts + 1
    if round_ != 1 and dice == 6:
        return player, round_, 0
    player += 1
    while player in ghosts:
        player += 1
    return (player, round_, 0) if player <= 3 else (0, round_ + 1, 0)


def random_game(ghosts, rng: random.Random):
    """One game of random moves: the winner and the number of throws."""
    positions = [[0] * 4 for _ in EVERYONE]
    player, round_, attempts, throws = 0, 1, 0, 0
    while True:
        dice = rng.randint(1, 6)
        throws += 1
        choices = movable(positions[player], dice)
        if choices:
            positions, _, _ = play(positions, player, rng.choice(choices), dice)
            if positions[player] == [57] * 4:
                return player, throws
        player, round_, attempts = next_turn(positions, ghosts, player, dice, round_, attempts)
