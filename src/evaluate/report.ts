import {
  flag,
  type GivenOptions,
  integer,
  type OptionSpec,
  readOptions,
  unchecked,
  weightOption,
} from '../core/options.ts';
import type { Label } from '../data/labels.ts';
import { refuse } from '../errors.ts';
import { averageScores, type ClassScores, classTotals, scoreClasses, zeroDivisionOption } from './class-scores.ts';
import { type Answers, readLabelSets, rowTotals, setTotals } from './label-rows.ts';
import { numpySum } from './numpy.ts';
import { fixed, padded, pythonFloat } from './printed-numbers.ts';
import { labelsOption, type Pair, readClassList, readPair, requireClassType } from './targets.ts';

/** One line of the report, under scikit-learn's names. */
export interface ReportLine {
  readonly precision: number;
  readonly recall: number;
  readonly 'f1-score': number;
  readonly support: number;
}

/** The report as data: a line per class, then `accuracy` (one number) or `micro avg`, `macro avg`, `weighted avg`. */
export type ReportDict = { readonly [line: string]: ReportLine | number } & {
  readonly accuracy?: number;
  readonly 'macro avg': ReportLine;
  readonly 'weighted avg': ReportLine;
};

const spec = {
  ...labelsOption,
  /** The names of the classes. Default: the labels. */
  targetNames: unchecked<ArrayLike<string>>(),
  ...weightOption,
  /** The number of decimals. Default: 2. */
  digits: integer({ default: 2, min: 0, max: 100 }),
  /** Return data instead of text. Default: false. */
  outputDict: flag({ default: false }),
  ...zeroDivisionOption,
} satisfies OptionSpec;

/** Options of the report. */
export type ClassificationReportOptions = GivenOptions<typeof spec>;

interface Report {
  readonly names: readonly string[];
  readonly classes: ClassScores<number[]>;
  readonly support: readonly number[];
  readonly averages: ReadonlyMap<string, ClassScores<number>>;
  readonly all: number;
  readonly floats: boolean;
}

/** A label as Python prints it. */
function nameOf(label: Label): string {
  return typeof label === 'boolean' ? (label ? 'True' : 'False') : String(label);
}

function compile(yTrue: Answers, yPred: Answers, options: ReturnType<typeof readOptions<typeof spec>>): Report {
  const sets = readLabelSets(yTrue, yPred, options.sampleWeight);
  const pair = sets ?? readPair(yTrue, yPred, options.sampleWeight);
  const wanted = options.labels === null ? pair.classes : readClassList(options.labels);
  requireClassType(wanted[0], pair.classes, 'labels');
  const names = options.targetNames === null ? wanted.map(nameOf) : Array.from(options.targetNames, String);
  if (names.length !== wanted.length) {
    const sentence = `there are ${names.length} targetNames for ${wanted.length} classes`;
    if (options.labels === null) {
      refuse('E_SHAPE', sentence, { name: 'targetNames', expected: wanted.length, actual: names.length });
    }
    console.warn(`classificationReport: ${sentence}`); // as in scikit-learn, where labels were given
    names.length = Math.min(names.length, wanted.length);
  }
  const totals = sets ? setTotals(sets, wanted) : classTotals(pair as Pair, wanted);
  const complete = !sets && pair.classes.every((label) => wanted.includes(label));
  const averages = new Map(
    (['micro', 'macro', 'weighted'] as const).map((average) => [
      average === 'micro' && complete ? 'accuracy' : `${average} avg`,
      averageScores(totals, average, 1, options.zeroDivision),
    ]),
  );
  if (sets) averages.set('samples avg', averageScores(rowTotals(sets, wanted), 'samples', 1, options.zeroDivision));
  const classes = scoreClasses(totals, 1, options.zeroDivision);
  return {
    names,
    classes,
    support: totals.actual,
    averages,
    all: numpySum(totals.actual),
    // scikit-learn's supports turn into floats, printed as 5.0, with weights and also where no row at all is right.
    floats: options.sampleWeight !== null || (!sets && pair.truth.every((truth, i) => truth !== pair.guess[i])),
  };
}

const headers = ['precision', 'recall', 'f1-score', 'support'];

function print({ names, classes, support, averages, all, floats }: Report, digits: number): string {
  const width = Math.max(...names.map((name) => [...name].length), 'weighted avg'.length, digits);
  const line = (name: string, cells: readonly string[]) =>
    `${padded(name, width)} ${cells.map((cell) => ` ${padded(cell, 9)}`).join('')}\n`;
  const amount = (value: number) => (floats ? pythonFloat(value) : String(value));
  const cells = (...values: number[]) => values.map((value) => fixed(value, digits));
  let text = `${line('', headers)}\n`;
  for (const [c, name] of names.entries()) {
    text += line(name, [...cells(classes.precision[c], classes.recall[c], classes.fscore[c]), amount(support[c])]);
  }
  text += '\n';
  for (const [name, { precision, recall, fscore }] of averages) {
    const row = name === 'accuracy' ? ['', '', ...cells(fscore)] : cells(precision, recall, fscore);
    text += line(name, [...row, amount(all)]);
  }
  return text;
}

function toDict({ names, classes, support, averages, all }: Report): ReportDict {
  const dict: Record<string, ReportLine | number> = Object.create(null);
  for (const [c, name] of names.entries()) {
    dict[name] = {
      precision: classes.precision[c],
      recall: classes.recall[c],
      'f1-score': classes.fscore[c],
      support: support[c],
    };
  }
  for (const [name, { precision, recall, fscore }] of averages) {
    dict[name] = name === 'accuracy' ? precision : { precision, recall, 'f1-score': fscore, support: all };
  }
  return dict as ReportDict;
}

/**
 * The main scores by class as a text, digit for digit scikit-learn's table: precision, recall, F₁ and support of each class, then accuracy
 * (or, where `labels` leaves classes out, the micro average), the macro and the weighted average. With `outputDict: true` the same as data,
 * under the same names. In the data, a summary line such as 'accuracy' replaces a class of the same name; in the text both have a line.
 */
export function classificationReport(
  yTrue: Answers,
  yPred: Answers,
  options: ClassificationReportOptions & { readonly outputDict: true },
): ReportDict;
export function classificationReport(
  yTrue: Answers,
  yPred: Answers,
  options?: ClassificationReportOptions & { readonly outputDict?: false | undefined },
): string;
export function classificationReport(
  yTrue: Answers,
  yPred: Answers,
  options: ClassificationReportOptions = {},
): string | ReportDict {
  const read = readOptions('classificationReport', spec, options);
  const report = compile(yTrue, yPred, read);
  return read.outputDict ? toDict(report) : print(report, read.digits);
}
