"""Accounts: tokens, names, and the deletion of an account.

Law: nothing here knows HTTP or a match.
"""
