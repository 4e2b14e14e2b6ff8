"""Records what scikit-learn 1.9.1 answers for small models with odd options: python record.py [models.json].

Every case holds the document that examples/export_sklearn.py writes, queries, and all answers of the model to them; `more`
are rows to learn after the import, and `later` the answers of a model that was fitted to all rows at once.
"""
import json
import sys
import warnings
from pathlib import Path

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline

here = Path(__file__).parent
sys.path.insert(0, str(here.parents[3] / "examples"))
from export_sklearn import plain, to_json  # noqa: E402

assert sklearn.__version__ == "1.9.1", sklearn.__version__
warnings.simplefilter("ignore")
rng = np.random.RandomState(20260301)
cases = []


def answers(model, query):
    got = {name: getattr(model, name)(query)
           for name in ("predict", "predict_proba", "predict_log_proba", "decision_function")
           if hasattr(model, name)}
    if hasattr(model, "predict_joint_log_proba"):
        got["predict_joint_log_proba"] = model.predict_joint_log_proba(query)
    return {name: plain(value, name) for name, value in got.items()}


def record(name, model, X, y, query, weights=None, more=None):
    if weights is None:
        model.fit(X, y)
    else:
        model.fit(X, y, sample_weight=weights)
    case = {"name": name, "document": json.loads(to_json(model)), "query": plain(query, "query"), **answers(model, query)}
    if more is not None:
        rows, labels = more
        case["more"] = {"X": plain(rows, "X"), "y": plain(labels, "y")}
        whole = model.fit(np.vstack([X, rows]), np.concatenate([y, labels]))
        case["later"] = answers(whole, query)
    cases.append(case)


def transformed(name, model, X, fit=None):
    if fit is not None:
        model.fit(fit)
    rows = model.transform(X).tocsr()
    rows.eliminate_zeros()
    rows.sort_indices()
    sparse = [[[int(j), plain(v, name)] for j, v in zip(row.indices, row.data)] for row in rows]
    cases.append({"name": name, "document": json.loads(to_json(model)), "query": X if isinstance(X, list) else plain(X.toarray(), "X"),
                  "transform": sparse, "columns": rows.shape[1]})


# Measured features
n, p = 40, 4
means = rng.normal(size=(3, p)) * 2
y3 = np.repeat([0, 1, 2], [20, 13, 7])
X3 = means[y3] + rng.normal(size=(n, p)) * [1, 3, 0.2, 50]
Q3 = rng.normal(size=(9, p)) * [2, 4, 1, 60]
more3 = (means[[0, 1, 2, 2]] + rng.normal(size=(4, p)), np.array([0, 1, 2, 2]))
w3 = rng.uniform(0.1, 3, n)
names3 = np.array(["zero", "one", "two"])[y3]
offset = X3 + [0, 1e6, -1e4, 0]

record("gaussian", GaussianNB(), X3, y3, Q3, more=more3)
record("gaussian with words as labels", GaussianNB(), X3, names3, Q3)
record("gaussian with booleans as labels", GaussianNB(), X3, y3 > 0, Q3)
record("gaussian with floats as labels", GaussianNB(), X3, y3 - 1.0, Q3)
record("gaussian with priors", GaussianNB(priors=[0.2, 0.5, 0.3]), X3, y3, Q3)
record("gaussian with a prior of zero", GaussianNB(priors=[0.5, 0.5, 0.0]), X3, y3, Q3)
record("gaussian with much smoothing", GaussianNB(var_smoothing=0.3), X3, y3, Q3)
record("gaussian with weights", GaussianNB(), X3, y3, Q3, weights=w3)
record("gaussian far from zero", GaussianNB(), offset, y3, Q3 + [0, 1e6, -1e4, 0])
record("gaussian of one class", GaussianNB(), X3[:5], y3[:5], Q3)
constant = np.column_stack([X3, np.full(n, 2.5)])
record("gaussian with a constant column", GaussianNB(), constant, y3, np.column_stack([Q3, np.linspace(2.4999, 2.5001, 9)]))
parts = GaussianNB()
for rows in (np.arange(0, 20), np.arange(20, 40)):
    parts.partial_fit(X3[rows], y3[rows], classes=[0, 1, 2])
