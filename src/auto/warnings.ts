import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { entropy } from '../features/information.ts';
import { argmax, countCodes, maximum, sum } from '../math/arrays.ts';
import type { FitReport } from './classifier-fit.ts';
import { MOST_LEVELS, type Schema } from './schema.ts';

/** What is odd about labels: rows without one, labels that are nearly the same, and several labels in one cell. */
export function labelWarnings(
  target: string,
  classes: readonly Label[],
  counts: Float64Array,
  unlabeled: number,
): Warning[] {
  const labels = classes.map(String);
  return [...withoutLabel(target, unlabeled), ...severalLabels(target, labels, counts), ...nearEqual(labels)];
}

function withoutLabel(target: string, rows: number): Warning[] {
  if (rows === 0) return [];
  const have = rows === 1 ? '1 row has' : `${rows} rows have`;
  const sentence = `${have} no label in "${target}": a model learns nothing from ${rows === 1 ? 'it' : 'them'}`;
  return [{ kind: 'unlabeled', sentence, about: target, value: rows }];
}

/** Labels that are equal but for case, spaces and the Unicode form of their characters. */
function nearEqual(labels: readonly string[]): Warning[] {
  const alike = new Map<string, string[]>();
  for (const label of labels) {
    const key = label.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
    alike.set(key, [...(alike.get(key) ?? []), label]);
  }
  return [...alike.values()].flatMap((own): Warning[] => {
    if (own.length < 2) return [];
    const named = own.map((label) => `"${label}"`).join(', ');
    const sentence = `the labels ${named} differ only in case or spaces and count as ${own.length} classes: spell them alike`;
    return [{ kind: 'near-equal-labels', sentence, about: own[0], value: own.length }];
  });
}

const SEPARATORS = ['|', ';', ','];

/** Cells that list several labels: JSON arrays, or labels between separators. */
function severalLabels(target: string, labels: readonly string[], counts: Float64Array): Warning[] {
  const isList = [isJsonList, ...SEPARATORS.map((mark) => (label: string) => label.includes(mark))].find(
    (test, k) => labels.some(test) && (k === 0 || sharesParts(labels, SEPARATORS[k - 1])),
  );
  if (!isList) return [];
  const rows = labels.reduce((sum, label, c) => sum + (isList(label) ? counts[c] : 0), 0);
  const lists = labels.filter(isList);
  const example = lists.find((label) => SEPARATORS.some((mark) => label.includes(mark))) ?? lists[0];
  const sentence = `column "${target}" holds several labels per row, such as ${example}, and each combination counts as a class of its own. To learn every label by itself use polya fit --multilabel, or OneVsRestClassifier`;
  return [{ kind: 'several-labels', sentence, about: target, value: rows }];
}

function isJsonList(label: string): boolean {
  if (!/^\s*\[.*\]\s*$/s.test(label)) return false;
  try {
    return Array.isArray(JSON.parse(label));
  } catch {
    return /^\s*\['.*'\]\s*$/s.test(label); // as Python prints it
  }
}

/** Whether labels are lists of fewer different parts: "a|b", "b", "a" and not "Paris, France", "Rome, Italy". */
function sharesParts(labels: readonly string[], mark: string): boolean {
  const lists = labels.filter((label) => label.includes(mark));
  const parts = new Set(labels.flatMap((label) => label.split(mark)).map((part) => part.trim()));
  return lists.length > 1 && parts.size < labels.length && !parts.has('');
}

/** What a careful analyst would say, as data and as a sentence. */
export interface Warning {
  readonly kind:
    | 'leak'
    | 'duplicates'
    | 'conflicts'
    | 'small-class'
    | 'rare-class'
    | 'unlabeled'
    | 'near-equal-labels'
    | 'several-labels'
    | 'high-cardinality'
    | 'identifier'
    | 'constant'
    | 'missing'
    | 'split'
    | 'ambiguous'
    | 'over-confident'
    | 'uncalibrated';
  readonly sentence: string;
  /** The column or class that it is about. */
  readonly about?: string;
  /** How much, in the unit of the sentence. */
  readonly value?: number;
}

