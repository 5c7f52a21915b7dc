"""The rules of play, and nothing else.

Law: everything here is a pure function of its arguments. No clock, no randomness of its own, no input or output, no
logging, no environment; the standard library only (and msgpack, a pure codec, in ``wire``). Time, chance and identity
arrive as arguments. Nothing here imports ``projections``, ``replay`` or ``service``, and no kernel module imports a game.

* ``hidden``: ``Secret``, ``Hidden``, ``Bag`` and ``redact``: what each seat may know
* ``validation``: JSON reading, writing and JSON Schema, derived from annotations
* ``game``: the record of functions that a game fills in
* ``chance``: dice that can be checked afterwards
* ``commands``, ``events``, ``commit``: a request, a fact, and an accepted command with its events
* ``hashchain``: hash chain, commitments and salts
* ``wire``: commits as stored bytes, and back · ``canonical``: the one form of these bytes
* ``store``: the port to the log
* ``version_tree``: every version of a match, and the path that is in force
* ``match``: the one aggregate · ``evolve``: how it changes with each commit, and folds
* ``clocks``, ``retirement``: the time that seats have, and seats that play no more
* ``decide``, ``undo``, ``dispute``, ``timeouts``: the events of a command, or the reason for its refusal
* ``deadlines``: what happens to a match although nobody acts, and when
* ``dispute_state``: a disputed version and its ruling
* ``games``: one folder a game, discovered by folder
"""
