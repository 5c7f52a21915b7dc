"""The ports on Valkey or Redis: the log, the read models, players, records and notifications.

Law: only this package imports ``redis``. A script checks first and writes afterwards, for errors in Lua undo nothing.
"""
