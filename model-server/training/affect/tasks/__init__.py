"""Further tasks of the encoder. Each module reads one corpus and gives its training examples, never a row
of what is held out; which rows those are is said in each module and tested."""
