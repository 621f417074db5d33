"""Roots, quantiles, least squares, means of resamples and of groups."""
