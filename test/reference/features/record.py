"""Records what scikit-learn 1.9.1 answers: python record.py > fixtures.json (NumPy and scikit-learn are all it needs)."""
import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectKBest, SelectPercentile, chi2, f_classif, mutual_info_classif
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder, OrdinalEncoder

warnings.simplefilter("ignore")
rng = np.random.RandomState(20240917)


def plain(value):
    if isinstance(value, np.ndarray):
        return [plain(item) for item in value]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def scores():
    cases = []
    for rows, features, classes, high in [(6, 3, 3, 5), (12, 4, 2, 3), (40, 6, 3, 8), (90, 5, 5, 2), (25, 3, 2, 30)]:
        X = rng.randint(0, high, size=(rows, features)) * (rng.rand(rows, features) < 0.7)
        y = np.concatenate([np.arange(classes), rng.randint(0, classes, rows - classes)])
        if rows == 40:
            X[:, 2] = 0  # never occurs
            X[:, 4] = 3  # constant
        c, cp = chi2(X, y)
        f, fp = f_classif(X, y)
        cases.append(dict(X=X, y=y, chi2=c, chi2P=cp, f=f, fP=fp, mi=mutual_info_classif(X, y, discrete_features=True)))
    return cases


def neighbours():
    cases = []
    for rows, features, classes, k in [(60, 3, 2, 3), (150, 4, 3, 3), (80, 2, 4, 5), (120, 2, 2, 1)]:
        y = np.concatenate([np.arange(classes).repeat(14), rng.randint(0, classes, rows - 14 * classes)])
        X = rng.randn(rows, features) * rng.uniform(0.1, 50, features) + y[:, None] * rng.uniform(0, 3, features)
        X = np.round(X, 9)
        cases.append(dict(X=X, y=y, k=k, mi=mutual_info_classif(X, y, n_neighbors=k, random_state=0)))
    mixed = np.round(rng.randn(100, 3), 9)
    mixed[:, 1] = rng.randint(0, 3, 100)
    y = (mixed[:, 0] + mixed[:, 1] + rng.randn(100) > 1).astype(int)
    cases.append(dict(X=mixed, y=y, k=3, discrete=[1], mi=mutual_info_classif(mixed, y, discrete_features=[1], random_state=0)))
    lone = np.round(rng.randn(41, 2), 9)
    y = np.array([0, 1] * 20 + [2])  # a class of one row is left out
    cases.append(dict(X=lone, y=y, k=3, mi=mutual_info_classif(lone, y, random_state=0)))
    return cases


def selections():
    cases = []
    vectors = [[3.0, 1.0, 3.0, np.nan, 2.0, 3.0], [0.0] * 5, [np.nan, np.nan, 1.0], [1, 5, 2, 4, 3, 9, 9, 8, 0, 7], [np.inf, 1, np.inf, 2]]
    for vector in vectors:
        X, y = np.zeros((2, len(vector))), [0, 1]
        for k in [0, 1, 2, 3, "all"]:
            if k == "all" or k <= len(vector):
                best = SelectKBest(lambda X, y: np.array(vector, float), k=k).fit(X, y)
                cases.append(dict(scores=vector, k=k, support=best.get_support()))
        for percentile in [0, 10, 25, 33.3, 50, 80, 100]:
            best = SelectPercentile(lambda X, y: np.array(vector, float), percentile=percentile).fit(X, y)
            cases.append(dict(scores=vector, percentile=percentile, support=best.get_support()))
    return cases


METHODS = "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen weibull linear median_unbiased normal_unbiased".split()


def bins():
    cases = []

    def case(X, weights=None, new=None, **options):
        model = KBinsDiscretizer(encode="ordinal", subsample=None, **options).fit(X, sample_weight=weights)
        new = X if new is None else new
        codes = model.transform(new)
        cases.append(dict(X=X, weights=weights, options=options, edges=list(model.bin_edges_), nBins=model.n_bins_,
                          new=new, codes=codes, inverse=model.inverse_transform(codes)))

    fixture = np.array([[-3], [0], [1], [2], [10], [4]], float)
    skewed = np.round(np.exp(rng.randn(37, 2) * 1.5), 6)
    tied = rng.randint(0, 4, size=(30, 2)).astype(float)
    tied[:, 1] = 7
    far = np.round(1e6 + rng.randn(25, 1), 4)
    for X in [fixture, skewed, tied, far]:
        for strategy in ["uniform", "quantile", "kmeans"]:
            for n_bins in [2, 3, 5, 8]:
                if strategy == "kmeans" and (n_bins > len(np.unique(X[:, 0])) or (X is fixture and n_bins == 5)):
                    continue  # the second has two values equally far from their centres, and either may move
                case(X, n_bins=n_bins, strategy=strategy)
    for method in METHODS:
        for X in [fixture, skewed[:11, :1], tied[:, :1], np.arange(10.0)[:, None]]:
            for n_bins in [2, 3, 4, 7]:
                case(X, n_bins=n_bins, strategy="quantile", quantile_method=method)
    weights = rng.randint(0, 4, 37).astype(float)
    for strategy in ["uniform", "quantile", "kmeans"]:
        # There a row of weight 0 takes part in k-means: a centre may move to it.
        case(skewed, weights=weights + (strategy == "kmeans"), n_bins=4, strategy=strategy)
        case(skewed, weights=np.round(rng.rand(37), 3), n_bins=3, strategy=strategy)
    case(skewed, weights=weights, n_bins=5, strategy="quantile", quantile_method="inverted_cdf")
    case(skewed, n_bins=[2, 6], strategy="uniform", new=np.array([[-5.0, 1e9], [0.5, 0.5], [np.float64(1), 2]]))
    for n_bins in [2, 3, 4, 6]:  # centres that lose their values
        case(np.array([[0.0], [0.1], [0.2], [0.15], [100], [101], [250], [7]]), n_bins=n_bins, strategy="kmeans")
    return cases


