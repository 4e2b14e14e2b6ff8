"""Golden values of src/math, by arbitrary-precision arithmetic.

Recipe: python3 -m venv /tmp/mp && /tmp/mp/bin/pip install mpmath==1.4.1 && /tmp/mp/bin/python golden.py
Writes golden.json beside this file: every value is the exact result rounded once to a double.
"""
import json
import random
from pathlib import Path

from mpmath import (digamma, erf, erfc, erfinv, exp, expm1, findroot, gamma, log, log1p, loggamma, matrix, mp, mpf,
                    pi, polygamma, quad, sqrt, svd_r, eigsy)

mp.dps = 60
random.seed(20260101)
golden = {}


def ladder(lowest, highest, count):
    """Doubles spread evenly over the decades."""
    return [10 ** random.uniform(lowest, highest) for _ in range(count)]


def table(name, function, rows):
    """One row per case: the arguments (doubles), then the result."""
    out = []
    for row in rows:
        row = [float(v) for v in (row if isinstance(row, (list, tuple)) else [row])]
        values = function(*[mpf(v) for v in row])
        out.append(row + [float(v) for v in (values if isinstance(values, tuple) else (values,))])
    golden[name] = out
    print(name, len(out), flush=True)


# Near the zeros and poles the working precision must outlive the cancellation: 1e-300 needs 320 digits and more.
def precise(function, digits=700):
    def run(*arguments):
        with mp.workdps(digits):
            return +function(*arguments)
    return run


near = [1e-15, 2.3e-16, 1e-12, 1e-9, 1e-6, 1e-3, 0.04, 0.1, 0.3]
about = [p + s * d for p in (1, 2, 1.4616321449683623) for d in near for s in (1, -1)]
halves = [k / 2 for k in range(1, 60)]
wide = [1e-300, 1e-200, 1e-100, 1e-30, 1e-16, 1e-8, 1e-5] + ladder(-300, -1, 30) + ladder(-1, 2, 80)
large = [9.99, 10, 10.01, 100, 1e3, 1e6, 1e15, 1e17, 1e100, 1e305] + ladder(1, 305, 40)
negative = [-0.5, -1e-10, -0.999, -1.5, -2.7, -10.25, -33.3]
real_loggamma = lambda x: log(abs(gamma(x))) if x < 0 else loggamma(x).real
table('lgamma', precise(real_loggamma, 60), about + halves + wide + large + negative)
table('digamma', precise(digamma, 60), about + halves + wide + large + negative + [1.4616321449683623, 1.4616321449683624])
table('trigamma', precise(lambda x: polygamma(1, x), 60), about + halves + [x for x in wide if x > 1e-150] + large + negative)

shapes = [1e-300, 1e-100, 1e-12, 1e-5, 1e-3, 0.1, 0.5, 1, 1.4, 2.5, 7, 9.9, 10, 33.3, 1e3, 1e6, 1e10, 1e15, 1e15 + 3, 1e30, 1e200]
steps = [1e-12, 1e-5, 0.3, 0.5, 1, 2, 3, 7, 16, 17, 18.5, 64, 1000, 12345.5, 1e6, 1e9, 1e15]
pairs = [(x, n) for x in shapes for n in steps]
table('logGammaRatio', precise(lambda x, n: loggamma(x + n) - loggamma(x)), pairs)
table('digammaDifference', precise(lambda x, n: digamma(x + n) - digamma(x)), pairs)
ends = [1e-300, 1e-10, 0.01, 0.5, 1, 1.7, 5, 9.5, 12, 100, 1e5, 1e9, 1e15, 1e100]
table('logBeta', precise(lambda a, b: loggamma(a) + loggamma(b) - loggamma(a + b)), [(a, b) for a in ends for b in ends if a <= b])

arguments = [1e-300, 1e-20, 1e-5, 0.1, 0.3, 0.4999, 0.5, 0.51, 0.8, 1, 1.5, 2, 3, 4.4, 5, 7, 10, 13.7, 20, 25.5, 26]
signed = arguments + [-x for x in arguments] + ladder(-3, 1.4, 40)
table('erf', erf, signed)
table('erfc', precise(erfc, 400), signed)
table('normalCdf', precise(lambda z: erfc(-z / sqrt(2)) / 2, 400), [-37, -30, -20, -10, -5, -2, -1, -0.1, -1e-10, 0, 1e-10, 0.3, 1, 2, 5, 8])


def normal_quantile(p):
    with mp.workdps(60):
        if abs(p - 0.5) < 0.4:
            return sqrt(2) * erfinv(2 * p - 1)
        tail = min(p, 1 - p)
        start = sqrt(-2 * log(tail))
        start -= log(start * sqrt(2 * pi)) / start
        root = findroot(lambda z: log(erfc(z / sqrt(2)) / 2) - log(tail), start)
        return -root if p < 0.5 else root


