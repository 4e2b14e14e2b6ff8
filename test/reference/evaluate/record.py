"""Records what scikit-learn 1.9.1 answers, for the tests of src/evaluate.

    python3 test/reference/evaluate/record.py

needs scikit-learn 1.9.1 and SciPy 1.17 and writes metrics.json, splits.json, calibration.json and intervals.json beside itself. The tests read the JSON and
need no Python. Options are written in camelCase, numbers that JSON cannot hold as "NaN" and "Infinity".
"""

import re
import warnings

import numpy as np
import sklearn
from recording import write
from scipy.stats import binomtest
from sklearn import metrics as M
from sklearn.calibration import CalibratedClassifierCV, _SigmoidCalibration, _TemperatureScaling, calibration_curve
from sklearn.datasets import load_iris
from sklearn.frozen import FrozenEstimator
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    TimeSeriesSplit,
)
from sklearn.naive_bayes import GaussianNB

assert sklearn.__version__ == "1.9.1", sklearn.__version__
warnings.simplefilter("ignore")
rng = np.random.RandomState(7)


def snake(name):
    return re.sub(r"([A-Z])", lambda m: "_" + m.group(1).lower(), name)


functions = {"calibrationCurve": calibration_curve}
cases = []


def record(fn, *args, **options):
    python = functions.get(fn) or getattr(M, snake(fn))
    keywords = {snake(k): (np.asarray(v) if k in ("labels", "sampleWeight") and v is not None else v) for k, v in options.items()}
    expected = python(*[np.asarray(a) for a in args], **keywords)
    cases.append({"fn": fn, "args": list(args), "options": options, "expected": expected})


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


# label metrics ------------------------------------------------------------------------------------------------------
n = 40
truth2 = rng.randint(0, 2, n)
guess2 = np.where(rng.rand(n) < 0.75, truth2, 1 - truth2)
truth4 = rng.randint(0, 4, n)
guess4 = np.where(rng.rand(n) < 0.6, truth4, rng.randint(0, 4, n))
names = np.array(["ham", "spam", "中文", "été"])
truth9 = rng.randint(0, 9, 60)
guess9 = np.where(rng.rand(60) < 0.5, truth9, rng.randint(0, 9, 60))
fractions = np.round(rng.rand(n) * 3, 3)
whole = rng.randint(0, 4, n)
pairs = {
    "binary": (truth2, guess2),
    "minus one": (2 * truth2 - 1, 2 * guess2 - 1),
    "booleans": (truth2 == 1, guess2 == 1),
    "four": (truth4, guess4),
    "strings": (names[truth4], names[guess4]),
    "nine": (truth9, guess9),
    "perfect": (truth4, truth4),
    "all one class": (np.ones(5, int), np.ones(5, int)),
    "none right": (np.zeros(5, int), np.ones(5, int)),
    "never predicted": (np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 1, 1])),
    "never true": (np.array([0, 0, 1, 1, 1]), np.array([0, 2, 1, 1, 1])),
    "constant guess": (truth2, np.zeros(n, int)),
}
for name, (t, p) in pairs.items():
    t, p = t.tolist(), p.tolist()
    for weights in [None, fractions.tolist(), whole.tolist()] if len(t) == n else [None]:
        w = {} if weights is None else {"sampleWeight": weights}
        for fn in ["accuracyScore", "zeroOneLoss"]:
            record(fn, t, p, **w)
            record(fn, t, p, normalize=False, **w)
        for fn in ["hammingLoss", "matthewsCorrcoef", "confusionMatrix", "balancedAccuracyScore"]:
            record(fn, t, p, **w)
        for how in ["true", "pred", "all"]:
            record("confusionMatrix", t, p, normalize=how, **w)
        record("balancedAccuracyScore", t, p, adjusted=True, **w)
        for how in [None, "linear", "quadratic"]:
            record("cohenKappaScore", t, p, weights=how, **w)
        binary = name in ("binary", "minus one", "booleans", "constant guess")
        for fn in ["precisionScore", "recallScore", "f1Score", "jaccardScore"]:
            if binary:
                record(fn, t, p, **w)
            for average in ["micro", "macro", "weighted", None]:
                for zero in [0, 1, float("nan")] if weights is None else ["warn"]:
                    if fn == "jaccardScore" and isinstance(zero, float):
                        continue  # refused there
                    record(fn, t, p, average=average, zeroDivision=zero, **w)
        for beta in [0.5, 2, 0, float("inf")]:
            record("fbetaScore", t, p, beta=beta, average="macro", **w)
        for average in [None, "weighted"]:
            record("precisionRecallFscoreSupport", t, p, average=average, **w)
