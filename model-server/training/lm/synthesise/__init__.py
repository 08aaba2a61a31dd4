"""Synth-Empathy (arXiv 2407.21669): generate dialogues with any chat model, filter, select for diversity."""
