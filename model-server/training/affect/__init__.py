"""Edge affect model: MiniLM layers fine-tuned to name 32 emotions, exported as one int8 ONNX graph.

`python -m affect.train`, `python -m affect.export`, `python -m affect.evaluate` and
`python -m affect.make_parity` are the commands; `src/affect/model/FORMAT.md` is the input format.
"""

import os

# Before torch is loaded: with the default, OpenMP threads spin at every barrier, which makes this
# training three times slower whenever anything else runs on the same cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
