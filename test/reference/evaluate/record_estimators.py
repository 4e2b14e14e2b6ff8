"""Records what scikit-learn 1.9.1 answers, for the tests of cross-validation, search, curves and calibrated classifiers.

    python3 test/reference/evaluate/record_estimators.py

needs scikit-learn 1.9.1 and writes estimators.json beside itself. Splits are written out, so that no generator of chance
has to agree. The tests read the JSON and need no Python.
"""

import warnings

import numpy as np
import sklearn
from recording import write
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.frozen import FrozenEstimator
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    cross_val_predict,
    cross_validate,
    learning_curve,
    validation_curve,
)
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline

assert sklearn.__version__ == "1.9.1", sklearn.__version__
warnings.simplefilter("ignore")
rng = np.random.RandomState(3)

iris = load_iris()
X, y = iris.data, iris.target
two = y > 0
sets = {"iris": (X, y), "two": (X[two], (y[two] == 2).astype(int))}
estimators = {
    "GaussianNB": GaussianNB(),
    "MultinomialNB": MultinomialNB(),
    "ComplementNB": ComplementNB(),
    "BernoulliNB": BernoulliNB(binarize=1.5),
    "LinearDiscriminantAnalysis": LinearDiscriminantAnalysis(),
    "QuadraticDiscriminantAnalysis": QuadraticDiscriminantAnalysis(),
}
cases = []


def shuffled(k, target, seed):
    return [[a.tolist(), b.tolist()] for a, b in StratifiedKFold(k, shuffle=True, random_state=seed).split(target, target)]


# calibrated classifiers ---------------------------------------------------------------------------------------------
even, odd = slice(0, None, 2), slice(1, None, 2)
some = slice(0, None, 7)
open_ends = 0
for method in ("sigmoid", "isotonic", "temperature"):
    fitted = GaussianNB().fit(X[even], y[even])
    prefit = CalibratedClassifierCV(FrozenEstimator(fitted), method=method).fit(X[odd], y[odd])
    cases.append({"fn": "prefit", "method": method, "expected": prefit.predict_proba(X)[some]})
    for name, data in sets.items():
        for kind in ("GaussianNB", "MultinomialNB", "LinearDiscriminantAnalysis", "QuadraticDiscriminantAnalysis"):
            for ensemble in (True, False):
                for cv in (5, shuffled(3, data[1], 1)):
                    model = CalibratedClassifierCV(estimators[kind], method=method, cv=cv, ensemble=ensemble)
                    model.fit(*data)
                    # If a fold is classified without a mistake every large beta has loss 0, and which one is found is chance.
                    betas = [c.calibrators[0].beta_ for c in model.calibrated_classifiers_] if method == "temperature" else []
                    if any(beta > 10 for beta in betas):
                        open_ends += 1
                        continue
                    cases.append({
                        "fn": "calibrated", "set": name, "kind": kind, "method": method, "ensemble": ensemble, "cv": cv,
                        "expected": model.predict_proba(data[0])[some],
                    })
    weights = rng.randint(1, 4, len(y)).astype(float)
    model = CalibratedClassifierCV(GaussianNB(), method=method, cv=shuffled(3, y, 2)).fit(X, y, sample_weight=weights)
    cases.append({
        "fn": "weighted", "method": method, "cv": shuffled(3, y, 2), "weights": weights, "expected": model.predict_proba(X)[some],
    })

