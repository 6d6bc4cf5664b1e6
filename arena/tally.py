"""What the games come to. Games are counted in the order of their numbers, so that a table is the
same to the last digit however the games were spread over workers."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from arena.players import FAULTS
from arena.records import Record, SeatNotes
from arena.results import (
    Counted,
    Lengths,
    PairResult,
    SeatResult,
    SprtResult,
    Standing,
    Timing,
)
from arena.setup import Setup
from arena.statistics import Percentiles, difference, ratings, wilson


class _Score:
    """Games, and how they ended for one contestant."""

    __slots__ = ("draws", "games", "points", "wins")

    def __init__(self) -> None:
        self.games = self.wins = self.draws = 0
        self.points = 0.0

    def add(self, places: tuple[int, ...], seat: int) -> None:
        first = sum(place == 1 for place in places)
        self.games += 1
        if places[seat] == 1:
            self.wins += first == 1
            self.draws += first > 1
            self.points += 1 / first


class _Counters:
    """What an agent counted and flagged at its decisions."""

    def __init__(self) -> None:
        self.decisions = 0
        self.numbers: dict[str, tuple[float, int]] = {}
        self.flags: Counter[str] = Counter()

    def add(self, notes: SeatNotes) -> None:
        self.decisions += len(notes.microseconds)
        for name, (total, count) in notes.numbers.items():
            before, so_far = self.numbers.get(name, (0.0, 0))
            self.numbers[name] = (before + total, so_far + count)
        self.flags.update(notes.flags)

    def means(self) -> dict[str, float]:
        """Means of what it counted, and how often what it flagged happened."""
        means = {name: total / count for name, (total, count) in self.numbers.items()}
        shares = {name: count / self.decisions for name, count in self.flags.items()}
        return dict(sorted((means | shares).items()))


class _ContestantTotals:
    """One contestant's totals over all its games."""

    def __init__(self) -> None:
        self.score = _Score()
        self.seats: dict[str, _Score] = {}
        self.times = Percentiles()
        self.faults: Counter[str] = Counter()
        self.counters = _Counters()

    def add(self, notes: SeatNotes) -> None:
        for microseconds in notes.microseconds:
            self.times.add(microseconds)
        self.faults.update({kind: getattr(notes, kind) for kind in FAULTS})
        self.counters.add(notes)


class _Between:
    """The games of two contestants against each other."""

    def __init__(self) -> None:
        self.ahead: Counter[int] = Counter()
        """How often the first came 2 ahead, 1 level or 0 behind."""
        self.plies = 0
        self.counters = (_Counters(), _Counters())
        self.seats: dict[str, _Score] = {}
        """Of the first, by its seat."""


