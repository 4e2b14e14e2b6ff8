"""Scores rows with a model in the JSON of `polya export --to json`, using only Python's standard library.

    from polya_json import Model
    model = Model(open("model.json", encoding="utf-8").read())
    model.predict(row), model.predict_proba(row)  # a row is a text, a list of cells or a dict, as the model says

The format is docs/polya-model.schema.json. This file carries naive Bayes of words, counts, levels and numbers, pipelines, and the
default model of texts; `import polya_ensembles` adds discriminants and ensembles. Everything else raises NotImplementedError.
"""
import json, re
from collections import Counter
from math import exp, inf, isnan, log, log1p, nan, sqrt

SPECIAL = {"Infinity": inf, "-Infinity": -inf, "NaN": nan}
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)

def refuse(what):
    raise NotImplementedError(what)

def numeric(part):
    """The same data with numbers for the words that stand for what is not finite."""
    if isinstance(part, dict):
        return {key: numeric(value) for key, value in part.items()}
    return [numeric(item) for item in part] if isinstance(part, list) else SPECIAL.get(part, part)

def log_sum_exp(scores):
    top = max(scores)
    return top if abs(top) == inf else top + log(sum(exp(s - top) for s in scores))

def bells(t, x, c):
    cells = zip(x, t["mean"][c], t["variance"][c], t["logPeak"][c], t["df"][c])
    fall = lambda square, df: square if df == inf else (df + 1) * log1p(square / df)
    return sum(peak - fall((v - mean) ** 2 / variance, df) / 2 for v, mean, variance, peak, df in cells if v == v)

TERMS = {  # what a term t adds to the score of class c for the vector x; a missing number, which is NaN, adds nothing
    "linear": lambda t, x, c: sum(v * t["weights"][j][c] for j, v in enumerate(x) if v != 0),
    "table": lambda t, x, c: sum(f[min(int(v), len(f) - 1)][c] for v, f in zip(x, t["faces"]) if v == v),
    "bells": bells,
}

def cells_present(groups, vectors):
    """How many cells of a row are present: texts with a known term, and numbers that are not NaN."""
    texts = [any(any(vectors[k]) for k in group["vectors"]) for group in groups if group["text"]]
    return sum(texts) + sum(v == v for group in groups if not group["text"] for k in group["vectors"] for v in vectors[k])

def scores_of(s, vectors):
    return (SCORES.get(s["op"]) or refuse(s["op"]))(s, vectors)

def log_softmax(scores):
    total = log_sum_exp(scores)
    return [-inf if v == -inf else v - total for v in scores]

def sum_scores(s, vectors):
    terms = [(TERMS.get(t["op"]) or refuse(t["op"]), t, vectors[t["vector"]]) for t in s["terms"]]
    return [start + sum(add(t, x, c) for add, t, x in terms) for c, start in enumerate(s["start"])]

def add_scores(s, vectors):
    parts = [(scores_of(part["of"], vectors), part["less"] or [0] * len(s["start"])) for part in s["parts"]]
    return [start + sum(own[c] - less[c] for own, less in parts) for c, start in enumerate(s["start"])]

def posterior(s, vectors):
    scores = scores_of(s["of"], vectors)
    impossible = max(scores) == -inf and s["impossible"] == "refuse"
    return refuse("an impossible row") if impossible else log_softmax(scores if max(scores) > -inf else s["prior"])

SCORES = {
    "sum": sum_scores, "add": add_scores, "posterior": posterior,
    "blank": lambda s, vectors: scores_of(s["of"], vectors) if cells_present(s["cells"], vectors) else s["prior"],
}

def number_of(cell, i):
    """The number that the input i reads from a cell."""
    instead = lambda rule: nan if rule == "missing" else refuse(f"the cell {cell!r}") if rule == "refuse" else float(rule)
    if {"date", "spelling", "element"} & i.keys() or i.get("list") or i.get("bits") and i["lenient"]:
        refuse("dates, amounts of money, flags, and lists in cells")
    word = str(cell).lower() if isinstance(cell, bool) else str(cell).strip()
    absent = cell is None or cell != cell
    if i["kind"] == "number":
        absent = absent or i["lenient"] and not NUMBER.fullmatch(word)
        return instead(i["missing"]) if absent else float(word if i["lenient"] else cell)
    if absent or i["match"] == "trimmed" and word in ["", *i.get("absent", [])]:
        return instead(i["missing"])
    if isinstance(i["levels"], int):
        return float(cell) if cell < i["levels"] else instead(i["unknown"])
    known = cell if i["match"] == "exact" else dict(i.get("aliases", [])).get(word, word)
    codes = numeric(i.get("codes", list(range(len(i["levels"])))))
    found = [code for level, code in zip(i["levels"], codes) if level == known and type(level) is type(known)]
    return float(found[0]) if found else instead(i["unknown"])