table('normalQuantile', normal_quantile, [1e-320, 1e-300, 1e-100, 1e-20, 1e-5, 0.001, 0.02425, 0.1, 0.2, 0.25, 0.3, 0.4,
      0.5 - 1e-10, 0.5, 0.5 + 1e-10, 0.6, 0.75, 0.8, 0.9, 0.975, 0.99, 0.999999, 1 - 1e-12, 1 - 2 ** -53])
table('log1mexp', precise(lambda x: log(-expm1(x))), [-1e-300, -1e-20, -1e-10, -0.1, -0.69, -0.7, -1, -5, -30, -37, -100, -700])
table('softplus', precise(lambda x: log1p(exp(x))), [-700, -50, -37, -1, -1e-10, 1e-10, 1, 10, 36, 700])
table('log1pmx', precise(lambda x: log1p(x) - x), [-0.999, -0.7, -0.41, -0.39, -0.2, -0.01, -1e-8, -1e-100, 1e-100, 1e-8, 0.01, 0.2, 0.39, 0.41, 0.7, 3, 1e10])
table('logRatio', precise(lambda a, b: log(a) - log(b)), [(1, 3), (3, 1), (1e-300, 1e300), (1e300, 1e-300), (5e-324, 7),
      (1e16 - 2, 1e16), (1e16, 1e16 - 2), (0.5, 1), (2, 1), (5e-324, 1.7e308), (99999, 100000)])


def gamma_tails(a, x):
    """P by its series of positive terms (DLMF 8.7.1), Q as the rest, with digits to spare for the subtraction."""
    with mp.workdps(60 + (int((x - a) ** 2 / (x + a) / 2) if x > a else 0) + (300 if a < 1e-3 else 0)):
        term = total = mpf(1)
        n = 0
        while term > total * mpf(10) ** (-mp.dps):
            n += 1
            term *= x / (a + n)
            total += term
        p = exp(a * log(x) - x - loggamma(a + 1)) * total
        return +p, 1 - p


table('gammaTails', gamma_tails, [(1e-300, 0.5), (1e-10, 1e-5), (1e-10, 0.9), (1e-10, 3), (0.01, 1e-300), (0.01, 0.5), (0.01, 1.05), (0.01, 20),
      (0.3, 1e-10), (0.3, 1.09), (0.3, 1.2), (0.5, 0.1), (0.5, 1), (0.5, 1.4), (0.5, 1.6), (0.5, 300), (0.5, 680), (1, 1e-20), (1, 1),
      (1, 30), (1, 690), (2.5, 0.01), (2.5, 3), (2.5, 3.6), (2.5, 700), (10, 1), (10, 9), (10, 12), (10, 700), (33.3, 1e-5), (33.3, 30),
      (33.3, 40), (33.3, 800), (100, 1), (100, 20), (100, 99), (100, 130), (100, 900), (1000, 600), (1000, 1000), (1000, 1100), (1000, 2500),
      (9999, 9990), (9999, 13000), (10001, 7200), (10001, 9900), (10001, 10001), (10001, 10300), (10001, 13500), (50000, 43000), (50000, 49000),
      (1e6, 963000), (1e6, 999000), (1e6, 1e6), (1e6, 1.0025e6), (1e6, 1.037e6), (1e8, 1.0001e8), (1e8, 0.9997e8)])


def log_density_tail(log_density, start, direction, width):
    """The integral of a unimodal density from start outwards, in pieces of its width, by quadrature."""
    peak = log_density(start)
    return exp(peak) * quad(lambda s: exp(log_density(start + direction * s) - peak), [k * width for k in range(0, 41)])


def beta_tails(a, b, x):
    y = 1 - x
    if a + b > 1e10:
        width = sqrt(a * b / (a + b)) / (a + b) / 2
        log_density = lambda t: (a - 1) * log(t) + (b - 1) * log(1 - t) - (loggamma(a) + loggamma(b) - loggamma(a + b))
        tail = log_density_tail(log_density, x, -1 if x < a / (a + b) else 1, width)
        return (tail, 1 - tail) if x < a / (a + b) else (1 - tail, tail)
    if x > 0.5:
        upper, lower = beta_series(b, a, y, x)
    else:
        lower, upper = beta_series(a, b, x, y)
    return lower, upper


def beta_series(a, b, x, y):
    """I_x by its series of positive terms (DLMF 8.17.8)."""
    with mp.workdps(400):
        term = total = mpf(1)
        n = 0
        while term > total * mpf(10) ** (-mp.dps):
            term *= x * (a + b + n) / (a + 1 + n)
            n += 1
            total += term
        p = exp(a * log(x) + b * log(y) - loggamma(a) - loggamma(b) + loggamma(a + b)) * total / a
        return +p, 1 - p


