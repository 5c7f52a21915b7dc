"""The rules of Blockers!"""
