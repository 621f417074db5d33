"""errlab beside its peers: ``make bench``."""
