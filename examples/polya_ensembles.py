"""Adds kernels, distributions, discriminants, k-dependence classifiers, ensembles and their curves to the reader polya_json:

    import polya_ensembles
    from polya_json import Model
"""
import itertools
from math import exp, inf, isnan, log, log1p, nan, pi, sin

from polya_json import SCORES, TERMS, VECTORS, cells_present, log_softmax, log_sum_exp, scores_of

safe_log = lambda x: log(x) if x > 0 else -inf
gap = lambda r: r - 1 - log(r)

def density(x, points, weights, bandwidth, total):
    near = [safe_log(w) - ((x - p) / bandwidth) ** 2 / 2 for p, w in zip(points, weights)]
    return log_sum_exp(near) - log(total) - log(bandwidth) - log(2 * pi) / 2

def kernels(t, x, c):
    return sum(density(v, **kernel) for v, kernel in zip(x, t["kernels"][c]) if kernel and not isnan(v))

DENSITIES = {  # ln p(v) under the parameters of a column
    "exponential": lambda v, rate: rate - exp(rate) * v,
    "gamma": lambda v, a, mean, peak: peak - log(v) - a * gap(v / mean),
    "lognormal": lambda v, mu, var: -log(v) - log(2 * pi * var) / 2 - (log(v) - mu) ** 2 / (2 * var),
    "vonmises": lambda v, mu, kappa, norm: -2 * kappa * sin((v - mu) / 2) ** 2 - norm,
    "beta": lambda v, a, b, peak: peak - log(v) - log1p(-v) - a * gap(v * (a + b) / a) - b * gap((1 - v) * (a + b) / b),
    "poisson": lambda v, rate: v * log(rate) - rate,  # less ln v!, as the next, of whole v
    "negativebinomial": lambda v, r, m: sum(log((r + k) * m / (m + r)) for k in range(int(v))) - r * log1p(m / r),
}

def inflated(of, is_count):
    below = lambda p: (1 - p[-1]) * exp(of(0, *p[:-1])) if is_count else 0
    return lambda v, *p: log1p(-p[-1]) + of(v, *p[:-1]) if v else safe_log(p[-1] + below(p))

for name in ("gamma", "lognormal", "poisson", "negativebinomial"):
    DENSITIES["zeroinflated" + name] = inflated(DENSITIES[name], name in ("poisson", "negativebinomial"))

