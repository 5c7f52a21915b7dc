"""The rules of Block Happy: turns, answers, emotions, secrets; positions, sentences, and whole matches."""
