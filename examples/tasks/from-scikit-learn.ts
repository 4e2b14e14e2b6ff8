// A script of scikit-learn, translated: pipeline, grid search, report, calibration. Guide: docs/guides/from-scikit-learn.md
import {
  CalibratedClassifierCV,
  classificationReport,
  GridSearchCV,
  MultinomialNB,
  makePipeline,
  TfidfVectorizer,
  trainTestSplit,
} from 'polya';
import { loadSms } from 'polya/node';

const rows = loadSms().rows.slice(0, 2000);
const X = rows.map(({ text }) => text);
const y = rows.map(({ label }) => label);
const [XTrain, XTest, yTrain, yTest] = trainTestSplit(X, y, { testSize: 0.25, randomState: 0, stratify: y });
const pipeline = makePipeline(new TfidfVectorizer({ sublinearTf: true }), new MultinomialNB());
const grid = new GridSearchCV(pipeline, { multinomialnb__alpha: [0.01, 0.1, 1] }, { cv: 3, scoring: 'f1_macro' });
grid.fit(XTrain, yTrain);
console.log(grid.bestParams);
console.log(String(classificationReport(yTest, grid.predict(XTest))));
const calibrated = new CalibratedClassifierCV(pipeline, { method: 'sigmoid', cv: 3 }).fit(XTrain, yTrain);
console.log(calibrated.predictProba(['free prize, call now']).at(0, 1).toFixed(2));

/* prints
{ multinomialnb__alpha: 0.1 }
              precision    recall  f1-score   support

         ham       0.98      1.00      0.99       430
        spam       1.00      0.86      0.92        70

    accuracy                           0.98       500
   macro avg       0.99      0.93      0.96       500
weighted avg       0.98      0.98      0.98       500

1.00
*/
