"""Records what scikit-learn 1.9.1 answers at the edges of its functions: one class, one row, missing cells, unknown labels, singular
covariances, options that are rarely used. Run with Python 3.11: python record_edges.py"""

import numpy as np
from sklearn import covariance, metrics, preprocessing
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.feature_selection import VarianceThreshold
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, TunedThresholdClassifierCV, cross_val_score
from sklearn.naive_bayes import GaussianNB

from recording import write

cases = []
add = lambda what, **case: cases.append({"what": what, **case})
nan = float("nan")

for y, scores in [([1, 1, 1], [0.1, 0.2, 0.3]), ([0, 0], [0.1, 0.2]), (["a", "b"], [0.3, 2.0]), ([0, 1, 2], [[0.1, 2, 0], [1, 0.2, 0.3], [0, 0, 3]])]:
    add("hinge", y=y, scores=scores, loss=metrics.hinge_loss(y, scores))
add("d2", y=[1], scores=[0.5], log=metrics.d2_log_loss_score([1], [0.5]), brier=metrics.d2_brier_score([1], [0.5]))
for truth, answer in [([0, 1, 1, 0], [0, 1, 0, 0]), ([0, 0, 0], [1, 1, 1]), ([1, 1], [1, 0]), ([0, 1], [1, 1]), ([0, 1, 1], [1, 0, 1])]:
    for instead in [np.nan, 1.0, {"LR+": 3.0, "LR-": 0.5}]:
        add("ratios", truth=truth, answer=answer, instead=instead, ratios=metrics.class_likelihood_ratios(truth, answer, replace_undefined_by=instead))

rng = np.random.RandomState(25)
X = rng.randn(40, 3).round(3)
y = np.arange(40) % 2
X[y == 1] += [1.0, 0.5, -0.5]
gaps = X.copy()
gaps[::3, 1] = nan
hollow = gaps.copy()
hollow[:, 2] = nan
for rows in [X, gaps]:
    own = preprocessing.StandardScaler().fit(rows)
    add("scaler", X=rows, var=own.var_, scale=own.scale_, seen=own.n_samples_seen_)
add("scaler", X=X, withStd=False, var=preprocessing.StandardScaler().fit(X).var_, scale=preprocessing.StandardScaler(with_std=False).fit(X).scale_, seen=40)
for strategy in ["mean", "median", "most_frequent", "constant"]:
    for keep in [False, True]:
        own = SimpleImputer(strategy=strategy, keep_empty_features=keep).fit(hollow)
        add("impute", X=hollow, strategy=strategy, keep=keep, statistics=own.statistics_, rows=own.transform(hollow))
for threshold in [0.0, 1.05]:
    own = VarianceThreshold(threshold=threshold).fit(hollow)
    add("variance", X=hollow, threshold=threshold, variances=own.variances_, support=own.get_support(), rows=own.transform(hollow))

add("binarizer", y=["a", "b", "c"], given=["b", "z", "a"], rows=preprocessing.LabelBinarizer().fit(["a", "b", "c"]).transform(["b", "z", "a"]))
several = preprocessing.MultiLabelBinarizer(classes=["c", "a", "b"])
add("several", classes=["c", "a", "b"], y=[["a", "b"], ["c"]], rows=several.fit_transform([["a", "b"], ["c"]]), labels=several.classes_)
own = CountVectorizer(vocabulary={"dog": 1, "cat": 0})
add("vocabulary", vocabulary={"dog": 1, "cat": 0}, texts=["dog dog cat", "cow"], rows=own.transform(["dog dog cat", "cow"]).toarray(), names=own.get_feature_names_out())

for response in ["auto", "predict_proba", "decision_function"]:
    for threshold in ["auto", 0.7, -0.5]:
        for positive in [0, 1]:
            own = FixedThresholdClassifier(LogisticRegression(solver="newton-cholesky", tol=1e-12), threshold=threshold, response_method=response, pos_label=positive).fit(X, y)
            add("fixed", X=X, y=y, response=response, threshold=threshold, positive=positive, predict=own.predict(X))
for response in ["predict_proba", "decision_function"]:
    own = TunedThresholdClassifierCV(LogisticRegression(solver="newton-cholesky", tol=1e-12), scoring="f1", cv=4, thresholds=12, response_method=response, store_cv_results=True).fit(X, y)
    add("tuned", X=X, y=y, response=response, best=own.best_threshold_, results=own.cv_results_)
for scoring in ["d2_log_loss_score", "d2_brier_score"]:
    add("scoring", X=X, y=y, scoring=scoring, scores=cross_val_score(GaussianNB(), X, y, cv=4, scoring=scoring))

for rows in [[[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0, 3.0]], [[1.0, 1.0], [1.0, 1.0]], X[:2], X[:9]]:
    for name in ["LedoitWolf", "OAS", "EmpiricalCovariance", "ShrunkCovariance"]:
        own = getattr(covariance, name)().fit(rows)
        add("covariance", name=name, X=rows, precision=own.get_precision(), mahalanobis=own.mahalanobis(rows), score=own.score(rows))

write("edges.json", cases)
