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


samples = {
    "exponential": [random.exponential(3, 40), random.exponential(1e-6, 8), numpy.array([2.0, 5.0])],
    "lognormal": [random.lognormal(1, 0.5, 40), random.lognormal(-9, 2, 8), numpy.array([2.0, 5.0])],
    "gamma": [random.gamma(2, 3, 40), random.gamma(0.1, 1, 12), random.gamma(900, 0.01, 30), numpy.array([2.0, 5.0])],
    "vonmises": [random.vonmises(1, 4, 40), random.vonmises(-3, 0.2, 12), random.vonmises(3.1, 300, 30), random.vonmises(2, 2e5, 30)],
}
fitted = {"exponential": exponential, "lognormal": log_normal, "gamma": gamma, "vonmises": von_mises}
cases = []
for family, lists in samples.items():
    for x in lists:
        at = numpy.concatenate([x[:5], [x.mean(), 0.5, 3.0]])
        at = numpy.abs(at) if family != "vonmises" else at
        cases.append({
            "family": family,
            "x": x.tolist(),
            "at": at.tolist(),
            "logDensity": fitted[family](x).logpdf(at).tolist(),
        })
arguments = [0.0, 1e-8, 0.3, 1.0, 5.0, 19.9, 20.0, 20.1, 75.0, 700.0, 1e6]
bessel = [[k, float(numpy.log(special.ive(0, k))), float(special.ive(1, k) / special.ive(0, k))] for k in arguments]
document = {"scipy": scipy.__version__, "cases": cases, "bessel": bessel}
Path(__file__).with_name("columns.json").write_text(json.dumps(document, indent=1) + "\n")
