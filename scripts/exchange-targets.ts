import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openPostgres } from '../src/engines/postgres/index.ts';
import { type SqlDialect, sqlDialects } from '../src/engines/sql/dialect.ts';
import { PolyaError } from '../src/errors.ts';
import { fromJson } from '../src/exchange/plan-json.ts';
import { planOf } from '../src/exchange/plan-of.ts';
import { toPmml } from '../src/exchange/pmml.ts';
import { runPlan } from '../src/exchange/run-plan.ts';
import { toSql } from '../src/exchange/sql.ts';
import { toJavaScript } from '../src/exchange/to-javascript.ts';
import { toJson } from '../src/exchange/to-json.ts';
import { type OnnxOptions, toOnnx } from '../src/exchange/to-onnx.ts';
import { load } from '../test/exchange/javascript.ts';
import { canSay, feedsOf, type Note, notesOf, run } from '../test/exchange/onnx.ts';
import { fieldsOf } from '../test/exchange/pmml.ts';
import { tableOf } from '../test/exchange/sql.ts';
import { type Case, chosen, drawn, subjects } from '../test/exchange-subjects.ts';
import { postgresPrograms, startPostgres } from './engines/postgres-server.ts';
import { withServers } from './engines/processes.ts';

/**
 * Runs every family, pipeline and classifier of the tests in every target, compares the probabilities with those of the library, and writes
 * docs/exchange-targets.md. SQL is also parsed in every dialect. What the Python named in POLYA_PYTHON does not have is skipped.
 */
const python = process.env.POLYA_PYTHON ?? 'python3';
const BOUND = 1e-9;

/** A target that does not apply: a model without texts, where texts are compared. */
const NONE = '–';

interface Model extends Case {
  readonly name: string;
  /** The probabilities of every row. */
  readonly proba: readonly (readonly number[])[];
}

/** The largest difference of a target from the library, and the number of rows without a result. */
interface Distance {
  readonly far: number;
  readonly silent: number;
}

/** The result, or why a target cannot express the model. */
type Outcome = Distance | string;

/** The greatest difference. A target gives null where it cannot know, such as words of scripts without spaces in SQL. */
function apart(there: readonly (readonly (number | null)[])[], here: readonly (readonly number[])[]): Distance {
  let [far, silent] = [0, 0];
  here.forEach((row, i) => {
    const answer = there[i] ?? [];
    if (row.every((_, c) => typeof answer[c] !== 'number' || Number.isNaN(answer[c]))) silent++;
    else row.forEach((p, c) => void (far = Math.max(far, Math.abs((answer[c] ?? Infinity) - p))));
  });
  return { far, silent };
}

/** The result of a target for a model, or its error. */
async function outcome(give: () => Promise<Outcome> | Outcome): Promise<Outcome> {
  try {
    return await give();
  } catch (error) {
    if (isRefusal(error)) return error.message;
    console.error(error);
    return { far: Infinity, silent: 0 };
  }
}

const isRefusal = (error: unknown): error is PolyaError =>
  error instanceof PolyaError &&
  ['E_CONFLICT', 'E_ENGINE_CAPABILITY', 'E_IDENTIFIER', 'E_FEATURE_DUPLICATE'].includes(error.code);

type Query = (sql: string) => Promise<readonly (readonly unknown[])[]>;

/** Scores the rows of a model in an engine. */
async function inEngine(query: Query, dialect: SqlDialect, model: Model): Promise<Outcome> {
  const options = { dialect, table: 't', key: 'key', unspaced: 'null' } as const;
  try {
    toSql(model.model, options);
  } catch (error) {
    if (!(error instanceof PolyaError && error.code === 'E_IDENTIFIER')) throw error; // the columns get other names
  }
  const { statements, columns } = tableOf(model, dialect);
  const { setup, select } = toSql(model.model, { ...options, columns });
  for (const statement of ['DROP TABLE IF EXISTS polya_weights', ...statements, ...setup]) await query(statement);
  const answers = await query(`SELECT * FROM (${select}) AS answers ORDER BY 1`);
  return apart(answers.map((row) => row.slice(2) as (number | null)[]), model.proba); // biome-ignore format: short
}