cases.append({"name": "gaussian learned in parts", "document": json.loads(to_json(parts)), "query": plain(Q3, "Q"), **answers(parts, Q3)})
early = GaussianNB().partial_fit(X3[:30], y3[:30], classes=[0, 1, 2])
cases.append({"name": "gaussian with a class of no rows", "document": json.loads(to_json(early)), "query": plain(Q3, "Q"), **answers(early, Q3)})

import pandas  # noqa: E402
frame = pandas.DataFrame(X3, columns=["height", "width", "__proto__", "größe"])
named = GaussianNB().fit(frame, y3)
cases.append({"name": "gaussian with names", "document": json.loads(to_json(named)), "query": plain(Q3, "Q"),
              **answers(named, pandas.DataFrame(Q3, columns=frame.columns))})

# Counts
counts = rng.poisson(rng.gamma(0.6, 2, size=(3, 6))[y3])
queryCounts = rng.poisson(1.5, size=(8, 6))
queryCounts[0] = 0
moreCounts = (rng.poisson(2, size=(5, 6)), np.array([2, 1, 0, 2, 1]))
fractions = counts / np.maximum(1, counts.sum(axis=1, keepdims=True))
vector = [0.1, 0.5, 1, 2, 3.5, 0]

for kind in (MultinomialNB, ComplementNB, BernoulliNB):
    title = kind.__name__
    record(title, kind(), counts, y3, queryCounts, more=moreCounts)
    record(f"{title} with alpha 0.01 and words", kind(alpha=0.01), counts, names3, queryCounts)
    record(f"{title} without a fitted prior", kind(fit_prior=False), counts, y3, queryCounts)
    record(f"{title} with a class prior", kind(class_prior=[0.1, 0.2, 0.7]), counts, y3, queryCounts)
    record(f"{title} with a tiny alpha that is not forced", kind(alpha=1e-14, force_alpha=False), counts, y3 == 1, queryCounts)
    record(f"{title} with weights", kind(alpha=0.3), counts, y3, queryCounts, weights=w3)
    record(f"{title} of one class", kind(), counts[:4], y3[:4], queryCounts)
    early = kind().partial_fit(counts[:30], y3[:30], classes=[0, 1, 2])
    cases.append({"name": f"{title} with a class of no rows", "document": json.loads(to_json(early)), "query": plain(queryCounts, "Q"),
                  **answers(early, queryCounts)})
record("MultinomialNB with a vector of alpha", MultinomialNB(alpha=vector), counts + 1, y3, queryCounts)
record("MultinomialNB without smoothing", MultinomialNB(alpha=0), counts + 1, y3, queryCounts)
record("MultinomialNB of fractions", MultinomialNB(alpha=0.05), fractions, y3, queryCounts)
record("ComplementNB with a vector of alpha", ComplementNB(alpha=vector), counts + 1, y3, queryCounts)
record("ComplementNB with norm", ComplementNB(norm=True), counts, y3, queryCounts)
record("ComplementNB with norm and small alpha", ComplementNB(norm=True, alpha=1e-3), counts, names3, queryCounts)
record("BernoulliNB that trusts its rows", BernoulliNB(binarize=None), np.minimum(counts, 1), y3, np.minimum(queryCounts, 1))
record("BernoulliNB with a threshold", BernoulliNB(binarize=1.5, alpha=0.5), counts, y3, queryCounts)

# Levels
levels = np.column_stack([rng.randint(0, 3, n), rng.randint(0, 2, n) * 2, rng.randint(0, 5, n)])
queryLevels = np.column_stack([rng.randint(0, 3, 8), rng.randint(0, 2, 8), rng.randint(0, 5, 8)])
moreLevels = (np.array([[2, 2, 4], [0, 0, 1]]), np.array([1, 2]))
record("CategoricalNB", CategoricalNB(), levels, y3, queryLevels, more=moreLevels)
record("CategoricalNB with few levels at least", CategoricalNB(min_categories=7, alpha=0.2), levels, names3, queryLevels)
record("CategoricalNB with levels at least by column", CategoricalNB(min_categories=[3, 4, 9]), levels, y3, queryLevels)
record("CategoricalNB with a class prior", CategoricalNB(class_prior=[0.6, 0.3, 0.1], alpha=0.01), levels, y3, queryLevels)
record("CategoricalNB without a fitted prior", CategoricalNB(fit_prior=False), levels, y3 > 1, queryLevels)
record("CategoricalNB with weights", CategoricalNB(), levels, y3, queryLevels, weights=w3)

