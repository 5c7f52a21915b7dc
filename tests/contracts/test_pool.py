"""A greenlet that is killed in mid-read never hands its reply to the next request.

In a process of its own, for gevent patches the whole of it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from service.adapters.embedded_server.server import EmbeddedServer

PROGRAM = """
import gevent.monkey
gevent.monkey.patch_all()
import json, sys
import gevent
from service.adapters.redis.client import connect

client = connect(sys.argv[1], connections=1)
client.set("small", b"small")
client.set("large", b"x" * 4_000_000)
script = client.register_script("return {'killed', redis.call('GET', 'large')}")
script()


def pipeline():
    with client.pipeline(transaction=False) as pipe:
        for _ in range(4):
            pipe.get("large")
        pipe.execute()


def transaction():
    with client.pipeline() as pipe:
        pipe.get("large").get("large").execute()


def hear():
    with client.pubsub() as channels:
        channels.subscribe("news")
        while True:
            channels.get_message(timeout=1)


requests = {
    "waiting": lambda: client.blpop("nothing", timeout=30),
    "one": lambda: client.get("large"),
    "script": lambda: script(),
    "pipeline": pipeline,
    "transaction": transaction,
    "subscription": hear,
}
broken_off, wrong = 0, []
for name, request in requests.items():
    for step in range(40):
        greenlet = gevent.spawn(request)
        gevent.sleep(step * 0.0002)
        broken_off += not greenlet.ready()
        if sys.argv[2] == "kill":
            greenlet.kill()
        else:
            greenlet.kill(gevent.Timeout())
        client.rpush("nothing", "for the killed one")
        client.delete("nothing")
        client.publish("news", "for the killed one")
        if (reply := client.get("small")) != b"small":
            wrong.append((name, step, repr(reply)[:40]))
print(json.dumps([broken_off, wrong]))
"""


@pytest.mark.parametrize("how", ["kill", "timeout"])
def test_the_reply_of_a_killed_greenlet_is_never_the_next_ones(server: EmbeddedServer, how: str) -> None:
    """There is one connection, so the next request uses the same one, and would wait in vain if it had not come back."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, server.url, how],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.returncode == 0, done.stderr
    broken_off, wrong = json.loads(done.stdout)
    assert broken_off > 80
    assert wrong == []
