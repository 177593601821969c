"""The whole way from a table to a result: learn, stream, bootstrap, estimator."""
