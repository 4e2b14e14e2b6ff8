"""Records reference numbers of scikit-learn 1.9.1 and SciPy for Gaussian families.

Run:  python record.py   (writes gaussian.json, discriminant.json and iris.json beside this file)
"""

import json
import warnings
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.stats import gaussian_kde, t
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.metrics import log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

assert sklearn.__version__ == "1.9.1", sklearn.__version__
warnings.simplefilter("ignore")
here = Path(__file__).parent
versions = {"scikit-learn": sklearn.__version__, "numpy": np.__version__, "scipy": scipy.__version__}
iris = load_iris()


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def write(name, content):
    (here / name).write_text(json.dumps(plain({"versions": versions, **content})) + "\n")


def data(seed, rows, features, classes, scale=1.0, offset=0.0):
    random = np.random.default_rng(seed)
    mix = random.normal(size=(features, features)) + 2 * np.eye(features)
    y = random.integers(classes, size=rows)
    y[: 3 * classes] = np.tile(np.arange(classes), 3)
    centres = 2 * random.normal(size=(classes, features))
    spread = 0.5 + random.random(size=(classes, 1))
    X = (random.normal(size=(rows, features)) * spread[y]) @ mix + centres[y]
    X = np.round(X * scale, 6) + offset
    query = np.round((3 * random.normal(size=(7, features))) * scale, 6) + offset
    return X, y, query


def gaussian_cases():
    cases = []
    for seed, (rows, features, classes, scale, offset) in enumerate(
        [(20, 2, 2, 1, 0), (40, 5, 3, 1, 0), (30, 3, 4, 1e3, 0), (25, 4, 2, 1e-3, 0), (30, 2, 3, 1, 1e6), (12, 1, 3, 1, 0)]
    ):
        X, y, query = data(seed, rows, features, classes, scale, offset)
        weight = np.round(np.random.default_rng(100 + seed).random(rows) + 0.1, 3)
        prior = np.arange(1, classes + 1) / (classes * (classes + 1) / 2)
        for options in [{}, {"var_smoothing": 0.1}, {"priors": prior.tolist(), "var_smoothing": 1e-3}]:
            model = GaussianNB(**options).fit(X, y)
            cases.append(
                {
                    "X": X, "y": y, "query": query, "options": options,
                    "theta": model.theta_, "var": model.var_, "epsilon": model.epsilon_,
                    "classPrior": model.class_prior_, "classCount": model.class_count_,
                    "joint": model.predict_joint_log_proba(query), "proba": model.predict_proba(query),
                }
            )
        # scikit-learn's epsilon ignores weights: without smoothing there is nothing to ignore
        model = GaussianNB(var_smoothing=0).fit(X, y, sample_weight=weight)
        cases.append(
            {
                "X": X, "y": y, "query": query, "options": {"var_smoothing": 0}, "weight": weight,
                "theta": model.theta_, "var": model.var_, "epsilon": model.epsilon_,
                "classPrior": model.class_prior_, "classCount": model.class_count_,
                "joint": model.predict_joint_log_proba(query), "proba": model.predict_proba(query),
            }
        )
    return cases


def student_cases():
    """ln p of Student's predictive curve of a Normal-inverse-gamma posterior, by SciPy."""
    cases = []
    for values, m, k, a, b in [([1.0, 2.0, 4.0], 0, 1, 2, 1), ([5.5], 1, 0.5, 1, 3), ([], 2, 1, 1.5, 0.25)]:
        n, x = len(values), np.array(values)
        mean = x.mean() if n else 0.0
        squares = ((x - mean) ** 2).sum()
        kn, an = k + n, a + n / 2
        mn = (k * m + n * mean) / kn
        bn = b + squares / 2 + k * n * (mean - m) ** 2 / (2 * kn)
        at = np.array([-3.0, 0.0, 1.5, 20.0])
        curve = t(2 * an, mn, np.sqrt(bn * (kn + 1) / (an * kn)))
        marginal = t(2 * an, mn, np.sqrt(bn / (an * kn)))
        variance = scipy.stats.invgamma(an, scale=bn)
        cases.append(
            {
                "values": values, "prior": {"mean": m, "kappa": k, "a": a, "b": b}, "at": at,
                "logDensity": curve.logpdf(at), "meanInterval": marginal.interval(0.9),
                "varianceInterval": variance.interval(0.9), "mode": [mn, bn / (an + 1.5)],
            }
        )
    return cases


def kernel_cases():
    cases = []
    for seed, rows in enumerate([3, 10, 40]):
        random = np.random.default_rng(seed)
        values = np.round(random.normal(size=rows) + 4 * (random.random(rows) < 0.5), 3)
        at = np.array([-30.0, -1.0, 0.25, 3.0, 300.0])
        deviation = values.std()
        for rule, width in [
            ("scott", deviation * rows ** -0.2),
            ("silverman", deviation * (3 * rows / 4) ** -0.2),
            ("weka", np.ptp(values) / np.sqrt(rows)),
            (0.7, 0.7),
        ]:
            density = gaussian_kde(values, bw_method=width / values.std(ddof=1))
            cases.append({"values": values, "rule": rule, "width": width, "at": at, "logDensity": density.logpdf(at)})
    return cases


