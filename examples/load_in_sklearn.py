"""Builds a fitted scikit-learn model from the JSON of `toSklearn` of polya/exchange (or `polya export --to sklearn`).

    from load_in_sklearn import load          # in a program
    pipeline = load(open("model.json", encoding="utf-8").read())
    python load_in_sklearn.py model.json model.joblib

It predicts what the Pólya model predicted. The naive Bayes classes hold their counts and go on with `partial_fit`.
"""
import json
import sys

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline

CLASSES = {kind.__name__: kind for kind in [
    BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB, LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis, CountVectorizer, HashingVectorizer, TfidfTransformer, TfidfVectorizer]}
WORDS = {"inf": np.inf, "-inf": -np.inf, "nan": np.nan}
RAGGED = {"category_count_", "rotations_"}  # lists of arrays, and so are some others in some classes


def array(value):
    """Lists in lists of numbers as one array; the three numbers that JSON lacks are words."""
    if isinstance(value, list):
        return np.array([array(item) for item in value])
    return WORDS.get(value, value) if isinstance(value, str) else value


def option(name, value):
    if name in ("min_df", "max_df"):
        return value["documents"] if "documents" in value else float(value["share"])
    if name == "ngram_range":
        return tuple(value)
    if name == "dtype":
        return np.dtype(value).type
    return value


def learned(kind, name, value):
    if name == "vocabulary_":
        return {term: column for column, term in enumerate(value)}
    if name == "classes_" or name == "feature_names_in_":
        return np.array(value, dtype=object if name == "feature_names_in_" else None)
    ragged = name in RAGGED or (kind, name) in [
        ("CategoricalNB", "feature_log_prob_"), ("QuadraticDiscriminantAnalysis", "scalings_")]
    return [array(item) for item in value] if ragged else array(value)


def model(document):
    """One estimator, or a pipeline with its steps."""
    kind = document["class"]
    if kind == "Pipeline":
        return Pipeline([(name, model(step)) for name, step in document["steps"]])
    estimator = CLASSES[kind](**{name: option(name, value) for name, value in document["params"].items()})
    attributes = {name: learned(kind, name, value) for name, value in document["learned"].items()}
    if kind == "TfidfVectorizer":
        estimator._tfidf = TfidfTransformer(
            norm=estimator.norm, use_idf=estimator.use_idf, smooth_idf=estimator.smooth_idf,
            sublinear_tf=estimator.sublinear_tf)
        if "idf_" in attributes:
            estimator._tfidf.idf_ = attributes.pop("idf_")
            estimator._tfidf.n_features_in_ = len(estimator._tfidf.idf_)
    for name, value in attributes.items():
        setattr(estimator, name, value)
    if kind == "ComplementNB":
        estimator.feature_all_ = estimator.feature_count_.sum(axis=0)
    if kind == "CategoricalNB":
        estimator.n_categories_ = np.array([table.shape[1] for table in estimator.category_count_])
    if kind == "LinearDiscriminantAnalysis":
        estimator._max_components = min(len(estimator.classes_) - 1, estimator.n_features_in_)
    return estimator


def load(text):
    """The fitted model."""
    document = json.loads(text)
    if document.get("format") != "polya-sklearn" or document.get("version") != 1:
        raise ValueError("this is not what toSklearn of Pólya writes")
    return model(document["model"])


if __name__ == "__main__":
    import joblib

    if len(sys.argv) != 3:
        sys.exit("usage: python load_in_sklearn.py model.json model.joblib")
    with open(sys.argv[1], encoding="utf-8") as file:
        joblib.dump(load(file.read()), sys.argv[2])
