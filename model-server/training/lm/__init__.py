"""Training of the multi-head language model: data, model, train, export."""
