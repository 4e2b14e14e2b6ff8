"""Spark MLlib on the tables of bench/engines.ts: started by bench/engines-spark.ts."""

import json
import sys
import time
import urllib.request

from pyspark.ml import Pipeline
from pyspark.ml.classification import NaiveBayes
from pyspark.ml.feature import OneHotEncoder, StringIndexer, VectorAssembler
from pyspark.sql import SparkSession

folder, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]]
spark = SparkSession.builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
numbers = ["x1", "x2", "x3", "x4", "x5"]
levels = ["c5", "c20", "c100", "c1000"]


def cpu():
    web = spark.sparkContext.uiWebUrl
    url = f"{web}/api/v1/applications/{spark.sparkContext.applicationId}/stages"
    stages = json.load(urllib.request.urlopen(url))
    return sum(stage["executorCpuTime"] for stage in stages) / 1e9


def gaussian():
    label = StringIndexer(inputCol="y", outputCol="label")
    vector = VectorAssembler(inputCols=numbers, outputCol="features")
    return Pipeline(stages=[label, vector, NaiveBayes(modelType="gaussian")])


def categorical():
    """The columns of levels; MLlib has no model of both kinds, so a mixture costs this and the one above."""
    label = StringIndexer(inputCol="y", outputCol="label")
    index = StringIndexer(inputCols=levels, outputCols=[f"i{name}" for name in levels])
    bits = OneHotEncoder(inputCols=[f"i{name}" for name in levels], outputCols=[f"b{name}" for name in levels], dropLast=False)
    vector = VectorAssembler(inputCols=[f"b{name}" for name in levels], outputCol="features")
    return Pipeline(stages=[label, index, bits, vector, NaiveBayes(modelType="multinomial")])


lines = []
for size in sizes:
    table = spark.read.parquet(f"{folder}/num-{size}.parquet")
    for name, make in [("moments of 5 columns", gaussian), ("4 columns of levels", categorical)]:
        best = None
        for _ in range(3):
            start, before = time.time(), cpu()
            make().fit(table)
            time.sleep(0.5)
            own = {"wall": time.time() - start - 0.5, "cpu": cpu() - before}
            best = own if best is None or own["cpu"] < best["cpu"] else best
        lines.append({"task": name, "size": size, "wall": round(best["wall"], 2), "cpu": round(best["cpu"], 2)})
print(json.dumps({"title": "MLlib", "version": spark.version, "lines": lines}))
spark.stop()
