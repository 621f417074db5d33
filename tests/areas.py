"""Areas under ROC curves with every comparison of two cases written out."""

import numpy as np


def written_out(y, *scores, groups=None):
    """Areas and covariance, Obuchowski (1997); DeLong's where each case is a group of its own."""
    groups = np.arange(len(y)) if groups is None else np.asarray(groups)
    names, of_x, of_z = np.unique(groups), groups[y == 1], groups[y == 0]
    pairs = [(s[y == 1], s[y == 0]) for s in scores]
    kernels = np.array([(x[:, None] > z) + 0.5 * (x[:, None] == z) for x, z in pairs])
    areas = kernels.mean(axis=(1, 2))
    gaps = kernels - areas[:, None, None]
    v = gaps.mean(axis=2) @ (of_x[:, None] == names)  # sums over the cases of each group
    w = gaps.mean(axis=1) @ (of_z[:, None] == names)
    m, n = len(of_x), len(of_z)
    i10, i01, many = len(np.unique(of_x)), len(np.unique(of_z)), len(names)
    s10 = i10 / ((i10 - 1) * m) * v @ v.T
    s01 = i01 / ((i01 - 1) * n) * w @ w.T
    s11 = many / (many - 1) * v @ w.T
    return areas, s10 / m + s01 / n + (s11 + s11.T) / (m * n)
