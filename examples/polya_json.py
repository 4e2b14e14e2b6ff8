"""Scores rows with a model in the JSON of `polya export --to json`, with nothing but Python's standard library.

    from polya_json import Model
    model = Model(open("model.json", encoding="utf-8").read())
    model.predict(row), model.predict_proba(row)   # a row is a text, a list of cells or a dict, as the model says
The format is docs/polya-model.schema.json. Carried are naive Bayes of words, counts, levels, bells and kernels, kDB, discriminants, and
ensembles of these; what is missing (trees, AODE, dates, words cut by script) is refused with NotImplementedError.
"""
import json, itertools, re
from math import exp, inf, isinf, isnan, log as natural, log1p, nan, pi, sqrt
SPECIAL = {"Infinity": inf, "-Infinity": -inf, "NaN": nan}
TRUE, FALSE = ("true", "t", "yes", "y", "on", "1"), ("false", "f", "no", "n", "off", "0")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
log = lambda x: natural(x) if x > 0 else -inf
softplus = lambda x: x + log1p(exp(-x)) if x > 0 else log1p(exp(x))
dot = lambda a, b: sum(x * y for x, y in zip(a, b))
absent = lambda cell: cell is None or cell != cell
def refuse(what): raise NotImplementedError(what)
def numeric(part):  # what is not finite is a word
    if isinstance(part, dict): return {key: numeric(value) for key, value in part.items()}
    return [numeric(item) for item in part] if isinstance(part, list) else SPECIAL.get(part, part)
def logsum(scores):
    top = max(scores, default=-inf)
    return top if isinf(top) else top + log(sum(exp(s - top) for s in scores))
def softmax(scores):
    total, sure = logsum(scores), scores.count(inf)
    return [-inf if s == -inf or sure and s < inf else -log(sure) if sure else s - total for s in scores]
def bells(t, x, c):
    cells = zip(x, t["mean"][c], t["variance"][c], t["logPeak"][c], t["df"][c])
    fall = lambda square, df: square if isinf(df) else (df + 1) * log1p(square / df)
    return sum(peak - fall((v - mean) ** 2 / variance, df) / 2 for v, mean, variance, peak, df in cells if v == v)
def kernels(t, x, c):
    near = lambda v, k: [log(w) - ((v - p) / k["bandwidth"]) ** 2 / 2 for p, w in zip(k["points"], k["weights"])]
    cells = [(logsum(near(v, k)), k) for v, k in zip(x, t["kernels"][c]) if k and v == v]
    return sum(log_sum - log(k["total"]) - log(k["bandwidth"]) - log(2 * pi) / 2 for log_sum, k in cells)
def contexts(t, x, c):
    levels, needed, count, order = t["levels"], set(), 1, [own["feature"] for own in t["features"]]
    for own in reversed(t["features"]):  # missing features on which others depend are summed over
        if own["feature"] in needed or not isnan(x[own["feature"]]): needed.update(p for p in own["parents"] if isnan(x[p]))
    summed = [j for j in order if j in needed and levels[j] and (count := count * levels[j]) <= t["mostCombinations"]]
    def log_share(own, x):
        j, at, p = own["feature"], 0, 1 / levels[own["feature"]]
        for parent, table in zip([None, *own["parents"]], own["depths"]):
            level, radix = (0, 1) if parent is None else (x[parent], levels[parent])
            if not level < radix or at * radix + level not in table["contexts"]: break
            at = table["contexts"].index(at * radix + level)
            value, weight, m = at * levels[j] + x[j], table["weights"][at][c], table["concentration"]
            if x[j] < levels[j] and value in table["values"]: p = table["shares"][table["values"].index(value)][c]
            elif weight > 0: p = m * p / (weight + m)
        return log(p)
    rows = [{**dict(enumerate(x)), **dict(zip(summed, own))} for own in itertools.product(*(range(levels[j]) for j in summed))]
    return logsum([sum(log_share(own, row) for own in t["features"] if not isnan(row[own["feature"]])) for row in rows])
def gauss(mean, covariance, x):  # ln N of the cells that are present, each given those before it (a Cholesky factor)
    rows, total = [], 0.0
    for j in (j for j, v in enumerate(x) if v == v):
        row, rest = [], x[j] - mean[j]
        for i, other, _ in rows: row.append((covariance[j][i] - dot(row, other)) / other[len(row)])
        left = covariance[j][j] - dot(row, row)
        if left <= 2.0 ** -40 * covariance[j][j]: continue  # those before it determine it
        z = (rest - dot(row, [own for _, _, own in rows])) / sqrt(left)
        rows, total = [*rows, (j, [*row, sqrt(left)], z)], total - (z * z + log(2 * pi * left)) / 2
    return total
