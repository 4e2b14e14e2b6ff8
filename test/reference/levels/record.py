"""Records the probabilities of AODE in Weka 3.6.14: POLYA_WEKA=weka.jar python3 record.py writes weka.json beside this file."""
import json
import os
import pathlib
import random
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
LEVELS = [3, 4, 2, 5]
CLASSES = 3
ROWS, QUERIES = 90, 15

random.seed(7)


def draw(c):
    """Levels that depend on the class and on the level before; some occur rarely."""
    row = []
    for j, size in enumerate(LEVELS):
        tied = (c + (row[-1] if row else 0) + j) % size
        row.append(tied if random.random() < 0.6 else random.randrange(size))
    return row


y = [random.choice([0, 0, 0, 1, 1, 2]) for _ in range(ROWS)]
X = [draw(c) for c in y]
query = [[random.randrange(size) for size in LEVELS] for _ in range(QUERIES)]
assert all({row[j] for row in X} == set(range(size)) for j, size in enumerate(LEVELS))

names = [",".join(map(str, range(size))) for size in [*LEVELS, CLASSES]]
header = "@relation r\n" + "".join(f"@attribute a{j} {{{values}}}\n" for j, values in enumerate(names)) + "@data\n"
with tempfile.TemporaryDirectory() as folder:
    for name, rows in (("train", zip(X, y)), ("test", ((row, 0) for row in query))):
        lines = "".join(f"{','.join(map(str, [*row, c]))}\n" for row, c in rows)
        (pathlib.Path(folder) / f"{name}.arff").write_text(header + lines)
    source = HERE.parents[2] / "bench" / "Weka.java"
    command = ["java", "-cp", os.environ["POLYA_WEKA"], source, folder]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
answers = [[float(p) for p in line.split()[1:]] for line in printed.splitlines() if line.startswith("AODE ")]
(HERE / "weka.json").write_text(json.dumps({"X": X, "y": y, "query": query, "aode": answers}) + "\n")
