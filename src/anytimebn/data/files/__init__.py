"""Tables in files, one module per format."""
