import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { familyNamed, familyOf, makeEstimator, type Takes } from '../../auto/learner-families.ts';
import { type SchemaColumn, schemaOf } from '../../auto/schema.ts';
import { chosenAlphaFamilies } from '../../core/model-options.ts';
import type { ColumnTable } from '../../data/column-table.ts';
import { suggest } from '../../data/suggest.ts';
import type { PolyaError } from '../../errors.ts';
import { vocabularySpec } from '../../text/vocabulary-options.ts';
import type { RowSource } from '../data.ts';
import { pairOf } from '../data-problems.ts';
import type { Context } from '../declare.ts';
import { fail, misuse } from '../problem.ts';
import { type modelling, reading, type roles } from '../shared-options.ts';
import { listed, refuseChoice, refuseForm, refuseNumber } from '../usage.ts';
import { flagOf } from '../values.ts';

/** A context of a command that learns. */
export type Learning = Context<typeof roles & Omit<typeof modelling, 'model'> & Pick<typeof reading, 'decimal'>>;

type Rest = Omit<ClassifierOptions, 'target'>;

const kinds = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** The options of the library from those of the command line. */
export function learnOptions({ options }: Learning, model: string): Rest {
  const { features, weights, seed, bins, analyzer, stopWords, minDf, maxDf, vocab, hash } = options;
  const named = options.kinds.map(kindOf);
  requireLimits({ minDf, maxDf, maxFeatures: vocab });
  const given = {
    features: featuresOf(features, options.text),
    kinds: Object.fromEntries([...(options.text ? [[options.text, 'text'] as const] : []), ...named]),
    ...(options.decimal !== 'auto' && { decimal: options.decimal }),
    ...(options.dateOrder !== 'auto' && { dateOrder: options.dateOrder }),
    weight: weights,
    model,
    alpha: alphaOf(options.alpha, model),
    priors: byLabel('--priors', options.priors, ['empirical', 'uniform'], 'LABEL=P,LABEL=P'),
    classWeight: byLabel('--class-weight', options.classWeight, ['balanced'], 'LABEL=W,LABEL=W'),
    ngrams: ngramsOf(options.ngrams),
    calibrate: calibrationOf(options.calibrate),
    seed,
    ...{ bins, analyzer, stopWords: stopWordsOf(stopWords), minDf, maxDf, maxFeatures: vocab, hash },
    ...smoothingOf(options.smoothing),
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && !isEmpty(value)),
  ) as Rest;
}

const limitFlags = { minDf: '--min-df', maxDf: '--max-df', maxFeatures: '--vocab' } as const;

/** Refuses vocabulary limits that the library would refuse after the rows are read. */
function requireLimits(limits: Readonly<Record<keyof typeof limitFlags, number | undefined>>): void {
  for (const [name, flag] of Object.entries(limitFlags) as [keyof typeof limitFlags, string][]) {
    const { accept, expects } = vocabularySpec[name];
    const value = limits[name];
    if (value !== undefined && accept(value) === undefined) misuse(`${flag} is ${expects}, not ${value}.`);
  }
}

const isEmpty = (value: unknown): boolean => typeof value === 'object' && Object.keys(value ?? {}).length === 0;

/** A text column is the only feature, unless there are others. */
function featuresOf(features: readonly string[], text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return features.length > 0 ? features : undefined;
  return [...new Set([...features, text])];
}

/** A language, or words separated by commas. */
const stopWordsOf = (text: string | undefined): string | readonly string[] | undefined =>
  text?.includes(',') ? text.split(',').flatMap((word) => word.trim() || []) : text;

function kindOf(word: string): readonly [string, string] {
  const [column, kind] = pairOf('--kinds', 'COLUMN=KIND', word);
  if ((kinds as readonly string[]).includes(kind)) return [column, kind];
  return refuseChoice('--kinds', kind, kinds);
}

/** The pseudo-count, with the bounds that the estimator of the model declares. */
function alphaOf(text: string | undefined, model: string): number | 'auto' | undefined {
  if (text === undefined) return undefined;
  const alpha = text === 'auto' ? text : text.trim() === '' ? Number.NaN : Number(text);
  const family = model === 'auto' ? 'multinomial' : familyNamed(model);
  try {
    makeEstimator(family, { alpha });
    return alpha;
  } catch (cause) {
    const { expected } = (cause as PolyaError).details as { readonly expected?: string };
    if (expected === undefined)
      fail('E_USAGE', `${model} has no pseudo-count: --alpha cannot be used with it.`, { cause });
    const [, min] = /≥ ([\d.e-]+)/.exec(expected) ?? [];
    const isChosen = (chosenAlphaFamilies as readonly string[]).includes(family);
    return refuseNumber('--alpha', text, { min: Number(min) }, isChosen ? ['Or auto: chosen by leave-one-out.'] : []);
  }
}

