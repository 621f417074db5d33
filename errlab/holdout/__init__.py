"""The holdout method."""
