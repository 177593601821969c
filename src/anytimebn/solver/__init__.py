"""The third stage: searches, their settings, and the routes to a proof."""
