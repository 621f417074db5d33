"""Simulated sets have the properties that they are named for; loaders read what they find."""

import gzip
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import integrate, stats

from errlab import datasets
from errlab.datasets import simulated, uci

SIMULATED = {
    "donut": datasets.donut,
    "outlier": datasets.outlier,
    "chi2_small": datasets.chi2_small,
    "three_points": datasets.three_points,
    "gaussian_mixture": datasets.gaussian_mixture,
}
# the transformations that the small-sample study uses
DESIGN = {"donut": lambda X: np.column_stack([np.ones(len(X)), X**2])}


def design(name, X):
    return DESIGN.get(name, lambda X: np.column_stack([np.ones(len(X)), X]))(X)


def limit(name, n=400_000):
    """Coefficients and error of the limit f*, from one huge sample."""
    X, y, bayes_error = SIMULATED[name](n, rng=1)
    Z = design(name, X)
    beta = np.linalg.lstsq(Z, y, rcond=None)[0]
    return beta, np.mean(np.where(Z @ beta > 0, 1, -1) != y), bayes_error


def training_errors(name, n, repeats=1500):
    rng = np.random.default_rng(5)
    errors = np.empty(repeats)
    for r in range(repeats):
        X, y, _ = SIMULATED[name](n, rng=rng)
        Z = design(name, X)
        beta = np.linalg.lstsq(Z, y, rcond=None)[0]
        errors[r] = np.mean(np.where(Z @ beta > 0, 1, -1) != y)
    return errors


@pytest.mark.parametrize("name", SIMULATED)
def test_same_seed_same_data_and_labels_are_signs(name):
    first, second = SIMULATED[name](50, rng=3), SIMULATED[name](50, rng=3)
    assert (first.X == second.X).all()
    assert (first.y == second.y).all()
    assert first.X.ndim == 2
    assert len(first.X) == 50
    assert set(first.y) <= {-1.0, 1.0}
    assert not (first.X == SIMULATED[name](50, rng=4).X).all()


@pytest.mark.parametrize("name", SIMULATED)
def test_both_labels_come_up_at_the_rate_of_the_law(name):
    # P(y = 1) by the definitions
    share = {"outlier": 0.55, "three_points": 0.46 * 0.1 + 0.54 * 0.9}.get(name, 0.5)
    y = SIMULATED[name](100_000, rng=0).y
    assert np.mean(y == 1) == pytest.approx(share, abs=4 * 0.5 / np.sqrt(100_000))


# Laber and Murphy, Table 1, by our definitions


def test_donut_limit_is_close_to_bayes():
    beta, error, bayes_error = limit("donut")
    assert error == pytest.approx(bayes_error, abs=0.003)
    # E[y r^2] / Var(r^2) with r^2 uniform on (0, 1): (1 - 2 * .2) * 1/4 * 12 = 1.8
    assert beta == pytest.approx([-0.9, 1.8, 1.8], abs=0.02)


def test_outlier_limit_is_far_from_bayes():
    _, error, bayes_error = limit("outlier")
    assert bayes_error < 0.03
    assert error > 0.4


def test_chi2_small_limit_is_zero_and_far_from_bayes():
    beta, error, bayes_error = limit("chi2_small")
    assert np.abs(beta).max() < 0.01  # standard error about .0016
    assert error > 0.45
    assert bayes_error == 0.05


def test_chi2_band_holds_half_of_probability_and_mean():
    low, high = simulated._chi2_band()
    # by quadrature, sharing nothing with the solver
    moments = [
        integrate.quad(lambda x, k=k: x**k * stats.chi2.pdf(x, 1), low, high)[0] for k in (0, 1)
    ]
    assert moments == pytest.approx([0.5, 0.5], abs=1e-9)


def test_three_points_limit_is_far_from_bayes_and_close_to_the_middle_point():
    beta, error, bayes_error = limit("three_points")
    # weighted least squares on the three points, exactly
    x, m = np.array([-1.0, 0.0, 4.0]), np.array([0.46, 0.34, 0.2])
    Z = np.column_stack([np.ones(3), x])
    exact = np.linalg.solve(Z.T @ (m[:, None] * Z), Z.T @ (m * 0.8 * np.array([-1, 1, 1])))
    assert beta == pytest.approx(exact, abs=0.01)
    assert -0.05 < exact[0] < 0
    assert error == pytest.approx(0.1 + 0.34 * 0.8, abs=0.005)
    assert bayes_error == 0.1


@pytest.mark.slow
def test_three_points_training_error_is_the_least_normal():
    errors = training_errors("three_points", 50)
    assert stats.kurtosis(errors) < -1  # two humps; a uniform law has -1.2
    low, high = np.mean(errors < 0.18), np.mean(errors > 0.3)
    assert min(low, high) > 0.3  # and little between them
    assert abs(stats.kurtosis(training_errors("donut", 50))) < 0.5