/** What warnings are drawn from. */
interface Findings {
  readonly schema: Schema;
  readonly classes: readonly Label[];
  /** The class of each row with a label. */
  readonly codes: Int32Array;
  /** Rows that are alike have one number. */
  readonly groups: Int32Array | Float64Array;
  /** The rows of each class, where `codes` and `groups` are of a sample of them. */
  readonly counts?: Float64Array;
  /** How many further rows have no label. */
  readonly unlabeled?: number;
  /** What each column alone says; see `ColumnScore`. */
  readonly alone: readonly Pick<FitReport['columns'][number], 'name' | 'family' | 'logLoss' | 'missingLogLoss'>[];
  /** The log-posteriors of held-out rows by models that had not learned them, and the class of each; absent if nothing was evaluated. */
  readonly answers?: { readonly logProba: Matrix; readonly codes: Int32Array } | undefined;
  /** What the rows of each class count for, where models have class weights. */
  readonly classFactors?: Float64Array | undefined;
}

/** A column that alone explains more than this share of the label's entropy may say what is not known when a row is predicted. */
const LEAK = 0.5;
/** If missing cells explain more than this share, a model that leaves them out loses what they say. */
const INFORMATIVE = 0.05;
const LEAST_ROWS = 5;
/** With fewer rows a column may predict the label by chance. */
const LEAST_TABLE = 20;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** All warnings about a table and the models of it. */
export function findWarnings(findings: Findings): Warning[] {
  const { schema, classes, codes, counts = countCodes(codes, classes.length), unlabeled = 0 } = findings;
  return [
    ...columnWarnings(findings.alone, counts),
    ...copies(findings, sum(counts)),
    ...smallClasses(classes, counts, findings.classFactors !== undefined),
    ...labelWarnings(schema.target, classes, counts, unlabeled),
    ...highCardinality(schema),
    ...uselessColumns(schema),
    ...confidence(findings),
  ];
}

/**
 * Columns that explain most of the label alone, or whose missing cells explain some of it: 1 − L / H(C), with the out-of-fold log-loss L of the class given the column. It estimates
 * I(X; C) / H(C) without the bias of counts, which give a column of many values more information than it has.
 */
export function columnWarnings(alone: Findings['alone'], counts: Float64Array): Warning[] {
  const rows = sum(counts);
  if (rows < LEAST_TABLE || rows - maximum(counts) < LEAST_ROWS) return []; // so few rows are separated by chance
  const whole = entropy(counts);
  return alone.flatMap(({ name, family, logLoss, missingLogLoss = whole }): Warning[] => {
    const explained = 1 - logLoss[family] / whole;
    const byMissing = 1 - missingLogLoss / whole;
    const warnings: Warning[] = [];
    if (explained > LEAK) {
      const sentence = `column "${name}" alone explains ${percent(explained)} of the label's entropy: check that its value is known before the label is`;
      warnings.push({ kind: 'leak', sentence, about: name, value: explained });
    }
    if (byMissing > INFORMATIVE) {
      const sentence = `whether column "${name}" is missing explains ${percent(byMissing)} of the label's entropy, and models leave missing cells out: if it is known before the label is, add a column that says so`;
      warnings.push({ kind: 'missing', sentence, about: name, value: byMissing });
    }
    return warnings;
  });
}

function copies({ groups, codes }: Findings, rows: number): Warning[] {
  const where = groups.length < rows ? ` (in a sample of ${groups.length} rows)` : '';
  const first = new Map<number, number>();
  let [again, against] = [0, 0];
  groups.forEach((group, i) => {
    const other = first.get(group);
    if (other === undefined) first.set(group, i);
    else again++;
    if (other !== undefined && codes[other] !== codes[i]) against++;
  });
  const warnings: Warning[] = [];
  if (again > 0) {
    const most = first.size < groups.length / 2; // then it is not copying, and the rows are split one by one
    const sentence = most
      ? `${again} rows are like others in every feature${where}: the columns tell few rows apart`
      : `${again === 1 ? '1 row is a copy of another' : `${again} rows are copies of others`} in every feature${where}; copies are kept on one side of a split`;
    warnings.push({ kind: 'duplicates', sentence, value: again });
  }
  if (against > 0) {
    const sentence =
      against === 1
        ? '1 row is like another in every feature and has a different label: no model can get both right'
        : `${against} rows are alike in every feature and have different labels${where}: no model can get all of them right`;
    warnings.push({ kind: 'conflicts', sentence, value: against });
  }
  return warnings;
}

/** Warnings about classes, by their counts: too few rows to learn from, or a tiny share of all rows. */
export function smallClasses(classes: readonly Label[], counts: Float64Array, weighted: boolean): Warning[] {
  return [...tooFewRows(classes, counts), ...rareClasses(classes, counts, weighted)];
}