class Tally:
    """The running count of a tournament."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.games = 0
        self._labels = [contestant.label for contestant in setup.contestants]
        self._deeds = [_ContestantTotals() for _ in self._labels]
        self._met: dict[tuple[int, int], _Between] = {}
        """(i, j), i < j."""
        self._pairs: dict[tuple[int, int], Counter[int]] = {}
        """(i, j): points of i in halves, over the two games of an opening."""
        self._open: dict[tuple[int, ...], int] = {}
        """Halves of the first game of a pair whose second is still to come."""
        self._choices: Counter[tuple[int, tuple[int, ...]]] = Counter()
        self._lengths: Counter[int] = Counter()
        self._ended: Counter[str] = Counter()

    def add(self, record: Record) -> None:
        """Count a game."""
        self.games += 1
        self._lengths[record.length] += 1
        self._ended[record.ended] += 1
        for seat, who in enumerate(record.seats):
            deeds = self._deeds[who]
            deeds.score.add(record.places, seat)
            deeds.seats.setdefault(record.seat_names[seat], _Score()).add(record.places, seat)
            deeds.add(record.notes[seat])
        self._compare(record)
        self._choose(record)
        if len(record.seats) == 2:
            self._pair(record)

    def _compare(self, record: Record) -> None:
        seat = {who: at for at, who in enumerate(record.seats)}
        for one, two in combinations(sorted(seat), 2):
            place, other = record.places[seat[one]], record.places[seat[two]]
            between = self._met.setdefault((one, two), _Between())
            between.ahead[1 + (other > place) - (other < place)] += 1
            between.plies += record.length
            name = record.seat_names[seat[one]]
            # Places of these two alone: at a longer table others may have come first.
            places = (1 + (other < place), 1 + (place < other))
            between.seats.setdefault(name, _Score()).add(places, 0)
            for who, counters in zip((one, two), between.counters, strict=True):
                counters.add(record.notes[seat[who]])

    def _choose(self, record: Record) -> None:
        """The fit sees a game as choices of the best among those left; who share a place, half each way."""
        ranked = sorted(zip(record.places, record.seats, strict=True))
        for place in sorted(set(record.places)):
            level = [who for at, who in ranked if at == place]
            behind = tuple(who for at, who in ranked if at > place)
            last_of_many = not behind and len(record.seats) > 2 and place > 1
            for who in level:
                if behind:
                    self._choices[who, behind] += 2
                if not last_of_many:  # those who share the last place were not distinguished
                    for other in level:
                        if other != who:
                            self._choices[who, (other,)] += 1

    def _pair(self, record: Record) -> None:
        one, two = sorted(record.seats)
        halves = 1 + (record.places[1] > record.places[0]) - (record.places[1] < record.places[0])
        if record.seats[0] != one:
            halves = 2 - halves
        key = (record.opening, one, two)
        if key not in self._open:
            self._open[key] = halves
        else:
            self._pairs.setdefault((one, two), Counter())[halves + self._open.pop(key)] += 1

    def pair_counts(self, one: int = 0, two: int = 1) -> tuple[int, ...]:
        """Pairs by the points of `one`: 0, a half, 1, one and a half, 2."""
        counts = self._pairs.get((one, two), Counter())
        return tuple(counts[halves] for halves in range(5))

    def lead(self) -> tuple[float, int]:
        """Points and games of the first contestant: what a display shows."""
        return self._deeds[0].score.points, self._deeds[0].score.games

    def silent(self) -> list[str]:
        """Contestants of whom not one answer could be used."""
        return [
            label
            for label, deeds in zip(self._labels, self._deeds, strict=True)
            if deeds.times.count and sum(deeds.faults.values()) == deeds.times.count
        ]

    def sprt(self) -> SprtResult | None:
        """Where the test stands."""
        test = self.setup.sprt
        if test is None:
            return None
        llr = test.llr(self.pair_counts())
        return SprtResult(test=test, lower=test.lower, upper=test.upper, llr=llr, accepted=test.verdict(llr))

    def standings(self) -> tuple[Standing, ...]:
        """The table, best first."""
        fit = ratings(len(self._labels), self._choices)
        rows = []
        for who, (label, deeds) in enumerate(zip(self._labels, self._deeds, strict=True)):
            low, high = wilson(deeds.score.points, deeds.score.games)
            rows.append(
                Standing(
                    label=label,
                    **_score(deeds.score),
                    low=low,
                    high=high,
                    elo=fit.elo[who],
                    elo_error=fit.error[who],
                    late=deeds.faults["late"],
                    failed=deeds.faults["failed"],
                    illegal=deeds.faults["illegal"],
                    decisions=deeds.times.count,
                    counters=deeds.counters.means(),
                    seats=_by_seat(deeds.seats),
                )
            )
        return tuple(sorted(rows, key=lambda row: (-(row.elo or 0.0), -(row.rate or 0.0))))

    def rating_prior(self) -> bool:
        """Did the ratings need a draw between all who met, to be finite?"""
        return ratings(len(self._labels), self._choices).prior

    def pairings(self) -> tuple[PairResult, ...]:
        """How everybody did against everybody."""
        rows = []
        for (one, two), between in sorted(self._met.items()):
            ahead = between.ahead
            games = ahead.total()
            points = ahead[2] + ahead[1] / 2
            low, high = wilson(points, games)
            pairs = self.pair_counts(one, two) if len(self.setup.groups[0]) == 2 else None
            # Paired games where all are, single games where some stand alone.
            paired = pairs is not None and 2 * sum(pairs) == games
            found = difference(pairs if paired and pairs else (ahead[0], ahead[1], ahead[2]))
            rows.append(
                PairResult(
                    one=self._labels[one],
                    two=self._labels[two],
                    games=games,
                    wins=ahead[2],
                    draws=ahead[1],
                    losses=ahead[0],
                    rate=points / games,
                    low=low,
                    high=high,
                    pairs=pairs,
                    elo=found.elo,
                    elo_error=found.error,
                    los=found.los,
                    length=between.plies / games,
                    counters=(between.counters[0].means(), between.counters[1].means()),
                    seats=_by_seat(between.seats),
                )
            )
        return tuple(rows)

    def lengths(self, unit: str) -> Lengths:
        """How long the games were and how they ended."""
        total = sum(length * count for length, count in self._lengths.items())
        return Lengths(
            unit=unit,
            mean=total / self.games if self.games else None,
            shortest=min(self._lengths, default=None),
            longest=max(self._lengths, default=None),
            histogram=dict(sorted(self._lengths.items())),
            ended=dict(sorted(self._ended.items())),
        )

    def timings(self) -> tuple[Timing, ...]:
        """Time per decision."""
        return tuple(
            Timing(
                label=label,
                decisions=deeds.times.count,
                mean=deeds.times.total / deeds.times.count / 1000 if deeds.times.count else None,
                p50=deeds.times.ms(0.50),
                p99=deeds.times.ms(0.99),
                max=deeds.times.largest / 1000 if deeds.times.count else None,
            )
            for label, deeds in zip(self._labels, self._deeds, strict=True)
        )


def _by_seat(seats: dict[str, _Score]) -> tuple[SeatResult, ...]:
    return tuple(SeatResult(seat=name, **_score(score)) for name, score in sorted(seats.items()))


def _score(score: _Score) -> Counted:
    return {
        "games": score.games,
        "wins": score.wins,
        "draws": score.draws,
        "losses": score.games - score.wins - score.draws,
        "points": score.points,
        "rate": score.points / score.games if score.games else None,
    }
