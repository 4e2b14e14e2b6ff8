import type { Label } from '../data/labels.ts';
import type { Matrix } from '../data/matrix.ts';
import { argmax, maximum, sum } from '../math/arrays.ts';
import { labelWarnings } from './label-warnings.ts';
import { MOST_LEVELS, type Schema } from './schema.ts';
import { DECIMAL_COMMAS } from './schema-kinds.ts';

/** What a careful analyst would say, as data and as a sentence. */
export interface Warning {
  readonly kind:
    | 'leak'
    | 'duplicates'
    | 'conflicts'
    | 'small-class'
    | 'unlabeled'
    | 'near-equal-labels'
    | 'several-labels'
    | 'high-cardinality'
    | 'identifier'
    | 'constant'
    | 'decimal-commas'
    | 'over-confident';
  readonly sentence: string;
  /** The column or class that it is about. */
  readonly about?: string;
  /** How much, in the unit of the sentence. */
  readonly value?: number;
}

/** What warnings are drawn from; scores are of rows that the models had not learned. */
export interface Findings {
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
  /** How often each column alone names the right class. */
  readonly alone: readonly { readonly name: string; readonly accuracy: number }[];
  readonly outOfFold: Matrix;
  readonly judged: Int32Array;
}

/** A column that alone is right more often than this says what it should not know. */
const LEAK = 0.99;
const LEAST_ROWS = 5;
/** In fewer rows a column may well tell the label by chance. */
const LEAST_TABLE = 20;

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** All warnings about a table and the models of it. */
export function findWarnings(findings: Findings): Warning[] {
  const { schema, classes, codes, counts = countsOf(codes, classes.length), unlabeled = 0 } = findings;
  return [
    ...leaks(findings.alone, counts),
    ...copies(findings, sum(counts)),
    ...smallClasses(classes, counts),
    ...labelWarnings(schema.target, classes, counts, unlabeled),
    ...highCardinality(schema),
    ...uselessColumns(schema),
    ...confidence(findings),
  ];
}

function leaks(alone: Findings['alone'], counts: Float64Array): Warning[] {
  const rows = sum(counts);
  const most = maximum(counts) / rows;
  if (rows < LEAST_TABLE || (1 - most) * rows < LEAST_ROWS) return []; // so few rows part by chance
  // Where one class has nearly all rows, everything is right 99 % of the time: half of what is left must be told.
  const found = alone.filter(({ accuracy }) => accuracy > LEAK && 1 - accuracy < (1 - most) / 2);
  return found.map(({ name, accuracy }) => ({
    kind: 'leak',
    sentence: `column "${name}" alone predicts the label (${percent(accuracy)} right): is it known before the label is?`,
    about: name,
    value: accuracy,
  }));
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

/** Classes with too few rows, by their counts. */
export function smallClasses(classes: readonly Label[], counts: Float64Array): Warning[] {
  return classes.flatMap((label, c): Warning[] => {
    if (counts[c] >= LEAST_ROWS) return [];
    const rows = counts[c] === 1 ? 'one row' : `${counts[c]} rows`;
    const sentence = `class "${label}" has ${rows}: too few to learn it, or to say how well it is told`;
    return [{ kind: 'small-class', sentence, about: String(label), value: counts[c] }];
  });
}

/** Categories with more values than are told apart, of which most have few rows. */
function highCardinality({ columns, rows }: Schema): Warning[] {
  return columns.flatMap(({ name, kind, role, distinct, missing }): Warning[] => {
    if (role !== 'feature' || kind !== 'category' || distinct <= MOST_LEVELS) return [];
    const each = Math.round((10 * (rows - missing)) / distinct) / 10;
    const sentence = `column "${name}" has ${distinct} different values, ${each} rows each on average: all but the ${MOST_LEVELS} most frequent count as one; group them if you can`;
    return [{ kind: 'high-cardinality', sentence, about: name, value: distinct }];
  });
}

function uselessColumns({ columns }: Schema): Warning[] {
  return columns.flatMap(({ name, kind, role, reason }): Warning[] => {
    if (role !== 'target' && reason.startsWith(DECIMAL_COMMAS)) {
      const sentence = `column "${name}" holds numbers with decimal commas, and they are read as words`;
      return [{ kind: 'decimal-commas', sentence, about: name }];
    }
    if (kind !== 'identifier' && kind !== 'constant') return [];
    const end = role === 'feature' ? 'it will not help with new rows' : 'it is left out';
    return [
      {
        kind,
        sentence: `column "${name}" is ${kind === 'constant' ? 'constant' : 'an identifier'} (${reason}): ${end}`,
        about: name,
      },
    ];
  });
}

/** Mean confidence less accuracy on held-out rows, where it is more than two standard errors and two points. */
function confidence({ outOfFold, judged, codes }: Findings): Warning[] {
  let [sure, right] = [0, 0];
  for (const i of judged) {
    const row = outOfFold.row(i);
    sure += Math.exp(maximum(row));
    if (argmax(row) === codes[i]) right++;
  }
  const accuracy = right / judged.length;
  const excess = sure / judged.length - accuracy;
  const error = Math.sqrt((accuracy * (1 - accuracy)) / judged.length);
  if (!(excess > Math.max(0.02, 2 * error))) return [];
  const sentence = `posteriors are over-confident: ${percent(sure / judged.length)} sure on average, ${percent(accuracy)} right on held-out rows`;
  return [{ kind: 'over-confident', sentence, value: excess }];
}

function countsOf(codes: Int32Array, classes: number): Float64Array {
  const counts = new Float64Array(classes);
  for (let i = 0; i < codes.length; i++) counts[codes[i]]++;
  return counts;
}
