"""Adapters: the ports on Redis and in memory, the embedded server, the clock and entropy.

Law: an adapter keeps the contract that its port states and that ``tests/contracts`` checks for all of them alike; it decides
nothing, and it never re-encodes the bytes that it stores.
"""
