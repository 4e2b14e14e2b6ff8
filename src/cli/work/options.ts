import type { ClassifierOptions } from '../../auto/classifier-options.ts';
import { suggest } from '../../data/suggest.ts';
import type { Context } from '../context.ts';
import { pairOf } from '../data-problems.ts';
import { fail } from '../problem.ts';
import type { modelling, reading, roles } from '../shared-options.ts';
import { texts } from '../texts/index.ts';

/** A context of a command that learns. */
export type Learning = Context<typeof roles & typeof modelling & Pick<typeof reading, 'decimal'>>;

type Rest = Omit<ClassifierOptions, 'target'>;

const kinds = ['number', 'category', 'boolean', 'date', 'text', 'ignored'] as const;

/** The options of the library from those of the command line. */
export function learnOptions({ options }: Learning, model: string = options.model): Rest {
  const { features, weights, seed, bins, analyzer, stopWords, minDf, maxDf, vocab, hash } = options;
  const named = options.kinds.map(kindOf);
  const given = {
    features: featuresOf(features, options.text),
    kinds: Object.fromEntries([...(options.text ? [[options.text, 'text'] as const] : []), ...named]),
    ...(options.decimal !== 'auto' && { decimal: options.decimal }),
    ...(options.dateOrder !== 'auto' && { dateOrder: options.dateOrder }),
    weight: weights,
    model,
    alpha: alphaOf(options.alpha),
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

const isEmpty = (value: unknown): boolean =>
  (Array.isArray(value) && value.length === 0) ||
  (typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0);

/** A text column alone is all there is to classify by; with features it is one of them. */
function featuresOf(features: readonly string[], text: string | undefined): readonly string[] | undefined {
  if (text === undefined) return features.length > 0 ? features : undefined;
  return [...new Set([...features, text])];
}

/** A language, or the words themselves with commas between or behind them. */
const stopWordsOf = (text: string | undefined): string | readonly string[] | undefined =>
  text?.includes(',') ? text.split(',').flatMap((word) => word.trim() || []) : text;

function kindOf(word: string): readonly [string, string] {
  const [column, kind] = pairOf('--kinds', 'COLUMN=KIND', word);
  if ((kinds as readonly string[]).includes(kind)) return [column, kind];
  const near = suggest(kind, kinds);
  return fail('E_USAGE', texts.usage.choiceNeeded('--kinds', kind), { notes: [texts.usage.choices(kinds, near)] });
}

function alphaOf(text: string | undefined): number | 'auto' | undefined {
  if (text === undefined || text === 'auto') return text;
  const alpha = Number(text);
  if (text.trim() !== '' && alpha >= 0 && Number.isFinite(alpha)) return alpha;
  return fail('E_USAGE', texts.usage.numberNeeded('--alpha', false, 0, undefined, text), {
    notes: [texts.fit.alphaAuto()],
  });
}

/** One of a few words, or a number for each label. */
function byLabel<Word extends string>(
  flag: string,
  text: string | undefined,
  choices: readonly Word[],
  form: string,
): Word | Record<string, number> | undefined {
  if (text === undefined || (choices as readonly string[]).includes(text)) return text as Word | undefined;
  if (!text.includes('=')) {
    return fail('E_USAGE', texts.usage.choiceNeeded(flag, text), {
      notes: [texts.usage.choices([...choices, form], suggest(text, choices))],
    });
  }
  return Object.fromEntries(
    text
      .split(',')
      .map((part) => pairOf(flag, form, part))
      .map(([label, number]) => [label, Number(number)]),
  );
}

function ngramsOf(text: string | undefined): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, from, to = from] = /^(\d+)(?:[-,:](\d+))?$/.exec(text.trim()) ?? [];
  const [least, most] = [Number(from), Number(to)];
  if (from !== undefined && least >= 1 && most >= least && most <= 20) return [least, most];
  return fail('E_USAGE', texts.usage.pairNeeded('--ngrams', 'N or N-M', text));
}

function smoothingOf(text: string | undefined): Record<string, number | string> {
  if (text === undefined) return {};
  const pairs = text.split(',').map((part) => pairOf('--smoothing', 'NAME=VALUE', part));
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, value === '' || Number.isNaN(Number(value)) ? value : Number(value)]),
  );
}

const calibrationOf = (word: string): ClassifierOptions['calibrate'] =>
  word === 'auto' ? undefined : word === 'none' ? false : (word as 'sigmoid');