/** One of a few words, or a number for each label. */
function byLabel<Word extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Word[],
  form: string,
): Word | Record<string, number> | undefined {
  if (text === undefined || (choices as readonly string[]).includes(text)) return text as Word | undefined;
  if (!text.includes('=')) return refuseChoice(flag, text, [...choices, form], { near: suggest(text, choices) });
  const pairs = text.split(',').map((part) => pairOf(flag, form, part));
  return Object.fromEntries(pairs.map(([label, number]) => [label, Number(number)]));
}

function ngramsOf(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, from, to = from] = /^(\d+)(?:[-,:](\d+))?$/.exec(text.trim()) ?? [];
  const [least, most] = [Number(from), Number(to)];
  if (from !== undefined && least >= 1 && most >= least && most <= 20) return [least, most];
  return refuseForm('--ngrams', 'N or N-M', text);
}

function smoothingOf(text: string | undefined): Record<string, number | string> {
  if (text === undefined) return {};
  const pairs = text.split(',').map((part) => pairOf('--smoothing', 'NAME=VALUE', part));
  const read = (value: string) => (value === '' || Number.isNaN(Number(value)) ? value : Number(value));
  return Object.fromEntries(pairs.map(([name, value]) => [name, read(value)]));
}

const calibrationOf = (word: string): ClassifierOptions['calibrate'] =>
  word === 'auto' ? undefined : word === 'none' ? false : (word as 'sigmoid');

/** How to fit a model: the given options, restricted to the columns that the model can use, which is reported. */
export function recipeFor(
  context: Learning,
  data: { readonly table: ColumnTable; readonly target: string; readonly source?: Pick<RowSource, 'fileColumn'> },
  model: string,
  splitColumn?: string | undefined,
): ClassifierOptions {
  const { table, target, source } = data;
  const given = learnOptions(context, model);
  const file = given.features ? undefined : source?.fileColumn;
  const kinds = file === undefined ? {} : { kinds: { [file]: 'ignored' as const, ...given.kinds } };
  const recipe: ClassifierOptions = { ...given, ...kinds, target, ...(splitColumn && { splitColumn }) };
  if (model === 'auto' || given.features || given.kinds) return recipe;
  const { decimal, dateOrder } = recipe;
  const { columns } = schemaOf(table, { target, decimal, dateOrder, splitColumn });
  const others = [context.options.weights, file];
  const own = columns.filter(({ role, name }) => role === 'feature' && !others.includes(name));
  const { takes } = familyOf(familyNamed(model));
  const fitting = columnsFor(takes, own);
  if (fitting.length === own.length || fitting.length === 0) return recipe;
  const features = fitting.map(({ name }) => name);
  const uses = takes === 'counts' && fitting[0].kind === 'text' ? 'text' : takes;
  const left = own.flatMap(({ name }) => (features.includes(name) ? [] : name));
  context.print.note(`features  ${listed(features, 5, 30)}  (${model} uses ${uses}; ignored: ${listed(left, 5, 30)})`);
  return { ...recipe, features };
}

function columnsFor(takes: Takes, columns: readonly SchemaColumn[]): SchemaColumn[] {
  const words = columns.filter(({ kind }) => kind === 'text');
  const numbers = columns.filter(({ kind }) => kind === 'number');
  if (takes === 'counts') return words.length > 0 ? words : numbers;
  if (takes === 'numbers') return columns.filter(({ kind }) => kind === 'number' || kind === 'date');
  return takes === 'levels' ? columns.filter(({ kind }) => kind !== 'text') : [...columns];
}

/** Options about how cells are read, not about which rows. */
const carried = ['format', 'encoding', 'delimiter', 'sheet', 'decimal', 'header', 'maxBadRows'] as const;

/** The reading options of this command, for a command that reads the same data. */
export function readingWords({ settings }: Pick<Context, 'settings'>): string[] {
  return carried.flatMap((name) => {
    const value = settings.get(name)?.value;
    const { default: usual }: { readonly default?: unknown } = reading[name];
    return value === undefined || value === usual ? [] : [flagOf(name), String(value)];
  });
}