def kernel_errors():
    """Leave-one-out errors of kernel naive Bayes on iris, by explicit refits with SciPy's densities."""
    X, y = iris.data, iris.target
    rules = {
        "silverman": lambda x: x.std() * (3 * len(x) / 4) ** -0.2,
        "scott": lambda x: x.std() * len(x) ** -0.2,
        "weka": lambda x: np.ptp(x) / np.sqrt(len(x)),
    }
    errors = {}
    for name, rule in rules.items():
        wrong = 0
        for i in range(len(y)):
            keep = np.arange(len(y)) != i
            scores = []
            for c in range(3):
                rows = X[keep & (y == c)]
                columns = [gaussian_kde(x, bw_method=rule(x) / x.std(ddof=1)) for x in rows.T]
                scores.append(np.log(len(rows)) + sum(k.logpdf(X[i, j])[0] for j, k in enumerate(columns)))
            wrong += np.argmax(scores) != y[i]
        errors[name] = wrong
    return errors


def linear_record(X, y, query, options):
    model = LinearDiscriminantAnalysis(**options).fit(X, y)
    record = {
        "options": options, "means": model.means_, "priors": model.priors_, "coef": model.coef_,
        "intercept": model.intercept_, "decision": model.decision_function(query), "proba": model.predict_proba(query),
    }
    if options.get("solver", "svd") != "svd" or options.get("store_covariance"):
        record["covariance"] = model.covariance_
    if options.get("solver") != "lsqr":
        record["explained"] = model.explained_variance_ratio_
        record["scalings"] = np.abs(model.scalings_)
        record["transform"] = np.abs(model.transform(query))
    if options.get("solver", "svd") == "svd":
        record["xbar"] = model.xbar_
    return record


def quadratic_record(X, y, query, options):
    model = QuadraticDiscriminantAnalysis(store_covariance=True, **options).fit(X, y)
    return {
        "options": options, "means": model.means_, "priors": model.priors_, "decision": model.decision_function(query),
        "proba": model.predict_proba(query), "covariance": model.covariance_, "scalings": model.scalings_,
        "rotations": [np.abs(rotation) for rotation in model.rotations_],
    }


def discriminant_cases():
    cases = []
    for seed, (rows, features, classes, scale, offset) in enumerate(
        [(40, 2, 2, 1, 0), (60, 4, 3, 1, 0), (90, 6, 4, 10, 0), (50, 3, 3, 1, 1e4), (30, 1, 2, 1, 0), (60, 8, 2, 1, 5)]
    ):
        X, y, query = data(50 + seed, rows, features, classes, scale, offset)
        prior = (np.arange(1, classes + 1) / (classes * (classes + 1) / 2)).tolist()
        linear = [
            {"store_covariance": True}, {"solver": "lsqr"}, {"solver": "eigen"},
            {"priors": prior}, {"solver": "lsqr", "priors": prior}, {"solver": "eigen", "priors": prior},
            {"solver": "lsqr", "shrinkage": 0.3}, {"solver": "eigen", "shrinkage": 0.3},
            {"solver": "lsqr", "shrinkage": "auto"}, {"solver": "eigen", "shrinkage": "auto"}, {"n_components": 1},
        ]
        quadratic = [
            {}, {"solver": "eigen"}, {"priors": prior}, {"reg_param": 0.1}, {"reg_param": 0.9},
            {"solver": "eigen", "shrinkage": 0.2}, {"solver": "eigen", "shrinkage": "auto"},
        ]
        cases.append(
            {
                "X": X, "y": y, "query": query,
                "linear": [linear_record(X, y, query, options) for options in linear],
                "quadratic": [quadratic_record(X, y, query, options) for options in quadratic],
            }
        )
    # collinear columns and a constant one: the solver svd leaves directions out
    X, y, query = data(70, 50, 3, 3)
    wide = lambda M: np.column_stack([M, M[:, 0] + M[:, 1], np.full(len(M), 2.5)])
    cases.append({"X": wide(X), "y": y, "query": wide(query), "quadratic": [], "linear": [linear_record(wide(X), y, wide(query), {})]})
    return cases


def folds():
    """StratifiedKFold(5) on iris: accuracy and log-loss, the anchors of bench/anchors.ts."""
    X, y = iris.data, iris.target
    split = [test.tolist() for _, test in StratifiedKFold(5).split(X, y)]
    models = {
        "gaussian": GaussianNB(), "linear": LinearDiscriminantAnalysis(),
        "quadratic": QuadraticDiscriminantAnalysis(reg_param=0.1),
    }
    scores = {}
    for name, model in models.items():
        accuracy, loss = [], []
        for test in split:
            train = np.setdiff1d(np.arange(len(y)), test)
            model.fit(X[train], y[train])
            accuracy.append(model.score(X[test], y[test]))
            loss.append(log_loss(y[test], model.predict_proba(X[test])))
        scores[name] = [np.mean(accuracy), np.mean(loss)]
    return {"split": split, "scores": scores}


write("iris.json", {
    "X": iris.data, "y": iris.target, "folds": folds(), "kernelErrors": kernel_errors(),
    "ledoitWolf": {
        "raw": ledoit_wolf_shrinkage(iris.data),
        "standardised": ledoit_wolf_shrinkage(StandardScaler().fit_transform(iris.data)),
        "byClass": [ledoit_wolf_shrinkage(StandardScaler().fit_transform(iris.data[iris.target == c])) for c in range(3)],
    },
    "linear": [linear_record(iris.data, iris.target, iris.data[[0, 50, 70, 149]], options) for options in
               [{}, {"solver": "lsqr"}, {"solver": "eigen"}, {"solver": "lsqr", "shrinkage": "auto"}]],
    "quadratic": [quadratic_record(iris.data, iris.target, iris.data[[0, 50, 70, 149]], options) for options in
                  [{}, {"reg_param": 0.1}, {"solver": "eigen", "shrinkage": "auto"}]],
})
write("gaussian.json", {"naive": gaussian_cases(), "student": student_cases(), "kernel": kernel_cases()})
write("discriminant.json", {"cases": discriminant_cases()})