record("precisionScore", truth2.tolist(), guess2.tolist(), posLabel=0)
record("recallScore", names[truth2].tolist(), names[guess2].tolist(), posLabel="ham")
for labels in [[2, 0], [3, 1, 0], [0, 1, 2, 3, 4], [3]]:
    t, p = truth4.tolist(), guess4.tolist()
    record("confusionMatrix", t, p, labels=labels)
    record("cohenKappaScore", t, p, labels=labels, weights="linear")
    for average in ["micro", "macro", "weighted", None]:
        for fn in ["precisionScore", "recallScore", "f1Score", "jaccardScore"]:
            record(fn, t, p, labels=labels, average=average, zeroDivision=1 if fn == "jaccardScore" else float("nan"))
record("cohenKappaScore", [1, 1], [1, 1], replaceUndefinedBy=0.5)

# reports ------------------------------------------------------------------------------------------------------------
for name, (t, p) in pairs.items():
    t, p = t.tolist(), p.tolist()
    for options in [{}, {"digits": 4}, {"digits": 0}, {"outputDict": True}, {"zeroDivision": 1}, {"zeroDivision": float("nan"), "digits": 3}]:
        record("classificationReport", t, p, **options)
    if len(t) == n:
        record("classificationReport", t, p, sampleWeight=fractions.tolist())
        record("classificationReport", t, p, sampleWeight=whole.tolist(), digits=5)
        record("classificationReport", t, p, sampleWeight=fractions.tolist(), outputDict=True)
t, p = truth4.tolist(), guess4.tolist()
record("classificationReport", t, p, labels=[2, 0])
record("classificationReport", t, p, labels=[2, 0], outputDict=True)
record("classificationReport", t, p, labels=[3, 1, 0, 2, 7])
record("classificationReport", t, p, targetNames=["a", "a rather long name", "𠀀𠀁", ""])
record("classificationReport", t, p, labels=[9], zeroDivision=float("nan"))
# exact halves are printed to the even digit: 1/8, 3/8, 1/2
record("classificationReport", [0] * 8 + [1] * 8, [0] + [1] * 7 + [1] * 3 + [0] * 5)
record("classificationReport", [0] * 16 + [1] * 16, [0] + [1] * 15 + [1] * 5 + [0] * 11, digits=3)
record("classificationReport", [0, 1, 1, 2], [0, 1, 2, 2], sampleWeight=[1e-7, 2e16, 0.25, 3.0])
record("classificationReport", truth9.tolist(), guess9.tolist(), sampleWeight=np.round(rng.rand(60), 2).tolist(), digits=6)

# probabilities ------------------------------------------------------------------------------------------------------
p1 = np.clip(np.round(0.5 * truth2 + rng.rand(n) * 0.6 - 0.05, 2), 0, 1)  # rounding makes ties
score = np.round(truth2 + rng.randn(n), 1)
P4 = softmax(2 * np.eye(4)[truth4] + rng.randn(n, 4))
P4[0] = [1, 0, 0, 0]
P4[1] = [0, 0.5, 0.5, 0]
w = fractions.tolist()
w0 = whole.tolist()
for t in [truth2.tolist(), (2 * truth2 - 1).tolist(), (truth2 == 1).tolist(), names[truth2].tolist(), (3 * truth2 + 2).tolist()]:
    text = isinstance(t[0], str)
    for options in [{}, {"sampleWeight": w}, {"sampleWeight": w0}, {"normalize": False}]:
        record("logLoss", t, p1.tolist(), **options)
        record("logLoss", t, np.c_[1 - p1, p1].tolist(), **options)
    for options in [{}, {"sampleWeight": w}, {"scaleByHalf": False}, {"posLabel": t[0]}]:
        if not text or "posLabel" in options:
            record("brierScoreLoss", t, p1.tolist(), **options)
        if "posLabel" not in options:
            record("brierScoreLoss", t, np.c_[1 - p1, p1].tolist(), **options)
    for options in [{}, {"sampleWeight": w}, {"sampleWeight": w0}, {"maxFpr": 0.3}, {"maxFpr": 0.05, "sampleWeight": w}]:
        record("rocAucScore", t, score.tolist(), **options)
        record("rocAucScore", t, p1.tolist(), **options)
    named = [{"posLabel": t[0]}] + ([] if text or 5 in t else [{}])
    for extra in named:
        for options in [{}, {"sampleWeight": w}, {"sampleWeight": w0}]:
            record("averagePrecisionScore", t, score.tolist(), **options, **extra)
            for drop in [True, False]:
                for fn in ["rocCurve", "precisionRecallCurve", "detCurve"]:
                    record(fn, t, score.tolist(), dropIntermediate=drop, **options, **extra)
        for strategy in ["uniform", "quantile"]:
            for bins in [3, 5, 10]:
                record("calibrationCurve", t, p1.tolist(), nBins=bins, strategy=strategy, **extra)
    for k in [1, 2]:
        record("topKAccuracyScore", t, p1.tolist(), k=k)
        record("topKAccuracyScore", t, score.tolist(), k=k, sampleWeight=w)
