"""Recorded matches of Blockers!"""
