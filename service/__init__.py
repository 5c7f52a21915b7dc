"""The shell around the domain: HTTP, storage, time, entropy, keys, settings.

Law: only here are Flask, Redis, the environment, the clock and randomness known. ``commands`` is the only writer. Settings
are read once, in ``config``. What a viewer may see is decided by ``redact`` before anything in this package sees it.

* ``app``: puts the parts together; ``config``: settings; ``cli``: the ``foldtable`` command
* ``commands``: load, decide, append, retry; ``answers``: bodies made of matches; ``receipts``: signatures
* ``keys``: public keys and their history; ``verdicts``: full audits; ``verifier``: records without a server
* ``proofs``: bodies that prove something
* ``auth``: tokens; ``bodies``: reading and writing bodies; ``errors``: every problem; ``schemas``: the API's shapes
* ``projector``, ``rating``: the log folded into read models; ``worker``: the process that does it, and with it ``sweep``
  (audits), ``lapses``, ``vacating`` and ``purge``
* ``rebuilding``, ``comparing``, ``projecting``: read models made anew, and the command for it
* ``lists``, ``standings``, ``cards``: what is read across matches, and its bodies; ``names``, ``departures``: who is who
* ``streams``, ``lobby_stream``, ``fanout``: what is pushed; ``metrics``, ``logs``, ``request_log``: what is told of the service
* ``serving``, ``lifeline``, ``gunicorn_conf``: the processes
* ``routes``: one module a resource; ``adapters``: the ports of the domain on real things
"""
