"""Confidence sets for the error of a classifier, from its training set alone."""
