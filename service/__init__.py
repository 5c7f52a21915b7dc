"""The shell around the domain: HTTP, storage, time, entropy, keys, settings.

Law: only this package knows Flask, Redis, the environment, the clock and randomness. ``matches.handler`` is the only writer
of logs. Settings are read once, in ``config``. ``redact`` runs before anything here sees a state for a viewer. The shared
rooms know no process, only ``adapters`` imports redis, only ``web`` imports flask and gevent.

Processes, one room each:

* ``web``: the HTTP API and live streams
* ``worker``: the background process: read models, expiry, audits, seats of deleted accounts
* ``cli``: the ``foldtable`` command

Shared rooms:

* ``matches``: the write side: load, decide, append; and who may see a match
* ``players``: tokens, names, deletion of accounts
* ``readmodels``: the read side: projector, queries, rebuild
* ``integrity``: keys, receipts, audits, records
* ``ports``: the outside world as protocols; ``adapters``: their implementations
* ``config``, ``problems``, ``cache``, ``logs``, ``telemetry``: settings, refusals, and what all rooms use
"""
