import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { families, familyNamed, makeEstimator } from '../src/auto/learner-families.ts';
import type { OptionDef } from '../src/cli/declare.ts';
import { modelling } from '../src/cli/shared-options.ts';
import {
  alphaFamilies,
  analyzers,
  baselineNames,
  binnings,
  calibrations,
  chosenAlphaFamilies,
  familyAliases,
  familyList,
  hashBits,
  modelNames,
} from '../src/core/model-options.ts';
import { CountVectorizer } from '../src/estimators/count-vectorizer.ts';
import { classifierModels } from '../src/index.ts';
import { polya } from './cli/harness.ts';

test('library and command line have the same models', () => {
  expect(classifierModels).toBe(modelNames);
  expect(modelling.model.choices).toBe(modelNames);
  expect(Object.keys(families).sort()).toEqual([...familyList].sort());
  expect(modelNames).toEqual(['auto', ...familyList, ...Object.keys(familyAliases)]);
  for (const name of modelNames.slice(1)) expect(familyList).toContain(familyNamed(name));
  for (const name of baselineNames) expect(modelNames).not.toContain(name); // compare accepts them, fit and auto do not
});

test('the families with a pseudo-count, and those that choose it, are the ones whose estimators take it', () => {
  const takes = (name: (typeof familyList)[number], alpha: number | 'auto') => {
    try {
      return 'alpha' in makeEstimator(name, { alpha }).getParams();
    } catch (error) {
      expect(error).toMatchObject({ code: 'E_PARAM' });
      return false;
    }
  };
  expect(familyList.filter((name) => takes(name, 1)).sort()).toEqual([...alphaFamilies].sort());
  expect(familyList.filter((name) => takes(name, 'auto')).sort()).toEqual([...chosenAlphaFamilies].sort());
});

test('choices of the command line are those of the library', () => {
  expect(modelling.analyzer.choices).toBe(analyzers);
  expect(modelling.bins.choices).toBe(binnings);
  expect(modelling.calibrate.choices).toEqual(['auto', 'none', ...calibrations]);
  for (const analyzer of analyzers) expect(new CountVectorizer({ analyzer }).getParams()).toMatchObject({ analyzer });
  expect(() => new CountVectorizer({ analyzer: 'line' as 'word' })).toThrow(
    expect.objectContaining({ code: 'E_PARAM' }),
  );
});

test('every option of a model is declared once: the command line adds no default, bounds or choices', () => {
  const parameters = new Set(familyList.flatMap((name) => Object.keys(makeEstimator(name, {}).getParams())));
  const words = new Set(Object.keys(new CountVectorizer().getParams()));
  const own = Object.entries(modelling).filter(([name]) => parameters.has(name) || words.has(name));
  expect(own.map(([name]) => name)).toEqual(expect.arrayContaining(['alpha', 'analyzer', 'minDf', 'stopWords']));
  for (const [name, def] of own as [string, OptionDef][]) {
    expect({ default: def.default, min: def.min, max: def.max }, name).toEqual({});
    if (def.choices) expect([analyzers, binnings, calibrations], name).toContain(def.choices);
  }
});

test('the pseudo-count has the bounds of the estimator', async () => {
  const refusal = async (model: string, alpha: string) =>
    (await polya(['fit', 'absent.csv', '--model', model, `--alpha=${alpha}`], { cwd: '.' })).err;
  expect(await refusal('multinomial', '-1')).toContain('--alpha must be a number of at least 0, not "-1".');
  expect(await refusal('aode', '0')).toContain('--alpha must be a number of at least 1e-10, not "0".');
  expect(await refusal('tan', 'auto')).toContain('--alpha must be a number of at least 0, not "auto".');
  expect(await refusal('gaussian', '1')).toContain('gaussian has no pseudo-count');
  expect(await refusal('multinomial', '0')).toContain('E_PATH'); // allowed
});

test('limits of the vocabulary are those of the library, and are checked before the rows are read', async () => {
  for (const [option, value] of [
    ['--min-df', '-1'],
    ['--max-df', '1.5'],
    ['--vocab', '0'],
    ['--alpha', '-1'],
    ['--alpha', 'much'],
  ]) {
    const { code, err } = await polya(['fit', 'absent.csv', `${option}=${value}`], { cwd: '.' });
    expect(code).toBe(2);
    expect(err).toContain(option);
  }
  expect(modelling.hash).toMatchObject(hashBits);
});

/** The sources below a folder. */
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name))
    .map((name) => join(folder, name));

/** A word of each list that has no other meaning. */
const telling = ["'dirichlet-multinomial'", "'waode'", "'char_wb'", "'isotonic'", "'mdl'"];

test.each(['src/cli', 'src/server', 'studio'])('%s has no separate list of models or of their choices', (folder) => {
  const sources = sourcesIn(folder).filter((file) => !file.includes('studio/texts/')); // names in two languages
  const found = sources.filter((file) => {
    const source = readFileSync(file, 'utf8');
    return telling.some((word) => source.includes(word));
  });
  expect(found).toEqual([]);
});
