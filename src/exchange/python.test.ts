import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { chosen, drawn, type Subject, subjects } from '../../test/exchange-subjects.ts';
import { toJson } from './to-json.ts';

const program = new URL('../../examples/polya_json.py', import.meta.url);
const hasPython = spawnSync('python3', ['--version']).status === 0;

const DRIVER = `
import json, math, sys
sys.path.insert(0, sys.argv[1])
import polya_json_more
from polya_json import Model
for case in json.load(open(sys.argv[2], encoding="utf-8")):
    answers = []
    try:
        model = Model(case["model"])
        answers = [model.predict_proba(row) for row in case["rows"]]
    except NotImplementedError as reason:
        answers = str(reason)
    print(json.dumps(answers))
`;

/** What the Python program answers for each of some models: probabilities, or why it refuses. */
function answersOf(cases: readonly { model: string; rows: readonly unknown[] }[]): (number[][] | string)[] {
  const folder = mkdtempSync(join(tmpdir(), 'polya-python-'));
  try {
    const file = join(folder, 'cases.json');
    writeFileSync(file, JSON.stringify(cases));
    const args = ['-c', DRIVER, new URL('.', program).pathname, file];
    const out = execFileSync('python3', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.each(['polya_json.py', 'polya_ensembles.py', 'polya_json_more.py'])(
  '%s stays small and needs no package',
  (name) => {
    const lines = readFileSync(new URL(name, program), 'utf8').trimEnd().split('\n');
    expect(lines.length).toBeLessThan(150);
    const imports = lines
      .filter((line) => /^(import|from)\b/.test(line))
      .map((line) => line.split(' ')[1].replace(',', ''));
    const standard = ['json', 'collections', 'math', 'itertools', 'polya_json', 'polya_ensembles'];
    for (const own of imports) expect(standard).toContain(own);
  },
);

describe.skipIf(!hasPython)('examples/polya_json.py reproduces predictions within 1e-9, or refuses by name', () => {
  /** What the reader does not carry, as it says itself. */
  const outside = /Hashing|MixedNB$|Classifier, mixed|first format|bernoulli of bought|of review/;
  const all: readonly Subject[] = [...subjects, ...chosen];
  const cases = all.map((subject) => {
    const { model, rows } = drawn(subject, 3);
    const here = model.predictLogProba(rows as never, { strict: false });
    return { model: JSON.stringify(toJson(model)), rows, here };
  });
  const answers = hasPython ? answersOf(cases) : [];

  test.each(all.map(({ name }, k) => [name, k] as const))('%s', (name, k) => {
    const answer = answers[k];
    if (typeof answer === 'string') return expect(name, answer).toMatch(outside);
    const { here } = cases[k];
    expect(answer.length).toBe(here.rows);
    answer.forEach((row, i) => {
      row.forEach((p, c) => {
        expect(Math.abs(p - Math.exp(here.row(i)[c]))).toBeLessThanOrEqual(1e-9);
      });
    });
  });
});
