"""The cost of limits for a move, in process: the same view called bare and guarded, in one run.

Both views ask who calls; before the guarded one a hook takes one of the caller's requests, and it takes a move as well. A
connection with deadlines is compared with one of gevent's. The whole request is measured too, with limits and without, but it
takes a hundred times as long as they do.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import gevent.socket
from flask import Flask, request

from service.ports import Rate
from service.rates import Buckets
from service.web.context import viewer
from service.web.limits.address import Addresses
from service.web.limits.connections import UNCOUNTED, Pace
from service.web.limits.limits import Kind, Limits
from service.web.limits.routes import guard, limited
from service.web.limits.sockets import PacedSocket
from tests.support.backends import in_memory
from tests.support.house import House
from tests.support.http import Web, table

CALLS = 2000
ROUNDS = 30
REQUEST = b"x" * 400
MOST = 10e-6
"""Seconds that limits may cost a move."""


def _limits() -> Limits:
    buckets = Buckets()
    return Limits(dict.fromkeys(Kind, Rate(10**8, 1)), buckets, Addresses(0, b"key"), 10, own=buckets)


def _calls(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        work()
    return (time.perf_counter() - start) / CALLS


def views() -> tuple[float, float]:
    """Seconds of a call of a view that only asks who calls: bare, and guarded as moves are. The fastest of some rounds."""
    house = House(in_memory())
    app = Flask("limits")
    app.extensions["foldtable"] = replace(house.service, limits=_limits())

    @app.post("/bare")
    def bare() -> str:
        return str(viewer())

    @app.post("/guarded")
    @limited(Kind.MOVES)
    def guarded() -> str:
        return str(viewer())

    guard(app, app.extensions["foldtable"].limits)
    ann = house.web.enter("Ann")
    made: list[tuple[float, float]] = []
    with app.test_request_context(headers=ann.authorization, environ_base={"REMOTE_ADDR": "127.0.0.2"}):
        for _ in range(ROUNDS):
            made.append(
                (
                    _calls(partial(_once, app.view_functions["bare"])),
                    _calls(partial(_once, app.view_functions["guarded"], app.before_request_funcs[None])),
                )
            )
    return min(one for one, _other in made), min(other for _one, other in made)


def _once(view: Callable[[], Any], hooks: Iterable[Callable[[], Any]] = ()) -> None:
    """Calls a view as the first one of a request, after the hooks of its app."""
    request.environ.pop("foldtable.caller", None)
    for hook in hooks:
        hook()
    view()


def sockets() -> tuple[float, float]:
    """Seconds of what a connection does for a request, a read and two writes: gevent's socket, and ours with deadlines."""
    made = []
    for number in range(ROUNDS * 2):
        client, server = socket.socketpair()
        fd = server.detach()
        paced = PacedSocket(fd, Pace(10, 32768), UNCOUNTED) if number % 2 else gevent.socket.socket(fileno=fd)
        made.append(_calls(partial(_exchange, paced, client)))
        paced.close()
        client.close()
    return min(made[::2]), min(made[1::2])


def _exchange(served: Any, client: socket.socket) -> None:
    client.sendall(REQUEST)
    if isinstance(served, PacedSocket):
        served.expect_head(after_body=False)
        served.recv(8192)
        served.expect_body()
    else:
        served.recv(8192)
    served.sendall(REQUEST)
    served.sendall(REQUEST)
    client.recv(8192)


def requests() -> tuple[float, float]:
    """Seconds of the fastest move as a whole request to the app, without limits and with them, taken in turns."""
    tables = []
    for limits in (None, _limits()):
        web = Web(House(in_memory(), limits=limits).app)
        tables.append(table([web.enter("Ann"), web.enter("Ben")], "blockers"))
    best = [1.0, 1.0]
    for _ in range(30):
        for number, played in enumerate(tables):
            if played.last["status"] != "live":
                continue
            mover, move = played.mover, played.listed(played.to_move[0])[0]
            start = time.perf_counter()
            answer = mover.post(f"{played.path}/moves", {"move": move})
            best[number] = min(best[number], time.perf_counter() - start)
            played.took(answer)
    return best[0], best[1]


def main() -> None:
    (bare, guarded), (plain, paced) = views(), sockets()
    cost = guarded - bare + paced - plain
    print(
        f"limits: a bare view {bare * 1e6:.2f} µs, a guarded one {guarded * 1e6:.2f} µs; "
        f"reading and writing {plain * 1e6:.2f} µs, with deadlines {paced * 1e6:.2f} µs: {cost * 1e6:.2f} µs a move "
        f"({'within' if cost <= MOST else 'MORE THAN'} {MOST * 1e6:.0f})"
    )
    without, with_limits = requests()
    print(
        f"the fastest move as a request in process: {without * 1e6:.0f} µs without limits, {with_limits * 1e6:.0f} µs with"
    )


if __name__ == "__main__":
    main()
