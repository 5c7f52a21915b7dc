"""Evidence: signing keys, receipts, full audits, and the verification of records.

Law: nothing here writes to the log, and nothing here knows HTTP.
"""
