import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import Value from 'typebox/value';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { configSchema } from '../../scripts/config-schema.ts';
import { fileOf, printedSchemas } from '../../scripts/printed-types.mjs';
import { allCommands } from '../../src/cli/registry.ts';
import { writeMessages } from './fixtures.ts';
import { folder, polya } from './harness.ts';

const { path, remove } = folder();
afterAll(remove);
const shipped = new URL('../../schemas/', import.meta.url);
const outputs: Readonly<Record<string, Record<string, unknown>>> = printedSchemas();

beforeAll(async () => {
  writeMessages(path);
  mkdirSync(join(path, 'empty'));
  const make = (...words: string[]) => polya([...words, '-q'], { cwd: path });
  await make('demo', 'iris');
  await make('fit', 'sms.csv', '-t', 'label', '--model', 'multinomial', '-o', 'words.polya');
  await make('fit', 'more.csv', '-t', 'label', '--model', 'multinomial', '-o', 'more.polya');
});

test('the schemas that are shipped are those of the source: run node scripts/schemas.mjs', async () => {
  const written = readdirSync(shipped).sort();
  expect(written).toEqual([...Object.keys(outputs).map(fileOf), 'config.schema.json'].sort());
  const read = (name: string) => JSON.parse(readFileSync(new URL(name, shipped), 'utf8'));
  for (const [name, schema] of Object.entries(outputs)) {
    const { $schema, ...rest } = read(fileOf(name));
    expect($schema).toContain('2020-12');
    expect(rest).toEqual(JSON.parse(JSON.stringify(schema)));
  }
  expect(read('config.schema.json')).toEqual(JSON.parse(JSON.stringify(configSchema(await allCommands()))));
});

// Every command with its output; the schema that it names has to admit it.
const lines: string[][] = [
  ['inspect', 'sms.csv'],
  ['inspect', 'iris.csv', '-t', 'species'],
  ['fit', 'sms.csv', '-t', 'label', '-o', 'pool.polya'],
  ['fit', 'iris.csv', '--model', 'lda', '--cv', '3', '-o', 'lda.polya'],
  ['fit', 'iris.csv', '-o', 'auto.polya', '--holdout', '0'],
  ['predict', 'more.csv', '-m', 'words.polya', '--proba', '--top', '2', '--explain', '2', '--reject', '0.9'],
  ['predict', '-m', 'words.polya', '--text', 'win a prize', '--text', 'lunch, then home'],
  [
    'evaluate',
    'more.csv',
    '-m',
    'words.polya',
    '--by',
    'label',
    '--compare',
    'more.polya',
    '--fail-under',
    'accuracy=0.1',
  ],
  ['evaluate', 'iris.csv', '--cv', '3', '--model', 'gaussian'],
  ['explain', '-m', 'words.polya'],
  ['explain', '-m', 'words.polya', '--text', 'win a prize'],
  ['explain', 'more.csv', '-m', 'words.polya', '--row', '2'],
  ['features', 'sms.csv', '-t', 'label'],
  ['features', 'iris.csv'],
  ['features', '-m', 'words.polya'],
  ['tune', 'iris.csv', '--try', 'model=lda|gaussian', '--cv', '2', '--outer', '2', '-o', 'best.polya'],
  ['compare', 'iris.csv', '-m', 'lda', '-m', 'qda', '--cv', '3'],
  ['compare', 'more.csv', '-m', 'words.polya', '-m', 'more.polya'],
  ['update', 'more.csv', '-m', 'words.polya', '-o', 'new.polya'],
  ['unlearn', 'more.csv', '-m', 'more.polya', '-o', 'nothing.polya'],
  ['merge', 'words.polya', 'more.polya', '-o', 'sum.polya'],
  ['calibrate', 'more.csv', '-m', 'words.polya', '-o', 'calibrated.polya'],
  ['info', 'words.polya'],
  ['bench', 'iris.csv', '--model', 'gaussian', '--runs', '1'],
  ['doctor'],
  ['completion', 'fish'],
  ['demo', 'weather'],
  ['datasets'],
  ['datasets', 'weather', '-o', 'w.csv'],
  ['init', 'iris.csv', '--yes'],
  ['export', '-m', 'words.polya', '--to', 'csv', '-o', 'words.csv'],
  ['fit', 'iris.csv', '--print-config'],
];

test.each(lines.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
  const { code, out, err } = await polya([...words, '--json'], { cwd: path });
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  const objects = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(objects.length).toBeGreaterThan(0);
  for (const object of objects) {
    const name = String(object.schema).replace('polya/', '');
    expect(Object.keys(outputs)).toContain(name);
    expect(Value.Errors(outputs[name] as TSchema, object).slice(0, 3)).toEqual([]);
  }
});

test('errors and progress have schemas too', async () => {
  const { err } = await polya(['fit', 'nothing.csv', '--json', '--debug'], { cwd: path });
  expect(Value.Errors(outputs['error@1'] as TSchema, JSON.parse(err))).toEqual([]);
  const fit = await polya(['fit', 'sms.csv', '-t', 'label', '--progress', 'json', '-o', 'p.polya', '--json'], {
    cwd: path,
  });
  const steps = fit.err
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
  expect(steps.length).toBeGreaterThan(1);
  for (const step of steps) expect(Value.Errors(outputs['progress@1'] as TSchema, step)).toEqual([]);
});

test('a config file that the schema admits is read, one that it refuses is refused', async () => {
  const schema = configSchema(await allCommands()) as never;
  const cases: [unknown, boolean][] = [
    [{ target: 'label', model: 'lda', fit: { holdout: 0.3, 'max-bad-rows': 2 } }, true],
    [{ $schema: 'x', predict: { output: 'csv', keep: ['id'] } }, true],
    [{ fit: { holdout: 2 } }, false],
    [{ fit: { modle: 'lda' } }, false],
    [{ colour: 'always' }, false],
    [{ predict: { output: 'xml' } }, false],
  ];
  for (const [config, fits] of cases) {
    writeFileSync(join(path, 'empty', 'polya.config.json'), JSON.stringify(config));
    const command = JSON.stringify(config).includes('predict') ? 'predict' : 'fit';
    const { code } = await polya([command, 'x', '--print-config'], { cwd: join(path, 'empty') });
    expect([Value.Check(schema, config), code === 0], JSON.stringify(config)).toEqual([fits, fits]);
  }
});
