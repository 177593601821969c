"""The first stage: any table becomes a `Dataset`."""