/** Runs a Python program over cases; it prints one line of JSON for each. */
function inPython(module: string, program: string, cases: readonly object[]): unknown[] | undefined {
  if (spawnSync(python, ['-c', `import ${module}`]).status !== 0) {
    console.info(`skipped: ${python} has no ${module}`);
    return undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'polya-exchange-'));
  try {
    writeFileSync(join(folder, 'cases.json'), JSON.stringify(cases));
    const args = ['-c', program, join(folder, 'cases.json'), new URL('../examples', import.meta.url).pathname];
    const out = execFileSync(python, args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
      env: { ...process.env, ...(module === 'onnxruntime' && hasLocale && { LOCPATH: locales }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    return out.trim().split('\n').map((line) => JSON.parse(line)); // biome-ignore format: short
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A folder for the locale en_US.UTF-8, by whose rules onnxruntime lowers strings; it is made here, since few machines have it. */
const locales = mkdtempSync(join(tmpdir(), 'polya-exchange-locale-'));
const locale = ['-i', 'en_US', '-f', 'UTF-8', join(locales, 'en_US.UTF-8')];
const hasLocale = spawnSync('localedef', locale, { stdio: 'ignore' }).status === 0;

/** Begins every program: `report` prints what a function of a case answers, or why it does not. */
const PYTHON = `
import base64, json, sys
def report(score):
    for case in json.load(open(sys.argv[1], encoding="utf-8")):
        try:
            answers = case["refused"] if "refused" in case else score(case)
        except NotImplementedError as reason:
            answers = str(reason)
        plain = lambda p: p if isinstance(p, float) and p == p else None
        print(json.dumps(answers if isinstance(answers, str) else [[plain(p) for p in row] for row in answers]), flush=True)
`;

const ONNX = `${PYTHON}
import numpy as np, onnxruntime
types = {"float64": np.float64, "int64": np.int64, "string": object}
def score(case):
    try:
        session = onnxruntime.InferenceSession(base64.b64decode(case["model"]), providers=["CPUExecutionProvider"])
    except Exception as fault:
        raise NotImplementedError("lower case without the locale en_US.UTF-8") if "locale" in str(fault) else fault
    feeds = {}
    for name, feed in case["feeds"].items():
        data = [np.nan if value is None else value for value in feed["data"]]
        feeds[name] = np.array(data, dtype=types[feed["type"]]).reshape(feed["dims"])
    return session.run(["probabilities"], feeds)[0].tolist()
report(score)
`;

const PMML = `${PYTHON}
from pypmml import Model
def score(case):
    model = Model.fromString(case["pmml"])
    answers = [model.predict(row) for row in case["rows"]]
    return [[answer[f"probability({label})"] for label in case["classes"]] for answer in answers]
report(score)
`;

const READER = `${PYTHON}
sys.path.insert(0, sys.argv[2])
import polya_json_more
from polya_json import Model
def score(case):
    model = Model(case["model"])
    return [model.predict_proba(row) for row in case["rows"]]
report(score)
`;

const SQL = `
import json, sys
import sqlglot
for case in json.load(open(sys.argv[1], encoding="utf-8")):
    try:
        print(len(sqlglot.parse(case["sql"], read=case["dialect"], error_level=sqlglot.ErrorLevel.RAISE)))
    except Exception as fault:
        sys.exit(f"{case['name']} in {case['dialect']}: {str(fault)[:600]}")
`;

/** Scores cases in Python. */
function scoredInPython(module: string, program: string, give: (model: Model) => Scored): Outcome[] | undefined {
  const cases = models.map((own) => caseOf(() => give(own)));
  const answers = inPython(module, program, cases) as ((number | null)[][] | string)[] | undefined;
  return answers?.map((own, k) => (typeof own === 'string' ? own : apart(own, (cases[k] as Scored).proba)));
}

/** The input of a program, and the probabilities of the library. */
interface Scored {
  readonly proba: Model['proba'];
  readonly [entry: string]: unknown;
}

/** A case for a program, or the refusal of the export. */
function caseOf(make: () => object): object {
  try {
    return make();
  } catch (error) {
    if (isRefusal(error)) return { refused: error.message };
    throw error;
  }
}

function onnxCase({ model, rows, proba }: Model, options: OnnxOptions = {}): Scored {
  const bytes = toOnnx(model, options);
  const plan = planOf(model);
  const said = rows.map(canSay(plan));
  const notes = JSON.parse(notesOf(bytes).inputs) as Note[];
  const tensors = Object.entries(feedsOf(plan, rows.filter((_, i) => said[i]), notes, false)); // biome-ignore format: short
  const feeds = tensors.map(([own, { type, dims, data }]) => [
    own,
    { type, dims, data: Array.from(data as Iterable<unknown>, (x) => (typeof x === 'bigint' ? Number(x) : x)) },
  ]);
  const wanted = proba.filter((_, i) => said[i]);
  return { model: Buffer.from(bytes).toString('base64'), feeds: Object.fromEntries(feeds), proba: wanted };
}

function pmmlCase({ model, rows, proba }: Model): Scored {
  const records = rows.map((row) => fieldsOf(model, row));
  return { pmml: toPmml(model), classes: model.classes.map(String), rows: records, proba };
}

const models = [...subjects, ...chosen].map((subject): Model => {
  const { model, rows } = drawn(subject, 3);
  const logs = model.predictLogProba(rows as never, { strict: false });
  return { name: subject.name, model, rows, proba: rows.map((_, i) => Array.from(logs.row(i), Math.exp)) };
});

const each = async (give: (model: Model) => Promise<Outcome> | Outcome): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const model of models) outcomes.push(await outcome(() => give(model)));
  return outcomes;
};

const columns = new Map<string, readonly Outcome[] | undefined>();

columns.set(
  'JavaScript',
  await each(async ({ model, rows, proba }) => {
    const module = await load(toJavaScript(model).code);
    return apart(rows.map((row) => module.predictProba(row)), proba); // biome-ignore format: short
  }),
);
columns.set(
  'JSON',
  await each(({ model, rows, proba }) => {
    const there = runPlan(fromJson(JSON.stringify(toJson(model))), rows);
    return apart(rows.map((_, i) => Array.from(there.row(i), Math.exp)), proba); // biome-ignore format: short
  }),
);
columns.set(
  'ONNX (web)',
  await each(async ({ model, rows, proba }) => {
    const plan = planOf(model);
    const said = rows.map(canSay(plan));
    const { probabilities } = await run(toOnnx(model), plan, rows.filter((_, i) => said[i])); // biome-ignore format: short
    const data = Array.from(probabilities.data as Float64Array);
    const wide = model.classes.length;
    const wanted = proba.filter((_, i) => said[i]);
    return apart(wanted.map((_, i) => data.slice(i * wide, (i + 1) * wide)), wanted); // biome-ignore format: short
  }),
);
columns.set(
  'ONNX (Python)',
  scoredInPython('onnxruntime', ONNX, (own) => onnxCase(own)),
);
columns.set(
  'ONNX of strings (Python)',
  scoredInPython('onnxruntime', ONNX, (own) => {
    const { vectors } = planOf(own.model);
    // the operator lowers letter by letter, so texts with these letters differ
    const plain = own.rows.map((row) => !/[\u03a3\u0130]/.test(JSON.stringify(row)));
    const [rows, proba] = [own.rows, own.proba].map((all) => all.filter((_, i) => plain[i]));
    if (vectors.some(({ op }) => op === 'terms')) {
      return onnxCase({ ...own, rows, proba: proba as Model['proba'] }, { text: 'string' });
    }
    return { refused: NONE, proba: own.proba };
  }),
);

const connection = await (await DuckDBInstance.create(':memory:')).connect();
const inDuckdb: Query = async (sql) => (await connection.runAndReadAll(sql)).getRows();
columns.set('DuckDB', await each((model) => inEngine(inDuckdb, 'duckdb', model)));
connection.closeSync();

await withServers(async () => {
  try {
    postgresPrograms();
  } catch (error) {
    console.info(`skipped: no PostgreSQL (${(error as Error).message.split('\n')[0]})`);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'polya-exchange-postgres-'));
  const { url, version } = await startPostgres(folder);
  const engine = await openPostgres(url, {});
  const query: Query = async (sql) => {
    if (!sql.startsWith('SELECT')) return engine.execute(sql).then(() => []);
    const rows: unknown[][] = [];
    for await (const batch of engine.query(sql))
      for (let i = 0; i < batch.rows; i++) rows.push(batch.columns.map((column) => column[i]));
    return rows;
  };
  columns.set('PostgreSQL', await each((model) => inEngine(query, 'postgres', model)));
  await engine.close();
  console.info(version);
  rmSync(folder, { recursive: true, force: true });
  return 0;
});

columns.set('PMML (pypmml)', scoredInPython('pypmml', PMML, pmmlCase));
columns.set(
  'polya_json.py',
  scoredInPython(
    'json',
    READER,
    ({ model, rows, proba }) => ({ model: JSON.stringify(toJson(model)), rows, proba }) as Scored,
  ),
);

const statements = models.flatMap(({ name, model }) =>
  sqlDialects.flatMap((dialect) => {
    const own = caseOf(() => {
      const { setup, view } = toSql(model, { dialect, table: 'rows', key: 'id', unspaced: 'null' });
      return { name, dialect, sql: [...setup, view].join(';\n') }; // the view contains the query
    });
    return 'refused' in own ? [] : [own];
  }),
);
const parsed = inPython('sqlglot', SQL, statements)?.reduce<number>((sum, own) => sum + Number(own), 0);
const syntax =
  parsed === undefined ? [] : [`sqlglot parsed ${parsed} statements of these models, in ${sqlDialects.join(', ')}.`];

const ran = [...columns].filter((entry): entry is [string, Outcome[]] => entry[1] !== undefined);
const reasons: string[] = [];
const cellOf = (own: Outcome): string => {
  if (typeof own === 'object') {
    const { far, silent } = own;
    return `${far === 0 ? '0' : far.toExponential(0)}${silent > 0 ? ` (${silent} silent)` : ''}`;
  }
  if (own === NONE) return own;
  const reason = own.replace(/^\w+ cannot represent /, '').replaceAll('|', '\\|');
  if (!reasons.includes(reason)) reasons.push(reason);
  return `[${reasons.indexOf(reason) + 1}]`;
};
const table = models.map(({ name }, k) => `| \`${name.replaceAll('|', '\\|')}\` | ${ran.map(([, all]) => cellOf(all[k])).join(' | ')} |`); // biome-ignore format: one line
const page = [
  '# Families and targets',
  '',
  'Greatest difference between a probability of the library and of the exported model, over the rows of a test of each family, pipeline and',
  'default classifier. `(2 silent)` means that two rows got no answer. A number in brackets is the reason for which the target refuses',
  'this model. `npm run test:exchange` writes this page.',
  '',
  'See it at work: [SQL](exchange-sql.md), [PMML](exchange-pmml.md), [ONNX and the others](exchange.md).',
  '',
  `| model | ${ran.map(([target]) => target).join(' | ')} |`,
  `|---|${ran.map(() => '---').join('|')}|`,
  ...table,
  ...syntax.flatMap((sentence) => ['', sentence]),
  '',
  ...reasons.map((reason, k) => `${k + 1}. ${reason}`),
  '',
];
writeFileSync(new URL('../docs/exchange-targets.md', import.meta.url), page.join('\n'));
for (const [target, all] of ran) {
  const answered = all.filter((own) => typeof own === 'object');
  const most = Math.max(...answered.map(({ far }) => far));
  console.info(`${target}: ${answered.length} models of ${all.length}, at most ${most.toExponential(1)} apart`);
  const far = all.flatMap((own, k) => (typeof own === 'object' && !(own.far <= BOUND) ? [models[k].name] : []));
  if (far.length === 0) continue;
  console.error(`${target}: more than ${BOUND} apart: ${far.join(', ')}`);
  process.exitCode = 1;
}
for (const sentence of syntax) console.info(sentence);
rmSync(locales, { recursive: true });