@pytest.mark.parametrize("name", SIMULATED)
def test_bayes_error_is_reached_by_the_bayes_rule(name):
    X, y, bayes_error = SIMULATED[name](200_000, rng=2)
    rule = {
        "donut": lambda X: (X**2).sum(1) - 0.5,
        "outlier": lambda X: np.where(X[:, 0] < -10, 1, X[:, 0]),
        "chi2_small": lambda X: np.where(
            (simulated._chi2_band()[0] < X[:, 0]) & (X[:, 0] < simulated._chi2_band()[1]), 1, -1
        ),
        "three_points": lambda X: X[:, 0] + 0.5,
        "gaussian_mixture": lambda X: X[:, 0],
    }[name]
    error = np.mean(np.where(rule(X) > 0, 1, -1) != y)
    assert error == pytest.approx(bayes_error, abs=4 * 0.5 / np.sqrt(200_000))


@pytest.mark.parametrize(("separation", "prior"), [(0.0, 0.3), (1.0, 0.2), (3.0, 0.5), (40.0, 0.9)])
def test_bayes_error_of_the_mixture_is_the_integral_of_the_smaller_density(separation, prior):
    def smaller(x):
        up, down = stats.norm.pdf(x - separation / 2), stats.norm.pdf(x + separation / 2)
        return min(prior * up, (1 - prior) * down)

    expected = integrate.quad(smaller, -40, 40, points=[0], limit=500)[0]
    found = datasets.gaussian_mixture(5, separation=separation, prior=prior, rng=0).bayes_error
    assert found == pytest.approx(expected, abs=1e-7)


@pytest.mark.slow
def test_ar1_regression_has_its_covariances():
    X, y, w, H, noise = datasets.ar1_regression(3, p=4, sets=200_000, rng=0)
    assert X.shape == (200_000, 3, 4)
    for lag in (0, 1, 2):  # E z(k) z(k + lag)' = a^lag H, at the first step too
        moment = np.einsum("si,sj->ij", X[:, 0], X[:, lag]) / len(X)
        assert moment == pytest.approx(0.6518**lag * H, abs=0.015)
    residual = y - X @ w
    assert residual.var() == pytest.approx(noise, rel=0.01)
    assert noise == 32.45
    assert np.diag(H) == pytest.approx(1)


BAD = [
    (datasets.ar1_regression, {"n": 5, "weights": [1.0]}, ValueError, "weights must have length"),
    (datasets.ar1_regression, {"p": 2, "covariance": np.ones((2, 2))}, ValueError, "positive"),
    (datasets.ar1_regression, {"p": 2, "covariance": np.eye(3)}, ValueError, "covariance must"),
]


@pytest.mark.parametrize(("function", "arguments", "error", "match"), BAD)
def test_bad_input_raises(function, arguments, error, match):
    with pytest.raises(error, match=match):
        function(**arguments)


HEADER = "a,b,c,d,e,f,label"
LINES = [f"{i},{i % 7},0.5,1e-3,-2,{i * i},{(-1) ** i}" for i in range(345)]
TABLE = "\n".join([HEADER, *LINES]) + "\n"  # as large as liver


def with_line(number, text):
    """The table with another text on one of its lines, counted from 1."""
    lines = TABLE.splitlines()
    lines[number - 1] = text
    return "\n".join(lines) + "\n"


@pytest.fixture
def _no_openml(monkeypatch):
    def refuse(**_):
        raise OSError("no network")

    monkeypatch.setattr("sklearn.datasets.fetch_openml", refuse)
    monkeypatch.delenv("ERRLAB_DATA", raising=False)


