"""Distributions of columns: parameters of greatest likelihood and log-densities, by scipy; Bessel functions, by scipy.special.

Recipe: python3 -m venv /tmp/sp && /tmp/sp/bin/pip install scipy==1.17.1 && /tmp/sp/bin/python record.py
Writes columns.json beside this file.
"""
import json
from pathlib import Path

import numpy
import scipy
from scipy import optimize, special, stats

random = numpy.random.default_rng(20260101)


def tight(solve, low, high):
    return float(optimize.brentq(solve, low, high, xtol=1e-300, rtol=8.9e-16))


def exponential(x):
    return stats.expon(scale=x.mean())


def log_normal(x):
    logs = numpy.log(x)
    return stats.lognorm(s=logs.std(), scale=numpy.exp(logs.mean()))


def gamma(x):
    gap = numpy.log(x.mean()) - numpy.log(x).mean()
    shape = tight(lambda a: numpy.log(a) - special.digamma(a) - gap, 1e-3, 1e6)
    return stats.gamma(shape, scale=x.mean() / shape)


def von_mises(x):
    c, s = numpy.cos(x).mean(), numpy.sin(x).mean()
    kappa = tight(lambda k: special.ive(1, k) / special.ive(0, k) - numpy.hypot(c, s), 1e-9, 1e7)
    return stats.vonmises(kappa, loc=numpy.arctan2(s, c))


def beta(x):
    log_x, log_rest = numpy.log(x).mean(), numpy.log1p(-x).mean()

    def score(logs):
        a, b = numpy.exp(logs)
        return [
            special.digamma(a) - special.digamma(a + b) - log_x,
            special.digamma(b) - special.digamma(a + b) - log_rest,
        ]

    start = stats.beta.fit(x, floc=0, fscale=1)
    a, b = numpy.exp(optimize.root(score, numpy.log(start[:2]), tol=1e-15).x)
    return stats.beta(a, b)


def student(x):
    def loss(parameters):
        mu, log_scale, log_df = parameters
        return -stats.t.logpdf(x, numpy.exp(log_df), mu, numpy.exp(log_scale)).sum()

    def score(parameters):
        mu, scale, df = parameters[0], numpy.exp(parameters[1]), numpy.exp(parameters[2])
        z = (x - mu) / scale
        weight = (df + 1) / (df + z * z)
        slope = special.digamma((df + 1) / 2) - special.digamma(df / 2) - 1 / df
        slope += (weight * z * z / df - numpy.log1p(z * z / df)).mean()
        return [(weight * z).mean(), (weight * z * z).mean() - 1, slope]

    start = optimize.minimize(loss, [numpy.median(x), numpy.log(x.std() / 2), numpy.log(5)], method="Nelder-Mead").x
    mu, log_scale, log_df = optimize.root(score, start, tol=1e-14).x
    return stats.t(numpy.exp(log_df), mu, numpy.exp(log_scale))


def size_and_mean(x, weights):
    mean = numpy.average(x, weights=weights)

    def slope(log_r):
        r = numpy.exp(log_r)
        return numpy.average(special.digamma(x + r) - special.digamma(r), weights=weights) - numpy.log1p(mean / r)

    return numpy.exp(tight(slope, -8, 12)), mean


def negative_binomial(x):
    r, mean = size_and_mean(x, numpy.ones(len(x)))
    return stats.nbinom(r, r / (r + mean))


class ZeroInflated:
    """A distribution of counts with further zeros."""

    def __init__(self, share, of, discrete):
        self.share, self.of, self.discrete = share, of, discrete

    def logpdf(self, at):
        if self.discrete:
            own = (1 - self.share) * self.of.pmf(at)
            return numpy.log(numpy.where(at == 0, self.share + own, own))
        inside = numpy.where(at == 0, 1.0, at)
        return numpy.where(at == 0, numpy.log(self.share), numpy.log1p(-self.share) + self.of.logpdf(inside))


def zero_inflated(fit):
    return lambda x: ZeroInflated((x == 0).mean(), fit(x[x > 0]), False)


def zero_inflated_poisson(x):
    above, mean = (x > 0).mean(), x.mean()
    rate = tight(lambda k: k / -numpy.expm1(-k) - mean / above, 1e-6, 1e3)
    share = 1 - above / -numpy.expm1(-rate)
    return ZeroInflated(share, stats.poisson(rate), True) if share > 0 else ZeroInflated(0.0, stats.poisson(mean), True)