def terms_of(text, a):
    if a["normalize"] or a["stripAccents"] or a["unit"] == "char" or a["words"]["kind"] != "runs":
        refuse("this analysis of texts")
    text, (low, high) = text.lower() if a["lowercase"] else text, a["ngrams"]
    if a["unit"] == "char_wb":
        sized = [(f" {w} ", n) for w in text.split() for n in range(low, min(high, max(low, len(w) + 2)) + 1)]
        return [word[k : k + n] for word, n in sized for k in range(max(1, len(word) - n + 1))]
    kept = [word for word in re.findall(r"\w\w+", text) if word not in a["stopWords"]]
    return [" ".join(kept[k : k + n]) for n in range(low, high + 1) for k in range(len(kept) - n + 1)]

def weigh(v, x):
    curves = {"raw": float, "binary": lambda a: 1.0, "sqrt": sqrt, "log1p": log1p, "sublinear": lambda a: 1 + log(a)}
    weights = [curves[v["tf"]](a) * (v["idf"][j] if v["idf"] else 1) if a else 0.0 for j, a in enumerate(x)]
    norms = {"l1": sum(map(abs, weights)), "l2": sqrt(sum(w * w for w in weights)), None: 1}
    return [w / (norms[v["norm"]] or 1) for w in weights]

def binned(x, cuts, missing):
    if cuts is None or isnan(x) and missing == "missing":
        return x
    return len(cuts) + 1 if isnan(x) else float(sum(cut <= x for cut in cuts))

VECTORS = {  # a vector v from the vector x that it is made of
    "pick": lambda v, x: [x[j] for j in v["columns"]],
    "above": lambda v, x: [a if isnan(a) else float(a > v["threshold"]) for a in x],
    "bin": lambda v, x: [binned(a, cuts, v["missing"]) for a, cuts in zip(x, v["cuts"])],
    "onehot": lambda v, x: [float(a == k) for a, width in zip(x, v["widths"]) for k in range(width)],
    "limit": lambda v, x: [a if not a >= n else n if v["unknown"] == "last" else nan for a, n in zip(x, v["levels"])],
    "root-share": lambda v, x: [sqrt(a / sum(x)) if a else 0.0 for a in x], "weigh": weigh,
}

class Model:
    def __init__(self, text):
        plan = json.loads(text)
        self.classes, self.row, self.inputs, self.score = plan["classes"], plan["row"], plan["inputs"], numeric(plan["score"])
        self.vectors = [v if v["op"] == "terms" else numeric(v) for v in plan["vectors"]]

    def cells(self, i, row):
        if self.row == "list" and i["name"] == "x":
            return row
        return [row if self.row == "value" else row[i["column"]] if isinstance(row, list) else row.get(i["name"])]

    def vector(self, v, row, made):
        if v["op"] == "inputs":
            return [number_of(cell, self.inputs[k]) for k in v["inputs"] for cell in self.cells(self.inputs[k], row)]
        if v["op"] == "join":
            return [a for k in v["from"] for a in made[k]]
        if v["op"] != "terms":
            return (VECTORS.get(v["op"]) or refuse(v["op"]))(v, made[v["from"]])
        found = Counter(terms_of(self.cells(self.inputs[v["input"]], row)[0] or "", v["analysis"]))
        counts = [float(found[term]) for term in v["terms"] or refuse("hashed terms")]
        return [float(a > 0) for a in counts] if v["binary"] else counts

    def predict_proba(self, row):
        made = []
        for v in self.vectors:
            made.append(self.vector(v, row, made))
        return [exp(log_p) for log_p in scores_of(self.score, made)]

    def predict(self, row):
        return max(zip(self.predict_proba(row), self.classes), key=lambda pair: pair[0])[1]
