"""Laber and Murphy's constrained uniform deviation (CUD) bound, computed exactly and fast."""

from errlab.training_set._cud._bound import CUDResult, cud_bound, cud_supremum

__all__ = ["CUDResult", "cud_bound", "cud_supremum"]
