"""The EPITOME judge: levels of empathy in a reply (Sharma et al. 2020, arXiv 2009.08441), for `npm run eval`.

It measures replies and is never served: three heads (emotional reactions, interpretations, explorations; levels
0, 1, 2) on three layers of MiniLM, trained on the public Reddit part of EPITOME.
"""