# cross-validation ---------------------------------------------------------------------------------------------------
names = [
    "accuracy", "balanced_accuracy", "matthews_corrcoef", "f1_micro", "f1_macro", "f1_weighted", "precision_micro",
    "precision_macro", "precision_weighted", "recall_micro", "recall_macro", "recall_weighted", "jaccard_micro",
    "jaccard_macro", "jaccard_weighted", "roc_auc_ovr", "roc_auc_ovr_weighted", "roc_auc_ovo", "roc_auc_ovo_weighted",
    "average_precision", "top_k_accuracy", "neg_log_loss", "neg_brier_score",
]
binary = names[:15] + ["average_precision", "neg_log_loss", "neg_brier_score", "f1", "precision", "recall", "jaccard", "roc_auc"]
for name, data in sets.items():
    scoring = names if name == "iris" else binary
    for kind, estimator in estimators.items():
        for cv in (5, shuffled(4, data[1], 5)):
            found = cross_validate(estimator, *data, scoring=scoring, cv=cv, return_train_score=True)
            cases.append({
                "fn": "crossValidate", "set": name, "kind": kind, "cv": cv, "scoring": scoring,
                "test": {score: found[f"test_{score}"] for score in scoring},
                "train": {score: found[f"train_{score}"] for score in scoring},
            })
            cases.append({
                "fn": "crossValPredict", "set": name, "kind": kind, "cv": cv,
                "labels": cross_val_predict(estimator, *data, cv=cv),
                "proba": cross_val_predict(estimator, *data, cv=cv, method="predict_proba")[some],
            })

# curves -------------------------------------------------------------------------------------------------------------
order = rng.permutation(len(y))
for kind, estimator in estimators.items():
    for sizes in ([0.3, 0.5, 1.0], [40, 60, 75, 120]):
        absolute, train, test = learning_curve(estimator, X[order], y[order], train_sizes=sizes, cv=5)
        cases.append({
            "fn": "learningCurve", "kind": kind, "order": order, "sizes": sizes, "trainSizes": absolute, "train": train, "test": test,
        })
values = [1e-9, 1e-3, 1e-1, 1]
train, test = validation_curve(GaussianNB(), X, y, param_name="var_smoothing", param_range=values, cv=5, scoring="neg_log_loss")
cases.append({"fn": "validationCurve", "values": values, "train": train, "test": test})

# search -------------------------------------------------------------------------------------------------------------
columns = {
    "meanTestScore": "mean_test_score", "stdTestScore": "std_test_score", "rankTestScore": "rank_test_score",
    "split0TestScore": "split0_test_score", "meanTrainScore": "mean_train_score", "stdTrainScore": "std_train_score",
}
grid = {"fit_prior": [True, False], "alpha": [0.01, 0.1, 1, 10]}
order = order[:133]  # classes of different sizes, or fit_prior would make no difference but of rounding
search = GridSearchCV(MultinomialNB(), grid, scoring="neg_log_loss", cv=5, return_train_score=True).fit(X[order], y[order])
cases.append({
    "fn": "gridSearch", "order": order, "params": [[p["alpha"], p["fit_prior"]] for p in search.cv_results_["params"]],
    "results": {ours: search.cv_results_[theirs] for ours, theirs in columns.items()},
    "bestIndex": search.best_index_, "bestScore": search.best_score_, "proba": search.predict_proba(X)[some],
})
words = ["polya", "urn", "draws", "balls", "colour", "market", "price", "shares", "trade", "bank"]
docs, topics = [], []
for i in range(60):
    topic = i % 3
    weights = np.ones(10)
    weights[topic * 3:topic * 3 + 4] += 3
    docs.append(" ".join(rng.choice(words, size=rng.randint(4, 12), p=weights / weights.sum())))
    topics.append(["urns", "money", "both"][topic])
grid = {"multinomialnb__alpha": [0.1, 1, 5], "countvectorizer__ngram_range": [(1, 1), (1, 2)]}
pipeline = make_pipeline(CountVectorizer(), MultinomialNB())
search = GridSearchCV(pipeline, grid, scoring=["accuracy", "neg_log_loss"], refit="neg_log_loss", cv=4).fit(docs, topics)
cases.append({
    "fn": "textSearch", "docs": docs, "topics": topics,
    "params": [[list(p["countvectorizer__ngram_range"]), p["multinomialnb__alpha"]] for p in search.cv_results_["params"]],
    "accuracy": search.cv_results_["mean_test_accuracy"], "loss": search.cv_results_["mean_test_neg_log_loss"],
    "rank": search.cv_results_["rank_test_neg_log_loss"], "bestIndex": search.best_index_, "score": search.score(docs, topics),
})
write("estimators.json", cases)
print("temperatures without an end:", open_ends)
