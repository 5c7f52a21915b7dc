"""``foldtable simulate``: matches among bots, what it prints, its records, and wrong arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from domain.games import all_games
from service.cli.main import main
from service.cli.simulation import Simulation, played_matches


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(["simulate", *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_it_prints_lengths_shares_ends_and_decisions(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("territories", "--matches", "6", "--bots", "random,greedy", "--processes", "1")
    first, lengths, *rows = printed(capsys, *arguments)
    assert first.startswith("6 matches of territories, 2 seats: ")
    assert lengths.startswith("moves of a match: ")
    heads = [row.split("\t")[0] for row in rows]
    assert heads[:5] == ["wins by", "seat 0", "seat 1", "random", "greedy"]
    assert heads[5] == "ended by"
    assert set(heads[-3:]) == {"bot", "random", "greedy"}
    assert "greedy\t100.0 %\t61.0 to 100.0 %" in rows


def test_the_same_seed_gives_the_same_matches_in_any_number_of_processes() -> None:
    asked = Simulation("blockers", 3, ("random",), seed=7, milliseconds=1_000)
    alone, together = ({n: (p.moves, p.outcome) for n, p in played_matches(asked, 4, count)} for count in (1, 2))
    assert alone == together
    other = Simulation("blockers", 3, ("random",), seed=8, milliseconds=1_000)
    assert {n: (p.moves, p.outcome) for n, p in played_matches(other, 4, 1)} != alone


@pytest.mark.parametrize("game", sorted(all_games()))
def test_each_record_is_verified(game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "records"
    bots = "greedy" if game == "cock_block" else "greedy,random"
    rows = printed(capsys, game, "--matches", "2", "--bots", bots, "--processes", "1", "--records", str(folder))
    assert rows[-1] == f"records and keys.json are in {folder}, signed with a key of this run"
    records = sorted(folder.glob("*.json"))
    assert len(records) == 3
    for record in records[:-1]:
        assert main(["verify", str(record), "--keys", str(folder / "keys.json")]) == 0
        assert "every decision follows from the rules" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "there is no game chess; the games are "),
        (["blockers", "--seats", "9"], "Blockers! is played by 2 to 5 seats"),
        (["blockers", "--bots", "random,clever"], "there is no bot 'clever'; the bots are random, greedy, planner"),
        (["blockers", "--bots", "random,random,random"], "there are 3 bots for 2 seats"),
        (["blockers", "--matches", "0"], "--matches must be from 1 to "),
        (["blockers", "--time", "0"], "--time and --processes must be at least 1"),
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *arguments]) == 2
    assert capsys.readouterr().out.startswith(f"usage: {said}")


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["simulate", "blockers", "--records", str(tmp_path / "file" / "folder")]) == 3
    assert capsys.readouterr().out.startswith("cannot write to ")
