"""Records what scikit-learn 1.9.1 answers, for the tests of several labels, preprocessing, selection, covariances and regression.

    python3 test/reference/evaluate/record_features.py

needs scikit-learn 1.9.1 and writes features.json beside itself.
"""

import warnings

import numpy as np
import sklearn
from recording import write
from sklearn import covariance, feature_selection, metrics, preprocessing
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, TunedThresholdClassifierCV, permutation_test_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.naive_bayes import BernoulliNB, ComplementNB, GaussianNB, MultinomialNB

assert sklearn.__version__ == "1.9.1", sklearn.__version__
warnings.simplefilter("ignore")
rng = np.random.RandomState(25)
iris = load_iris()
X, y = iris.data, iris.target
cases = []


def add(what, **case):
    cases.append({"what": what, **case})


counts = rng.poisson(1.5, (60, 7)) * (rng.rand(60, 7) < 0.6)
flags = (counts[:, :4] + rng.poisson(0.5, (60, 4)) > 2).astype(int)
outputs = np.column_stack([flags[:, 0], counts[:, 5] % 3])
numbers = np.round(rng.randn(60, 4) + flags[:, :1] * 2 - flags[:, 1:2], 6)
for estimator, rows in [(MultinomialNB(), counts), (BernoulliNB(), counts), (ComplementNB(), counts), (GaussianNB(), numbers)]:
    name = type(estimator).__name__
    several = OneVsRestClassifier(estimator).fit(rows, flags)
    add("rest", estimator=name, X=rows, y=flags, proba=several.predict_proba(rows), predict=several.predict(rows), score=several.score(rows, flags))
    for labels in [outputs[:, 1], outputs[:, 0]]:
        one = OneVsRestClassifier(estimator).fit(rows, labels)
        add("rest", estimator=name, X=rows, y=labels, proba=one.predict_proba(rows), predict=one.predict(rows), score=one.score(rows, labels))
    both = MultiOutputClassifier(estimator).fit(rows, outputs)
    add("output", estimator=name, X=rows, y=outputs, proba=both.predict_proba(rows), predict=both.predict(rows), score=both.score(rows, outputs))

truth, guess = flags, OneVsRestClassifier(MultinomialNB()).fit(counts, flags).predict(counts)
weights = rng.randint(1, 4, 60)
for average in ["micro", "macro", "weighted", "samples", None]:
    for weight in [None, weights]:
        options = dict(average=average, sample_weight=weight, zero_division=0.0)
        scores = {name: getattr(metrics, f"{name}_score")(truth, guess, **options) for name in ["precision", "recall", "f1", "jaccard"]}
        add("multilabel", truth=truth, guess=guess, average=average, weights=weight, **scores)
for weight in [None, weights]:
    w = dict(sample_weight=weight)
    add("multilabel-plain", truth=truth, guess=guess, weights=weight, accuracy=metrics.accuracy_score(truth, guess, **w), hamming=metrics.hamming_loss(truth, guess, **w),
        zeroOne=metrics.zero_one_loss(truth, guess, **w), matrices=metrics.multilabel_confusion_matrix(truth, guess, **w), report=metrics.classification_report(truth, guess, zero_division=0.0, **w),
        dict=metrics.classification_report(truth, guess, zero_division=0.0, output_dict=True, **w))
add("multiclass-matrices", truth=y, guess=np.roll(y, 7), matrices=metrics.multilabel_confusion_matrix(y, np.roll(y, 7)))

proba3 = GaussianNB().fit(X[::2], y[::2]).predict_proba(X)
for weight in [None, rng.randint(1, 4, 150)]:
    w = dict(sample_weight=weight)
    two = (y == 1).astype(int)
    said = np.roll(two, 3)
    add("losses", y=y, proba=proba3, weights=weight, d2log=metrics.d2_log_loss_score(y, proba3, **w), d2brier=metrics.d2_brier_score(y, proba3, **w),
        two=two, p=proba3[:, 1], d2log2=metrics.d2_log_loss_score(two, proba3[:, 1], **w), d2brier2=metrics.d2_brier_score(two, proba3[:, 1], **w),
        hinge=metrics.hinge_loss(two, proba3[:, 1] * 4 - 2, **w), hinge3=metrics.hinge_loss(y, proba3 * 3, labels=[0, 1, 2], **w),
        said=said, ratios=metrics.class_likelihood_ratios(two, said, **w))
