"""Accounts over HTTP: several tokens, a recovery code, a change of name."""

from __future__ import annotations

import json
import logging

import pytest

from service.players.accounts import MOST_TOKENS
from tests.support.house import House
from tests.support.http import Player, Web


def entered(house: House, name: str = "Ann") -> tuple[Player, str]:
    """A player, and its recovery code."""
    made = house.web.post("/players", {"name": name}).done()
    return Player(house.web, made["player_id"], made["name"], made["token"]), made["recovery_code"]


def with_token(player: Player, token: str, web: Web | None = None) -> Player:
    return Player(web or player.web, player.id, player.name, token)


def token_ids(player: Player) -> list[str]:
    return [row["token_id"] for row in player.get("/players/me/tokens").shown()["tokens"]]


def test_an_account_has_several_tokens_and_each_can_be_revoked(house: House) -> None:
    ann, _code = entered(house)
    made = ann.post("/players/me/tokens", {"label": "phone"}).done()
    phone = with_token(ann, made["token"])
    rows = phone.get("/players/me/tokens").shown()["tokens"]
    assert [(row["label"], row["current"]) for row in rows] == [("", False), ("phone", True)]
    assert rows[1]["token_id"] == made["token_id"]
    ann.delete(f"/players/me/tokens/{made['token_id']}").shown()
    phone.get("/players/me").refused(401, "unauthenticated")
    assert ann.get("/players/me").shown()["name"] == "Ann"
    ann.delete(f"/players/me/tokens/{made['token_id']}").refused(404, "token_not_found")
    assert len(token_ids(ann)) == 1


def test_a_token_is_renewed_with_its_label_and_the_old_one_ends_at_once(house: House) -> None:
    ann, _code = entered(house)
    made = ann.post("/players/me/tokens", {"label": "phone"}).done()
    new = ann.post(f"/players/me/tokens/{made['token_id']}/renew").done()
    assert (new["label"], new["token"] == made["token"]) == ("phone", False)
    with_token(ann, made["token"]).get("/players/me").refused(401, "unauthenticated")
    with_token(ann, new["token"]).get("/players/me").shown()
    ann.post(f"/players/me/tokens/{made['token_id']}/renew").refused(404, "token_not_found")
    rows = ann.get("/players/me/tokens").shown()["tokens"]
    [own] = [row["token_id"] for row in rows if row["current"]]
    self_renewed = with_token(ann, ann.post(f"/players/me/tokens/{own}/renew").done()["token"])
    ann.get("/players/me").refused(401, "unauthenticated")
    self_renewed.get("/players/me").shown()


def test_an_account_has_a_bounded_number_of_tokens(small: House) -> None:
    ann, code = entered(small)
    for _ in range(MOST_TOKENS - 1):
        ann.post("/players/me/tokens").done()
    before = small.dump()
    ann.post("/players/me/tokens").refused(409, "too_many_tokens")
    small.web.post("/recovery", {"code": code, "revoke": []}).refused(409, "too_many_tokens")
    assert small.dump() == before
    ann.post(f"/players/me/tokens/{token_ids(ann)[3]}/renew").done()
    assert len(token_ids(ann)) == MOST_TOKENS


def test_the_recovery_code_gives_a_new_token_and_revokes_all_others(house: House) -> None:
    ann, code = entered(house)
    phone = with_token(ann, ann.post("/players/me/tokens").done()["token"])
    phone.get("/players/me").shown()
    made = house.web.post("/recovery", {"code": code.upper().replace("-", " ")}).done()
    assert (made["player_id"], made["name"]) == (ann.id, "Ann")
    back = with_token(ann, made["token"])
    assert token_ids(back) == [made["token_id"]]
    for old in (ann, phone):
        old.get("/players/me").refused(401, "unauthenticated")


def test_whoever_recovers_chooses_which_tokens_to_revoke(house: House) -> None:
    ann, code = entered(house)
    made = ann.post("/players/me/tokens").done()
    house.web.post("/recovery", {"code": code, "revoke": []}).done()
    house.web.post("/recovery", {"code": code, "revoke": ["00000000"]}).refused(404, "token_not_found")
    house.web.post("/recovery", {"code": code, "revoke": [made["token_id"]]}).done()
    with_token(ann, made["token"]).get("/players/me").refused(401, "unauthenticated")
    assert len(token_ids(ann)) == 3