def image(rows, x, origin): return [dot(row, [a - b for a, b in zip(x, origin)]) for row in rows]
def planes(t, x, c): return sum(m * (z - m / 2) for m, z in zip(t["centres"][c], image(t["rows"], x, t["origin"])))
def quadrics(t, x, c):
    form = t["forms"][c]
    return sum((z - m) ** 2 for z, m in zip(image(form["rows"], x, form["mean"]), form["centre"] or [0] * len(x))) / -2 if form else -inf
TERMS = {  # what a term adds to the score of class c for the vector x
    "bells": bells, "kernels": kernels, "contexts": contexts, "planes": planes, "quadrics": quadrics, "linear": lambda t, x, c: sum(v * t["weights"][j][c] for j, v in enumerate(x) if v != 0),
    "table": lambda t, x, c: sum(f[min(int(v), len(f) - 1)][c] for v, f in zip(x, t["faces"]) if v == v)}
def height(line, at):
    points = [*zip(line["x"], line["y"])]
    inside = [min(v, y + (v - y) / (u - x) * (at - x)) for (x, y), (u, v) in zip(points, points[1:]) if x < at <= u]
    return inside[0] if inside else points[0 if at <= points[0][0] else -1][1]
def on_curve(curve, floor, logs):
    if curve["method"] == "temperature": return softmax([curve["beta"] * max(-1e4, s) for s in logs])
    odds = [max(-1e4, min(1e4, s - logsum(logs[:c] + logs[c + 1:]))) for c, s in enumerate(logs)]
    def sides(k, at):  # ln(1 - p), ln p
        if curve["method"] == "sigmoid": return [-softplus(sign * (curve["a"][k] * at + curve["b"][k])) for sign in (-1, 1)]
        p = min(1 - floor, max(floor, height(curve["lines"][k], at)))
        return [log1p(-p), log(p)]
    return softmax(sides(0, odds[1]) if len(logs) == 2 else [sides(c, own)[1] for c, own in enumerate(odds)])
def present(groups, X):
    return sum(any(any(X[k]) for k in g["vectors"]) if g["text"] else sum(v == v for k in g["vectors"] for v in X[k]) for g in groups)
def score(s, X):
    op, share = s["op"], s.get("share")
    r = min(1, present(share["cells"], X) / share["ordinary"]) if share else 1
    mix = lambda fitted, before: fitted if r >= 1 else r * fitted + (1 - r) * before
    if op == "sum":
        for t in s["terms"]:
            if (m := t.get("marginals")) and any(isnan(v) for v in X[t["vector"]]):
                covariance = lambda c: m["covariances"][c if len(m["covariances"]) > 1 else 0]
                return [a + gauss(m["means"][c], covariance(c), X[t["vector"]]) if covariance(c) else -inf for c, a in enumerate(m["start"])]
        added = lambda c: sum((TERMS.get(t["op"]) or refuse(t["op"]))(t, X[t["vector"]], c) for t in s["terms"])
        return [start + added(c) for c, start in enumerate(s["start"])]
    if op == "either":
        first = score(s["first"], X)
        return first if all(abs(v) < inf or not needed for v, needed in zip(first, s["needed"])) else score(s["second"], X)
    if op == "add":
        parts = [(score(part["of"], X), part["less"]) for part in s["parts"]]
        return [a + sum(own[c] - (less[c] if less else 0) for own, less in parts) for c, a in enumerate(s["start"])]
    if op == "pool":
        of = [score(member, X) for member in s["members"]]
        weights = [mix(w, share and share["weights"][m]) for m, w in enumerate(s["weights"])]
        return softmax([mix(b, share and share["bias"][c]) + dot(weights, [own[c] for own in of]) for c, b in enumerate(s["bias"])])
    if op == "blank" and present(s["cells"], X) == 0: return s["prior"]
    if op not in ("blank", "posterior", "soften", "curve"): refuse(op)
    own = score(s["of"], X)
    if op == "posterior" and max(own) == -inf: own = s["impossible"] == "prior" and s["prior"] or refuse("an impossible row")
    if op == "soften":
        bent = lambda v: v if s["tail"] is None else mix(-s["tail"] * log1p(-v / s["tail"]), v)
        return [s["unmetScore"] if unmet else bent(max(s["least"], v)) for v, unmet in zip(own, s["unmet"])]
    if op == "curve": own = [mix(a, b) for a, b in zip(on_curve(s["curve"], s["floor"], own), own)]
    return own if op == "blank" else softmax(own)
