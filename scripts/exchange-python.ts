import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqlDialects } from '../src/engines/sql/dialect.ts';
import { PolyaError } from '../src/errors.ts';
import { planOf } from '../src/exchange/plan-of.ts';
import { toPmml } from '../src/exchange/pmml.ts';
import { toSql } from '../src/exchange/sql.ts';
import { toOnnx } from '../src/exchange/to-onnx.ts';
import { canSay, feedsOf, type Note, notesOf } from '../test/exchange/onnx.ts';
import { chosen, drawn, subjects } from '../test/exchange-subjects.ts';
import { pmmlCases } from '../test/reference/exchange/pmml/models.ts';

/**
 * Checks exports in programs of other languages: SQL in every dialect with the parser sqlglot, ONNX with Python's onnxruntime, PMML with
 * pypmml. What the Python named in POLYA_PYTHON does not have is skipped and said to be.
 */
const python = process.env.POLYA_PYTHON ?? 'python3';
const models = [...subjects, ...chosen].map((subject) => ({ name: subject.name, ...drawn(subject, 3) }));

/** A model that the target refuses is left out. */
function unlessRefused<T>(make: () => T): T[] {
  try {
    return [make()];
  } catch (error) {
    if (error instanceof PolyaError) return [];
    throw error;
  }
}

function check(name: string, module: string, cases: readonly object[], program: string): void {
  if (spawnSync(python, ['-c', `import ${module}`]).status !== 0) {
    console.info(`${name}: skipped, ${python} has no ${module}`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'polya-exchange-'));
  try {
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    const out = execFileSync(python, ['-c', program, join(folder, 'cases.json')], {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    console.info(`${name}: ${out.trim()}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const SQL = `
import json, sys
import sqlglot
count = {}
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        trees = sqlglot.parse(case["sql"], read=case["dialect"], error_level=sqlglot.ErrorLevel.RAISE)
    except Exception as fault:
        sys.exit(f"{case['name']} in {case['dialect']}: {str(fault)[:600]}")
    count[case["dialect"]] = count.get(case["dialect"], 0) + len(trees)
print("statements parsed:", count)
`;
const statements = models.flatMap(({ name, model }) =>
  sqlDialects.flatMap((dialect) =>
    unlessRefused(() => {
      const { setup, select, view } = toSql(model, { dialect, table: 'rows', key: 'id', unspaced: 'null' });
      return { name, dialect, sql: [...setup, select, view].join(';\n') };
    }),
  ),
);
check('SQL', 'sqlglot', statements, SQL);

const ONNX = `
import base64, json, sys
import numpy as np
import onnxruntime
worst, count = 0.0, 0
types = {"float64": np.float64, "int64": np.int64, "string": object}
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    session = onnxruntime.InferenceSession(base64.b64decode(case["model"]), providers=["CPUExecutionProvider"])
    feeds = {}
    for name, feed in case["feeds"].items():
        data = [np.nan if value is None else value for value in feed["data"]]
        feeds[name] = np.array(data, dtype=types[feed["type"]]).reshape(feed["dims"])
    probabilities = session.run(["probabilities"], feeds)[0].ravel()
    apart = float(np.max(np.abs(probabilities - np.array(case["proba"]))))
    if not apart <= 1e-8:
        sys.exit(f"{case['name']}: {apart} apart")
    worst, count = max(worst, apart), count + 1
print(f"{count} models, at most {worst:.2e} apart")
`;
const graphs = models.flatMap(({ name, model, rows }) =>
  unlessRefused(() => {
    const bytes = toOnnx(model);
    const notes = JSON.parse(notesOf(bytes).inputs) as Note[];
    const plan = planOf(model);
    const said = rows.filter(canSay(plan));
    const feeds = Object.entries(feedsOf(plan, said, notes, false)).map(([own, { type, dims, data }]) => [
      own,
      { type, dims, data: Array.from(data as Iterable<unknown>, (x) => (typeof x === 'bigint' ? Number(x) : x)) },
    ]);
    const proba = Array.from(model.predictLogProba(said as never, { strict: false }).data, Math.exp);
    return { name, model: Buffer.from(bytes).toString('base64'), feeds: Object.fromEntries(feeds), proba };
  }),
);
check('ONNX', 'onnxruntime', graphs, ONNX);

const PMML = `
import json, sys
from pypmml import Model
worst, count = 0.0, 0
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    model = Model.fromString(case["pmml"])
    for row, proba in zip(case["rows"], case["proba"]):
        answer = model.predict(row)
        told = [answer[f"probability({label})"] for label in case["classes"]]
        worst = max(worst, max(abs(a - b) for a, b in zip(told, proba)))
    if not worst <= 1e-9:
        sys.exit(f"{case['name']}: {worst} apart")
    count += 1
print(f"{count} models, at most {worst:.2e} apart")
`;
const documents = pmmlCases.map(({ name, model, fields, rows, given }) => ({
  name,
  classes: model.classes.map(String),
  pmml: toPmml(model),
  rows: rows.map((row) => Object.fromEntries(fields.map((field, k) => [field, row[k]]))),
  proba: given.map((row) => Array.from(model.predictProba([row] as never).row(0))),
}));
check('PMML', 'pypmml', documents, PMML);
