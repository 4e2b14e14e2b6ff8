import { Classifier } from '../auto/classifier.ts';
import { countingParts } from '../auto/classifier-family.ts';
import type { ClassifierParts, FitReport } from '../auto/classifier-fit.ts';
import { type ClassifierOptions, classWeightOf, recipeOptions } from '../auto/classifier-options.ts';
import { saveClassifier } from '../auto/classifier-saved.ts';
import { RecordLearner } from '../auto/learner.ts';
import { settledSchema, textColumns } from '../auto/learner-columns.ts';
import { type Counting, type FamilyName, familyNamed, familyOf, requirePriors } from '../auto/learner-families.ts';
import { blankLearner, recipeFor } from '../auto/learner-recipe.ts';
import type { Schema, SchemaColumn } from '../auto/schema.ts';
import { encodeModel } from '../core/artifact.ts';
import { RecordTable } from '../data/column-table.ts';
import type { EngineColumn } from '../engines/engine.ts';
import { stepOf } from '../engines/sql/frame.ts';
import { countUnchanged } from '../engines/sql/grouped.ts';
import { refuse } from '../errors.ts';
import { CountVectorizer } from '../estimators/count-vectorizer.ts';
import type { Sums } from '../stats/sums.ts';
import { type AnyClassifier, type EngineCounts, requireCountable, setCounts, statsOf } from './engine-counts.ts';
import { ensembleParts } from './ensemble.ts';
import { kindsOf } from './kinds.ts';
import { mixedFrom } from './mixed.ts';
import { type EngineSource, withEngine } from './open.ts';
import { readAs } from './record-cells.ts';
import { sampledAlpha } from './sample.ts';
import { type EngineRows, labelOf, type Opened, openSource } from './source.ts';
import { countTable } from './tables.ts';
import { countText, countWords } from './text.ts';
import type { CountedWords } from './text-stream.ts';

/**
 * How a classifier of records is learned in an engine: by an ensemble, or by a named family with its parameters, which is
 * not evaluated there.
 */
export type EngineClassifierOptions = Omit<
  ClassifierOptions,
  | 'target'
  | 'features'
  | 'weight'
  | 'schema'
  | 'evaluate'
  | 'calibrate'
  | 'onProgress'
  | 'signal'
  | 'bins'
  | 'splitColumn'
  | 'decimal'
  | 'dateOrder'
>;

/**
 * Learns a classifier of records from a table inside an engine. By default it is an ensemble that is chosen on a sample
 * of the rows and counted on all of them, as by `Classifier.fit`; a family by name takes the kinds of columns from their
 * types. It can learn further, as after `Classifier.fit`.
 */
export function classifierFromEngine(source: EngineSource, options: EngineClassifierOptions = {}): Promise<Classifier> {
  return withEngine(source, async (rows) => {
    const opened = await openSource(rows);
    return learnClassifier(rows, options, opened);
  });
}

/** The same for a described table. */
export async function learnClassifier(
  rows: EngineRows,
  options: EngineClassifierOptions,
  opened: Opened,
): Promise<Classifier> {
  if (options.model === undefined || options.model === 'auto')
    return loaded(await ensembleParts(rows, options, opened));
  const plan = await planClassifier(rows, options, opened);
  const model = await countClassifier(plan, opened);
  requirePriors(plan.recipe.priors, model.classes);
  return model;
}

/** A classifier of its own arrays. */
const loaded = (parts: ClassifierParts): Classifier =>
  Classifier.load(encodeModel({ toState: (own) => saveClassifier(parts, own) }));

/** The decisions before the rows of a table are counted: the kinds of its columns, the family, its options. */
export interface EnginePlan {
  readonly rows: EngineRows;
  readonly options: EngineClassifierOptions;
  readonly schema: Schema;
  readonly recipe: ReturnType<typeof recipeFor>;
}

/**
 * Decides how the rows of a table are learned. Parts of the table that are counted under one plan give classifiers that
 * can be merged.
 */
export async function planClassifier(
  rows: EngineRows,
  options: EngineClassifierOptions,
  opened: Opened,
): Promise<EnginePlan> {
  const { kinds = {} } = options;
  const texts = opened.features.filter(({ name }) => Object.hasOwn(kinds, name) && kinds[name] === 'text');
  const model = modelOf(options.model, opened, texts);
  const levelsOnly = familyOf(model).takes === 'levels';
  const columns = await kindsOf(opened.frame, opened.features, { features: rows.features, kinds }, levelsOnly);
  const target: SchemaColumn = {
    name: rows.target,
    kind: 'category',
    role: 'target',
    reason: 'asked for',
    missing: 0,
    distinct: 0,
  };
  const others = opened.others.map((name): SchemaColumn => {
    return { name, kind: 'constant', role: 'ignored', reason: 'not asked for', missing: 0, distinct: 0 };
  });
  const schema = { target: rows.target, rows: 0, columns: [target, ...columns, ...others] };
  const given = { ...recipeOptions({ ...options, target: rows.target }) };
  const named = typeof options.priors === 'object' ? Object.keys(options.priors) : [];
  const classes = named.map((label) => labelOf(label, opened.target)); // the other classes are known after counting
  const recipe = recipeFor(model, schema, given, { asked: new Set(rows.features), classes });
  return { rows, options, schema, recipe };
}

