"""The ports of the domain on real things: the log in Redis and in memory, the embedded server, clock and entropy.

Law: an adapter keeps the contract that its port states and that ``tests/contracts`` asks of all of them alike; it decides
nothing, and it never re-encodes bytes that it was given.
"""