def encoders():
    words = np.array([["b", "x"], ["a", "y"], ["b", "y"], ["Z", "x"], ["é", "x"], ["a", "y"], ["b", "x"], ["\U00020000", "x"], ["\uff21", "x"]], dtype=object)
    numbers = np.array([[3], [1], [2], [1], [1], [3]], dtype=int)
    decimals = np.array([[0.5], [2.0], [0.5], [np.nan], [2.0], [-1.5]])
    unknown = np.array([["b", "q"], ["new", "x"]], dtype=object)
    ordinal, onehot = [], []

    def run(model, data, new, cases):
        shown = dict(model.get_params())
        shown.pop("dtype")
        model.fit(data)
        out = model.transform(new)
        inverse = model.inverse_transform(out.copy())  # it writes into what it is given
        cases.append(dict(options=shown, data=data, new=new, categories=model.categories_, out=out,
                          names=model.get_feature_names_out(), inverse=inverse))

    for data in [words, numbers, decimals]:
        run(OrdinalEncoder(), data, data, ordinal)
        run(OneHotEncoder(sparse_output=False), data, data, onehot)
        for options in [dict(min_frequency=2), dict(min_frequency=0.3), dict(max_categories=2), dict(max_categories=3), dict(min_frequency=2, max_categories=2), dict(max_categories=1)]:
            if data is not decimals:
                run(OrdinalEncoder(**options), data, data, ordinal)
            run(OneHotEncoder(sparse_output=False, **options), data, data, onehot)
        run(OneHotEncoder(sparse_output=False, drop="first"), data, data, onehot)
        run(OneHotEncoder(sparse_output=False, drop="if_binary"), data, data, onehot)
        run(OneHotEncoder(sparse_output=False, drop="if_binary", max_categories=2), data, data, onehot)
        run(OneHotEncoder(sparse_output=False, drop="first", max_categories=3), data, data, onehot)
    run(OrdinalEncoder(encoded_missing_value=-5), decimals, decimals, ordinal)
    run(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), words, unknown, ordinal)
    run(OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=99, min_frequency=2), words, unknown, ordinal)
    run(OneHotEncoder(sparse_output=False, handle_unknown="ignore"), words, unknown, onehot)
    run(OneHotEncoder(sparse_output=False, handle_unknown="ignore", min_frequency=2), words, unknown, onehot)
    run(OneHotEncoder(sparse_output=False, handle_unknown="ignore", drop="first"), words, unknown, onehot)
    run(OneHotEncoder(sparse_output=False, handle_unknown="infrequent_if_exist", min_frequency=2), words, unknown, onehot)
    run(OneHotEncoder(sparse_output=False, drop=["b", "y"]), words, words, onehot)
    run(OneHotEncoder(sparse_output=False, categories=[["b", "a", "Z", "é", "\U00020000", "\uff21"], ["y", "x", "w"]]), words, words, onehot)
    run(OrdinalEncoder(categories=[["b", "a", "Z", "é", "\U00020000", "\uff21"], ["y", "x", "w"]]), words, words, ordinal)
    return ordinal, onehot


def columns():
    X = np.array([[1, 0, 5], [2, 1, 6], [3, 0, 7], [4, 1, 9], [5, 2, 8], [6, 0, 1]])
    cases = []
    for remainder in ["drop", "passthrough"]:
        for threshold in [0.3, 0.6, 1.0]:
            model = ColumnTransformer([("bins", KBinsDiscretizer(n_bins=3), [2]), ("kind", OneHotEncoder(), [1])], remainder=remainder, sparse_threshold=threshold)
            out = model.fit_transform(X)
            sparse = hasattr(out, "toarray")
            cases.append(dict(X=X, remainder=remainder, threshold=threshold, sparse=sparse,
                              out=out.toarray() if sparse else out, names=model.get_feature_names_out()))
    return cases


ordinal, onehot = encoders()
result = dict(source="scikit-learn " + sklearn.__version__, numpy=np.__version__, scores=scores(), neighbours=neighbours(), selections=selections(),
              bins=bins(), ordinal=ordinal, onehot=onehot, columns=columns())
json.dump(plain(result), sys.stdout, separators=(",", ":"), ensure_ascii=True)
