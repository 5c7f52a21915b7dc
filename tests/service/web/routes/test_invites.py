"""The invite of a private match can be renewed: the old one lets nobody in any more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.matches import access
from tests.support.house import House
from tests.support.http import Headers, Player, Table, table
from tests.support.returns import open_request

Invited = Headers


def private(house: House, seats: int = 3) -> tuple[Table, Player, Invited]:
    """A private match that has started, a stranger, and the headers of its invite."""
    made = house.table("highest_card", seats, private=True)
    return made, house.web.enter("Zoe"), {"Foldtable-Invite": made.answers[1]["invite"]}


def test_the_old_invite_stops_working_in_every_process_at_once(house: House) -> None:
    made, zoe, old = private(house)
    other = house.another()
    for web in (house.web, other.web):
        zoe.at(web).get(made.path, old).shown()
    renewed = made.took(made.host.post(f"{made.path}/invite"))
    assert [event["type"] for event in renewed["events"]] == ["invite_renewed"]
    new = {"Foldtable-Invite": renewed["invite"]}
    for web in (house.web, other.web):
        for part in ("", "/log", "/replay", "/audit"):
            zoe.at(web).get(made.path + part, old).refused(404, "match_not_found")
            zoe.at(web).get(made.path + part, new).shown()
        for player in made.players:
            player.at(web).get(made.path).shown()


def test_an_open_match_is_joined_with_the_new_invite_only(house: House) -> None:
    ann, bob = house.players(2)
    opened = ann.post("/matches", {"game": "highest_card", "seats": 2, "private": True}).done()
    path = f"/matches/{opened['match_id']}"
    renewed = ann.post(f"{path}/invite").done()
    bob.post(f"{path}/seats", {}, {"Foldtable-Invite": opened["invite"]}).refused(404, "match_not_found")
    bob.post(f"{path}/seats", {}, {"Foldtable-Invite": renewed["invite"]}).done()
    again = ann.post(f"{path}/invite").done()
    assert len({opened["invite"], renewed["invite"], again["invite"]}) == 3
    bob.get(path).shown()


def test_a_repeated_request_returns_the_same_invite(house: House) -> None:
    made, _zoe, _old = private(house)
    key = {"Idempotency-Key": "k"}
    first, second = (made.host.post(f"{made.path}/invite", {}, key).done() for _ in range(2))
    assert first == second


def test_only_the_host_renews_and_only_what_is_private(small: House) -> None:
    made, zoe, old = private(small)
    before = small.dump()
    made.players[1].post(f"{made.path}/invite").refused(403, "forbidden")
    zoe.post(f"{made.path}/invite", {}, old).refused(403, "forbidden")
    zoe.post(f"{made.path}/invite").refused(404, "match_not_found")
    assert small.dump() == before
    public = table(made.players, "highest_card")
    public.host.post(f"{public.path}/invite").refused(409, "not_private")


def test_the_invite_is_renewed_a_hundred_times_at_most(small: House) -> None:
    made, _zoe, _old = private(small)
    for _ in range(100):
        made.host.post(f"{made.path}/invite").done()
    before = small.dump()
    made.host.post(f"{made.path}/invite").refused(409, "too_many_renewals")
    assert small.dump() == before


def test_a_renewal_changes_nothing_of_play(small: House) -> None:
    """Neither an open request, nor what may be undone freely, nor the versions that may be named in ``If-Match``."""
    made = small.table("territories", 3, private=True, undo="consent")
    made.play_on(1)
    seat = small.service.matches.current(made.match_id, made.host.id).node.seat  # type: ignore[union-attr]
    mover = made.players[seat or 0]
    known = made.version
    preview = mover.get(f"{made.path}/undo?to={known - 1}").shown()
    made.took(made.host.post(f"{made.path}/invite"))
    after = mover.get(f"{made.path}/undo?to={known - 1}").shown()
    assert (after["verdict"], after["reason"]) == (preview["verdict"], preview["reason"])
    move = made.listed(made.to_move[0])[0]
    made.took(made.mover.post(f"{made.path}/moves", {"move": move}, {"If-Match": f'"{known}"'}))
    asking = next(player for player in made.players if player is not made.mover)
    made.asked(asking.post(f"{made.path}/undo", {"to": known - 1}))
    request = made.version
    made.took(made.host.post(f"{made.path}/invite"))
    assert open_request(made) == request


def test_renewals_are_in_the_log_and_audited(house: House) -> None:
    made, _zoe, _old = private(house)
    renewed = made.took(made.host.post(f"{made.path}/invite"))
    made.play_to_end()
    audit = made.host.get(f"{made.path}/audit").shown()
    assert (audit["ok"], audit["decided_again"]) == (True, True)
    rows = made.host.get(f"{made.path}/log").shown()["commits"]
    [row] = [row for row in rows if row["kind"] == "invite"]
    assert row["sentence"] == "“Ann” renews the invite."
    assert renewed["invite"] not in str(rows)
    assert row["events"][0]["hash"] == access.hash_of(renewed["invite"])


def test_the_seed_which_is_public_in_the_end_gives_no_renewed_invite(small: House) -> None:
    made, zoe, _old = private(small)
    made.took(made.host.post(f"{made.path}/invite"))
    seed = small.service.matches.fresh(made.match_id).seed
    zoe.get(made.path, {"Foldtable-Invite": access.invite_of(seed)}).refused(404, "match_not_found")


@pytest.mark.parametrize("protocol", [1, 2])
def test_matches_of_every_protocol_have_their_old_invite_until_it_is_renewed(small: House, protocol: int) -> None:
    made, _zoe, old = private(small)
    loaded = small.service.matches.fresh(made.match_id)
    match = replace(loaded.match, table=replace(loaded.match.table, protocol=protocol))
    access.check(match, loaded.seed, None, old["Foldtable-Invite"])


def test_the_server_still_records_what_is_due(small: House) -> None:
    """It is let in without an invite, so a renewal does not keep it out."""
    made, _zoe, _old = private(small)
    made.took(made.host.post(f"{made.path}/invite"))
    match = small.service.matches.fresh(made.match_id).match
    assert access.is_visible(match, access.SERVER)
