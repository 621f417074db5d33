"""Roots, quantiles, least squares, and means of resamples and of groups."""