def zero_inflated_negative_binomial(x):
    def loss(parameters):
        share, r, mean = special.expit(parameters[0]), numpy.exp(parameters[1]), numpy.exp(parameters[2])
        return -ZeroInflated(share, stats.nbinom(r, r / (r + mean)), True).logpdf(x).sum()

    best = [0.0, 0.0, numpy.log(x.mean())]
    for _ in range(20):
        best = optimize.minimize(loss, best, method="Nelder-Mead", options={"xatol": 1e-12, "fatol": 1e-14, "maxiter": 4000}).x
    share, r, mean = special.expit(best[0]), numpy.exp(best[1]), numpy.exp(best[2])
    return ZeroInflated(share, stats.nbinom(r, r / (r + mean)), True)


def with_zeros(x, every):
    return numpy.where(numpy.arange(len(x)) % every == 0, 0.0, x)


samples = {
    "exponential": [random.exponential(3, 40), random.exponential(1e-6, 8), numpy.array([2.0, 5.0])],
    "lognormal": [random.lognormal(1, 0.5, 40), random.lognormal(-9, 2, 8), numpy.array([2.0, 5.0])],
    "gamma": [random.gamma(2, 3, 40), random.gamma(0.1, 1, 12), random.gamma(900, 0.01, 30), numpy.array([2.0, 5.0])],
    "vonmises": [random.vonmises(1, 4, 40), random.vonmises(-3, 0.2, 12), random.vonmises(3.1, 300, 30), random.vonmises(2, 2e5, 30)],
    "beta": [random.beta(2, 5, 40), random.beta(0.3, 0.4, 12), random.beta(900, 4000, 30), numpy.array([0.25, 0.5])],
    "studentt": [random.standard_t(3, 150) * 2 + 5, random.standard_t(2, 80), random.standard_t(6, 200) * 1e-3 - 1],
    "negativebinomial": [random.negative_binomial(2, 0.3, 60) * 1.0, random.negative_binomial(0.4, 0.05, 40) * 1.0],
    "zeroinflatedgamma": [with_zeros(random.gamma(2, 3, 40), 3)],
    "zeroinflatedlognormal": [with_zeros(random.lognormal(1, 0.5, 40), 4)],
    "zeroinflatedpoisson": [with_zeros(random.poisson(3, 40) * 1.0, 3), random.poisson(2, 60) * 1.0, numpy.array([0.0, 1.0, 3.0, 0.0])],
    "zeroinflatednegativebinomial": [with_zeros(random.negative_binomial(3, 0.3, 120) * 1.0, 3)],
}
fitted = {
    "exponential": exponential,
    "lognormal": log_normal,
    "gamma": gamma,
    "vonmises": von_mises,
    "beta": beta,
    "studentt": student,
    "negativebinomial": negative_binomial,
    "zeroinflatedgamma": zero_inflated(gamma),
    "zeroinflatedlognormal": zero_inflated(log_normal),
    "zeroinflatedpoisson": zero_inflated_poisson,
    "zeroinflatednegativebinomial": zero_inflated_negative_binomial,
}
counts = {"negativebinomial", "zeroinflatedpoisson", "zeroinflatednegativebinomial"}
cases = []
for family, lists in samples.items():
    for x in lists:
        at = numpy.concatenate([x[:5], [x.mean(), 0.5, 3.0]])
        at = numpy.abs(at) if family not in ("vonmises", "studentt") else at
        if family == "beta":
            at = numpy.clip(at, 0.01, 0.99)
        if family in counts:
            at = numpy.round(at)
        own = fitted[family](x)
        cases.append({
            "family": family,
            "x": x.tolist(),
            "at": at.tolist(),
            "logDensity": (own.logpmf if hasattr(own, "logpmf") and not hasattr(own, "logpdf") else own.logpdf)(at).tolist(),
        })
arguments = [0.0, 1e-8, 0.3, 1.0, 5.0, 19.9, 20.0, 20.1, 75.0, 700.0, 1e6]
bessel = [[k, float(numpy.log(special.ive(0, k))), float(special.ive(1, k) / special.ive(0, k))] for k in arguments]
document = {"scipy": scipy.__version__, "cases": cases, "bessel": bessel}
Path(__file__).with_name("columns.json").write_text(json.dumps(document, indent=1) + "\n")
