"""Adds trees, averaged one-dependence, Bernoulli columns with certain or missing cells, Poisson, urns and calibrated models
to the readers polya_json and polya_ensembles:

    import polya_json_more
    from polya_json import Model
"""
from math import exp, inf, isnan, lgamma, log, log1p

from polya_ensembles import height, log_normal, safe_log
from polya_json import SCORES, TERMS, log_softmax, log_sum_exp, scores_of

softplus = lambda t: max(t, 0) + log1p(exp(-abs(t)))
log_gamma_ratio = lambda a, x: lgamma(a + x) - lgamma(a)

def total(logs):
    """ln Σ exp, also of an empty list."""
    return log_sum_exp(logs) if logs else -inf

def coins(t, x, c):
    owed, score = t["certain"][c], 0.0
    for v, odds in zip(x, t["logOdds"][c]):
        if v != 0 and odds == inf:
            owed -= 1
        elif v != 0:
            score += softplus(odds) if isnan(v) else odds
    return -inf if owed > 0 else score

def events(count, exposure, v):
    """The difference between the negative binomial scores of v events and of none."""
    if isnan(v):
        return count * log1p(1 / exposure) if exposure > 0 else 0
    return log_gamma_ratio(count, v) - v * log1p(exposure) if count > 0 and exposure > 0 else -inf

def poisson(t, x, c):
    score = 0.0
    for j, v in enumerate(x):
        if v != 0:
            own = t["cells"][j][c]
            rated = exp(own) if isnan(v) else v * own
            score += events(own, t["exposures"][j][c], v) if t["exposures"] else rated
            score -= 0 if isnan(v) else lgamma(v + 1)
    return score

def urns(t, x, c):
    drawn, edcm = [(v, a) for v, a in zip(x, t["alpha"][c]) if v != 0], t["edcm"][c]
    n = sum(v for v, _ in drawn)
    score = lgamma(n + 1) - (log_gamma_ratio(t["precision"][c], n) if n else 0)
    for v, a in drawn:
        score -= log(v) if edcm else lgamma(v + 1)
        score += safe_log(a) if edcm or v == 1 or a == 0 else log_gamma_ratio(a, v)
    return -score if t["complement"] else score

def tree(t, x, c):
    """Missing cells are summed over, each subtree given the level u of its parent."""
    levels, children = t["levels"], {}
    for j, parent in enumerate(t["parents"]):
        children.setdefault(parent, []).append(j)
    known = lambda j: not isnan(x[j]) or any(known(k) for k in children.get(j, []))

    def below(j, u):
        if not known(j):
            return 0.0
        dice = t["dice"][j][c]
        at = lambda v: dice[min(int(u), len(dice) - 1)][min(int(v), levels[j])] + sum(below(k, v) for k in children.get(j, []))
        return total([at(v) for v in range(levels[j])]) if isnan(x[j]) else at(x[j])

    return sum(below(j, 0) for j in children.get(-1, []))

def aode(t, x, c):
    levels, first = t["levels"], [sum(t["levels"][:j]) for j in range(len(x))]
    present = [j for j, v in enumerate(x) if not isnan(v)]
    level = [int(first[j] + v) if v < levels[j] else None for j, v in enumerate(x)]
    often = lambda u: u is not None and t["frequency"][u] > 0 and t["frequency"][u] >= t["minimumFrequency"]
    own_levels = lambda j: [level[j]] if j in present else list(range(first[j], first[j] + levels[j]))
    parents = [j for j in range(len(x)) if any(often(u) for u in own_levels(j))]
    weights = sum(t["weights"][i] for i in parents)
    share = {i: t["weights"][i] / weights if weights > 0 else 1 / len(parents) for i in parents}
    given = lambda i, u: sum(
        t["logUnseen"][c][u][j] if level[j] is None else t["logGiven"][c][u][level[j]] for j in present if j != i)
    logs = [log(share[i]) + t["logJoint"][c][u] + given(i, u) for i in parents if share[i] > 0 for u in own_levels(i)]
    if logs:
        return log_sum_exp(logs)
    alone = [t["logUnseenAlone"][c][j] if level[j] is None else t["logAlone"][c][level[j]] for j in present]
    return t["logPrior"][c] + sum(alone)

def planes(t, x, c):
    """Linear discriminants, up to what all classes share."""
    if t["marginals"] and any(map(isnan, x)):
        return log_normal(x, t["marginals"]["means"][c], t["marginals"]["covariances"][0])
    z = [sum(a * (v - b) for a, v, b in zip(row, x, t["origin"])) for row in t["rows"]]
    return sum(m * (own - m / 2) for m, own in zip(t["centres"][c], z))

def place(s, vectors):
    scores = dict(zip(s["places"], scores_of(s["of"], vectors)))
    return [scores.get(c, s["fill"]) for c in range(s["classes"])]

def log_odds(logs):
    return [v - total(logs[:c] + logs[c + 1 :]) for c, v in enumerate(logs)]

def platt(s, vectors):
    odds = log_odds(log_softmax(scores_of(s["of"], vectors)))
    return log_softmax([-softplus(a * own + b) for own, a, b in zip(odds, s["a"], s["b"])])

def calibrated_by(member, vectors):
    """Probabilities by a curve over probabilities, or over scores, of which two count by their difference."""
    scores, curve = scores_of(member["of"], vectors), member["curve"]
    probable = member["over"] == "probabilities"
    if probable:
        scores = [exp(v) for v in scores]
    elif len(scores) == 2:
        scores = [scores[0] - scores[1], scores[1] - scores[0]]
    if curve["method"] == "temperature":
        logits = [log(p + 1e-12) for p in scores] if probable else scores
        return [exp(v) for v in log_softmax([curve["beta"] * v for v in logits])]
    isotonic = curve["method"] == "isotonic"
    curves = curve["lines"] if isotonic else list(zip(curve["a"], curve["b"]))
    at = lambda own, v: height(own, v) if isotonic else exp(-softplus(own[0] * v + own[1]))
    if len(curves) == 1 and len(scores) == 2:
        p = at(curves[0], scores[1])
        return [1 - p, p]
    heights = [at(own, v) for own, v in zip(curves, scores)]
    return [h / sum(heights) if sum(heights) else 1 / len(heights) for h in heights]

def calibrated(s, vectors):
    members = [calibrated_by(member, vectors) for member in s["members"]]
    return [safe_log(min(1, sum(own) / len(own))) for own in zip(*members)]

TERMS.update(coins=coins, poisson=poisson, urns=urns, tree=tree, aode=aode, planes=planes)
SCORES.update(place=place, platt=platt, calibrated=calibrated)
