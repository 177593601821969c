"""Local scores in files, one module per format."""
