"""A house in which every POST of the API can be done, and by whom: what tests of bad input spoil one thing of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.support.house import House
from tests.support.http import Answer, Headers, Player, Table, Web, table

READS = ("", "/moves", "/log", "/replay", "/replay/1", "/undo?to=3", "/audit")
POSTS = ("players", "matches", "seats", "moves", "resign", "undo", "redo", "answer", "forks")


@dataclass(frozen=True)
class Target:
    """A POST that would be accepted with this body."""

    player: Player
    path: str
    body: dict[str, Any]

    def post(self, **changed: Any) -> Answer:
        return self.player.post(self.path, self.body, **changed)

    def raw(self, raw: bytes, content_type: str = "application/json") -> Answer:
        return self.player.ask("POST", self.path, raw=raw, headers={"Content-Type": content_type})


@dataclass
class Scene:
    """A match that waits for a player, one that runs and has versions in force and undone ones, one that has ended, and
    one in which the host asks for an undo.
    """

    house: House
    running: Table
    waiting: str
    """The id of the open match."""
    ended: Table
    asking: Table

    @staticmethod
    def of(house: House) -> Scene:
        running = house.table("territories", 2)
        running.play_on(5)
        running.undo(5)
        opened = running.players[1].post("/matches", {"game": "blockers", "seats": 2}).done()
        ended = table(running.players, "territories")
        ended.play_on(2)
        ended.give_up()
        asking = table(running.players, "territories", undo="consent")
        asking.play_on(2)
        asking.host.post(f"{asking.path}/undo", {"to": 2}).asked()
        return Scene(house, running, opened["match_id"], ended, asking)

    def target(self, name: str) -> Target:
        host, path = self.running.host, self.running.path
        match name:
            case "players":
                return Target(host, "/players", {"name": "Fay"})
            case "matches":
                return Target(host, "/matches", {"game": "blockers", "seats": 2})
            case "seats":
                return Target(host, f"/matches/{self.waiting}/seats", {"seat": 1})
            case "moves":
                move = self.running.listed(self.running.to_move[0])[0]
                return Target(self.running.mover, f"{path}/moves", {"move": move})
            case "resign":
                return Target(host, f"{path}/resign", {})
            case "undo":
                return Target(host, f"{path}/undo", {"to": 4})
            case "redo":
                return Target(host, f"{path}/redo", {"to": 7})
            case "answer":
                return Target(
                    self.asking.players[1],
                    f"{self.asking.path}/undo/answer",
                    {"accept": True, "request": self.asking.version + 1},
                )
            case _:
                return Target(host, f"{self.ended.path}/forks", {"version": 3})

    def targets(self) -> Iterator[Target]:
        yield from map(self.target, POSTS)


def requests(scene: Scene) -> list[tuple[str, str, dict[str, Any] | None]]:
    """Method, path and body of everything that can be asked of the running match, and of what opens one."""
    reads: list[tuple[str, str, dict[str, Any] | None]] = [("GET", scene.running.path + part, None) for part in READS]
    acts = [("POST", target.path, target.body) for target in scene.targets() if target.path != "/players"]
    return [*reads, *acts, ("GET", "/matches", None), ("DELETE", f"{scene.running.path}/seats/0", None)]


def sent(web: Web | Player, method: str, path: str, body: Any, headers: Headers) -> Answer:
    return web.post(path, body, headers) if method == "POST" else web.ask(method, path, headers=headers)