for t in [truth4.tolist(), names[truth4].tolist()]:
    for options in [{}, {"sampleWeight": w}, {"normalize": False}]:
        record("logLoss", t, P4.tolist(), **options)
        for k in [1, 2, 3]:
            record("topKAccuracyScore", t, P4.tolist(), k=k, **options)
    for options in [{}, {"sampleWeight": w}, {"scaleByHalf": True}]:
        record("brierScoreLoss", t, P4.tolist(), **options)
    for average in ["macro", "weighted", "micro", None]:
        for options in [{}, {"sampleWeight": w}]:
            record("rocAucScore", t, P4.tolist(), multiClass="ovr", average=average, **options)
            record("averagePrecisionScore", t, P4.tolist(), average=average, **options)
    for average in ["macro", "weighted"]:
        record("rocAucScore", t, P4.tolist(), multiClass="ovo", average=average)
some = truth4 < 3
t3, P3 = truth4[some].tolist(), P4[some].tolist()
record("logLoss", t3, P3, labels=[0, 1, 2, 3])
record("brierScoreLoss", t3, P3, labels=[0, 1, 2, 3])
record("logLoss", [1, 1], [0.25, 0.75], labels=[0, 1])
record("topKAccuracyScore", t3, P3, labels=[0, 1, 2, 3], k=2)
for average in ["macro", "weighted", None]:
    record("rocAucScore", t3, P3, labels=[0, 1, 2, 3], multiClass="ovr", average=average)
record("rocAucScore", t3, P3, labels=[0, 1, 2, 3], multiClass="ovo", average="weighted")
record("rocAucScore", [1, 1, 1], [0.1, 0.2, 0.3])
record("rocAucScore", [0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5])
record("rocCurve", [1, 1, 1], [0.1, 0.2, 0.3])
record("rocCurve", [0, 0, 0], [0.1, 0.2, 0.3])
record("precisionRecallCurve", [0, 0, 0], [0.1, 0.2, 0.3])
record("averagePrecisionScore", [0, 0, 0], [0.1, 0.2, 0.3])
record("averagePrecisionScore", [1, 1, 1], [0.1, 0.2, 0.3])
record("calibrationCurve", [0, 1, 1, 0, 1, 1], [0.2, 0.4, 0.6000000000000001, 0.6, 0.8, 1.0], nBins=5)
record("auc", [0, 0.5, 0.5, 1], [0, 0.25, 0.75, 1])
record("auc", [1, 0.5, 0.2], [0, 0.25, 0.75])
record("logLoss", ["spam", "ham", "ham", "spam"], [[0.1, 0.9], [0.9, 0.1], [0.8, 0.2], [0.35, 0.65]])
record("logLoss", [0, 1, 1], [0.0, 1.0, 0.0])
write("metrics.json", cases)

# splits -------------------------------------------------------------------------------------------------------------
splits = []


def split(make, rows, y=None, groups=None, **options):
    splitter = make(**{snake(k): v for k, v in options.items()})
    folds = [[a.tolist(), b.tolist()] for a, b in splitter.split(np.zeros((rows, 1)), y, groups)]
    splits.append({"fn": make.__name__, "options": options, "rows": rows, "y": y, "groups": groups, "expected": folds})


split(KFold, 10, nSplits=3)
split(KFold, 7, nSplits=7)
split(KFold, 23)
split(LeaveOneOut, 4)
split(StratifiedKFold, 10, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2], nSplits=3)
for k in [2, 3, 5, 10]:
    split(StratifiedKFold, n, truth4.tolist(), nSplits=k)
    split(StratifiedKFold, n, names[truth4][::-1].tolist(), nSplits=k)
    split(StratifiedKFold, n, (truth2 == 1).tolist(), nSplits=k)
    g = rng.randint(0, 12, n)
    split(GroupKFold, n, groups=g.tolist(), nSplits=k)
    split(GroupKFold, n, groups=[f"g{v}" for v in g], nSplits=k)
    split(StratifiedGroupKFold, n, truth4.tolist(), g.tolist(), nSplits=min(k, 5))
    split(StratifiedGroupKFold, 60, truth9.tolist(), rng.randint(0, 30, 60).tolist(), nSplits=k if k < 5 else 4)
