"""The text form, without a server."""

from app.decisions import text

ANSWER = {
    "move": {"piece": 1, "action": 0},
    "agent": "greedy",
    "score": 3.5,
    "outcome": None,
    "decisionId": "abc",
    "stats": {"elapsedMs": 1.25, "seed": 7, "iterations": 2, "reason": None},
    "breakdown": {
        "candidates": [
            {
                "move": {"piece": 1, "action": 0},
                "score": 3.5,
                "terms": {"progress": 4, "risk": -0.5},
                "notes": [],
            },
            {"move": {"piece": 2, "action": 1}, "score": None, "terms": {"far": "-inf"}, "notes": ["lost"]},
        ],
        "chosen": {"piece": 1, "action": 0},
        "context": {"phase": "midgame"},
        "line": [],
    },
}


def test_the_board_stands_above_the_table_and_the_chosen_row_is_starred():
    shown = text.render("BOARD\n", ANSWER)
    assert shown.startswith("BOARD\n\nmove      piece 1\n")
    rows = [line for line in shown.splitlines() if "piece " in line and "move  " not in line]
    assert rows[0].startswith("*  piece 1")
    assert rows[1].startswith("   piece 2")
    assert rows[1].endswith("lost")
    assert "phase     midgame" in shown
    assert "reason" not in shown, "what is null is not shown"


def test_columns_line_up_and_numbers_stand_to_the_right():
    lines = text.table(ANSWER["breakdown"]["candidates"], ANSWER["move"]).splitlines()
    end = lines[0].index("progress") + len("progress")
    assert lines[1][end - 1] == "4"
    assert lines[2][end - 1] == "-", "a term that a candidate lacks is a dash"


def test_many_terms_go_on_in_further_tables():
    terms = {f"term_{index}": index + 1 for index in range(10)}
    candidate = {"move": "up", "score": 55, "terms": terms, "notes": ["n"]}
    shown = text.table([candidate], "up")
    assert shown.count("\n\n") == 1
    assert all(name in shown for name in terms)
    assert shown.count("notes") == 1


def test_orders_of_a_joint_move_are_each_starred():
    orders = [{"piece": 1, "direction": "up", "distance": 2}, {"piece": 3, "direction": "up", "distance": 0}]
    assert text.is_chosen(orders[1], orders)
    assert not text.is_chosen({"piece": 1, "direction": "up", "distance": 3}, orders)
    assert text.show(orders) == "1 up 2, 3 up 0"


def test_numbers_without_noise():
    assert [text.number(n) for n in (None, "inf", 3, 3.0, -0.5, 1 / 3, 0.0001234, 0)] == [
        *("-", "inf", "3", "3", "-0.5", "0.3333", "0.000123", "0")
    ]


def test_a_term_that_is_nought_everywhere_has_no_column():
    candidates = [{"move": "up", "score": 2, "terms": {"food": 2, "hazard": 0}, "notes": []}]
    shown = text.table(candidates, "up")
    assert "food" in shown
    assert "hazard" not in shown


def test_what_a_game_adds_has_a_table_of_its_own_with_lines_at_the_end():
    plain = {"score": 1, "terms": {"food": 1}, "notes": []}
    details = {"line": ["up", "left"], "replies": {"up": 1.5}, "part": {"fitness": 2, "line": ["up"]}}
    candidates = [{"move": "up", **plain, "details": details}, {"move": "down", **plain}]
    head, row = text.details(candidates, "up").splitlines()
    assert head.split() == ["move", "replies", "part.fitness", "line"]
    assert row.split() == ["*", "up", "up", "1.5", "2", "up", "left"]


def test_strings_of_clients_are_shown_without_what_steers_a_terminal():
    assert text.show("\x1b[2J\nmoon") == "?[2J?moon"
    assert text.pairs({"\x07": "a"}) == "? a"