@pytest.mark.usefixtures("_no_openml")
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("by_environment", [False, True])
def test_a_local_file_is_read(tmp_path, monkeypatch, packed, by_environment):
    if packed:
        (tmp_path / "liver.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    else:
        (tmp_path / "liver.csv").write_text(TABLE)
    if by_environment:
        monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    X, y, names = datasets.load_uci("liver", data_home=None if by_environment else tmp_path)
    assert X.shape == (345, 6)
    assert X[3].tolist() == [3, 3, 0.5, 1e-3, -2, 9]
    assert (y == np.resize([1, -1], 345)).all()
    assert names == tuple("abcdef")


@pytest.mark.usefixtures("_no_openml")
def test_the_argument_comes_before_the_environment(tmp_path, monkeypatch):
    (tmp_path / "liver.csv").write_text(TABLE)
    other = tmp_path / "other"
    other.mkdir()
    (other / "liver.csv").write_text(with_line(2, "99,0,0,0,0,0,1"))
    monkeypatch.setenv("ERRLAB_DATA", str(tmp_path))
    assert datasets.load_uci("liver", data_home=other).X[0, 0] == 99
    assert datasets.load_uci("liver", data_home=tmp_path / "nowhere").X[0, 0] == 0


@pytest.mark.usefixtures("_no_openml")
@pytest.mark.parametrize("name", uci.UCI)
def test_a_missing_file_says_how_to_get_it(tmp_path, name):
    with pytest.raises(FileNotFoundError, match=f"save it as {name}.csv: a header row"):
        datasets.load_uci(name, data_home=tmp_path)


FEW = f"{HEADER}\n1,2,3,4,5,6,-1\n1,2,3,4,5,6,1\n"


@pytest.mark.usefixtures("_no_openml")
@pytest.mark.parametrize(
    ("table", "match"),
    [
        (with_line(9, "1,2,3,4,5,6,0"), "the label must"),
        (with_line(9, "1,2,nan,4,5,6,1"), "X must be finite, got nan"),
        (with_line(9, "1,2,?,4,5,6,1"), "liver.csv must hold numbers below its header: .*'[?]'"),
        (with_line(9, "1,2,1_0,4,5,6,1"), "must hold numbers .*'1_0'"),
        (with_line(9, "#1,2,3,4,5,6,1"), "must hold numbers .*'#1'"),
        (with_line(9, "1,2,3,4,5,6,1 # why"), "must hold numbers .*'1 # why'"),
        (with_line(9, "1,2,3,4,5,1"), "must hold numbers .* from 7 to 6"),
        (TABLE.partition("\n")[2], "must name each column once"),
        (with_line(1, "a,b,c,d,e,e,label"), "must name each column once"),
        (with_line(1, "a,b,c,d,,f,label"), "must name each column once"),
        ("a,b,label\n1,2,-1\n3,4,1\n", "345 cases of 6 features, .*shape .2, 3"),
        (FEW, "345 cases of 6 features, .*shape .2, 7"),
        (HEADER, "liver.csv must hold a header and cases below it, and is empty"),
        ("", "is empty"),
        (TABLE.replace(",-1\n", ",1\n"), "cases of both labels, got only [+]1"),
    ],
)
def test_a_bad_file_is_refused(tmp_path, table, match):
    (tmp_path / "liver.csv").write_text(table)
    with pytest.raises(ValueError, match=match):
        datasets.load_uci("liver", data_home=tmp_path)


@pytest.mark.usefixtures("_no_openml")
@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("liver.csv.gz", b"not gzip", "liver.csv.gz must be a whole gzip file"),
        ("liver.csv.gz", gzip.compress(TABLE.encode(), mtime=0)[:-20], "must be a whole gzip file"),
        ("liver.csv", TABLE.replace("a", "\xe9").encode("latin-1"), "must be text in UTF-8"),
        ("liver.csv", TABLE.encode("utf-16"), "liver.csv must be text in UTF-8"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path, name, content, match):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=match):
        datasets.load_uci("liver", data_home=tmp_path)


def openml_answer(rows, features, target, names=None, categories=None):
    data = np.arange(rows * features, dtype=float).reshape(rows, features)
    return SimpleNamespace(
        data=data,
        target=np.resize(target, rows),
        feature_names=names or [f"x{i}" for i in range(features)],
        categories=categories or {},
    )


@pytest.mark.parametrize(
    ("name", "target", "positives"),
    [
        ("ionosphere", ["g", "b", "b"], 117),
        ("liver", ["1", "2"], 172),
        ("liver", [1.0, 2.0], 172),
        ("spam", ["0", "1"], 2300),
    ],
)
def test_openml_labels_are_mapped(monkeypatch, name, target, positives):
    source = uci.UCI[name]
    asked = {}

    def fetch_openml(**options):
        asked.update(options)
        return openml_answer(source.rows, source.features, target)

    monkeypatch.delenv("ERRLAB_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", fetch_openml)
    X, y, names = datasets.load_uci(name)
    assert X.shape == (source.rows, source.features)
    assert np.sum(y == 1) == positives
    assert len(names) == source.features
    assert asked["data_id"] == source.openml
    assert asked["target_column"] == source.target


def test_openml_abalone_gets_two_columns_for_sex(monkeypatch):
    answer = openml_answer(
        4177, 8, ["9", "10", "11"], ["Sex", *"abcdefg"], {"Sex": ["M", "F", "I"]}
    )
    answer.data[:, 0] = np.resize([0, 1, 2], 4177)
    monkeypatch.delenv("ERRLAB_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda **_: answer)
    X, y, names = datasets.load_uci("abalone")
    assert names[:3] == ("sex_male", "sex_female", "a")
    assert X[:3, :2].tolist() == [[1, 0], [0, 1], [0, 0]]
    assert y[:3].tolist() == [-1, 1, 1]


def test_openml_with_another_shape_is_refused(monkeypatch):
    monkeypatch.delenv("ERRLAB_DATA", raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda **_: openml_answer(3, 2, ["g"]))
    with pytest.raises(FileNotFoundError, match="another shape"):
        datasets.load_uci("ionosphere")
