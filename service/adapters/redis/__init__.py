"""The ports on Valkey or Redis: the log, the read models, players, records and notifications.

Law: only ``adapters`` imports ``redis``. A script checks first and writes afterwards, because an error in Lua undoes nothing.
"""