relevance = rng.randint(0, 4, (6, 8))
scores = np.round(rng.rand(6, 8), 1)
for k in [None, 3]:
    for ignore in [False, True]:
        for weight in [None, rng.randint(1, 4, 6)]:
            w = dict(k=k, sample_weight=weight, ignore_ties=ignore)
            ranked = scores + np.arange(8) * 1e-3 * ignore  # which of equal scores NumPy puts first depends on the processor
            add("ndcg", relevance=relevance, scores=ranked, k=k, ignoreTies=ignore, weights=weight, dcg=metrics.dcg_score(relevance, ranked, **w), ndcg=metrics.ndcg_score(relevance, ranked, **w))

for name, options in [("SelectFpr", dict(alpha=0.2)), ("SelectFdr", dict(alpha=0.3)), ("SelectFwe", dict(alpha=0.5)), ("SelectFpr", {}), ("SelectFdr", {}), ("SelectFwe", {})]:
    for score in ["chi2", "f_classif"]:
        own = getattr(feature_selection, name)(getattr(feature_selection, score), **options).fit(counts, flags[:, 0])
        add("select", name=name, options=options, score=score, X=counts, y=flags[:, 0], support=own.get_support())
for threshold in [0.0, 1.2]:
    data = np.column_stack([counts, np.full(60, 3)])
    own = feature_selection.VarianceThreshold(threshold).fit(data)
    add("variance", X=data, threshold=threshold, variances=own.variances_, support=own.get_support())

for options in [{}, dict(with_mean=False), dict(with_std=False)]:
    for weight in [None, weights]:
        data = np.column_stack([numbers, np.full(60, 0.1)])
        own = preprocessing.StandardScaler(**options).fit(data, sample_weight=weight)
        add("scale", X=data, options=options, weights=weight, mean=own.mean_, variance=own.var_, rows=own.transform(data[:9]))
for norm in ["l1", "l2", "max"]:
    add("normalize", X=numbers, norm=norm, rows=preprocessing.Normalizer(norm).fit_transform(np.vstack([numbers[:9], np.zeros(4)])))
add("binarize", X=numbers, threshold=0.3, rows=preprocessing.Binarizer(threshold=0.3).fit_transform(numbers[:9]))
holes = numbers.copy()
holes[rng.rand(60, 4) < 0.2] = np.nan
for strategy, fill in [("mean", None), ("median", None), ("most_frequent", None), ("constant", 7.5)]:
    own = SimpleImputer(strategy=strategy, fill_value=fill, add_indicator=strategy == "median").fit(np.round(holes))
    add("impute", X=np.round(holes), strategy=strategy, fill=fill, indicator=strategy == "median", statistics=own.statistics_, rows=own.transform(np.round(holes)))
words = ["b", "a", "c", "a", "b"]
add("binarizer", y=words, classes=preprocessing.LabelBinarizer().fit(words).classes_, rows=preprocessing.LabelBinarizer().fit_transform(words), two=preprocessing.LabelBinarizer(neg_label=-1).fit_transform(["x", "y", "x"]))

for name, options in [("EmpiricalCovariance", {}), ("EmpiricalCovariance", dict(assume_centered=True)), ("ShrunkCovariance", {}), ("ShrunkCovariance", dict(shrinkage=0.4)), ("LedoitWolf", {}), ("LedoitWolf", dict(assume_centered=True)), ("OAS", {})]:
    own = getattr(covariance, name)(**options).fit(X)
    add("covariance", name=name, options=options, X=X, covariance=own.covariance_, location=own.location_, precision=own.precision_, shrinkage=getattr(own, "shrinkage_", None), mahalanobis=own.mahalanobis(X[:9]), score=own.score(X[:30]))
for name in ["LedoitWolf", "OAS", "EmpiricalCovariance", "ShrunkCovariance"]:
    own = getattr(covariance, name)()
    linear = {solver: LinearDiscriminantAnalysis(solver=solver, covariance_estimator=own).fit(X, y).predict_proba(X[::5]) for solver in ["lsqr", "eigen"]}
    axes = LinearDiscriminantAnalysis(solver="eigen", covariance_estimator=own).fit(X, y)
    add("discriminant", name=name, places=np.abs(axes.transform(X[::5])), explained=axes.explained_variance_ratio_, names=list(axes.get_feature_names_out()), X=X, y=y, rows=X[::5], quadratic=QuadraticDiscriminantAnalysis(solver="eigen", covariance_estimator=own).fit(X, y).predict_proba(X[::5]), **linear)