split(StratifiedKFold, 6, ["b", "b", "b", "b", "a", "c"], nSplits=3)
split(TimeSeriesSplit, 12, nSplits=3)
split(TimeSeriesSplit, 13)
split(TimeSeriesSplit, 20, nSplits=3, testSize=2, gap=2)
split(TimeSeriesSplit, 20, nSplits=4, maxTrainSize=5)
write("splits.json", splits)

# calibration --------------------------------------------------------------------------------------------------------
fits = []
X, y = load_iris(return_X_y=True)
even, odd = np.arange(0, 150, 2), np.arange(1, 150, 2)
model = GaussianNB().fit(X[even], y[even])
P_odd, P_all = model.predict_proba(X[odd]), model.predict_proba(X)


def sigmoid(F, target, w=None):
    fit = _SigmoidCalibration().fit(F, target, None if w is None else np.asarray(w, float))
    fits.append({"fn": "sigmoid", "scores": F, "y": target, "weights": w, "a": fit.a_, "b": fit.b_, "at": F[:10], "expected": fit.predict(F[:10])})


def isotonic(F, target, w=None):
    fit = IsotonicRegression(out_of_bounds="clip").fit(F, target, None if w is None else np.asarray(w, float))
    at = np.r_[F[:10], F.min() - 1, F.max() + 1, np.linspace(F.min(), F.max(), 13)]
    fits.append({"fn": "isotonic", "scores": F, "y": target, "weights": w, "x": fit.X_thresholds_, "levels": fit.y_thresholds_, "at": at, "expected": fit.predict(at)})


def temperature(P, target, w=None):
    fit = _TemperatureScaling().fit(P, target, None if w is None else np.asarray(w, float))
    fits.append({"fn": "temperature", "scores": P, "y": target, "weights": w, "beta": fit.beta_, "at": P[:10], "expected": fit.predict(P[:10])})


logodds = 40 * score
for F in [score, p1, logodds, np.full(n, 2.5)]:
    for w in [None, fractions.tolist(), whole.tolist()]:
        sigmoid(F, truth2, w)
        isotonic(F, truth2, w)
for c in range(3):
    sigmoid(P_odd[:, c], (y[odd] == c).astype(int))
    isotonic(P_odd[:, c], (y[odd] == c).astype(int))
sigmoid(score, np.ones(n, int))
isotonic(score, np.ones(n, int))
for w in [None, fractions.tolist()]:
    temperature(np.c_[1 - p1, p1], truth2, w)
    temperature(P4, truth4, w)
    temperature(3 * np.log(P4 + 1e-3), truth4, w)
temperature(P_odd, y[odd])
for method in ["sigmoid", "isotonic", "temperature"]:
    calibrated = CalibratedClassifierCV(FrozenEstimator(model), method=method, ensemble=False).fit(X[odd], y[odd])
    fits.append({"fn": "calibration", "method": method, "scores": P_odd, "y": y[odd], "at": P_all, "expected": calibrated.predict_proba(X)})
    two = y[odd] > 0
    # classes 0 and 1: with 1 and 2 scikit-learn's temperature reads its columns one too far
    binary = GaussianNB().fit(X[even][y[even] > 0][:, :2], y[even][y[even] > 0] - 1)
    Xb, yb = X[odd][two][:, :2], y[odd][two] - 1
    calibrated = CalibratedClassifierCV(FrozenEstimator(binary), method=method, ensemble=False).fit(Xb, yb)
    fits.append({"fn": "calibration", "method": method, "scores": binary.predict_proba(Xb), "y": yb, "at": binary.predict_proba(X[:, :2]), "expected": calibrated.predict_proba(X[:, :2])})
write("calibration.json", fits)

# intervals ----------------------------------------------------------------------------------------------------------
intervals = []
for trials in [1, 5, 20, 137, 10000]:
    for successes in sorted({0, 1, trials // 3, trials // 2, trials - 1, trials}):
        for confidence in [0.5, 0.95, 0.999]:
            for method in ["wilson", "exact"]:
                ci = binomtest(successes, trials).proportion_ci(confidence, method)
                intervals.append({"successes": successes, "n": trials, "level": confidence, "method": method, "expected": [ci.low, ci.high]})
        intervals.append({"successes": successes, "n": trials, "method": "sign", "expected": binomtest(successes, trials).pvalue})
write("intervals.json", intervals)
