"""The constrained uniform deviation (CUD) bound of Laber and Murphy, exact and fast."""

from errlab.training_set.cud._bound import CUDResult, cud_bound, cud_supremum
from errlab.training_set.cud._cells import Cells, cud_cells

__all__ = ["CUDResult", "Cells", "cud_bound", "cud_cells", "cud_supremum"]
