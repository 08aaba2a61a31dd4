"""Preference training: pairs (EmPO), cached reference log probabilities, DPO."""