/** Counts a table, or a part of it, under a plan. */
export async function countClassifier(
  { rows, options, schema, recipe }: EnginePlan,
  opened: Opened,
): Promise<Classifier> {
  const blank = blankLearner(recipe, recipe.columns);
  const alpha = await sampledAlpha(blank.estimator as unknown as AnyClassifier, opened, (sample) => {
    const learner = blankLearner(recipe, recipe.columns);
    learner.fit({ ...sample, table: new RecordTable(sample.records) });
    return learner.estimator;
  });
  const counted = await countUnchanged(opened, (own) => count(blank, own, alpha));
  const estimator = counted.estimator as Counting;
  const learner = new RecordLearner(blank.plan, counted);
  const seen = estimator.classCount.reduce((sum, n) => sum + n, 0);
  const report = { ...reportFor({ ...schema, rows: seen }, learner, options.seed ?? 0), ...classWeightOf(options) };
  const parts = countingParts(report, learner, {
    target: rows.target,
    ...(options.reject !== undefined && { reject: options.reject }),
    ...(rows.weight !== undefined && { weight: rows.weight }),
  });
  return loaded(parts);
}

/** The description of a fit without reading rows. */
function reportFor(schema: Schema, { plan }: RecordLearner, seed: number): FitReport {
  const settled = settledSchema(schema, plan.columns);
  const { target } = schema;
  return { target, model: plan.model, seed, schema: settled, tried: [], columns: [], evaluation: null, warnings: [] };
}

/** The family: the named one, or for partitions, which need the same plan every time, the one that fits the columns. */
function modelOf(
  given: EngineClassifierOptions['model'],
  { features }: Opened,
  texts: readonly EngineColumn[],
): FamilyName {
  if (given !== undefined && given !== 'auto') return familyNamed(given);
  return features.length === 1 && texts.length === 1 ? 'multinomial' : 'mixed';
}

/** Counts for the vectorizers and the estimator of an unfitted learner. */
async function count({ plan, vectorizers, estimator }: RecordLearner, opened: Opened, alpha: number | undefined) {
  const classifier = estimator as unknown as AnyClassifier;
  requireCountable(classifier);
  const read = readAs(plan.columns, plan.model, opened);
  const texts = textColumns(plan.columns).map(({ name }) => name);
  const words = vectorizers.map(requireVocabulary);
  if (familyOf(plan.model).takes === 'counts' && texts.length > 0) {
    if (texts.length > 1) refuseTexts(texts);
    const counted = await countText(words[0], classifier, read);
    return { vectorizers: [counted.vectorizer], estimator: withCounts(classifier, counted.found, alpha) };
  }
  const counted = new Map<string, CountedWords>();
  for (const [k, name] of texts.entries()) {
    const column = read.features.find((own) => own.name === name) as EngineColumn;
    counted.set(name, await countWords(words[k], stepOf(read, k, texts.length + 1), column, 'tf'));
  }
  const rest = stepOf(read, texts.length, texts.length + 1);
  const blocks = new Map(Array.from(counted, ([name, { stats }]) => [name, statsOf(stats) as Sums]));
  const found = texts.length > 0 ? await mixedFrom(classifier, rest, blocks) : await countTable(classifier, rest);
  return {
    vectorizers: Array.from(counted.values(), ({ vectorizer }) => vectorizer),
    estimator: withCounts(classifier, found, alpha),
  };
}

const withCounts = (classifier: AnyClassifier, found: EngineCounts, alpha: number | undefined): Counting =>
  setCounts(classifier, found, alpha) as unknown as Counting;

function requireVocabulary(vectorizer: RecordLearner['vectorizers'][number]): CountVectorizer {
  if (vectorizer instanceof CountVectorizer) return vectorizer;
  return refuse(
    'E_ENGINE_CAPABILITY',
    'an engine counts words by a vocabulary: only one engine has the hash function',
    {
      name: 'hash',
    },
  );
}

function refuseTexts(texts: readonly string[]): never {
  return refuse(
    'E_ENGINE_CAPABILITY',
    "an engine counts the words of one text for this model; take 'mixed' for several",
    {
      columns: texts,
    },
  );
}