def read(cell, i):  # a cell as the number of the input i
    gap = lambda rule: nan if rule == "missing" else refuse(f"the cell {cell!r} in {i['name']}") if rule == "refuse" else float(rule)
    word = str(cell).lower() if isinstance(cell, bool) else str(cell).strip()
    if {"date", "spelling", "element"} & {*i} or i.get("list"): refuse("dates, amounts of money, and lists in cells")
    if i["kind"] == "level":
        if absent(cell) or i["match"] == "trimmed" and word in ["", *i.get("absent", [])]: return gap(i["missing"])
        if isinstance(i["levels"], int): return float(cell) if cell < i["levels"] else gap(i["unknown"])
        word = dict(i.get("aliases", [])).get(word, word) if i["match"] != "exact" else cell
        k = next((k for k, own in enumerate(i["levels"]) if own == word and type(own) is type(word)), None)
        return gap(i["unknown"]) if k is None else numeric(i["codes"])[k] if "codes" in i else float(k)
    if i["lenient"] and i["bits"] and word.lower() in TRUE + FALSE: return float(word.lower() in TRUE)
    if i["lenient"] and isinstance(cell, str): cell = float(word) if NUMBER.fullmatch(word) else None
    return gap(i["missing"]) if absent(cell) else float(cell)
def terms_of(text, a):
    if a["normalize"] or a["stripAccents"] or a["unit"] == "char" or a["words"]["kind"] != "runs": refuse("this way to cut texts")
    text, (low, high) = text.lower() if a["lowercase"] else text, a["ngrams"]
    if a["unit"] == "char_wb":
        sized = [(f" {word} ", n) for word in text.split() for n in range(low, min(high, max(low, len(word) + 2)) + 1)]
        return [word[k:k + n] for word, n in sized for k in range(max(1, len(word) - n + 1))]
    kept = [word for word in re.findall(r"\w\w+", text) if word not in a["stopWords"]]
    return [" ".join(kept[k:k + n]) for n in range(low, high + 1) for k in range(len(kept) - n + 1)]
def weighed(v, x):
    curve = {"raw": float, "binary": lambda a: 1.0, "sqrt": sqrt, "log1p": log1p, "sublinear": lambda a: 1 + log(a)}[v["tf"]]
    weights = [curve(a) * (v["idf"][j] if v["idf"] else 1) if a else 0.0 for j, a in enumerate(x)]
    length = sqrt(dot(weights, weights)) if v["norm"] == "l2" else sum(map(abs, weights)) if v["norm"] else 1
    return [w / (length or 1) for w in weights]
CHANGES = {  # a vector from the vector x before it
    "pick": lambda v, x: [x[j] for j in v["columns"]], "above": lambda v, x: [a if isnan(a) else float(a > v["threshold"]) for a in x],
    "bin": lambda v, x: [a if cuts is None or isnan(a) and v["missing"] == "missing" else len(cuts) + 1 if isnan(a)
                         else sum(cut <= a for cut in cuts) for a, cuts in zip(x, v["cuts"])],
    "equal": lambda v, x: [a if isnan(a) or isnan(own) else float(a == own) for a, own in zip(x, v["values"])],
    "scale": lambda v, x: [f if isnan(a) else (a - m) / s for a, m, s, f in zip(x, v["mean"], v["scale"], v["fill"])],
    "onehot": lambda v, x: [float(a == k) for a, width in zip(x, v["widths"]) for k in range(width)],
    "limit": lambda v, x: [a if isnan(a) or a < n else n if v["unknown"] == "last" else nan for a, n in zip(x, v["levels"])],
    "root-share": lambda v, x: [sqrt(a / sum(x)) if a else 0.0 for a in x], "weigh": weighed}
class Model:
    def __init__(self, text):
        self.plan = json.loads(text)
        self.classes, self.score = self.plan["classes"], numeric(self.plan["score"])
        self.vectors = [v if v["op"] == "terms" else numeric(v) for v in self.plan["vectors"]]
        self.places = [{t: j for j, t in enumerate(v.get("terms") or [])} for v in self.vectors]
    def predict_proba(self, row):
        X, inputs, rows = [], self.plan["inputs"], self.plan["row"]
        cell = lambda i: row if rows == "value" else row[i["column"]] if isinstance(row, list) else row.get(i["name"])
        cells = lambda i: row if rows == "list" and i["name"] == "x" else [cell(i)]
        for v, places in zip(self.vectors, self.places):
            if v["op"] == "inputs": X.append([read(own, inputs[k]) for k in v["inputs"] for own in cells(inputs[k])])
            elif v["op"] == "join": X.append([a for k in v["from"] for a in X[k]])
            elif v["op"] != "terms": X.append(CHANGES[v["op"]](v, X[v["from"]]))
            else:
                X.append([0.0] * v["width"] if v["terms"] else refuse("hashed terms"))
                for j in (places[t] for t in terms_of(cell(inputs[v["input"]]) or "", v["analysis"]) if t in places):
                    X[-1][j] = 1.0 if v["binary"] else X[-1][j] + 1
        return [exp(log_p) for log_p in score(self.score, X)]
    def predict(self, row):
        p = self.predict_proba(row)
        return self.classes[p.index(max(p))]
