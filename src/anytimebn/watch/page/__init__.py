"""A page in a browser that shows a search while it runs, or what an earlier one has left."""
