"""Compare errlab's speed with other packages: ``make bench``."""
