"""The rules of play, and nothing else.

Law: everything here is a pure function of its arguments. No clock, no randomness of its own, no input or output, no
logging, no environment; the standard library only (and msgpack, a pure codec, in ``wire``). Time, chance and identity
arrive as arguments. Nothing here imports ``projections``, ``replay`` or ``service``, and no kernel module imports a game.

* ``hidden``: ``Secret``, ``Hidden``, ``Bag`` and ``redact``: what is known to whom
* ``shape``: JSON reading, writing and JSON Schema, derived from annotations
* ``game``: what a game is: a frozen record of functions
* ``chance``: dice that can be checked afterwards
* ``seal``: hash chain, commitments and salts
* ``wire``: commits as stored bytes, and back
* ``store``: the port to the log
* ``history``: the tree of versions
* ``match``: the one aggregate: decide, evolve, fold
* ``case`` and ``dispute``: a disputed version, and who may look and rule
* ``games``: one folder a game, discovered by folder
"""
