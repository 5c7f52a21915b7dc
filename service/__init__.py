"""The shell around the domain: HTTP, storage, time, entropy, keys, settings.

Law: Flask, Redis, the environment, the clock and randomness are known only here. ``matches.handler`` is the only writer of
the log. Settings are read once, in ``config``. ``redact`` hides secrets from a viewer before this package sees a position.

* ``matches``: the write side (load, decide, append); ``players``: tokens, names, deletion of accounts
* ``readmodels``: the read side (projector, queries, rebuild); ``integrity``: keys, receipts, audits, records
* ``web``: the HTTP API and live streams; ``worker``: the background process; ``cli``: the ``foldtable`` command
* ``ports``: the outside world as protocols; ``adapters``: their implementations
* ``config``: settings; ``problems``: every refusal of the API; ``cache``, ``logs``, ``telemetry``: for all of the above
"""