function tooFewRows(classes: readonly Label[], counts: Float64Array): Warning[] {
  return classes.flatMap((label, c): Warning[] => {
    if (counts[c] >= LEAST_ROWS) return [];
    const rows = counts[c] === 1 ? 'one row' : `${counts[c]} rows`;
    const sentence = `class "${label}" has ${rows}: too few to learn or to evaluate it`;
    return [{ kind: 'small-class', sentence, about: String(label), value: counts[c] }];
  });
}

/** A class below this share of the rows is rare; of many classes, one below half of an even share. */
const RARE = 0.01;

/** One warning for all rare classes that have enough rows to be learned; it is about the rarest of them. */
function rareClasses(classes: readonly Label[], counts: Float64Array, weighted: boolean): Warning[] {
  const total = sum(counts);
  const limit = Math.min(RARE, 1 / (2 * classes.length));
  const rare = classes
    .map((label, c) => ({ label: String(label), rows: counts[c], share: counts[c] / total }))
    .filter(({ rows, share }) => rows >= LEAST_ROWS && share < limit)
    .sort((a, b) => a.share - b.share);
  if (rare.length === 0) return [];
  const named = rare.slice(0, 3).map(({ label, rows, share }) => `"${label}" (${rows} rows, ${percent(share)})`);
  const more = rare.length > 3 ? ` and ${rare.length - 3} more` : '';
  const subject = rare.length === 1 ? `class ${named[0]} is` : `classes ${named.join(', ')}${more} are`;
  const weights = weighted ? '' : ', and try class weights (--class-weight balanced)';
  const advice = `look at recall rather than accuracy${weights}`;
  return [{ kind: 'rare-class', sentence: `${subject} rare: ${advice}`, about: rare[0].label, value: rare[0].share }];
}

/** Categories with more values than are kept apart, of which most have few rows. */
function highCardinality({ columns, rows }: Schema): Warning[] {
  return columns.flatMap(({ name, kind, role, distinct, missing }): Warning[] => {
    if (role !== 'feature' || kind !== 'category' || distinct <= MOST_LEVELS) return [];
    const each = Math.round((10 * (rows - missing)) / distinct) / 10;
    const sentence = `column "${name}" has ${distinct} different values, ${each} rows each on average: all but the ${MOST_LEVELS} most frequent count as one; group them if you can`;
    return [{ kind: 'high-cardinality', sentence, about: name, value: distinct }];
  });
}

function uselessColumns({ columns }: Schema): Warning[] {
  return columns.flatMap(({ name, kind, role, reason, ambiguous }): Warning[] => {
    const column = `column "${name}"`;
    if (role === 'feature' && ambiguous !== undefined)
      return [{ kind: 'ambiguous', sentence: `${column}: ${ambiguous}`, about: name }];
    if (kind === 'split' && role === 'ignored') {
      const advice = 'it is not a feature; as the split column (--split-column) it chooses the rows to evaluate on';
      return [{ kind, sentence: `${column} ${reason}: ${advice}`, about: name }];
    }
    if (kind !== 'identifier' && kind !== 'constant') return [];
    const end = role === 'feature' ? 'it will not help with new rows' : 'it is left out';
    const what = kind === 'constant' ? 'constant' : 'an identifier';
    return [{ kind, sentence: `${column} is ${what} (${reason}): ${end}`, about: name }];
  });
}

/**
 * Mean confidence less accuracy on held-out rows, where it is more than two standard errors and two points. Class weights weigh the
 * rows: probabilities under them are those of a population in which classes are as frequent as their weights say.
 */
function confidence({ answers, classFactors }: Findings): Warning[] {
  if (!answers) return [];
  const { logProba, codes } = answers;
  let [sure, right, all] = [0, 0, 0];
  codes.forEach((c, i) => {
    const row = logProba.row(i);
    const weight = classFactors?.[c] ?? 1;
    all += weight;
    sure += weight * Math.exp(maximum(row));
    if (argmax(row) === c) right += weight;
  });
  const accuracy = right / all;
  const excess = sure / all - accuracy;
  const error = Math.sqrt((accuracy * (1 - accuracy)) / codes.length);
  if (!(excess > Math.max(0.02, 2 * error))) return [];
  const sentence = `posteriors are over-confident: ${percent(sure / all)} sure on average, ${percent(accuracy)} right on held-out rows`;
  return [{ kind: 'over-confident', sentence, value: excess }];
}

/** Warnings that follow from the counts of classes, which change. */
export const isOfCounts = (kind: Warning['kind']): boolean => kind === 'small-class' || kind === 'rare-class';
