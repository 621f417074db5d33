"""Areas under ROC curves, computed from every comparison of two examples."""

import numpy as np


def written_out(y, *scores, groups=None):
    """Return areas and covariance, Obuchowski (1997); without groups, this is DeLong's method."""
    groups = np.arange(len(y)) if groups is None else np.asarray(groups)
    names, of_x, of_z = np.unique(groups), groups[y == 1], groups[y == 0]
    pairs = [(s[y == 1], s[y == 0]) for s in scores]
    kernels = np.array([(x[:, None] > z) + 0.5 * (x[:, None] == z) for x, z in pairs])
    areas = kernels.mean(axis=(1, 2))
    gaps = kernels - areas[:, None, None]
    v = gaps.mean(axis=2) @ (of_x[:, None] == names)  # sums over the examples of each group
    w = gaps.mean(axis=1) @ (of_z[:, None] == names)
    m, n = len(of_x), len(of_z)
    i10, i01, many = len(np.unique(of_x)), len(np.unique(of_z)), len(names)
    s10 = i10 / ((i10 - 1) * m) * v @ v.T
    s01 = i01 / ((i01 - 1) * n) * w @ w.T
    s11 = many / (many - 1) * v @ w.T
    return areas, s10 / m + s01 / n + (s11 + s11.T) / (m * n)
