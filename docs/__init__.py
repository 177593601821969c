"""The pages of the site, and what makes some of them."""
