"""Networks in files, one module per format."""
