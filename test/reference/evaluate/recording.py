"""How recordings are written: shared by the scripts beside it."""

import json
import math
import pathlib

import numpy as np

here = pathlib.Path(__file__).parent


def plain(value):
    if isinstance(value, dict):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def write(name, content):
    """Long lists stand once, in "data"; a case refers to the k-th of them as "@k"."""
    data = {}

    def intern(value):
        if isinstance(value, dict):
            return {k: intern(v) for k, v in value.items()}
        if isinstance(value, list):
            if len(value) >= 8:
                return f"@{data.setdefault(json.dumps(value, ensure_ascii=False), len(data))}"
            return [intern(v) for v in value]
        return value

    lines = [json.dumps(intern(plain(case)), ensure_ascii=False) for case in content]
    text = ",\n".join(data), ",\n".join(lines)
    (here / name).write_text(f'{{"data": [\n{text[0]}\n],\n"cases": [\n{text[1]}\n]}}\n')
    print(name, len(content))