# Discriminants
L, Q = LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
wide = np.column_stack([X3, X3[:, 0] - 2 * X3[:, 1]])
queryWide = rng.normal(size=(9, 5)) * [2, 4, 1, 60, 5]
for solver in ("svd", "lsqr", "eigen"):
    record(f"LDA {solver}", L(solver=solver), X3, y3, Q3)
    record(f"LDA {solver} of two classes", L(solver=solver), X3, y3 > 0, Q3)
    record(f"LDA {solver} with priors", L(solver=solver, priors=[0.2, 0.1, 0.7]), X3, names3, Q3)
    record(f"LDA {solver} far from zero", L(solver=solver), offset, y3, Q3 + [0, 1e6, -1e4, 0])
record("LDA svd with covariance", L(store_covariance=True, priors=[0.6, 0.2, 0.2]), X3, y3, Q3)
record("LDA svd of dependent columns", L(), wide, y3, queryWide)
record("LDA svd of one axis", L(n_components=1), X3, y3, Q3)
record("LDA svd of one column", L(), X3[:, :1], y3, Q3[:, :1])
for shrinkage in ("auto", 0.0, 0.35, 1.0):
    record(f"LDA lsqr shrunk by {shrinkage}", L(solver="lsqr", shrinkage=shrinkage), X3, y3, Q3)
    record(f"LDA eigen shrunk by {shrinkage}", L(solver="eigen", shrinkage=shrinkage), wide if shrinkage else X3, y3, queryWide if shrinkage else Q3)
big = np.repeat([0, 1, 2], 15)
XB = rng.normal(size=(45, 3)) @ np.array([[1, 0.5, 0], [0, 1, 0.2], [0, 0, 2]]) + rng.normal(size=(3, 3))[big] * 2
record("QDA", Q(), XB, big, rng.normal(size=(9, 3)) * 3)
record("QDA with covariance and words", Q(store_covariance=True), XB, np.array(["x", "y", "z"])[big], rng.normal(size=(9, 3)) * 3)
record("QDA with priors", Q(priors=[0.7, 0.2, 0.1]), XB, big, rng.normal(size=(9, 3)) * 3)
record("QDA regularised", Q(reg_param=0.2), wide, y3, queryWide)
record("QDA eigen", Q(solver="eigen"), XB, big, rng.normal(size=(9, 3)) * 3)
record("QDA eigen shrunk", Q(solver="eigen", shrinkage=0.4), XB, big > 0, rng.normal(size=(9, 3)) * 3)
record("QDA eigen shrunk by itself", Q(solver="eigen", shrinkage="auto"), XB, big, rng.normal(size=(9, 3)) * 3)

# Text
texts = [
    "The quick brown fox jumps over the lazy dog", "A fox, a dog and a HEN!", "le café était fermé; naïve coöperation",
    "Straße und Größe, GROSSE Freude", "日本語のテキスト 日本語 です", "İstanbul'da ISPARTA ısı ΟΔΥΣΣΕΥΣ ὀδυσσεύς",
    "snake_case and x1 y22 z333", "tabs\tand\nnew  lines\u2003wide", "emoji 🎉🎉 party_time 𝒳𝒴 math", "dog dog dog fox __proto__ constructor",
]
topics = ["animal", "animal", "food", "place", "place", "place", "code", "code", "fun", "animal"]
queries = ["the dog and the fox", "Café CAFÉ cafe", "", "unseen words only here", "日本語 x1 __proto__ constructor toString", "party 🎉 straße STRASSE",
           "fox\u00a0dog\u2028hen", "İSTANBUL istanbul οδυσσευς"]
shown = queries + texts[:3]

