"""Writes a fitted scikit-learn model as JSON that `fromSklearn` of `polya/exchange` reads.

    from export_sklearn import to_json          # in a program: to_json(pipeline) is the text
    python export_sklearn.py model.joblib model.json

Parameters and learned numbers only, and no code: a callable among the options is refused. Floats are written in the
shortest form that reads back to the same bits; the three that JSON lacks are the strings "inf", "-inf" and "nan".
"""
import json
import math
import sys

import numpy as np
import sklearn
from sklearn.utils.validation import check_is_fitted

DISCRETE = ["classes_", "class_count_", "class_log_prior_", "feature_log_prob_"]
LEARNED = {
    "GaussianNB": ["classes_", "class_count_", "class_prior_", "theta_", "var_", "epsilon_"],
    "MultinomialNB": [*DISCRETE, "feature_count_"],
    "ComplementNB": [*DISCRETE, "feature_count_"],
    "BernoulliNB": [*DISCRETE, "feature_count_"],
    "CategoricalNB": [*DISCRETE, "category_count_"],
    "LinearDiscriminantAnalysis": [
        "classes_", "priors_", "means_", "xbar_", "coef_", "intercept_", "scalings_", "covariance_",
        "explained_variance_ratio_"],
    "QuadraticDiscriminantAnalysis": ["classes_", "priors_", "means_", "rotations_", "scalings_"],
    "CountVectorizer": ["vocabulary_", "fixed_vocabulary_"],
    "TfidfVectorizer": ["vocabulary_", "fixed_vocabulary_", "idf_"],
    "TfidfTransformer": ["idf_"],
    "HashingVectorizer": [],
}


def plain(value, where):
    """A value as JSON: exact, and nothing but numbers, texts, lists and tables of them."""
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (int, np.integer)):
        if abs(int(value)) > 2**53:
            raise ValueError(f"{where} is {value}, which no double holds exactly")
        return int(value)
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, np.ndarray):
        return [plain(item, where) for item in value]
    if isinstance(value, (list, tuple)):
        return [plain(item, where) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item, where) for item in value)
    if isinstance(value, dict):  # a vocabulary: its terms in the order of their columns
        return plain(sorted(value, key=value.get), where)
    raise TypeError(f"{where} is {value!r}; a file of parameters holds no code")


def limit(value):
    """min_df and max_df: 1 is one document, 1.0 is all of them."""
    return {"documents": int(value)} if isinstance(value, (int, np.integer)) else {"share": float(value)}


def option(kind, name, value):
    if name in ("min_df", "max_df"):
        return limit(value)
    if name == "dtype":
        return np.dtype(value).name
    if name in ("covariance_estimator", "vocabulary"):
        return None  # what came of it is in covariance_ and vocabulary_
    return plain(value, f"{name} of {kind}")


def model(estimator):
    """One estimator, or a pipeline with its steps, as plain data."""
    if estimator is None or estimator == "passthrough":
        return {"class": "passthrough"}
    kind = type(estimator).__name__
    if kind == "Pipeline":
        return {"class": kind, "steps": [[name, model(step)] for name, step in estimator.steps]}
    if kind not in LEARNED or not type(estimator).__module__.startswith("sklearn."):
        raise TypeError(f"{kind} is not among {', '.join(LEARNED)} and Pipeline")
    params = {name: option(kind, name, value) for name, value in estimator.get_params(deep=False).items()}
    if kind == "CountVectorizer" or (kind == "TfidfVectorizer" and not estimator.use_idf):
        estimator.get_feature_names_out()  # raises where there is no vocabulary; one that was given needs no fit
        if not hasattr(estimator, "vocabulary_"):
            estimator._validate_vocabulary()
    elif LEARNED[kind] and params.get("use_idf") is not False:
        check_is_fitted(estimator)
    names = [name for name in [*LEARNED[kind], "n_features_in_", "feature_names_in_"] if hasattr(estimator, name)]
    learned = {name: plain(getattr(estimator, name), f"{name} of {kind}") for name in names}
    return {"class": kind, "params": params, "learned": learned}


def to_json(estimator):
    """The text for `fromSklearn`."""
    document = {"format": "polya-sklearn", "version": 1, "sklearn": sklearn.__version__, "model": model(estimator)}
    return json.dumps(document, allow_nan=False, ensure_ascii=False)


if __name__ == "__main__":
    import joblib

    if len(sys.argv) != 3:
        sys.exit("usage: python export_sklearn.py model.joblib model.json")
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write(to_json(joblib.load(sys.argv[1])))