def test_a_new_recovery_code_replaces_the_old_one(house: House) -> None:
    ann, old = entered(house)
    new = ann.post("/players/me/recovery-code").done()["recovery_code"]
    assert new != old
    house.web.post("/recovery", {"code": old}).refused(401, "unauthenticated")
    house.web.post("/recovery", {"code": new}).done()


@pytest.mark.parametrize("code", ["", "x", "a" * 48, "-", "a.b", "\ufffd" * 20, "a" * 10_000])
def test_a_wrong_code_is_refused_like_the_code_of_no_account(small: House, code: str) -> None:
    ann, right = entered(small)
    wrong = right[:-1] + ("a" if right[-1] != "a" else "b")
    before = small.dump()
    expected = small.web.post("/recovery", {"code": wrong}).refused(401, "unauthenticated")
    for other in (code, ann.id + code, ann.token):
        assert small.web.post("/recovery", {"code": other}).refused(401, "unauthenticated") == expected
    with_token(ann, right).get("/players/me").refused(401, "unauthenticated")
    assert small.dump() == before


def test_the_last_token_can_be_revoked_because_there_is_a_recovery_code(house: House) -> None:
    ann, code = entered(house)
    ann.delete(f"/players/me/tokens/{token_ids(ann)[0]}").shown()
    ann.get("/players/me").refused(401, "unauthenticated")
    house.web.post("/recovery", {"code": code}).done()


def test_a_change_of_name_shows_everywhere_also_in_the_past(house: House) -> None:
    table = house.table("highest_card", 2)
    ann = table.host
    shown = ann.ask("PATCH", "/players/me", raw=b'{"name": "Annabel"}', headers={"Content-Type": "application/json"})
    assert shown.shown()["name"] == "Annabel"
    assert table.players[1].get(table.path).shown()["seats"][0]["name"] == "Annabel"
    rows = table.players[1].get(f"{table.path}/log").shown()["commits"]
    assert rows[0]["sentence"].startswith("“Annabel” opens a match")
    house.web.post("/players", {"name": "Ann"}).done()
    house.web.post("/players", {"name": "ANNABEL"}).refused(409, "name_taken", field="name")


@pytest.mark.parametrize("name", ["Bob", "bob", "\u0412ob", "B\u200dob", "", "Ann. Bob wins!"])
def test_a_refused_change_of_name_changes_nothing(house: House, name: str) -> None:
    ann, _bob = (house.web.enter(each) for each in ("Ann", "Bob"))
    before = house.dump()
    body = {"Content-Type": "application/json"}
    answer = ann.ask("PATCH", "/players/me", raw=json.dumps({"name": name}).encode(), headers=body)
    assert answer.status in (409, 422)
    assert answer.body["field"] == "name"
    assert "Bob" not in answer.body["detail"]
    assert house.dump() == before


def test_the_own_name_can_be_written_in_another_way(house: House) -> None:
    ann, _code = entered(house)
    body = {"Content-Type": "application/json"}
    assert ann.ask("PATCH", "/players/me", raw=b'{"name": "ANN"}', headers=body).shown()["name"] == "ANN"
    house.web.post("/players", {"name": "ann"}).refused(409, "name_taken", field="name")


def test_a_deleted_account_frees_its_name_and_its_code_is_good_for_nothing(house: House) -> None:
    ann, code = entered(house)
    ann.delete("/players/me").shown()
    house.web.post("/recovery", {"code": code}).refused(401, "unauthenticated")
    house.web.post("/players", {"name": "Ann"}).done()


def test_a_label_is_short_and_printable(small: House) -> None:
    ann, _code = entered(small)
    for label in ("x" * 41, "a\nb", " a", "\u202e"):
        ann.post("/players/me/tokens", {"label": label}).refused(422, "invalid", field="label")


def test_no_answer_and_no_log_line_shows_a_token_or_a_code_again(
    small: House, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ann, code = entered(small)
    made = ann.post("/players/me/tokens").done()
    small.web.post("/recovery", {"code": code, "revoke": [made["token_id"]]}).done()
    answers = [ann.get(path) for path in ("/players/me", "/players/me/tokens", f"/players/{ann.id}")]
    for secret in (ann.token, code, made["token"], code.replace("-", ""), ann.token.partition(".")[2]):
        assert not any(secret.encode() in answer.data for answer in answers)
        assert secret not in caplog.text
        assert secret not in repr(small.backend.players.get(ann.id))
    assert all(answer.headers["Cache-Control"] == "no-store" for answer in [ann.post("/players/me/tokens")])