for title, options in {
    "plain": {}, "case kept": {"lowercase": False}, "accents stripped": {"strip_accents": "unicode"}, "ascii": {"strip_accents": "ascii"},
    "bigrams": {"ngram_range": (1, 2)}, "trigrams alone": {"ngram_range": (3, 3)}, "stop words": {"stop_words": "english", "ngram_range": (1, 2)},
    "own stop words": {"stop_words": ["dog", "und"]}, "characters": {"analyzer": "char", "ngram_range": (2, 3)},
    "characters of words": {"analyzer": "char_wb", "ngram_range": (2, 4)}, "own pattern": {"token_pattern": r"(?u)\b\w+\b"},
    "pattern with a group": {"token_pattern": r"(\w)\w*"}, "digits": {"token_pattern": r"[a-z]+\d+"}, "binary": {"binary": True},
    "vocabulary as a list": {"vocabulary": ["fox", "dog", "zebra", "cat"]}, "vocabulary as a table": {"vocabulary": {"fox": 2, "dog": 0, "the": 1}},
    "vocabulary as a set": {"vocabulary": {"fox", "dog"}}, "pruned": {"min_df": 2, "max_df": 0.5, "max_features": 5},
}.items():
    transformed(f"CountVectorizer, {title}", CountVectorizer(**options), shown, texts)
transformed("CountVectorizer, never fitted", CountVectorizer(vocabulary=["dog", "fox"]), shown)
for title, options in {
    "plain": {}, "sublinear": {"sublinear_tf": True}, "l1": {"norm": "l1"}, "no norm": {"norm": None}, "not smooth": {"smooth_idf": False},
    "no idf": {"use_idf": False}, "binary": {"binary": True}, "characters": {"analyzer": "char_wb", "ngram_range": (1, 3), "sublinear_tf": True},
    "vocabulary given": {"vocabulary": ["fox", "dog", "the"]},
}.items():
    transformed(f"TfidfVectorizer, {title}", TfidfVectorizer(**options), shown, texts)
grid = CountVectorizer().fit(texts).transform(texts)
for title, options in {"plain": {}, "no idf": {"use_idf": False, "norm": "l1"}, "sublinear": {"sublinear_tf": True, "smooth_idf": False}}.items():
    transformed(f"TfidfTransformer, {title}", TfidfTransformer(**options), grid[:4], grid)
for title, options in {
    "plain": {}, "small": {"n_features": 16}, "without signs": {"n_features": 32, "alternate_sign": False, "norm": None},
    "l1 bigrams": {"n_features": 64, "norm": "l1", "ngram_range": (1, 2)}, "binary characters": {"n_features": 50, "binary": True, "analyzer": "char", "ngram_range": (3, 3)},
}.items():
    transformed(f"HashingVectorizer, {title}", HashingVectorizer(**options), shown)

for title, model in {
    "words and dice": make_pipeline(CountVectorizer(), MultinomialNB()),
    "tf-idf and complement": make_pipeline(CountVectorizer(ngram_range=(1, 2)), TfidfTransformer(sublinear_tf=True), ComplementNB(alpha=0.3)),
    "tf-idf in one": Pipeline([("words", TfidfVectorizer(stop_words="english")), ("nothing", "passthrough"), ("nb", MultinomialNB(alpha=0.1))]),
    "hashes": make_pipeline(HashingVectorizer(n_features=128, alternate_sign=False, norm="l1"), MultinomialNB(alpha=0.01)),
    "hashes with signs and coins": make_pipeline(HashingVectorizer(n_features=64), BernoulliNB()),
    "coins": make_pipeline(CountVectorizer(binary=True, analyzer="char_wb", ngram_range=(3, 3)), BernoulliNB(alpha=0.5)),
    "one step": Pipeline([("only", MultinomialNB())]),
}.items():
    if title == "one step":
        record(f"Pipeline, {title}", model, counts, y3, queryCounts)
    else:
        record(f"Pipeline, {title}", model, texts, np.array(topics), queries)

target = Path(sys.argv[1]) if len(sys.argv) > 1 else here / "models.json"
target.write_text(json.dumps(cases, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
print(len(cases), "cases")