def densities(t, x, c):
    own = t["parameters"][c :: len(t["parameters"]) // len(x)]
    return sum(DENSITIES[t["distribution"]](v, *p) for v, p in zip(x, own) if not isnan(v))

def log_normal(x, mean, covariance):
    """ln N of the cells that are present, by Gaussian elimination; cells that others determine add nothing."""
    left, total = [list(row) for row in covariance], 0.0
    apart = [a - b for a, b in zip(x, mean)]
    present = [j for j, v in enumerate(x) if not isnan(v)]
    for at, j in enumerate(present):
        variance = left[j][j]
        if variance <= 2.0**-40 * covariance[j][j]:
            continue
        total -= (apart[j] ** 2 / variance + log(2 * pi * variance)) / 2
        for i in present[at + 1 :]:
            ratio = left[i][j] / variance
            apart[i] -= ratio * apart[j]
            for k in present[at + 1 :]:
                left[i][k] -= ratio * left[j][k]
    return total

def quadrics(t, x, c):
    form, m = t["forms"][c], t["marginals"]
    if not form:
        return -inf
    if m and any(map(isnan, x)):  # the start of the sum holds the peak of a complete row
        mean, covariance = m["means"][c], m["covariances"][c if len(m["covariances"]) > 1 else 0]
        return log_normal(x, mean, covariance) - log_normal(mean, mean, covariance)
    z = [sum(a * (v - mean) for a, v, mean in zip(row, x, form["mean"])) for row in form["rows"]]
    return sum((a - b) ** 2 for a, b in zip(z, form["centre"] or [0] * len(z))) / -2

def log_share(feature, levels, x, c):
    """ln p of the level of a feature, given those of its parents."""
    j = feature["feature"]
    p, context = 1 / levels[j], 0
    for parent, table in zip([None, *feature["parents"]], feature["depths"]):
        level, radix = (0, 1) if parent is None else (x[parent], levels[parent])
        if not level < radix or context * radix + level not in table["contexts"]:
            break
        context = table["contexts"].index(context * radix + level)
        value, weight, m = context * levels[j] + x[j], table["weights"][context][c], table["concentration"]
        if x[j] < levels[j] and value in table["values"]:
            p = table["shares"][table["values"].index(value)][c]
        elif weight > 0:
            p = m * p / (weight + m)
    return log(p)

def contexts(t, x, c):
    """Missing features on which others depend are summed over."""
    levels, features, needed, combinations = t["levels"], t["features"], set(), 1
    for own in reversed(features):
        if own["feature"] in needed or not isnan(x[own["feature"]]):
            needed.update(parent for parent in own["parents"] if isnan(x[parent]))
    summed = []
    for j in (own["feature"] for own in features if own["feature"] in needed and levels[own["feature"]] > 0):
        combinations *= levels[j]
        if combinations <= t["mostCombinations"]:
            summed.append(j)
    sums = []
    for values in itertools.product(*(range(levels[j]) for j in summed)):
        row = {**dict(enumerate(x)), **dict(zip(summed, values))}
        sums.append(sum(log_share(own, levels, row, c) for own in features if not isnan(row[own["feature"]])))
    return log_sum_exp(sums)

def mixer(share, vectors):
    """Between what was fitted and what it is made of, by the share of its cells that a row has."""
    r = min(1, cells_present(share["cells"], vectors) / share["ordinary"]) if share else 1
    return lambda fitted, before: fitted if r >= 1 else r * fitted + (1 - r) * before

def pool(s, vectors):
    mix, other = mixer(s["share"], vectors), s["share"] or s
    weights, bias = ([mix(*pair) for pair in zip(s[name], other[name])] for name in ("weights", "bias"))
    members = [scores_of(member, vectors) for member in s["members"]]
    return log_softmax([b + sum(w * own[c] for w, own in zip(weights, members)) for c, b in enumerate(bias)])

def soften(s, vectors):
    mix, tail = mixer(s["share"], vectors), s["tail"]
    scores = [max(s["least"], v) for v in scores_of(s["of"], vectors)]
    bent = [v if tail is None else mix(-tail * log1p(-v / tail), v) for v in scores]
    return [s["unmetScore"] if unmet else v for v, unmet in zip(bent, s["unmet"])]

def height(line, at):
    points = list(zip(line["x"], line["y"]))
    for (x, y), (u, v) in zip(points, points[1:]):
        if x < at <= u:
            return min(v, y + (v - y) / (u - x) * (at - x))
    return points[0 if at <= points[0][0] else -1][1]

def on_curve(curve, floor, logs):
    if curve["method"] == "temperature":
        return log_softmax([curve["beta"] * max(-1e4, v) for v in logs])

    def sides(k, odds):
        if curve["method"] == "sigmoid":
            line = max(-700, min(700, curve["a"][k] * odds + curve["b"][k]))
            return [-log1p(exp(-line)), -log1p(exp(line))]
        p = min(1 - floor, max(floor, height(curve["lines"][k], odds)))
        return [log1p(-p), log(p)]

    odds = [max(-1e4, min(1e4, v - log_sum_exp(logs[:c] + logs[c + 1 :]))) for c, v in enumerate(logs)]
    return log_softmax(sides(0, odds[1]) if len(logs) == 2 else [sides(c, own)[1] for c, own in enumerate(odds)])

def curve(s, vectors):
    logs, mix = scores_of(s["of"], vectors), mixer(s["share"], vectors)
    return log_softmax([mix(a, b) for a, b in zip(on_curve(s["curve"], s["floor"], logs), logs)])

TERMS.update(kernels=kernels, densities=densities, quadrics=quadrics, contexts=contexts)
SCORES.update(pool=pool, soften=soften, curve=curve, either=lambda s, vectors: scores_of(s["second"], vectors))
VECTORS["scale"] = lambda v, x: [f if isnan(a) else (a - m) / s for a, m, s, f in zip(x, v["mean"], v["scale"], v["fill"])]
VECTORS["equal"] = lambda v, x: [a if isnan(a) or isnan(own) else float(a == own) for a, own in zip(x, v["values"])]
VECTORS["within"] = lambda v, x: [a if low <= a <= high else nan for a, low, high in zip(x, v["least"], v["most"])]
VECTORS["cross"] = lambda v, x: [x[a] * n + min(x[b], n - 1) for a, b, n in zip(v["first"], v["second"], v["sizes"])]