table('betaTails', beta_tails, [(0.01, 0.01, 0.5), (0.5, 0.5, 1e-300), (0.5, 0.5, 1e-5), (0.5, 0.5, 0.3), (0.5, 0.5, 0.9), (0.5, 0.5, 1 - 2 ** -53),
      (1, 1, 0.25), (1, 3, 1e-20), (2, 3, 0.1), (2, 3, 0.5), (2, 3, 0.99), (0.1, 20, 0.001), (20, 0.1, 0.999), (5, 200, 0.001), (5, 200, 0.02),
      (5, 200, 0.3), (5, 200, 0.96), (50, 50, 0.001), (50, 50, 0.3), (50, 50, 0.5), (50, 50, 0.51), (50, 50, 0.9), (400, 600, 0.1), (400, 600, 0.39),
      (400, 600, 0.41), (400, 600, 0.75), (0.5, 1e6, 1e-8), (0.5, 1e6, 1e-6), (0.5, 1e6, 6e-4), (3, 1e7, 2e-7), (3, 1e7, 5e-5), (700, 1e6, 6e-4),
      (700, 1e6, 8e-4), (5000, 5000, 0.49), (5000, 5000, 0.5), (5000, 5000, 0.6), (2e5, 3e5, 0.375), (2e5, 3e5, 0.399), (2e5, 3e5, 0.4),
      (2e5, 3e5, 0.4005), (2e5, 3e5, 0.425), (1e6, 3e6, 0.2499), (1e6, 3e6, 0.2501), (1e6, 3e6, 0.257), (1e8, 1e8, 0.50003), (5000, 1e8, 5.1e-5),
      (1e12, 2e12, 0.3333336), (1e12, 2e12, 0.333333), (4e15, 5e15, 0.4444444444), (4e15, 5e15, 0.44444447)])


def student_tail(t, df):
    x, y = df / (df + t * t), t * t / (df + t * t)
    return (beta_series(df / 2, mpf(1) / 2, x, y)[0] if x < 0.5 else beta_series(mpf(1) / 2, df / 2, y, x)[1]) / 2


table('studentTail', precise(student_tail), [(0.1, 1), (1, 1), (12.7, 1), (1e10, 1), (1e30, 10), (2.2, 2), (1e-8, 5), (2.571, 5), (100, 5), (4.3, 29.5), (40, 200),
      (1.96, 1000), (38, 1000), (1.5, 1e6), (10, 1e6), (30, 1e6)])
table('fTail', precise(lambda f, m, n: beta_tails(n / 2, m / 2, n / (n + m * f))[0]), [(0.5, 1, 1), (161.4, 1, 1), (1e20, 2, 3), (4.26, 2, 9), (2.5, 5, 20), (0.01, 5, 20),
      (30, 5, 200), (1e3, 3, 150), (1.2, 100, 1000), (8, 100, 1000), (20, 1, 1e5)])
table('chi2Tail', lambda x, df: gamma_tails(df / 2, x / 2)[1], [(3.841, 1), (1400, 1), (5.99, 2), (1e-6, 2), (18.3, 10), (1380, 10), (90, 100), (2100, 100), (1e5, 1e5), (1.1e5, 1e5)])

sample = matrix([[1 / mpf(1 + i + j) for j in range(6)] for i in range(6)])
values, _ = eigsy(sample)
golden['hilbertEigenvalues'] = sorted([float(v) for v in values], reverse=True)
tall = [[7, 1, 0], [2, -3, 5], [0, 4, 1], [1, 1, 1], [-6, 2, 9]]
golden['tallSingularValues'] = sorted([float(v) for v in svd_r(matrix(tall))[1]], reverse=True)


def xoshiro(seed, count):
    """xoshiro128** 1.1 (Blackman & Vigna), its state filled by two outputs of SplitMix64."""
    mask64, mask = (1 << 64) - 1, (1 << 32) - 1
    words, z = [], seed & mask64
    for _ in range(2):
        z = (z + 0x9E3779B97F4A7C15) & mask64
        v = z
        v = ((v ^ (v >> 30)) * 0xBF58476D1CE4E5B9) & mask64
        v = ((v ^ (v >> 27)) * 0x94D049BB133111EB) & mask64
        v ^= v >> 31
        words += [v & mask, v >> 32]
    turn = lambda v, k: ((v << k) | (v >> (32 - k))) & mask
    out = []
    for _ in range(count):
        out.append((turn((words[1] * 5) & mask, 7) * 9) & mask)
        t = (words[1] << 9) & mask
        words[2] ^= words[0]
        words[3] ^= words[1]
        words[1] ^= words[2]
        words[0] ^= words[3]
        words[2] ^= t
        words[3] = turn(words[3], 11)
    return out


golden['xoshiro'] = [[seed, xoshiro(seed, 12)] for seed in (0, 1, 42, -1, 9007199254740991)]

rows = ',\n'.join(f'{json.dumps(name)}: [\n' + ',\n'.join(json.dumps(row) for row in rows) + '\n]' for name, rows in golden.items())
Path(__file__).with_name('golden.json').write_text('{\n' + rows + '\n}\n')