cancer = preprocessing.StandardScaler().fit_transform(load_breast_cancer().data)[::4]
sick = load_breast_cancer().target[::4]
# the same minimum as that of lbfgs, which ends at about 1e-6 of it
for rows, labels in [(X, y), (X[50:], y[50:]), (counts, flags[:, 0]), (counts, outputs[:, 1]), (cancer, sick)]:
    for options in [{}, dict(C=0.1), dict(C=10.0, fit_intercept=False)]:
        for weight in [None, "balanced"] if options == {} else [None]:
            own = LogisticRegression(solver="newton-cholesky", tol=1e-12, max_iter=1000, class_weight=weight, **options).fit(rows, labels)
            add("logistic", X=rows, y=labels, options=options, classWeight=weight, coef=own.coef_, intercept=own.intercept_, proba=own.predict_proba(rows))

labels_proba = OneVsRestClassifier(MultinomialNB()).fit(counts, flags).predict_proba(counts)
some = flags.any(axis=1) & ~flags.all(axis=1)  # an area over the labels of a row needs both kinds
for average in ["micro", "macro", "weighted", "samples", None]:
    for weight in [None, weights]:
        own = None if weight is None else weight[some]
        add("multilabel-ranking", truth=flags[some], scores=labels_proba[some], average=average, weights=own,
            auc=metrics.roc_auc_score(flags[some], labels_proba[some], average=average, sample_weight=own),
            precision=metrics.average_precision_score(flags[some], labels_proba[some], average=average, sample_weight=own))
add("multilabel-partial", truth=flags, scores=labels_proba, auc=metrics.roc_auc_score(flags, labels_proba, max_fpr=0.3))
row_weights = np.round(np.random.RandomState(26).rand(len(y)) * 3, 3)
for rows, labels, weight in [(X, y, row_weights), (X[:100], y[:100], row_weights[:100]), (counts, flags[:, 0], weights)]:
    for C in [0.01, 1.0, 100.0]:
        own = LogisticRegression(C=C, solver="newton-cholesky", tol=1e-12, max_iter=1000).fit(rows, labels, sample_weight=weight)
        add("logistic", X=rows, y=labels, options=dict(C=C), classWeight=None, sampleWeight=weight, coef=own.coef_, intercept=own.intercept_, proba=own.predict_proba(rows),
            lbfgs=LogisticRegression(C=C, tol=1e-12, max_iter=100_000).fit(rows, labels, sample_weight=weight).predict_proba(rows))

two = (y[50:] == 2).astype(int)
folds = list(StratifiedKFold(5).split(X[50:], two))
for scoring in ["balanced_accuracy", "f1", "accuracy"]:
    own = TunedThresholdClassifierCV(GaussianNB(), scoring=scoring, cv=5, thresholds=100).fit(X[50:], two)
    add("threshold", X=X[50:], y=two, scoring=scoring, best=own.best_threshold_, score=own.best_score_, predict=own.predict(X[50:]))
damaged = [b"caf\xc3\xa9 \xe1\x80A \xff\xfe", b"\xf0\x9f\x98 smile \xc3", "\ufffd kept é".encode()]
for encoding, errors, raw in [
    ("utf-8", "ignore", damaged),
    ("utf-8", "replace", damaged),
    ("latin-1", "strict", damaged),
    ("utf-16-le", "strict", ["caf\u00e9 au lait".encode("utf-16-le"), "\u732b".encode("utf-16-le")]),
    ("shift_jis", "strict", ["\u732b\u3068\u72ac".encode("shift_jis")]),
    ("gb18030", "strict", ["\u957f\u6c5f\u5927\u6865".encode("gb18030")]),
]:
    for analyzer in ["word", "char"]:
        own = CountVectorizer(encoding=encoding, decode_error=errors, analyzer=analyzer, token_pattern=r"(?u)\w+").fit(raw)
        add("encoding", encoding=encoding, errors=errors, analyzer=analyzer, raw=[one.hex() for one in raw], terms=list(own.get_feature_names_out()), counts=own.transform(raw).toarray())
texts = ["a cat", "a dog and a cat", "the dog"]
for options in [{}, dict(norm=None, sublinear_tf=True)]:
    own = TfidfVectorizer(vocabulary=["cat", "dog", "the"], **options)
    own.idf_ = np.array([0.5, 0.0, 3.25])
    counts = CountVectorizer(vocabulary=["cat", "dog", "the"]).transform(texts)
    transformer = TfidfTransformer(**options)
    transformer.idf_ = np.array([0.5, 0.0, 3.25])
    add("idf", options=options, texts=texts, idf=own.idf_, rows=own.transform(texts).toarray(), counts=counts.toarray(), weighed=transformer.transform(counts).toarray())

write("features.json", cases)
