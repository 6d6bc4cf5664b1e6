"""What hypothesis draws from: any state that the rules accept, reachable or not."""

from hypothesis import strategies as st

from engines.ludo.parse import parse
from engines.ludo.position import Position

SEATINGS = [(), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3)]

# Squares on which something happens are drawn more often than plain ones.
squares = st.one_of(
    st.integers(0, 57),
    st.sampled_from([0, 1, 5, 9, 12, 13, 14, 18, 22, 25, 26, 27, 31, 35, 38, 39, 40, 44, 48, 51, 52, 57]),
)


@st.composite
def states(draw) -> dict:
    ghosts = draw(st.sampled_from(SEATINGS))
    alive = [seat for seat in range(4) if seat not in ghosts]
    return {
        "positions": [[draw(squares) if seat in alive else 0 for _ in range(4)] for seat in range(4)],
        "ghosts": list(ghosts),
        "player": draw(st.sampled_from(alive)),
        "dice": draw(st.integers(1, 6)),
        "round": draw(st.sampled_from([1, 2, 50])),
        "attempts": draw(st.integers(0, 3)),
    }


def positions() -> st.SearchStrategy[Position]:
    return states().map(parse)
