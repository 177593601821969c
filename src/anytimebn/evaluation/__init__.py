"""Generated networks and the evaluation of algorithms on them."""
