"""Every worked example of the rules page and every number of the reports page has a test that is named after it."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent

EXAMPLES = set(range(1, 21))
REPORTS = {1, 4, 6, 8, 13, 16, 17, 20, 24, 26, 28, 29, 30, 32, 35, 36, 38, 40, 44, 45, 47, 52, 53, 56, 57, 59, 60}
REPORTS |= {62, 64, 66, 69, 70, 72, 73, 74, 75, 76, 77, 78, 79}
"""The numbers of the reports page."""

ELSEWHERE = {
    6: "test_agents.py::test_report_06_agents_play_the_only_harmless_card",
    16: "test_oracle.py::test_engine_agrees_with_oracle_at_every_decision",
    29: "test_agents.py::test_report_29_every_way_to_pass_picks_three_different_cards",
    69: "test_agents.py::test_report_69_agents_keep_nothing_between_games",
    70: "test_agents.py::test_report_70_a_forced_move_is_answered",
    72: "test_evaluate.py::test_report_72_each_seat_meets_each_dealer_and_direction_equally_often",
    73: "test_evaluate.py::test_report_73_shares_of_the_win_sum_to_the_hands",
    74: "test_evaluate.py::test_report_74_a_field_of_equals_earns_nothing",
    75: "test_evaluate.py::test_report_75_as_many_different_deals_as_deals_played",
    76: "test_evaluate.py::test_report_76_another_line_up_is_another_result",
    77: "test_foreign_text.py::test_report_77_a_program_is_told_the_legal_cards_and_the_scores_of_these_rules",
    78: "test_evaluate.py::test_report_78_other_choices_of_players_leave_the_deals_as_they_are",
}
"""Reports about agents and evaluation, and the comparison that report 16 asks for: the tests beside those modules."""

UNNUMBERED = {
    "masks are int8, not empty, not shared": "test_reports_games.py::"
    "test_report_masks_are_fresh_int8_and_never_empty_for_a_seat_to_act",
    "a mask is in the observation alone": "test_aec_variants.py::test_the_mask_is_in_the_observation_alone",
    "every agent is paid, whoever moved last": "test_aec_rewards.py::test_rewards_are_paid_once_at_the_end_to_all",
    "observations are fresh arrays": "test_aec.py::test_arrays_are_fresh_every_time",
    "environments and engines can be copied": "test_aec.py::test_copies_keep_the_state_and_are_apart",
}
"""The ways other environments failed their users, as far as what is built here can."""

NOT_YET: dict[int, str] = {}
"""Reports that no test of this folder can speak of yet, and why."""

# Of the unnumbered ones these are still to come with what they are about: unmasked sampling by `check_env` and the
# automatic reset of vector environments (Gymnasium and SB3 environments), and ratings of tied deals (tournaments).


def names_by_file() -> dict[str, set[str]]:
    """The names of the tests in each file."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in TESTS.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[path.name].add(node.name)
    return found


def numbers_named(kind: str) -> dict[int, list[str]]:
    """Where the numbers of one kind stand in the names of tests: `test_report_35_36_38_all_pass` has three."""
    found: dict[int, list[str]] = defaultdict(list)
    for file, names in names_by_file().items():
        for name in names:
            match = re.match(rf"test_{kind}((?:_\d+)+)(?:_|$)", name)
            for number in match[1].strip("_").split("_") if match else ():
                found[int(number)].append(f"{file}::{name}")
    return found


def test_every_worked_example_is_tested_by_its_number() -> None:
    here = {number for number, where in numbers_named("example").items() if any("oracle" not in name for name in where)}
    assert here == EXAMPLES


def test_every_report_is_tested_by_its_number_or_excused() -> None:
    named = set(numbers_named("report"))
    assert named | set(NOT_YET) == REPORTS
    assert not named & set(NOT_YET), "a report is tested now: take it out of NOT_YET"
    assert len(REPORTS) == 40


def test_what_is_said_to_be_tested_elsewhere_is_there() -> None:
    found = names_by_file()
    for where in (*ELSEWHERE.values(), *UNNUMBERED.values()):
        file, name = where.split("::")
        assert name in found[file], where
    rules_and_engine = {"test_reports.py", "test_reports_games.py", "test_whole_games.py", "test_layout.py"}
    for number, where_named in numbers_named("report").items():
        files = {name.split("::")[0] for name in where_named}
        assert files & rules_and_engine or number in ELSEWHERE, (number, files)
